"""Bytes between groups of the calls in a statistics file."""

import json

import pytest
from recorded import GROUPS, RANKS, data, row

from hopbine import _core
from hopbine.cli import main
from hopbine.core.classic import classic
from hopbine.machines import load
from hopbine.recorded.crossings import crossing, job_of

SIZED = [c for c in sorted({a["collective"] for a in _core.algorithms()}) if c != "alltoallv"]


def told(capsys, tmp_path, file, *options):
    """The rows that hopbine stats tells programs."""
    (tmp_path / "s.json").write_text(json.dumps(file))
    assert main(["stats", str(tmp_path / "s.json"), "--format", "json", *options]) == 0
    return json.loads(capsys.readouterr().out)


def between_groups(collective, algorithm):
    """Bytes of three calls, of the schedule."""
    counted = _core.count(_core.Problem(collective, algorithm, group=GROUPS))["global_blocks"]
    return round(counted * 3 * 1024)


@pytest.mark.parametrize("collective", SIZED)
def test_bytes_are_those_of_the_schedules(capsys, tmp_path, collective):
    served = [
        a["name"]
        for a in _core.algorithms()
        if a["collective"] == collective
        and not a["follows_placement"]
        and not a["follows_shape"]
        and _core.fits(collective, a["name"], RANKS)
    ]
    usual = classic(collective, RANKS, 9 * 1024)
    rows = told(capsys, tmp_path, data(*(row(collective, name) for name in served)))
    assert [r["global_bytes"] for r in rows] == [between_groups(collective, n) for n in served]
    assert {r["classic_global_bytes"] for r in rows} == {between_groups(collective, usual)}
    assert {r["classic"] for r in rows} == {usual}


def test_the_library_is_taken_for_classic(capsys, tmp_path):
    (one,) = told(capsys, tmp_path, data(row("allreduce")))
    assert one["global_bytes"] == one["classic_global_bytes"] > 0


def test_a_hierarchy_follows_the_groups_of_the_file():
    job = job_of(data())
    crossed = crossing(row("allreduce", "hierarchical_small"), job)
    assert crossed.served < crossed.classic


@pytest.mark.parametrize(
    "uncounted",
    [
        row("allreduce", "bine_large", comm_size=4),
        row("alltoallv", "parlogna"),
        row("alltoallw"),
        row("neighbor_alltoall", "joined"),
        row("scatter", "bine", bytes_class=None),
        row("allreduce", "torus_bine"),
        row("bcast", calls=0),
    ],
    ids=lambda r: f"{r['collective']} {r['algorithm']} {r['comm_size']} {r['calls']}",
)
def test_what_cannot_be_counted_has_no_bytes(capsys, tmp_path, uncounted):
    rows = told(capsys, tmp_path, data(uncounted, row("bcast")))
    assert rows[0]["global_bytes"] is rows[0]["classic_global_bytes"] is None
    assert rows[1]["global_bytes"] > 0


def test_people_read_how_many_calls_were_counted(capsys, tmp_path):
    (tmp_path / "s.json").write_text(
        json.dumps(data(row("bcast"), row("alltoallv"), row("bcast", "bine_large", root=2)))
    )
    assert main(["stats", str(tmp_path / "s.json")]) == 0
    out = capsys.readouterr().out
    assert "between groups, classic" in out
    assert out.splitlines()[-1].endswith("in 6 of 9 calls.")


@pytest.mark.parametrize(
    "groups", [{}, {"groups": [None] * RANKS}, {"groups": ["g"] * (RANKS - 1) + [None]}]
)
def test_without_groups_nodes_are_the_groups(capsys, tmp_path, groups):
    file = {k: v for k, v in data(row("bcast")).items() if k != "groups"} | groups
    (tmp_path / "s.json").write_text(json.dumps(file))
    assert main(["stats", str(tmp_path / "s.json")]) == 0
    assert "between nodes, classic" in capsys.readouterr().out


def test_on_another_machine(capsys, tmp_path):
    (tmp_path / "m.csv").write_text("host,group\n" + "".join(f"n{r},{r % 2}\n" for r in range(9)))
    machine = str(tmp_path / "m.csv")
    (one,) = told(capsys, tmp_path, data(row("allgather", "ring")), "--machine", machine)
    job = job_of(data(), load(machine))
    assert one["global_bytes"] == round(crossing(row("allgather", "ring"), job).served)
    assert one["global_bytes"] > between_groups("allgather", "ring")


def test_a_host_that_the_machine_lacks(capsys, tmp_path):
    (tmp_path / "m.csv").write_text("host,group\nn0,a\nn1,b\n")
    (tmp_path / "s.json").write_text(json.dumps(data(row("bcast"))))
    assert main(["stats", str(tmp_path / "s.json"), "--machine", str(tmp_path / "m.csv")]) == 2
    assert "host 'n2' is not one of" in capsys.readouterr().err


@pytest.mark.parametrize("groups", ["g", ["g"], [1] * RANKS, [["g"]] * RANKS])
def test_groups_that_are_no_names(capsys, tmp_path, groups):
    (tmp_path / "s.json").write_text(json.dumps(data(row("bcast"), groups=groups)))
    assert main(["stats", str(tmp_path / "s.json")]) == 2
    assert "groups is missing or wrong" in capsys.readouterr().err


#: What a key may have in a file that was damaged.
ODD = (None, [], {}, "x", -1, 0, 1.5, True, [1], [2, 1], {"k": None}, {"k": "x"}, 10**30)
WHOLE = data(
    row("bcast", "knomial", parameters={"k": 3}, root=2, site="app+0x12", wait_seconds=0.1),
    row("allreduce", "bine_large", site="app+0x14", function="main", wait_seconds=0.1),
)


def damaged(whole):
    """The object without each key in turn, and with each of them odd."""
    for key in whole:
        yield {k: v for k, v in whole.items() if k != key}
        yield from (whole | {key: odd} for odd in ODD)


@pytest.mark.parametrize(
    "verb", ["stats", "stats --sites", "predict --machine torus:3x3 --hosts contiguous:9"]
)
def test_a_damaged_file_is_one_line_or_is_read(capsys, tmp_path, verb):
    files = [
        *damaged(WHOLE),
        *(WHOLE | {"rows": [one]} for r in WHOLE["rows"] for one in damaged(r)),
    ]
    name, *options = verb.split()
    for file in files:
        (tmp_path / "s.json").write_text(json.dumps(file))
        code = main([name, str(tmp_path / "s.json"), *options])
        err = capsys.readouterr().err
        assert code in (0, 2), file
        assert (code == 2) == err.startswith("hopbine: "), (err, file)
        assert err.count("\n") == (code == 2), (err, file)
