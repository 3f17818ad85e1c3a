"""A cluster for all tests, and a program of the MPI library that Slurm's PMI-2 can start."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from cluster import Cluster, missing

os.environ["HOPBINE_LEARN"] = "none"  # no test learns from another, or from the user's jobs
PROGRAM = Path(__file__).parents[1] / "mpi/programs/sums.c"


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    """Six nodes under switches of three, two and one."""
    if absent := missing():
        pytest.skip(f"Slurm is not installed: no {absent} (on Debian: slurm-wlm)")
    one = Cluster(tmp_path_factory.mktemp("slurm"), (3, 2, 1))
    try:
        one.start()
        yield one
    finally:
        one.stop()


@pytest.fixture(scope="session")
def mpich() -> tuple[str, str]:
    """The compiler wrapper and the launcher of an MPICH."""
    entries = [e.split("=") for e in os.environ.get("HOPBINE_TEST_MPIS", "").split(";") if e]
    found = next(((cc, launcher) for name, cc, launcher in entries if "mpich" in name), None)
    if not found:
        pytest.skip("HOPBINE_TEST_MPIS names no MPICH, which Slurm starts by PMI-2")
    return found


@pytest.fixture(scope="session")
def program(mpich, tmp_path_factory) -> str:
    """Sums over the ranks; prints "sum RANKS last LAST-RANK"."""
    out = tmp_path_factory.mktemp("program") / "sums"
    subprocess.run([mpich[0], "-o", out, PROGRAM], check=True)
    return str(out)


@pytest.fixture(scope="session")
def hopbine() -> str:
    """The compiled command, which users get, for shell scripts."""
    command = Path(sys.executable).with_name("hopbine")
    assert command.exists(), f"{command} is missing: scripts/setup installs it"
    return f"'{command}'"
