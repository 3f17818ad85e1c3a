"""Slurm's topology: what is read, how it is cut into groups, and what is refused."""

import pytest
from described import TOPOLOGY, refused, written

from hopbine.cli import main
from hopbine.errors import InputWarning
from hopbine.machines import load


def test_slurm_topology_nests_and_takes_a_level(tmp_path):
    path = written(tmp_path, TOPOLOGY)
    assert load(path).place(["n3", "n4", "n11"]).group == [0, 0, 1]
    assert load(path, 2).place(["n3", "n4", "n11"]).group == [0, 1, 2]
    assert load(path, 0).groups == ["top"]
    shown = (
        "SwitchName=s0 Level=0 LinkSpeed=1 Nodes=n[0-1]\n"
        "SwitchName=s1 Level=0 LinkSpeed=1 Nodes=n[2-3]\n"
        "SwitchName=t Level=1 LinkSpeed=1 Nodes=n[0-3] Switches=s[0-1]\n"
    )
    assert load(written(tmp_path, shown, "shown")).place(["n1", "n2"]).group == [0, 1]


def test_slurm_keys_in_any_case_quoted_and_continued(tmp_path):
    text = (
        'SWITCHNAME=a \\\n  nOdEs="n[1-2]" LinkSpeed=100\n'
        "switchname = b Nodes = n3,\\  # and\nn4\nSwitchName=top Nodes= Switches=a,b\n"
    )
    assert load(written(tmp_path, text)).place(["n2", "n3", "n4"]).group == [0, 1, 1]


def test_slurm_blocks(tmp_path):
    text = (
        "BlockName=b0 BlockIndex=0 Nodes=n[1-2] BlockSize=2\n"
        "BlockName=b1 BlockIndex=1 Nodes=n[3-4] BlockSize=2\n"
    )
    shown = text + "AggregatedBlock=b[0-1] BlockIndex=2 Nodes=n[1-4] BlockSize=4\n"
    for each in (shown, "BlockName=b0 Nodes=n[1-2]\nBlockName=b1 Nodes=n[3-4]\nBlockSizes=2,4\n"):
        assert load(written(tmp_path, each)).place(["n2", "n3"]).group == [0, 1]


def test_a_ladder_of_switches_with_two_parents_is_refused_at_once(tmp_path):
    rungs = "".join(
        f"SwitchName={side}{n} Switches=a{n + 1},b{n + 1}\n" for n in range(16) for side in "ab"
    )
    with pytest.raises(
        ValueError,
        match=":2: switch 'a1' is below 'b0' and, by line 1, below 'a0': this is no tree",
    ):
        load(
            written(
                tmp_path,
                rungs
                + "SwitchName=a16 Nodes=n1\nSwitchName=b16 Nodes=n2\nSwitchName=t Switches=a0,b0\n",
            )
        )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "SwitchName=a Switches=b\nSwitchName=b Switches=a\nSwitchName=c Nodes=n1\n",
            [":1: switches are nested in a loop: a above b above a"],
        ),
        ("SwitchName=a Switches=zz\n", [":1: switch 'zz' below 'a' is described nowhere"]),
        (
            "SwitchNmae=a Nodes=n1\n",
            [":1: unknown key 'SwitchNmae' (known: SwitchName, Switches, Nodes,"],
        ),
        (
            "SwitchName=a Nodes=n1\nSwitchname=b Node=n2\n",
            [":2: unknown key 'Node' (known: SwitchName"],
        ),
        ("SwitchName=a Nodes=n1\nSwitchNmae=b Nodes=n2\n", [":2: unknown key 'SwitchNmae'"]),
        ("# x\nSwichname=a Node=n1\n", [":2: unknown key 'Swichname'"]),
        ("SwitchName=a Nodes=n1\nSwitchName=b \\\nNodes=n2\\\n", [":3: ends in a backslash"]),
        (
            "SwitchName=a Nodes=n1\nSwitchName=b Nodes=n2, n3\n",
            [":2: 'n3' after 'Nodes=n2,' is not KEY=VALUE", "have no blanks"],
        ),
        (
            "SwitchName=a Nodes=n1\nSwitchName=b Nodes=n[2, 3]\n",
            [":2: '3]' after 'Nodes=n[2,' is not"],
        ),
        (
            "SwitchName=a Nodes=n1\nSwitchName=b \\\nNodes=n2,\\\n  n3\n",
            [":2: 'n3' after 'Nodes=n2,' is not"],
        ),
        ("SwitchName=a Nodes=n1\nSwitchName b Nodes=n2\n", [":2: 'SwitchName' is not KEY=VALUE"]),
        ("SwitchName=a Nodes=n1\ninclude /etc/more.conf\n", [":2: 'include' is not KEY=VALUE"]),
        (
            "SwitchName=a Nodes=n1\nNodes=n2\n",
            [":2: has nodes but no name (SwitchName=NAME or BlockName=NAME)"],
        ),
        ("SwitchName=a Nodes=n1 nodes=n2\n", [":1: key 'nodes' is there twice"]),
        (
            "SwitchName=a Nodes=n[1-5]!n3\n",
            [":1: 'n[1-5]!n3' has a '!', which is ClusterShell's syntax, not Slurm's"],
        ),
        (
            (
                "SwitchName=c Nodes=n1\nSwitchName=a Switches=c\nSwitchName=b Switches=c\n"
                "SwitchName=t Switches=a,b\n"
            ),
            [
                (
                    ":3: switch 'c' is below 'b' and, by line 2, below 'a': this is no tree; list "
                    "it below one of them"
                )
            ],
        ),
        (
            "SwitchName=c Nodes=n1\nSwitchName=a Switches=c,c\n",
            [":2: switch 'c' is listed twice below 'a'"],
        ),
    ],
)
def test_bad_topologies_say_where_and_why(tmp_path, text, words):
    refused(tmp_path, text, words)


def test_hosts_on_upper_switches(tmp_path):
    path = written(
        tmp_path,
        "SwitchName=a Nodes=n1\nSwitchName=b Nodes=n2 Switches=a\nSwitchName=c Nodes=n3\n"
        "SwitchName=t Switches=b,c\n",
    )
    assert load(path).place(["n1", "n2", "n3"]).group == [0, 0, 1]
    with pytest.raises(ValueError, match=":2: host 'n2' is on switch 'b' itself"):
        load(path, 2)
    for level, words in ((-1, "at least 0"), (9, "deeper than its switches")):
        with pytest.raises(ValueError, match=words):
            load(path, level)


def test_a_loop_below_the_top_is_found_too(tmp_path):
    path = written(
        tmp_path, "SwitchName=t Switches=a\nSwitchName=a Switches=b\nSwitchName=b Switches=a\n"
    )
    with pytest.raises(ValueError, match="loop: a above b above a"):
        load(path)


RAILS = "SwitchName=a Nodes=n[1-3]\nSwitchName=b Nodes=n[3-4]\nSwitchName=c Nodes=n[2-5]\n"


def test_a_node_below_two_switches_is_warned_of_as_slurm_does(tmp_path, capsys):
    path = written(tmp_path, RAILS)
    words = r":2: host 'n3' is below switch 'b' and, by line 1, below 'a', which counts; so it is"
    with pytest.warns(InputWarning, match=words + " with 2 other hosts"):
        assert load(path).place(["n1", "n2", "n3", "n4", "n5"]).group == [0, 0, 0, 1, 2]
    load.cache_clear()
    assert main(["traffic", "--machine", path, "--hosts", "n[1-5]", "--algorithms", "ring"]) == 0
    assert capsys.readouterr().err == (
        f"hopbine: {path}:2: host 'n3' is below switch 'b' and, by line 1, below 'a', which "
        "counts; so it is with 2 other hosts\n"
    )


def test_what_topograph_writes(tmp_path):
    """Names with dots, switches before their children, and a top that has one child."""
    text = (
        "# switch.3.1=core\nSwitchName=switch.3.1 Switches=switch.2.1\n# switch.2.1=spine\n"
        "SwitchName=switch.2.1 Switches=switch.1.[1-2]\n# switch.1.1=tor1\n"
        "SwitchName=switch.1.1 Nodes=box[11-12]\n# switch.1.2=tor2\n"
        "SwitchName=switch.1.2 Nodes=box[21-22]\n"
    )
    assert load(written(tmp_path, text)).place(["box12", "box21"]).group == [0, 1]
    assert load(written(tmp_path, text), 1).groups == ["switch.2.1"]
    blocks = "# block001=rack1\nBlockName=block001 Nodes=box[1-2]\nBlockSizes=2\n"
    assert load(written(tmp_path, blocks)).groups == ["block001"]
