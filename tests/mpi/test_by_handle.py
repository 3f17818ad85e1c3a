"""Programs that look MPI up by a handle are served by hopbine's library that brings MPI."""

import json
import sys

import pytest
from conftest import PROGRAMS, known

from hopbine import LIBRARY_FOLDER
from hopbine.bench.launch import library_environment

PROGRAM = str(PROGRAMS / "by_handle.py")
#: Libraries of hopbine's, whose names have the family, and the launcher of each.
CASES = [
    (family, mpi)
    for mpi in known()
    for family in (["openmpi"] if mpi.is_openmpi else ["mpich", "abi"])
    if (LIBRARY_FOLDER / f"libhopbine_{family}_mpi.so").exists()
]


def test_there_is_a_library_for_every_mpi():
    assert {mpi.name for _, mpi in CASES} == {mpi.name for mpi in known()}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
@pytest.mark.parametrize("under", [(), ("-m", "hopbine", "run", sys.executable)])
def test_calls_are_served_with_and_without_hopbine_run(case, under, tmp_path):
    family, mpi = case
    stats = tmp_path / "stats.json"
    settings = {"HOPBINE_STATS": str(stats), "HOPBINE_ALGORITHM": "allreduce=bine_large"}
    library = str(LIBRARY_FOLDER / f"libhopbine_{family}_mpi.so")
    done = mpi.run(
        3,
        *(sys.executable, *under, PROGRAM, library, family),
        env=settings | library_environment(mpi.mpiexec, family),
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "right 3" in done.stdout
    (row,) = json.loads(stats.read_text())["rows"]
    assert (row["collective"], row["algorithm"], row["calls"]) == ("allreduce", "bine_large", 20)


@pytest.mark.parametrize("case", CASES[:1], ids=lambda case: case[0])
def test_the_library_alone_is_left_to_itself(case, tmp_path):
    """What the test above would miss: without hopbine's library nothing is served."""
    family, mpi = case
    stats = tmp_path / "stats.json"
    name = "libmpi.so.40" if family == "openmpi" else "libmpi.so.12"
    done = mpi.run(
        2,
        *(sys.executable, PROGRAM, name, family),
        env={"HOPBINE_STATS": str(stats)} | library_environment(mpi.mpiexec, family),
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "right 2" in done.stdout
    assert not stats.exists()
