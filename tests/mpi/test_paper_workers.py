"""Papers' pages and simulations by the processes of an MPI job.

reproduce/shared/sweeping.py, python/hopbine/simulation/ranks.py.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

REPRODUCE = Path(__file__).parents[2] / "reproduce"
FIGURE = "9"


@pytest.fixture
def papers(tmp_path):
    """A copy of reproduce/ without its data, whose command writes beside itself."""
    left = shutil.ignore_patterns("data*", "quick*", "__pycache__")
    return shutil.copytree(REPRODUCE, tmp_path / "reproduce", ignore=left)


@pytest.fixture
def joined(mpi):
    """Environment in which mpi4py's wheel finds the MPI library."""
    pytest.importorskip("mpi4py")
    library = Path(mpi.mpiexec).resolve().parent.parent / "lib"
    return {
        "LD_LIBRARY_PATH": f"{library}:{os.environ.get('LD_LIBRARY_PATH', '')}",
        "MPI4PY_MPIABI": "openmpi" if mpi.is_openmpi else "mpich",
    }


@pytest.mark.dealt
def test_any_number_of_ranks_makes_the_same_file(mpi, joined, papers):
    words = [str(papers / "run.py"), "generalised", FIGURE, "--quick"]
    out = papers / "generalised" / "quick" / f"fig{FIGURE}.csv.xz"
    subprocess.run([sys.executable, *words], check=True, capture_output=True)
    alone = out.read_bytes()
    out.unlink()
    # One of the ranks hands out the work.
    done = mpi.run(4, sys.executable, "-m", "mpi4py.futures", *words, env=joined)
    if "ImportError" in done.stderr:
        pytest.skip("mpi4py's wheel does not find this MPI library")
    assert done.returncode == 0, done.stderr
    assert out.read_bytes() == alone


@pytest.mark.parametrize("found", [True, False])
@pytest.mark.parametrize(
    "words",
    [
        ("allreduce", "--algorithms", "swing+swing_small,bucket", "--sizes", "32:1MiB:8"),
        ("alltoallv", "--algorithms", "pairwise,linear", "--sizes", "dist:uniform:16"),
    ],
)
def test_ranks_share_a_simulation_that_one_prints(mpi, joined, tmp_path, found, words):
    """Or the first works alone, where mpi4py does not find the library."""
    env = joined if found else {"MPI4PY_MPIABI": "none"}
    words = (
        "-m",
        "hopbine",
        "simulate",
        *words,
        *("--topology", "torus:4x4", "--format", "csv", "--csv"),
    )
    alone, by_three = tmp_path / "alone.csv", tmp_path / "three.csv"
    one = subprocess.run(
        [sys.executable, *words, alone], check=True, capture_output=True, text=True
    )
    done = mpi.run(3, sys.executable, *words, str(by_three), env=env)
    assert (done.returncode, done.stdout) == (0, one.stdout), done.stderr
    assert done.stderr.count("rank 0 of 3 simulates alone") == (not found)
    assert by_three.read_bytes() == alone.read_bytes()
