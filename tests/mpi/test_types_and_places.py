"""Unusual datatypes and operations under the default rules, and ranks scattered over nodes."""

import pytest
from conftest import RANKS, UNDER, by_rank, passed
from test_registry import fitting, walked


@pytest.mark.parametrize("ranks", RANKS)
def test_odd_types_and_operations(mpi, build, ranks):
    checks_arguments = mpi.run(1, build(mpi, "wrong_arguments")).returncode == 0
    errors = ["errors"] if checks_arguments else []
    done = mpi.hopbine(ranks, "--choice", "table", build(mpi, "types"), *errors)
    passed(done)


@pytest.mark.dealt
@pytest.mark.parametrize("ranks", [4, 5])
def test_renumbered_ranks_give_the_same_answers(mpi, build, ranks):
    """HOPBINE_NODE names each rank's node where all share one host; rank r is on node r mod 3."""
    names = [walked(a, a["name"], ranks) for a in fitting(ranks) if "bine" in a["name"]]
    program = [*UNDER, "--renumber", build(mpi, "walk"), *names]
    done = mpi.run(ranks, *by_rank("export HOPBINE_NODE=node$((R % 3))", *program))
    passed(done)


def test_misaligned_numbers_that_a_rank_keeps(mpi, build):
    """Open MPI 5 damages misaligned numbers in messages to itself (docs/library-faults.md)."""
    done = mpi.hopbine(2, "--algorithm", "reduce=linear", build(mpi, "misaligned"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "right\n", done.stdout + done.stderr
