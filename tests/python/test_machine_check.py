"""hopbine machine check: what descriptions say and leave open, and what is wrong with them."""

import csv
import io
import json

import pytest
from commands import hopbine
from described import written
from pictured import texts

from hopbine.errors import UsageError
from hopbine.machines import load, names
from hopbine.machines.summary import KEYS, WITHOUT, groups, rows
from hopbine.notation.hosts import expand

MINE = """name = "mine"
kind = "dragonfly"
groups = 3
nodes_per_group = 2
hosts = "yew{:02d}"
topology = "dragonfly:2x1x2"
"""


@pytest.mark.parametrize("name", [*names(), "torus:4x3", "fat_tree:groups=3,nodes=4,taper=2"])
def test_the_groups_of_every_machine_are_told_whole(capsys, name):
    code, out, _ = hopbine(capsys, "machine", "check", name, "--format", "csv")
    assert code == 0
    told = list(csv.DictReader(io.StringIO(out)))
    assert tuple(told[0]) == KEYS
    machine = load(name)
    hosts = [
        (h, row["name"]) for row in told if row["kind"] == "group" for h in expand(row["value"])
    ]
    assert sorted(hosts) == sorted((h, machine.groups[g]) for h, g in machine.hosts.items())
    open_ones = {row["name"]: row["meaning"] for row in told if not row["value"]}
    assert open_ones.items() <= WITHOUT.items()


def test_people_read_what_is_said_and_what_is_left_open(capsys, tmp_path):
    code, out, _ = hopbine(capsys, "machine", "check", written(tmp_path, MINE))
    assert code == 0
    assert "nodes                 6, yew00 to yew05\n" in out
    assert "links.global.taper    not described: links between groups count as wide as" in out
    assert "group 2      2  yew[02-03]\n" in out
    assert "has 4 end points, the nodes have 6 cards" in out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (MINE.replace("groups = 3", "groups = 0"), ":3: 'groups' is 0, a number from 1"),
        (MINE + "taper = 2\n", ":7: unknown key 'taper'"),
        (MINE.replace("2x1x2", "2x1"), ":6: topology: "),
        (MINE.replace("kind", "kinds"), ":2: unknown key 'kinds'"),
    ],
)
def test_a_wrong_description_is_refused_with_line_and_key(capsys, tmp_path, text, words):
    path = written(tmp_path, text)
    code, out, err = hopbine(capsys, "machine", "check", path)
    assert (code, out) == (2, "")
    assert f"{path}{words}" in err


def test_what_a_row_of_json_has(capsys):
    _, out, _ = hopbine(capsys, "machine", "check", "frontier", "--format", "json")
    facts = {row["name"]: row["value"] for row in json.loads(out) if row["kind"] == "fact"}
    assert facts["links.node.bandwidth"] == "800 Gb/s"
    assert "Oak Ridge" in facts["source"]


def test_pictures(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    from hopbine.plots.machine import MOST_GROUPS, tiles

    machine = load("alps")
    shown = texts(tiles(machine, groups(machine), "a note"))
    assert {f"{row['name']}: {row['nodes']}" for row in groups(machine)} <= set(shown)
    assert "a note" in shown
    for name in ("lumi", "torus:3x3"):
        path = tmp_path / f"{name[:4]}.svg"
        assert hopbine(capsys, "machine", "check", name, "--plot", str(path))[0] == 0
        assert "<svg" in path.read_text()
    many = load(f"dragonfly:groups={MOST_GROUPS + 1},nodes=1")
    with pytest.raises(UsageError, match="401 groups, more than the 400 that are drawn"):
        tiles(many, groups(many))
    assert len(rows(many)) > MOST_GROUPS
