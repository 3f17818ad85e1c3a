"""Extensions of MPI libraries: what hopbine leaves to the library."""

import pytest
from conftest import RANKS, UNDER

ASKED = ("--algorithm", "allreduce=recursive_doubling,bcast=binomial_halving,barrier=bine")


def test_a_job_that_survives_processes_that_fail(mpi, build):
    """With ULFM the MPI library serves: its collectives end on all ranks when a process fails."""
    ranks, program = min(max(RANKS), 5), build(mpi, "failure")
    if mpi.run(1, program).stdout == "no ULFM\n":
        pytest.skip("the library has no ULFM, or its launcher ends jobs of which a process fails")
    done = mpi.run(ranks, "--with-ft", "ulfm", *UNDER, *ASKED, program, timeout=60)
    assert done.stdout.split() == ["survived"] * (ranks - 1), done.stdout + done.stderr
    assert done.stderr.count("to survive processes that fail (ULFM); the MPI library serves") == 1
    assert done.stderr.count("no collective was served") == 1  # told in MPI_Finalize


def test_ranks_that_are_threads(mpi, build):
    """Communicators of MPIX_Threadcomm_init are the library's."""
    done = mpi.hopbine(2, *ASKED, build(mpi, "thread_ranks"), timeout=60)
    if done.stdout == "no threads as ranks\n" * 2:
        pytest.skip("the library has no communicators of threads")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "6 ranks, 0 wrong\n", done.stdout + done.stderr
