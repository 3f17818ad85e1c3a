"""Neighbourhood collectives: the library's bits, whatever graph, form and placement."""

import json

import pytest
from conftest import FEW, RANKS, UNDER, by_rank, passed

#: The node of rank R: in order, in turns, and of uneven sizes.
PLACES = {"pairs": "$((R / 2))", "turns": "$((R % 3))", "uneven": "$((R * R / 9))"}


@pytest.mark.dealt
@pytest.mark.parametrize(
    ("ranks", "place"),
    [(r, "pairs") for r in RANKS if r < 3 or r in FEW[:2]]
    + [(r, "turns") for r in FEW[:2]]
    + [(r, "uneven") for r in FEW],  # the largest number is slow: one place
)
def test_the_librarys_answers(mpi, build, ranks, place):
    script = f"export HOPBINE_NODE=n{PLACES[place]}"
    modes = ["direct", "joined", "auto"] if ranks > 1 else ["auto"]
    passed(mpi.run(ranks, *by_rank(script, *UNDER, build(mpi, "neighbors"), *modes)))


@pytest.mark.parametrize("ranks", FEW[-1:])
@pytest.mark.parametrize("choice", ["count", "table"])
def test_choices_without_measuring(mpi, build, ranks, choice):
    script = f"export HOPBINE_NODE=n{PLACES['pairs']}"
    under = (*UNDER, "--choice", choice)
    passed(mpi.run(ranks, *by_rank(script, *under, build(mpi, "neighbors"), "auto")))


def rows_of(stats):
    rows = json.loads(stats.read_text())["rows"]
    return [r for r in rows if r["collective"].startswith("neighbor_")]


def test_one_node_is_left_to_the_library(mpi, build, tmp_path):
    stats = tmp_path / "stats.json"
    passed(mpi.run(3, *UNDER, "--stats", str(stats), build(mpi, "neighbors"), "auto"))
    rows = rows_of(stats)
    assert {r["collective"] for r in rows} == {"neighbor_alltoallv", "neighbor_allgather"}
    assert {r["algorithm"] for r in rows} == {"mpi"}
    assert all(r["calls"] > 0 for r in rows)


@pytest.mark.parametrize("ranks", FEW[-1:])
def test_joined_messages_are_counted(mpi, build, ranks, tmp_path):
    stats = tmp_path / "stats.json"
    script = f"export HOPBINE_NODE=n{PLACES['pairs']}"
    under = (*UNDER, "--stats", str(stats), "--algorithm", "neighbor_allgather=joined")
    passed(mpi.run(ranks, *by_rank(script, *under, build(mpi, "neighbors"), "auto", "joined")))
    joined = [r for r in rows_of(stats) if r["algorithm"] == "joined"]
    assert {r["collective"] for r in joined} == {"neighbor_alltoallv", "neighbor_allgather"}
    assert all(r["calls"] > 0 and r["seconds"] > 0 and r["reason"] for r in joined)


def test_unknown_modes_are_refused(mpi, build):
    for wrong, known in (
        ("neighbor_allgather=ring", "(known: mpi, direct, joined)"),
        ("neighbor_alltoallw=mpi", "(known: neighbor_alltoallv, neighbor_allgather)"),
    ):
        done = mpi.hopbine(1, "--algorithm", wrong, "true")
        assert done.returncode != 0
        assert known in done.stderr
