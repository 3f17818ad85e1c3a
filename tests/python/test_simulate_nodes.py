"""hopbine simulate alltoallv --nodes: the table, the library's rows, what is refused.

The figures that are published with the docs.
"""

import re

import polars
import pytest
from commands import simulate
from papers import PAGES

from hopbine import _core
from hopbine.machines import load
from hopbine.simulation import curve
from hopbine.simulation.nodes import PHASES, TERMS, Nodes, parse_nodes, sweep

MACHINE = """name = "mine"
kind = "groups"
groups = 1
nodes_per_group = 4
[links.node]
bandwidth = "100 Gb/s"
latency = "1 us"
[ranks]
latency = "100 ns"
bandwidth = "10 Gb/s"
overhead = "1 us"
pack = "5 ns"
copy = "100 Gb/s"
"""


@pytest.fixture
def machine(tmp_path):
    """Path of a description."""
    path = tmp_path / "mine.toml"
    path.write_text(MACHINE)
    return str(path)


def test_the_command_tells_what_the_library_does(capsys):
    code, out, _ = simulate(
        capsys,
        "alltoallv",
        "--nodes",
        "16x32",
        "--machine",
        "round",
        "--element",
        "8",
        "--counts",
        "same",
        "--csv",
        "-",
        "--sizes",
        "64,dist:power:1KiB",
        "--algorithms",
        "Best=parlogna:r=2+parlogna:r=16+parlinna,spread_out",
    )
    rows = polars.read_csv(out.encode()).to_dicts()
    nodes = Nodes(load("round"), 16, 32, 8, again=True)
    expected = sweep(
        nodes,
        [curve("Best=parlogna:r=2+parlogna:r=16+parlinna"), curve("spread_out")],
        ["64", "dist:power:1024"],
    )
    assert code == 0
    assert len(rows) == 4
    for row, other in zip(rows, expected, strict=True):
        assert row == {k: pytest.approx(v) if isinstance(v, float) else v for k, v in other.items()}
        assert row["seconds"] == pytest.approx(
            sum(row[f"{phase}_{term}"] for phase in PHASES for term in TERMS)
        )


def test_the_table_ranks_every_algorithm(capsys, machine):
    code, out, _ = simulate(
        capsys,
        "alltoallv",
        "--nodes",
        "4x4",
        "--machine",
        machine,
        "--sizes",
        "8,dist:uniform:64KiB",
    )
    assert code == 0
    lines = [line.split() for line in out.splitlines()[2:]]
    names = {a["name"] for a in _core.algorithms() if a["collective"] == "alltoallv"}
    for blocks in dict.fromkeys(words[0] for words in lines):
        ranked = [words for words in lines if words[0] == blocks]
        assert {words[3] for words in ranked} == names
        over = [float(words[6]) for words in ranked]
        assert over[0] == 1
        assert over == sorted(over)


def test_start_ups_make_straight_algorithms_slow_and_bytes_make_them_fast():
    nodes = Nodes(load("round"), 64, 32)
    small, large = (
        {a: nodes.row(a, s)["seconds"] for a in ("parlogna:r=8", "spread_out")}
        for s in ("4", "64000")
    )
    assert small["parlogna:r=8"] < small["spread_out"] / 2
    assert large["spread_out"] < large["parlogna:r=8"] / 2
    assert (
        Nodes(load("round"), 64, 32, again=True).row("parlogna:r=8", "4")["seconds"]
        < small["parlogna:r=8"]
    )


@pytest.mark.parametrize(
    "algorithm", [a["name"] for a in _core.algorithms() if a["collective"] == "alltoallv"]
)
def test_the_ranks_of_the_paper_are_served(algorithm):
    row = Nodes(load("round"), 512, 32, 8).row(algorithm, "dist:uniform:16")
    assert row["ranks"] == 16384
    assert 0 < row["seconds"] < 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--nodes", "4"], "--nodes '4' is not NODESxRANKS"),
        (["--nodes", "0x4"], "--nodes '0x4'"),
        (["--nodes", "99999x999"], "node model takes up to 131,072"),
        (["--nodes", "5x4"], "5 nodes are more than the 4 of mine"),
        (["--nodes", "4x4", "--engine", "step"], "--engine is for --topology, not for --nodes"),
        (["--nodes", "4x4", "--heat-map", "x.svg"], "--heat-map is for --topology"),
        (
            ["--topology", "torus:4x4", "--counts", "same"],
            "--counts is for --nodes, not for --topology",
        ),
        (["--nodes", "4x4", "--sizes", "dist:zipf:4"], "no such distribution"),
        (["--nodes", "4x4", "--algorithms", "parlogna:q=2"], "q"),
        (["--nodes", "3x4", "--algorithms", "exclusive_or"], "power of two"),
        (["--nodes", "4x4", "--element", "0"], "--element '0'"),
        (["--nodes", "4x4", "--figure", "x.txt"], "must end in"),
        (
            ["--nodes", "4x4", "--machine", "leonardo"],
            "Leonardo (systems/leonardo.toml) does not say what messages cost",
        ),
    ],
)
def test_bad_input_is_explained(capsys, machine, tmp_path, monkeypatch, words, said):
    monkeypatch.chdir(tmp_path)
    given = [] if {"--machine", "--topology"} & set(words) else ["--machine", machine]
    code, _, err = simulate(capsys, "alltoallv", *words, *given)
    assert code == 2, err
    assert said in err, err
    assert "Traceback" not in err, err
    assert err.count("\n") == 1, err
    assert [f.name for f in tmp_path.iterdir()] == ["mine.toml"], "bad input leaves nothing behind"


def test_only_alltoallv_has_sizes_and_a_machine_must_be_given(capsys):
    assert (
        "--nodes is for alltoallv"
        in simulate(capsys, "allreduce", "--nodes", "4x4", "--machine", "round")[2]
    )
    assert "--nodes needs --machine" in simulate(capsys, "alltoallv", "--nodes", "4x4")[2]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (
            'pack = "5 ns"\n',
            "",
            ":8: [ranks] needs latency, bandwidth, overhead, pack, copy and nothing else",
        ),
        ('pack = "5 ns"\n', 'packs = "5 ns"\n', "it has latency, bandwidth, overhead, packs, copy"),
        ('pack = "5 ns"', "pack = 5", ":8: [ranks] pack = 5 is not a quantity"),
        ('copy = "100 Gb/s"', 'copy = "0 Gb/s"', ":8: [ranks] copy = '0 Gb/s' is not a quantity"),
    ],
)
def test_bad_ranks_say_where_and_why(tmp_path, before, after, said):
    path = tmp_path / "bad.toml"
    path.write_text(MACHINE.replace(before, after))
    with pytest.raises(ValueError, match=re.escape(said)):
        load(str(path))


def test_a_picture_is_written(capsys, machine, tmp_path):
    path = tmp_path / "times.svg"
    assert (
        simulate(
            capsys,
            "alltoallv",
            "--nodes",
            "2x8",
            "--machine",
            machine,
            "--sizes",
            "8:1KiB,dist:normal:100",
            "--figure",
            str(path),
        )[0]
        == 0
    )
    assert "<svg" in path.read_text()[:2000]


def test_nodes_are_read():
    assert parse_nodes("512x32") == (512, 32)


def test_the_published_table_is_that_of_the_published_figures(papers):
    assert papers("parlogna.claims").table() in (PAGES / "parlogna-hpdc25.md").read_text()


@pytest.mark.parametrize("number", ["6", "7", "9", "11", "12"])
def test_the_published_figures_come_out_again(papers, monkeypatch, number):
    paper = papers("parlogna.evaluation")
    figure = paper.SPEC["figure"][number]
    published = {
        tuple(r[k] for k in ("machine", "ranks", "distribution", "algorithm")): r
        for r in paper.data(number)
    }
    monkeypatch.setitem(figure, "ranks", figure["ranks"][:1])
    rows = [row for _, make in paper.works(number) for row in make()]
    assert rows
    for row in rows:
        before = published[tuple(row[k] for k in ("machine", "ranks", "distribution", "algorithm"))]
        assert row == {
            k: pytest.approx(v, rel=1e-5) if isinstance(v, float) else v for k, v in before.items()
        }
