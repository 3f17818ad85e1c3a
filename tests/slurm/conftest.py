"""A cluster for all tests, and a program of the MPI library that Slurm's PMI-2 can start."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cluster import Cluster, missing

os.environ["HOPBINE_LEARN"] = "none"  # no test learns from another, or from the user's jobs
ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "tests/mpi/programs/sums.c"


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


@pytest.fixture(scope="session")
def prefix(tmp_path_factory) -> Path:
    """An installation, as an administrator makes it."""
    tree = Path(os.environ.get("HOPBINE_TEST_TREE") or ROOT / "build/python")
    folder = tmp_path_factory.mktemp("prefix")
    command = ("cmake", "--install", tree, "--component", "prefix", "--prefix", folder)
    subprocess.run(command, check=True, capture_output=True)
    if not list(folder.glob("lib*/hopbine/spank_hopbine.so")):
        pytest.skip("hopbine was built without Slurm's header (on Debian: libslurm-dev)")
    return folder


@pytest.fixture(scope="session")
def plugged(cluster, prefix):
    """Has the plug-in in plugstack.conf, with these arguments."""
    (plug_in,) = prefix.glob("lib*/hopbine/spank_hopbine.so")
    file = cluster.folder / "plugstack.conf"

    @contextmanager
    def put(*arguments: object) -> Iterator[None]:
        file.write_text(" ".join(map(str, ("required", plug_in, *arguments))) + "\n")
        try:
            yield
        finally:
            file.unlink()

    return put
