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


@pytest.mark.parametrize("form", ["blocking", "nonblocking", "persistent"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("ranks", FEW)
def test_a_right_call_follows(mpi, build, ranks, way, form):
    if form == "persistent" and "MPI_Bcast_init(" not in header(mpi):
        pytest.skip(f"{mpi.name} has no persistent collectives")
    # MPICH may be built without other checks than that of two buffers that are one.
    validates = mpi.run(1, build(mpi, "wrong_arguments")).returncode == 0
    flags = () if form == "blocking" else (f"-DFORM_{form.upper()}",)
    program = build(mpi, "refused", flags=flags)
    passed(mpi.run(ranks, *WAYS[way](program, "type" if validates else "alias"), timeout=60))
