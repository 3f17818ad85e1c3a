"""Calls that the MPI library refuses on one rank have not happened there, in all forms."""

import pytest
from conftest import FEW, UNDER, by_rank, header, passed
from test_nonblocking import PLACED

#: On one node, with messages through shared memory, and where links are scarce.
WAYS = {
    "default": lambda *command: [*UNDER, *command],
    "shared": lambda *command: [*UNDER, "--choice", "count", *command],
    "scarce": lambda *command: by_rank(PLACED, *UNDER, *command),
}


def wrong_word(mpi, build):
    """What is wrong: MPICH may be built with no check but that of two buffers that are one."""
    return "type" if mpi.run(1, build(mpi, "wrong_arguments")).returncode == 0 else "alias"


@pytest.mark.dealt
@pytest.mark.parametrize("form", ["blocking", "nonblocking", "persistent"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("ranks", FEW)
def test_a_right_call_follows(mpi, build, ranks, way, form):
    if form == "persistent" and "MPI_Bcast_init(" not in header(mpi):
        pytest.skip(f"{mpi.name} has no persistent collectives")
    flags = () if form == "blocking" else (f"-DFORM_{form.upper()}",)
    program = build(mpi, "refused", flags=flags)
    passed(mpi.run(ranks, *WAYS[way](program, wrong_word(mpi, build)), timeout=60))


@pytest.mark.parametrize("form", ["blocking", "nonblocking"])
@pytest.mark.parametrize("ranks", FEW[:1])
def test_among_the_first_calls_of_a_communicator(mpi, build, ranks, form):
    """Which are counted before anything else is known of it, until its calls are measured."""
    program = build(mpi, "refused", flags=() if form == "blocking" else ("-DFORM_NONBLOCKING",))
    passed(mpi.hopbine(ranks, program, wrong_word(mpi, build), "2000", timeout=60))
