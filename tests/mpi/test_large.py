"""Calls with more scratch than is kept, and elements larger than one transfer.

Their results are right, and so are the next call's.
"""

import pytest
from conftest import passed

ASKED = (
    "bcast=bine_large,gather=bine,scatter=bine,allgather=bine_block_by_block,alltoall=bine,"
    "reduce_scatter=bine_block_by_block"
)
OPERATIONS = ("bcast", "gather", "scatter", "allgather", "alltoall")


@pytest.mark.dealt
@pytest.mark.parametrize("case", [*OPERATIONS, "reduce_scatter_block", "allgatherv"])
def test_scratch_above_what_is_kept(mpi, build, case):
    """Needs 2.5 GiB at most. In a scatter over 4 ranks one rank has two blocks in transit."""
    passed(
        mpi.hopbine(
            4 if case == "scatter" else 3,
            "--algorithm",
            ASKED,
            build(mpi, "large"),
            case,
            timeout=60,
        )
    )


@pytest.mark.dealt
@pytest.mark.parametrize("operation", OPERATIONS)
def test_one_element_above_1_gib(mpi, build, operation):
    """Few pages are mapped often as the user's buffers; the scratch takes 4 GiB at most."""
    passed(
        mpi.hopbine(
            2, "--algorithm", ASKED, build(mpi, "large"), f"element_{operation}", timeout=60
        )
    )


@pytest.mark.dealt
def test_a_block_above_2_gib(mpi, build):
    """Needs 4 GiB of scratch."""
    program = build(mpi, "large")
    done = mpi.hopbine(2, "--algorithm", ASKED, program, "large_block", timeout=60)
    if "there is no MPI_Allgatherv_c" in done.stdout:
        pytest.skip(f"{mpi.name} has no MPI_Allgatherv_c")
    passed(done)
