"""Reductions in half precision, in host memory and on a device."""

import pytest
from conftest import CUDA, HIP, PROGRAMS, passed
from test_device import MOST, SERVED, served

pytestmark = pytest.mark.skipif(MOST < 2, reason="needs two ranks")


def checked(done):
    """A job that passed, unless the MPI library has no such datatype."""
    if done.returncode == 77:
        pytest.skip("the MPI library has no datatype of half precision")
    return passed(done)


@pytest.mark.parametrize("algorithm", ["knomial", "ring", "rabenseifner"])
def test_sums_are_those_of_the_library(mpi, build, algorithm):
    options = ("--algorithm", f"allreduce={algorithm}")
    checked(mpi.hopbine(MOST, *options, build(mpi, "halves")))


def test_staged_reductions_have_the_same_bits(mpi, build, fakes):
    command = ("--algorithm", SERVED, build(mpi, "halves"))
    checked(served(mpi, fakes, "staged", *command, library=HIP))


@pytest.mark.parametrize("algorithm", ["knomial", "ring"])
def test_reductions_by_kernels_have_the_same_bits(mpi, build, fakes, algorithm):
    aware = (str(PROGRAMS / "aware_messages.c"), "-rdynamic")
    program = build(mpi, "halves", flags=aware)
    options = ("--algorithm", f"allreduce={algorithm}")
    done = checked(served(mpi, fakes, "direct", *options, program, library=CUDA))
    without = "reductions are staged, for this build has no kernels" in done.stderr
    assert f"kernels: {int(not without)}\n" in done.stdout
