"""Callbacks of the program, in which it calls collectives or which need much of the stack."""

import pytest
from conftest import FEW, UNDER, by_rank, passed
from test_nonblocking import PLACED


@pytest.mark.parametrize("what", ["free", "finalize", "stack"])
@pytest.mark.parametrize("scarce", [False, True], ids=["one node", "scarce"])
@pytest.mark.parametrize("ranks", FEW[:2])
def test_callbacks(mpi, build, ranks, scarce, what):
    command = [*UNDER, build(mpi, "callbacks"), what]
    passed(mpi.run(ranks, *(by_rank(PLACED, *command) if scarce else command), timeout=60))
