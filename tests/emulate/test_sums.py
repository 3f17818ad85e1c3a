"""Exact sums over an emulated network: the same bits, whatever serves the calls."""

import math
import os
import struct
import subprocess
from pathlib import Path
from random import Random

import pytest

PROGRAM = Path(__file__).parents[1] / "mpi" / "programs" / "repeated_sums.c"
RANKS, NUMBERS = 4, 500


@pytest.fixture
def given():
    """Numbers of each rank, and their sums: math.fsum rounds correctly."""
    random = Random(7)
    vectors = [
        [random.uniform(-1, 1) * 2.0 ** random.randint(-9, 9) for _ in range(NUMBERS)]
        for _ in range(RANKS)
    ]
    return vectors, [math.fsum(column) for column in zip(*vectors, strict=True)]


@pytest.mark.parametrize(
    "options",
    [(), ("--algorithm", "allreduce=bine_large,reduce_scatter=ring,allgather=ring")],
    ids=["chosen", "asked"],
)
def test_sums_are_those_of_one_host(user, mpi, tmp_path, given, options):
    vectors, sums = given
    os.chmod(tmp_path, 0o755)
    numbers, program = tmp_path / "numbers", tmp_path / "repeated_sums"
    numbers.write_bytes(b"".join(struct.pack(f"={NUMBERS}d", *v) for v in vectors))
    mpicc = next(
        e.split("=")[1] for e in os.environ["HOPBINE_TEST_MPIS"].split(";") if mpi.name in e
    )
    subprocess.run([mpicc, "-O1", "-DCALLS=50", "-o", program, PROGRAM], check=True)
    job = mpi.words(
        RANKS, "hopbine", "run", "--sums", "exact", "--learn", "none", *options, str(program)
    )
    done = user.emulate("--groups", "2,2", "--", *job, str(NUMBERS), str(numbers))
    assert done.returncode == 0, done.stderr
    right = struct.pack(f"={NUMBERS}d", *sums).hex()
    assert done.stdout.split() == ["50", "calls,", "1", "result:", right]
