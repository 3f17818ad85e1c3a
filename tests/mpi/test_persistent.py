"""Persistent collectives: MPI's, and hopbine_alltoallv_init in a program linked with hopbine."""

import json

import pytest
from conftest import FEW, LINKED, RANKS, UNDER, by_rank, passed, progresses
from test_alltoallv import SEVERAL, called
from test_nonblocking import PLACED
from test_registry import copied_in_flight, fitting, walked

NAMED = "persistent"


@pytest.mark.parametrize("ranks", RANKS)
def test_a_program_that_calls_hopbine(mpi, build, ranks):
    """Works without hopbine run: linking is enough."""
    several = [] if progresses(mpi) else ["plain"]
    program = build(mpi, "persistent", flags=LINKED)
    passed(mpi.run(ranks, program, *several, "auto", *called(ranks)))


@pytest.mark.parametrize("ranks", SEVERAL)
def test_counts_that_disagree_are_seen_before_anything_is_sent(mpi, build, ranks):
    if not progresses(mpi):
        pytest.skip(f"{mpi.name} serves hopbine_alltoallv_init itself")
    passed(mpi.run(ranks, build(mpi, "persistent", flags=LINKED), "mismatch"))


@pytest.mark.parametrize("ranks", FEW[:1])
def test_every_algorithm_gives_the_librarys_answers(served_mpi, build, ranks):
    names = [walked(a, a["name"], ranks) for a in fitting(ranks)]
    program = build(served_mpi, "walk", flags=("-DFORM_PERSISTENT",))
    passed(served_mpi.hopbine(ranks, program, *names))


def test_blocks_are_copied_while_messages_are_in_flight(served_mpi, build):
    names = copied_in_flight(4)
    assert len(names) == 2
    passed(served_mpi.hopbine(4, build(served_mpi, "walk", flags=("-DFORM_PERSISTENT",)), *names))


@pytest.mark.parametrize("ranks", [r for r in RANKS if r > 1])
def test_among_other_calls(served_mpi, build, ranks):
    passed(served_mpi.run(ranks, *UNDER, build(served_mpi, "restarted")))


@pytest.mark.parametrize("ranks", FEW)
def test_where_threads_may_call(served_mpi, build, ranks):
    passed(served_mpi.run(ranks, *UNDER, build(served_mpi, "restarted"), "threads"))


@pytest.mark.parametrize("ranks", FEW)
def test_with_choices_by_counting(served_mpi, build, ranks, tmp_path):
    stats = tmp_path / "stats.json"
    under = (*UNDER, "--stats", str(stats))
    program = build(served_mpi, "restarted")
    passed(served_mpi.run(ranks, *by_rank(PLACED, *under, program), "library"))
    rows = [r for r in json.loads(stats.read_text())["rows"] if r["reason"].startswith(NAMED)]
    assert "allreduce" in {r["collective"] for r in rows}
    assert all(r["algorithm"] != "mpi" and r["calls"] > 0 and r["seconds"] > 0 for r in rows)


def test_one_node_is_left_to_the_library(served_mpi, build, tmp_path):
    stats = tmp_path / "stats.json"
    under = (*UNDER, "--no-shared-memory", "--stats", str(stats))
    passed(served_mpi.run(3, *under, build(served_mpi, "restarted"), "library"))
    rows = json.loads(stats.read_text())["rows"]
    assert not [r for r in rows if r["reason"].startswith(NAMED)]


@pytest.mark.parametrize("ranks", [n for n in RANKS if n > 2])
def test_the_standards_own_alltoallv(served_mpi, build, ranks, tmp_path):
    stats = tmp_path / "s.json"
    program = build(served_mpi, "persistent", flags=LINKED)
    passed(served_mpi.hopbine(ranks, "--stats", str(stats), program, "init", "parlogna:r=2"))
    rows = [r for r in json.loads(stats.read_text())["rows"] if r["collective"] == "alltoallv"]
    assert rows
    assert all(
        row["algorithm"] == "parlogna" and row["calls"] > 10 and row["extra_bytes"] > 0
        for row in rows
    )
