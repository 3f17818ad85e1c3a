"""Papers' pages by the processes of an MPI job (docs/papers/sweeping.py)."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PAPERS = Path(__file__).parents[2] / "docs" / "papers"
FIGURE = "9"


@pytest.fixture
def papers(tmp_path):
    """A copy of docs/papers, whose command writes beside itself."""
    for path in [*PAPERS.glob("*.py"), *PAPERS.glob("*.toml")]:
        shutil.copy(path, tmp_path)
    return tmp_path


def test_any_number_of_ranks_makes_the_same_file(mpi, papers):
    pytest.importorskip("mpi4py")
    library = Path(mpi.mpiexec).resolve().parent.parent / "lib"
    env = {
        "LD_LIBRARY_PATH": f"{library}:{os.environ.get('LD_LIBRARY_PATH', '')}",
        "MPI4PY_MPIABI": "openmpi" if mpi.is_openmpi else "mpich",
    }
    words = [str(papers / "reproduce.py"), "generalised", FIGURE, "--quick"]
    out = papers / "generalised-collectives-quick" / f"fig{FIGURE}.csv"
    subprocess.run([sys.executable, *words], check=True, capture_output=True)
    alone = out.read_bytes()
    out.unlink()
    # One of the ranks hands out the work.
    done = mpi.run(4, sys.executable, "-m", "mpi4py.futures", *words, env=env)
    if "ImportError" in done.stderr:
        pytest.skip("mpi4py's wheel does not find this MPI library")
    assert done.returncode == 0, done.stderr
    assert out.read_bytes() == alone
