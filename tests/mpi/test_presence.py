"""Jobs in which not every rank runs under hopbine: all ranks know it before a message is sent."""

import json
import subprocess
import sys

import pytest
from conftest import RANKS

pytestmark = pytest.mark.skipif(max(RANKS) < 2, reason="needs two ranks")

PROGRAM = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
    int rank, ranks, sum = 0, wrong = 0;
    double all[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int call = 0; call < 20; ++call) {
        const double mine = rank + call;
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allgather(&mine, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, MPI_COMM_WORLD);
        wrong += sum != ranks * (ranks - 1) / 2;
        for (int r = 0; r < ranks; ++r) wrong += all[r] != r + call;
    }
    printf("%d wrong\\n", wrong);
    MPI_Finalize();
    return 0;
}
"""
ASKED = ["--algorithm", "allreduce=recursive_doubling,allgather=ring"]


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """app(mpi) -> the program above."""
    made = {}

    def compile_app(mpi):
        if mpi.name not in made:
            folder = tmp_path_factory.mktemp("presence" + mpi.name)
            (folder / "app.c").write_text(PROGRAM)
            subprocess.run([mpi.mpicc, "-o", str(folder / "app"), str(folder / "app.c")], check=True)
            made[mpi.name] = str(folder / "app")
        return made[mpi.name]

    return compile_app


def under(program, *options):
    """The words that run a program under hopbine."""
    return [sys.executable, "-m", "hopbine", "run", *ASKED, *options, program]


def served(stats):
    """By whom, of each row."""
    return {row["served_by"] for row in json.loads(stats.read_text())["rows"]}


@pytest.mark.parametrize("first", [True, False], ids=["the first", "the last"])
def test_one_program_of_two_runs_under_hopbine(mpi, app, first):
    """As MPMD. Those that do say so, once."""
    parts = [["-n", "1", *under(app(mpi))], ["-n", "1", app(mpi)]]
    one, other = parts if first else parts[::-1]
    done = subprocess.run([mpi.mpiexec, *one, ":", *other], capture_output=True, text=True, timeout=60, env=mpi.environment(2), stdin=subprocess.DEVNULL)
    assert done.returncode == 0 and done.stdout.count("0 wrong") == 2, done.stdout + done.stderr
    assert done.stderr.count("1 of 2 ranks of the job run under hopbine; the MPI library serves all calls") == 1, done.stderr


def test_a_script_that_starts_hopbine_on_some_ranks(mpi, app):
    """One program for the launcher, two for the ranks."""
    ranks = min(max(RANKS), 3)
    script = 'if [ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 1 ]; then exec "$0"; else exec "$@"; fi'
    done = mpi.run(ranks, "sh", "-c", script, app(mpi), *under(app(mpi)), timeout=60)
    assert done.returncode == 0 and done.stdout.count("0 wrong") == ranks, done.stdout + done.stderr
    assert done.stderr.count(f"{ranks - 1} of {ranks} ranks of the job run under hopbine") == 1, done.stderr


#: What hopbine asks the launcher by; without them it cannot tell.
HIDDEN = ["env", "-u", "HYDI_CONTROL_FD"]


def test_a_launcher_that_cannot_tell(mpi, app, tmp_path):
    """The MPI library serves, and rank 0 says why; unless somebody knows."""
    if mpi.is_openmpi or "40" in mpi.name:
        pytest.skip("Open MPI starts with PMIx, MPICH 4.0 with a barrier of PMI's: both tell")
    done = mpi.run(2, *HIDDEN, *under(app(mpi), "--stats", str(tmp_path / "a")), timeout=60)
    assert done.returncode == 0 and done.stdout.count("0 wrong") == 2, done.stdout + done.stderr
    assert done.stderr.count("the launcher does not tell whether all ranks run under hopbine; the MPI library serves all calls") == 1, done.stderr
    done = mpi.run(2, *HIDDEN, *under(app(mpi), "--everywhere", "--stats", str(tmp_path / "b")), timeout=60)
    assert done.returncode == 0 and done.stdout.count("0 wrong") == 2, done.stdout + done.stderr
    assert "does not tell" not in done.stderr and served(tmp_path / "b") == {"hopbine"}
