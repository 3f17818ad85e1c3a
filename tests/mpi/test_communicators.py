"""Communicators of threads, and what statistics tell of each: its ranks, bytes between groups."""

import json

import pytest
from conftest import FEW, UNDER, by_rank, passed

from hopbine.recorded.communicators import communicators
from hopbine.recorded.crossings import crossing, job_of
from hopbine.recorded.statistics import load

#: Four ranks, two of each group: those of a row of the grid.
IN_ROWS = "export HOPBINE_GROUP=g$((R / 2)) HOPBINE_NODE=n$R"
#: One of each group in every row.
ACROSS = "export HOPBINE_GROUP=g$((R % 2)) HOPBINE_NODE=n$R"
BYTES = 8 * 1000
SERVED = "allreduce=recursive_doubling,bcast=bine_small,alltoallv=parlogna"


@pytest.mark.parametrize("asked", ["recursive_doubling", "mpi"])
@pytest.mark.parametrize(("script", "rows", "columns"), [(IN_ROWS, 0, 2), (ACROSS, 2, 0)])
def test_rows_and_columns_of_a_grid(mpi, build, tmp_path, script, rows, columns, asked):
    """A sum of two ranks sends a vector each way."""
    file = tmp_path / "stats.json"
    options = ("--algorithm", f"allreduce={asked}", "--stats", str(file))
    command = (*UNDER, *options, build(mpi, "grid"), "2")
    done = mpi.run(4, *by_rank(script, *command), timeout=60)
    assert done.returncode == 0, done.stderr
    data = load(file)
    of = {row["comm_size"]: row for row in data["rows"] if row["calls"]}
    assert {c.ranks: (c.calls, c.bytes) for c in communicators(of[2], 4)} == {
        (0, 1): (5, 5 * BYTES),
        (2, 3): (5, 5 * BYTES),
        (0, 2): (3, 3 * BYTES),
        (1, 3): (3, 3 * BYTES),
    }
    crossed = crossing(of[2], job_of(data))
    assert crossed.classic == crossed.served == (2 * 5 * rows + 2 * 3 * columns) * BYTES
    [backwards] = communicators(of[4], 4)
    assert backwards == ((3, 2, 1, 0), 2, 2 * BYTES)
    assert json.loads(file.read_text())["rows"][0]["communicators"]


@pytest.mark.parametrize("ranks", FEW)
def test_threads_on_communicators_of_their_own(mpi, build, ranks):
    passed(mpi.run(ranks, *UNDER, "--algorithm", SERVED, build(mpi, "threads")))


def test_two_threads_on_one_communicator_break_nothing(mpi, build):
    """The program is wrong, and hopbine is not what ends it: its calls wait for each other."""
    done = mpi.run(2, *UNDER, "--algorithm", SERVED, build(mpi, "at_once"), timeout=60)
    assert done.stdout == "no threads\n" or done.stdout == "200 passed, 0 failed\n", done.stderr
