"""Callbacks of the program, in which it calls collectives or which need much of the stack."""

import json

import pytest
from conftest import FEW, PROGRAMS, UNDER, by_rank, cc, passed
from test_nonblocking import PLACED


@pytest.mark.parametrize("what", ["free", "finalize", "stack"])
@pytest.mark.parametrize("scarce", [False, True], ids=["one node", "scarce"])
@pytest.mark.parametrize("ranks", FEW[:2])
def test_callbacks(mpi, build, ranks, scarce, what):
    command = [*UNDER, build(mpi, "callbacks"), what]
    passed(mpi.run(ranks, *(by_rank(PLACED, *command) if scarce else command), timeout=60))


def test_exceptions_pass_through_calls(mpi, tmp_path):
    """Whose stubs have something to clean up where calls are watched, and load what that needs."""
    program, stats = tmp_path / "exceptions", tmp_path / "stats.json"
    source = PROGRAMS / "exceptions.cpp"
    alone = ("-DMPICH_SKIP_MPICXX", "-DOMPI_SKIP_MPICXX")
    cc(mpi.mpicc, "-O1", *alone, "-x", "c++", source, "-x", "none", "-lstdc++", "-o", program)
    options = ("--algorithm", "allreduce=ring", "--watch", "5min", "--stats", str(stats))
    passed(mpi.hopbine(3, *options, str(program), timeout=60))
    rows = json.loads(stats.read_text())["rows"]
    assert {(r["algorithm"], r["calls"]) for r in rows if r["served_by"] == "hopbine"} == {
        ("ring", 3)
    }
