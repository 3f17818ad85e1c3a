"""hopbine run --watch where the nodes are network namespaces: watchers meet over their links."""

import re
import subprocess
from pathlib import Path

import pytest
from conftest import HOPBINE

FAULTS = Path(__file__).parents[1] / "mpi/programs/faults.c"
GUILTY = r"rank 2 on h2, process \d+"


@pytest.fixture
def faults(request, mpi, folder):
    """The program of faults, for the MPI library."""
    name, mpicc, _ = request.node.callspec.params["mpi"]
    program = folder / f"faults-{name}"
    if not program.exists():
        subprocess.run([mpicc, "-g", "-O1", "-o", program, FAULTS, "-lpthread"], check=True)
    return str(program)


def test_the_guilty_rank_is_named_between_hosts(user, mpi, faults):
    """One that is late, and at once one whose call does not match."""
    for kind, options, told in (
        ("loops", "1s,abort", GUILTY + ", has not come: it is outside of MPI"),
        ("another_root", "1h,check,abort", GUILTY + r": MPI_Bcast\(1 MPI_INT, root 3\), call 1 of"),
    ):
        words = mpi.words(4, HOPBINE, "run", "--quiet", "--watch", options, faults, kind)
        done = user.emulate("--groups", "2,2", "--", *words)
        assert done.returncode, done.stderr
        assert re.search(told, done.stderr), done.stderr


def test_hosts_have_shared_memory_of_their_own(user, mpi):
    script = "touch /dev/shm/of-$(hostname); sleep 1; ls /dev/shm | grep ^of-"
    done = user.emulate("--groups", "1,1", "--", *mpi.words(2, "sh", "-c", script))
    assert sorted(done.stdout.split()) == ["of-h0", "of-h1"], done.stderr
