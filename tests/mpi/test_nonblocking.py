"""Nonblocking collectives: the library's answers, among whatever MPI allows beside them."""

import json

import pytest
from conftest import FEW, RANKS, UNDER, by_rank, passed
from test_registry import copied_in_flight, fitting, walked

from hopbine import _core

SERVED = (
    "--algorithm=allreduce=recursive_multiplying,bcast=bine_small,reduce=bine_small,"
    "reduce_scatter=ring"
)
#: Rows of nonblocking calls.
NAMED = "nonblocking"
#: Several groups of several nodes: the ranks count, and hopbine serves without being asked to.
PLACED = "export HOPBINE_NODE=n$((R/2)) HOPBINE_GROUP=g$((R/4))"


@pytest.mark.parametrize("ranks", FEW[:1])
def test_every_algorithm_gives_the_librarys_answers(mpi, build, ranks):
    names = [walked(a, a["name"], ranks) for a in fitting(ranks)]
    flags = ("-DFORM_NONBLOCKING",)
    passed(mpi.hopbine(ranks, build(mpi, "walk", flags=flags), *names))


def test_blocks_are_copied_while_messages_are_in_flight(mpi, build):
    names = copied_in_flight(4)
    assert len(names) == 2
    passed(mpi.hopbine(4, build(mpi, "walk", flags=("-DFORM_NONBLOCKING",)), *names))


@pytest.mark.parametrize("ranks", [r for r in RANKS if r > 1])
def test_among_other_calls(mpi, build, ranks):
    passed(mpi.run(ranks, *UNDER, SERVED, build(mpi, "nonblocking")))


@pytest.mark.parametrize("ranks", FEW)
def test_where_threads_may_call(mpi, build, ranks):
    passed(mpi.run(ranks, *UNDER, SERVED, build(mpi, "nonblocking"), "threads"))


@pytest.mark.dealt
@pytest.mark.parametrize("ranks", FEW)
def test_with_choices_by_counting(mpi, build, ranks, tmp_path):
    stats = tmp_path / "stats.json"
    under = (*UNDER, "--stats", str(stats))
    passed(mpi.run(ranks, *by_rank(PLACED, *under, build(mpi, "nonblocking"))))
    rows = [r for r in json.loads(stats.read_text())["rows"] if r["reason"].startswith(NAMED)]
    whole = [r for r in rows if r["comm_size"] == ranks]
    assert {r["collective"] for r in whole} == {"bcast", "reduce", "allreduce", "reduce_scatter"}
    assert all(r["algorithm"] != "mpi" and r["calls"] > 0 and r["seconds"] > 0 for r in whole)
    counted = [r for r in whole if "counted: " in r["reason"]]
    assert counted
    for r in counted:
        assert r["algorithm"] in explained(r, ranks), r


def explained(row, ranks):
    """What `select explain --form nonblocking` has for the calls of a row, whatever they reduce.

    From any root: that of the first call stands for all, and a row has that of another one.
    """
    nodes, groups = [r // 2 for r in range(ranks)], [r // 4 for r in range(ranks)]
    told = [
        _core.explain(
            _core.Calls(row["collective"], root=root, exact=exact, form="nonblocking"),
            [row["bytes_class"][1]],
            groups,
            nodes,
        )
        for exact in (False, True)
        for root in range(ranks if row["collective"] in ("bcast", "reduce") else 1)
    ]
    return {t["candidates"][t["chosen"][0]]["algorithm"].split(":")[0] for t in told}


def test_one_node_is_left_to_the_library(mpi, build, tmp_path):
    stats = tmp_path / "stats.json"
    under = (*UNDER, "--no-shared-memory", "--stats", str(stats))
    passed(mpi.run(3, *under, build(mpi, "nonblocking"), "library"))
    rows = [r for r in json.loads(stats.read_text())["rows"] if r["reason"].startswith(NAMED)]
    assert rows
    assert {r["algorithm"] for r in rows} == {"mpi"}


def test_a_call_returns_without_giving_its_core_away(mpi, build):
    passed(mpi.run(5, *UNDER, SERVED, build(mpi, "returns", flags=("-rdynamic",))))


@pytest.mark.parametrize("ranks", FEW[:1])
def test_who_served_the_last_call_is_told_after_a_nonblocking_one(mpi, build, ranks):
    program = build(mpi, "last_served", flags=("-ldl",))
    passed(mpi.run(ranks, *UNDER, SERVED + ",gather=mpi", program))


@pytest.mark.parametrize("ranks", FEW[:1])
def test_what_the_library_serves_is_known_until_something_changes(mpi, build, ranks):
    program = build(mpi, "passed_nonblocking", flags=("-ldl",))
    passed(mpi.run(ranks, *UNDER, program))
