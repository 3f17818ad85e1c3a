"""The choice by measuring: right answers whatever serves, and statistics that tell it."""

import json
import re

import pytest
from conftest import EXAMPLES, RANKS, UNDER, by_rank, passed, progresses

from hopbine.cli import main
from hopbine.selection.file import read

#: Kinds that measured.c calls: collectives in two size classes on two communicators.
COLLECTIVES = {
    "bcast",
    "reduce",
    "allreduce",
    "reduce_scatter",
    "gather",
    "scatter",
    "allgather",
    "alltoall",
}


def rows_of(mpi, build, tmp_path, ranks, *options, env=None, calls=300):
    """The statistics of a job whose answers were right."""
    stats = tmp_path / "s.json"
    program = build(mpi, "measured", flags=("-ldl",))
    done = mpi.hopbine(ranks, "--stats", str(stats), *options, program, str(calls), env=env)
    passed(done)
    return json.loads(stats.read_text())["rows"]


@pytest.mark.dealt
@pytest.mark.parametrize("ranks", [n for n in RANKS if n > 1])
def test_calls_take_turns_and_stay_right(mpi, build, tmp_path, ranks):
    for calls in (800, 3200, 12800):  # which kinds are worth trials depends on times
        rows = rows_of(mpi, build, tmp_path, ranks, calls=calls)
        assert {r["collective"] for r in rows} == COLLECTIVES
        measured = {r["collective"] for r in rows if r["reason"].startswith("measured: ")}
        if measured:
            break
    assert measured
    turns = [r for r in rows if r["reason"] == "takes turns to be measured"]
    for collective in measured:
        took = {r["algorithm"] for r in turns if r["collective"] == collective}
        assert took - {"mpi"}, (collective, took)
        assert [r for r in rows if (r["collective"], r["algorithm"]) == (collective, "mpi")]


@pytest.mark.dealt
@pytest.mark.parametrize("ranks", [n for n in RANKS if n > 1])
def test_handles_come_to_mean_others(mpi, build, ranks):
    """And calls in place, and with counts in arrays: what is known of a call holds for its like."""
    passed(mpi.hopbine(ranks, build(mpi, "handles", flags=("-ldl",)), "1500", timeout=60))


def alltoallv_rows(stats):
    return [r for r in json.loads(stats.read_text())["rows"] if r["collective"] == "alltoallv"]


@pytest.mark.skipif(RANKS[-1] < 8, reason="24 ranks are slow where they wait by spinning")
def test_an_alltoallv_of_many_ranks_takes_turns(mpi, build, tmp_path):
    """From 24 ranks on the default table has algorithms for it."""
    learned, again, stats = (tmp_path / name for name in ("l.json", "2.json", "s.json"))
    program = build(mpi, "measured_alltoallv", flags=("-ldl",))
    options = ("--learn", str(learned), "--stats", str(stats), program)
    for calls in (300, 1200, 4800):  # what is worth a trial depends on times
        passed(mpi.hopbine(24, *options, str(calls)))
        rows = alltoallv_rows(stats)
        assert sum(r["calls"] for r in rows) == calls
        assert "mpi" in {r["algorithm"] for r in rows}
        rules = read(learned) if learned.exists() else []
        known = {r.algorithm for r in rules if r.collective == "alltoallv" and r.measured}
        if known:
            break
    turns = {r["algorithm"] for r in rows if r["reason"] == "takes turns to be measured"}
    assert turns & {"parlogna", "spread_out"}
    assert known
    again.write_text(learned.read_text())
    done = mpi.hopbine(24, "--learn", str(again), *options[2:], "10")
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    rows = alltoallv_rows(stats)
    begins = [r for r in rows if r["reason"].startswith("learned in")]
    assert begins or [r for r in rows if r["reason"].startswith("the calls so far would not pay")]
    assert {r["algorithm"] for r in begins} <= known


@pytest.mark.parametrize("node", ["n$((R / 2))", "n"], ids=["several nodes", "one node"])
@pytest.mark.parametrize("ranks", [n for n in RANKS if n > 2][:2])
def test_nonblocking_calls_take_what_blocking_ones_have_measured(mpi, build, tmp_path, ranks, node):
    """Also where ranks begin them before and after what another communicator measures."""
    stats = tmp_path / "s.json"
    program = build(mpi, "measured_nonblocking")
    command = by_rank(f"export HOPBINE_NODE={node}", *UNDER, "--stats", str(stats), program, "900")
    passed(mpi.run(ranks, *command))
    rows = json.loads(stats.read_text())["rows"]
    learned = [r for r in rows if "measured in blocking calls: " in r["reason"]]
    assert {r["form"] for r in learned} <= {"nonblocking", "persistent"}
    takes = node != "n" and progresses(mpi)
    assert bool(learned) == takes
    assert {r["collective"] for r in learned} <= {"allreduce", "bcast"}
    assert all(r["served_by"] == "hopbine" for r in learned)


@pytest.mark.parametrize("ranks", [n for n in RANKS if n > 4][:1])
def test_measuring_on_several_nodes(mpi, build, tmp_path, ranks):
    program = build(mpi, "measured", flags=("-ldl",))
    script = "export HOPBINE_NODE=n$((R / 2)) HOPBINE_GROUP=g$((R / 4)) COBALT_JOBID=7"
    for calls in (200, 800, 3200):  # what pays depends on times
        folder = tmp_path / str(calls)
        folder.mkdir()
        stats = str(folder / "%j.%h.%p")
        passed(mpi.run(ranks, *by_rank(script, *UNDER, "--stats", stats, program, str(calls))))
        (written,) = folder.glob("*")  # of rank 0 alone
        assert re.fullmatch(r"7\.n0\.\d+", written.name)
        rows = json.loads(written.read_text())["rows"]
        if [r for r in rows if r["reason"] == "takes turns to be measured"]:
            break
    else:
        pytest.fail("nothing was tried")


@pytest.mark.parametrize("ranks", [n for n in RANKS if n > 2][:1])
@pytest.mark.parametrize(
    "options", [["--reproducible"], ["--choice", "count"], ["--choice", "table"]]
)
def test_nothing_is_measured_where_the_user_says_so(mpi, build, tmp_path, ranks, options):
    rows = rows_of(mpi, build, tmp_path, ranks, *options, calls=20)
    assert not [r for r in rows if "measured" in r["reason"]]


@pytest.mark.parametrize("ranks", [n for n in RANKS if n > 2][:1])
def test_what_the_user_asks_for_is_not_measured(mpi, build, tmp_path, ranks):
    rows = rows_of(mpi, build, tmp_path, ranks, "--algorithm", "allreduce=bine_large", calls=40)
    asked = [r for r in rows if r["collective"] == "allreduce" and r["comm_size"] > 1]
    assert {r["algorithm"] for r in asked} == {"bine_large"}


def test_the_benchmark_against_the_library_runs(mpi, build):
    program = build(mpi, "against_library", folder=EXAMPLES.parent / "benchmarks")
    done = mpi.hopbine(2, program, "8", "allreduce", "bcast")
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    assert [row[:2] for row in rows] == [["bcast", "8"], ["allreduce", "8"]], done.stdout
    assert all(float(low) <= float(ratio) <= float(high) for *_, low, ratio, high, _ in rows)


def test_programs_of_few_calls_are_not_measured(mpi, build, tmp_path):
    rows = rows_of(mpi, build, tmp_path, 3, calls=1)
    # But its own checks make several small allreduces, and it ends with 300 allgathers.
    measured = {r["collective"] for r in rows if "measured" in r["reason"]}
    assert measured <= {"allreduce", "allgather"}


def test_the_account_is_in_the_statistics(mpi, build, tmp_path, capsys):
    """By kind and communicator; the sums of rank 0's communicators are those of the job."""
    rows_of(mpi, build, tmp_path, 3, calls=300)
    file = tmp_path / "s.json"
    account = json.loads(file.read_text())["account"]
    assert account["in_collectives"] > 0
    assert {k["collective"] for k in account["kinds"]} >= COLLECTIVES
    assert {k["ranks"] for k in account["kinds"]} > {"0-2"}  # and a part of them
    # Rank 0 is in "2,0" too.
    saved = sum(k["saved"] for k in account["kinds"] if "0" in re.split("[,-]", k["ranks"]))
    assert saved == pytest.approx(account["saved"], rel=0.01, abs=1e-6)
    assert main(["stats", str(file), "--account"]) == 0
    shown = capsys.readouterr().out
    assert "ms saved" in shown
    assert "In collectives that are measured" in shown
