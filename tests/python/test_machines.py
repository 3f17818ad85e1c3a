"""Machines: descriptions and formulas, where hosts are, and what bad ones say."""

import re
import time

import pytest
from described import TOPOLOGY, refused, written

from hopbine import _core
from hopbine.machines import (
    discover,
    from_hosts,
    group_of_this_host,
    job_groups,
    load,
    names,
)

TOML = """name = "mine"
kind = "dragonfly"
groups = 2
nodes_per_group = 3
hosts = "n{:02d}"
first = 1
[links.node]
bandwidth = "100 Gb/s"
[links.global]
taper = 4
latency = "3 us"
"""


@pytest.mark.parametrize("name", names())
def test_every_system_that_comes_along_can_be_used(name):
    machine = load(name)
    hosts = list(machine.hosts)
    places = machine.place([hosts[-1], hosts[0], hosts[-1]])
    assert places.node == [0, 1, 0]
    assert places.group[0] == places.group[2] == machine.hosts[hosts[-1]]
    assert machine.note
    assert machine.facts
    assert machine.unknown or name.startswith("round")
    assert set(machine.hosts.values()) == set(range(len(machine.groups)))
    if machine.shape:
        assert places.coordinates[0] == tuple(n - 1 for n in machine.shape)
        assert not any(places.coordinates[1])


def test_the_systems_of_the_issue_are_there():
    assert {"leonardo", "lumi", "marenostrum5", "fugaku", "frontier", "polaris"} <= set(names())
    assert {"jupiter", "alps", "aurora", "elcapitan", "perlmutter"} <= set(names())
    assert load("jupiter").place(["jpbo-005-48", "jpbo-006-01"]).group == [0, 1]
    assert load("alps").place(["nid006119", "nid006120"]).group == [1, 2]
    assert load("aurora").links["global"].taper == pytest.approx(512 / (2 * 165), abs=0.005)
    assert load("frontier").links["global"].taper == pytest.approx(512 / (4 * 73), abs=0.005)
    assert load("lumi").place(["nid005000", "nid005123", "nid005124"]).group == [0, 0, 1]
    assert load("leonardo").place(["180", "lrdn0181.some.domain"]).group == [0, 1]


def test_ten_lines_describe_a_machine(tmp_path):
    machine = load(written(tmp_path, TOML))
    assert machine.place(["n03", "n04", "n03"]).group == [0, 1, 0]
    assert machine.network() == "node_bandwidth=1.25e+10:taper=4:global_latency=3e-06"


def test_a_description_has_costs_of_its_ranks(tmp_path):
    costs = '[costs]\nrank_bandwidth = "48 Gb/s"\noverhead = "0.2 us"\n'
    network = load(written(tmp_path, TOML + costs)).network()
    assert network.endswith(":rank_bandwidth=6e+09:overhead=2e-07")
    _core.check_network(network, "test")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('overhead = "2 GB/s"', "overhead = '2 GB/s' is not a quantity like"),
        ('node_bandwidth = "2 Gb/s"', "[costs] has no key 'node_bandwidth' (known: rank_bandwidth"),
        ("rendezvous = 3", "is not a quantity like"),
    ],
)
def test_wrong_costs_are_refused_with_their_line(tmp_path, line, said):
    with pytest.raises(ValueError, match=re.escape(said)) as error:
        load(written(tmp_path, TOML + "[costs]\n" + line))
    assert f":{TOML.count(chr(10)) + 2}:" in str(error.value)


@pytest.mark.parametrize(
    ("what", "hosts", "group"),
    [
        ("dragonfly:groups=4,nodes=3", ["node0", "node11"], [0, 3]),
        ("dragonfly_plus:groups=2,nodes=2", ["1", "2"], [0, 1]),
        ("fat_tree:groups=2,nodes=2,taper=2", ["node3"], [1]),
        ("hyperx:2x2", ["node3"], [0]),
    ],
)
def test_formulas(what, hosts, group):
    assert load(what).place(hosts).group == group


def test_csv_of_hosts_and_groups(tmp_path):
    machine = load(written(tmp_path, "host,group\na,x\nb,y\n"))
    assert (machine.groups, machine.place(["b", "a"]).group) == (["x", "y"], [1, 0])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a,x\na,y\n", [":2: host 'a' is in group 'y' and, by line 1, in group 'x'"]),
        ("a,x\nb\n", [":2: 'b' is not HOST,GROUP"]),
        ("CA 12 1 0x1 4x EDR\n", [":1: 'CA 12 1", "anything else that is read", "ibnetdiscover"]),
        (TOML + "taperr = 1\n", [":12: links.global has no key 'taperr'"]),
        (TOML.replace('"100 Gb/s"', '"100 Gib"'), [":8: bandwidth = '100 Gib' is not a quantity"]),
        (TOML.replace("groups = 2", 'groups = "2"'), [":3: 'groups' must be of type int, not str"]),
        (TOML.replace("kind =", "kin ="), [":2: unknown key 'kin'"]),
        (
            TOML.replace("dragonfly", "drgnfly"),
            [":2: kind 'drgnfly' is not one of groups, dragonfly"],
        ),
        (TOML.replace("n{:02d}", "n"), [":5: hosts 'n' needs one place"]),
        ('topology = "ring:4"\n' + TOML, [":1: topology: ", "ring"]),
        (TOML + "[[", [":12:"]),
        (b'name = "\xff"', [":1: is not UTF-8 text (byte 0xff)"]),
        ("", ["is empty"]),
        (TOML.replace("n{:02d}", "n{:>100000000}"), [":5: hosts"]),
        ('name = "a"\nkind = "groups"\ngroup = []\n', [":3: there is no [[group]]"]),
        ('name = "a"\nkind = "torus"\nshape = [2, true]\n', [":3: 'shape' must be"]),
        (
            'name = "a"\nkind = "torus"\nshape = [2]\n[[group]]\nname = "x"\nhosts = "a"\n',
            [":4: a torus has a shape"],
        ),
        (
            (
                'name = "a"\nkind = "groups"\n[[group]]\nname = "x"\nhosts = "a,b"\n[[group]]\n'
                'name = "y"\nhosts = "b"\n'
            ),
            [":6: host 'b' is in group 'x' and in group 'y'"],
        ),
    ],
)
def test_bad_descriptions_say_where_and_why(tmp_path, text, words):
    refused(tmp_path, text, words)


@pytest.mark.parametrize("what", ["dragonfly:groups=999999,nodes=999999", "torus:100000x100000"])
def test_machines_larger_than_any_are_refused(what):
    with pytest.raises(ValueError, match="nodes are more than the 1,000,000"):
        load(what)


def test_paths_that_are_no_files(tmp_path):
    load.cache_clear()
    with pytest.raises(ValueError, match="is a directory"):
        load(str(tmp_path))
    with pytest.raises(FileNotFoundError, match="none of alps, aurora"):
        load("frontierr")
    big = tmp_path / "big"
    with big.open("wb") as f:
        f.truncate(100 << 20)
    with pytest.raises(ValueError, match="has more than the 64 MiB"):
        load(str(big))


def test_an_unknown_host_is_named_with_the_nearest():
    with pytest.raises(
        ValueError, match=r"host 'lrdn9100' is not one of Leonardo's .*nearest known is lrdn"
    ):
        load("leonardo").place(["lrdn0001", "lrdn9100"])
    with pytest.raises(ValueError, match="without hosts"):
        load("leonardo").place([])


def test_many_unknown_hosts_are_counted_and_some_named():
    hosts = ["node000000", *(f"zz{n % 5000:06d}" for n in range(10_000))]
    first = "host 'zz000000' is not one of Fugaku's 158,976 (systems/fugaku.toml); "
    with pytest.raises(ValueError, match="^" + re.escape(first)) as error:
        load("fugaku").place(hosts)
    assert str(error.value).startswith(first + "the nearest known is node")
    assert str(error.value).endswith(
        "; nor are 'zz000001', 'zz000002' and 4,997 more (5,000 unknown of 5,001)"
    )
    with pytest.raises(
        ValueError, match=r"nearest known is node000017; nor are 'y' \(2 unknown of 2\)"
    ):
        load("fugaku").place(["node000017x", "y"])


def test_placing_many_jobs_does_not_look_at_the_whole_machine_each_time():
    fugaku, frontier = load("fugaku"), load("frontier")
    begin = time.process_time()
    for n in range(200):
        assert fugaku.place([f"node{n:06d}"]).coordinates
        with pytest.raises(ValueError, match="nearest known is frontier"):
            frontier.place([f"frontier{n:05d}x"])
    assert time.process_time() - begin < 5  # 0.3 s; 27 s when every job looks at every host


def test_nodes_alone():
    assert from_hosts(["a", "b", "a"]).place(["a", "b", "a"]).group == [0, 1, 0]


def test_discovery_follows_the_environment(tmp_path):
    path = written(tmp_path, TOPOLOGY, "topology.conf")
    env = {"SLURM_CONF": str(tmp_path / "slurm.conf"), "HOPBINE_NODE": "n9"}
    assert discover(env).source == path
    assert group_of_this_host(env) == "mid1"
    assert (
        group_of_this_host(
            {
                "SLURM_CONF": "/none/slurm.conf",
                "SLURM_TOPOLOGY_ADDR": "top.s3.nid1",
                "SLURM_TOPOLOGY_ADDR_PATTERN": "switch.switch.node",
            }
        )
        == "s3"
    )
    assert group_of_this_host({"SLURM_CONF": "/none/slurm.conf"}) is None
    with pytest.raises(ValueError, match="host 'zzz' is not one of"):
        group_of_this_host({"HOPBINE_SYSTEM": path, "HOPBINE_NODE": "zzz"})


def test_every_host_finds_its_group_in_what_hopbine_env_prints():
    """Every machine that comes with hopbine is read, by the launcher's own reader."""
    for name in names():
        machine = load(name)
        text = job_groups(machine, {})
        for host in list(machine.hosts)[:: max(1, len(machine.hosts) // 40)]:
            assert _core.group_in(text, host) == machine.groups[machine.hosts[host]], (name, host)
    machine = load("dragonfly:groups=3,nodes=4")
    assert job_groups(machine, {"SLURM_JOB_NODELIST": "node[2-5]"}) == (
        "group 1=node[2-3];group 2=node[4-5]"
    )
