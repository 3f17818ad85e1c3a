"""What schedulers and nodes tell of a machine: topology.yaml, features of nodes, xnames."""

import pytest
from described import TOPOLOGY, refused, written

from hopbine import _core
from hopbine.machines import discover, load

# As in man 5 topology.yaml (Slurm 25.05).
YAML = """---
- topology: topo1
  cluster_default: false
  flat: true
- topology: topo2   # the default
  cluster_default: true
  tree:
    switches:
      - switch: sw_root
        children: s[1-2]
      - switch: s1
        nodes: node[01-02]
      - switch: s2
        nodes: "node[03-04]"
"""
BLOCKS = """- topology: topo3
  block:
    block_sizes:
      - 2
      - 4
    blocks:
    - block: b1
      nodes: node[01-02]
    - block: b2
      nodes: node[03-04]
"""
FEATURES = """NODELIST AVAIL_FEATURES
nid001 ib,group1,rack_a
nid001 ib,group1,rack_a
nid002 ib,group1
nid003 ib,Group-2,rack12
"""


def test_topology_yaml_is_read_as_topology_conf(tmp_path):
    path = written(tmp_path, YAML)
    assert load(path).groups == ["s1", "s2"]
    assert load(path).place(["node02", "node03"]).group == [0, 1]
    assert load(path, 0).groups == ["sw_root"]
    assert load(written(tmp_path, BLOCKS)).place(["node02", "node03"]).group == [0, 1]


def test_topology_yaml_hides_topology_conf(tmp_path):
    env = {"SLURM_CONF": str(tmp_path / "slurm.conf")}
    written(tmp_path, TOPOLOGY, "topology.conf")
    path = written(tmp_path, YAML, "topology.yaml")
    assert discover(env).source == path
    written(tmp_path, "- topology: all\n  flat: true\n", "topology.yaml")
    assert discover(env) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("- topology: t\n  flat: true\n", [":1: the topology is flat", "tree and block"]),
        (YAML.replace("nodes:", "node:"), [":12: unknown key 'node'", "switch, children, nodes"]),
        (YAML.replace("children: s[1-2]", "children: s[1-3]"), [":9: switch 's3' below"]),
        (YAML.replace("switch: s2", "switch: s1"), [":13: switch 's1' is described again", "11"]),
        (YAML.replace("  - switch: s2", "\t- switch: s2"), [":13: ", "tab"]),
        (YAML.replace("nodes: node[01-02]", "nodes: [a, b]"), [":12: ", "not plain text"]),
        (YAML.replace("        nodes: node[01", "       nodes: node[01"), [":12: ", "indented"]),
        (YAML.replace("switches:", "switches: s1"), [":9: ", "indented as nothing above"]),
        (BLOCKS.replace("block: b2", "nodes: b2"), ["has the key 'nodes' again, first in line 9"]),
        (BLOCKS.replace("- block: b2", "-"), [":9: ", "has no value"]),
        (BLOCKS.replace("- block: b2\n ", "-"), [":9: has no name", "- block: NAME"]),
        (BLOCKS + BLOCKS.replace("topo3", "topo4"), ["topo3, topo4", "cluster_default: true"]),
        ("- topology: t\n", [":1: a topology needs", "tree, block, flat"]),
        ("- topology: t\n  tree:\n    switches: x\n", ["tree needs a list 'switches:'"]),
    ],
)
def test_a_wrong_topology_yaml_is_refused_with_its_line(tmp_path, text, words):
    refused(tmp_path, text, words)


def test_features_name_the_groups(tmp_path):
    machine = load(written(tmp_path, FEATURES.replace("Group-2", "group2")))
    assert machine.groups == ["group1", "group2"]
    assert machine.place(["nid002", "nid003"]).group == [0, 1]
    # Only what every node has counts: racks here, as nid001 alone has a group.
    text = "NODELIST AVAIL_FEATURES\nnid001 group1,rack2,a100\nnid002 rack:3\n"
    assert load(written(tmp_path, text)).groups == ["rack2", "rack:3"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("NODELIST AVAIL_FEATURES\nn1 ib\nn2 group1\n", [":2: host 'n1' has none", "group3"]),
        ("NODELIST AVAIL_FEATURES\nn1 group1,group2\n", [":2: host 'n1' has several of 'group'"]),
        ("NODELIST AVAIL_FEATURES\nn1 rack1\nn2 cell1\n", [":2: host 'n1' lacks one"]),
        ("NODELIST AVAIL_FEATURES\nn1 group1 x\n", [":2: 'n1 group1 x' is not NODE FEATURE"]),
        ("NODELIST AVAIL_FEATURES\n", ["lists no hosts"]),
    ],
)
def test_wrong_features_are_refused(tmp_path, text, words):
    refused(tmp_path, text, words)


def test_xnames_of_many_nodes(tmp_path):
    path = written(tmp_path, "nid1: x1000c0s0b0n0\nnid2: x1000c7s3b1n1\nnid3: x1001c0s0b0n0\n")
    assert load(path).groups == ["x1000", "x1001"]
    assert load(path, 2).groups == ["x1000c0", "x1000c7", "x1001c0"]
    with pytest.raises(ValueError, match=r"--level 3: allowed are 1 \(cabinets\) and 2"):
        load(path, 3)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: x1c0s0b0n0\nb: x1c0\n", [":2: 'x1c0' is no xname of a node", "x1000c0s2b0n1"]),
        ("a: x1c0s0b0n0\nb x\n", [":2: 'b x' is not NODE: XNAME"]),
        ("a: x1c0s0b0n0\na: x2c0s0b0n0\n", [":2: host 'a' is in 'x2' and, by line 1, in 'x1'"]),
    ],
)
def test_wrong_xnames_are_refused(tmp_path, text, words):
    refused(tmp_path, text, words)


def test_the_xname_of_this_node(tmp_path):
    file = tmp_path / "xname"
    assert _core.cabinet_of_this_node(str(file)) == ""
    file.write_text("x3001c0s21b0n0\n")
    assert _core.cabinet_of_this_node(str(file)) == "x3001"
    file.write_text("login1\n")
    with pytest.raises(ValueError, match=f"{file}: 'login1' is no xname"):
        _core.cabinet_of_this_node(str(file))
