"""What docs/safety.md promises of a process, where no other test has it."""

import re
from pathlib import Path

import pytest
from conftest import UNDER

LEARNING = Path(__file__).parents[2] / "benchmarks/learning"
COMMUNICATORS = 800
#: The least plan, an allreduce of two ranks, has 1.4 KiB.
PLAN_KIB = 1.4

#: Options under which collectives are served, and by default.
OPTIONS = [
    (),
    ("--algorithm", "allreduce=bine_small,bcast=bine_small"),
    ("--watch", "5min"),
]


@pytest.mark.parametrize("options", OPTIONS, ids=["default", "served", "watched"])
def test_the_kernel_sees_the_same_process(mpi, build, options, tmp_path):
    """Threads, signals, open files, limits, the mask of new files and the folder."""
    program = build(mpi, "footprint")
    here = ("env", "-C", str(tmp_path))
    alone = mpi.run(2, *here, program)
    under = mpi.run(2, *here, *UNDER, "--quiet", *options, program)
    assert alone.returncode == under.returncode == 0, under.stderr
    assert "after MPI_Finalize: 1 threads" in alone.stdout
    assert under.stdout.splitlines() == alone.stdout.splitlines()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.dealt
@pytest.mark.parametrize("options", OPTIONS, ids=["default", "served", "watched"])
def test_freed_communicators_keep_no_memory(mpi, build, options):
    """What grows is less than a plan of each of them would take."""
    program = build(mpi, "memory", LEARNING)
    grown = []
    for under in ((), (*UNDER, *options)):
        done = mpi.run(3, *under, program, str(COMMUNICATORS), "16")
        assert done.returncode == 0, done.stderr
        grown.append(float(re.search(r"^memory growth (.*)$", done.stdout, re.M)[1]))
    alone, with_hopbine = grown
    assert with_hopbine - alone < COMMUNICATORS * PLAN_KIB, grown
