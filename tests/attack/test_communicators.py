"""Communicators made and freed in every way, with served calls on each."""

import re

import programs
import pytest


def runs(mpi, compiled, ranks, *parts, timeout=60):
    """Runs parts of the program, first without hopbine.

    Parts that the MPI library itself cannot run are skipped.
    """
    program = compiled(mpi, "communicators")
    stock = programs.run(mpi, ranks, [program, *parts], preloaded=False, timeout=timeout)
    if stock.ended != 0:
        pytest.skip(f"{mpi.name} itself fails: {stock.output[-300:]}")
    done = programs.run(mpi, ranks, [program, *parts], timeout=timeout)
    assert done.ended == 0, done.output[-3000:]
    assert len(re.findall(r"^rank \d+: [1-9]\d* right, 0 wrong$", done.output, re.M)) >= ranks, (
        done.output[-3000:]
    )


@pytest.mark.parametrize("ranks", [1, 2, 5])
@pytest.mark.parametrize("part", ["ways", "idup", "threads"])
def test_communicators(mpi, compiled, part, ranks):
    if part == "threads" and ranks == 1:
        pytest.skip("hopbine serves no communicator of one rank")
    runs(mpi, compiled, ranks, part)


def test_two_thousand(mpi, compiled):
    runs(mpi, compiled, 2, "many", "2000", timeout=300)


@pytest.mark.parametrize("part", ["callback", "sessions"])
def test_after_finalize_has_begun(mpi, compiled, part):
    runs(mpi, compiled, 3, "ways", part)


def test_spawn_and_merge(mpi, compiled):
    runs(mpi, compiled, 2, "spawn")
