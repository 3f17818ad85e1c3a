"""Integer sums that overflow wrap, in every element and on every rank.

The result does not depend on the MPI library's own loops.
"""

import pytest


@pytest.mark.parametrize(
    ("allreduce", "reduce", "reduce_scatter"),
    [
        ("recursive_doubling", "binomial_halving", "recursive_halving"),
        ("ring", "linear", "ring"),
        ("bine_large", "bine_large", "bine_permute"),
        ("rabenseifner", "binomial_in_order", "pairwise"),
    ],
)
def test_sums_wrap_everywhere(mpi, build, allreduce, reduce, reduce_scatter):
    done = mpi.hopbine(
        4,
        "--algorithm",
        f"allreduce={allreduce},reduce={reduce},reduce_scatter={reduce_scatter}",
        build(mpi, "overflow"),
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "0 do not wrap\n", done.stderr
    assert done.stderr == "", done.stderr
