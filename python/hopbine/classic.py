"""Default algorithms of MPI libraries, from the literature: the baseline of bytes between groups.

An MPI library does not report which algorithm it used, so a call is compared with the classic one
of its collective and size (Thakur, Rabenseifner, Gropp IJHPCA'05; Bine SC'25, Sec. 5).
"""

from . import _core

#: collective -> (most bytes, algorithm) in order; the first that fits p and the size.
CLASSIC: dict[str, tuple[tuple[float, str], ...]] = {
    "bcast": (
        (16 << 10, "binomial_halving"),
        (float("inf"), "scatter_allgather"),
        (float("inf"), "scatter_ring"),
    ),
    "reduce": (
        (16 << 10, "binomial_halving"),
        (float("inf"), "rabenseifner"),
        (float("inf"), "binomial_halving"),
    ),
    "allreduce": ((4 << 10, "recursive_doubling"), (float("inf"), "rabenseifner")),
    "reduce_scatter": ((float("inf"), "recursive_halving"),),
    "scatter": ((float("inf"), "binomial_halving"),),
    "gather": ((float("inf"), "binomial_halving"),),
    "allgather": ((512 << 10, "recursive_doubling"), (512 << 10, "bruck"), (float("inf"), "ring")),
    "alltoall": ((2 << 10, "bruck"), (float("inf"), "pairwise")),
    "alltoallv": ((float("inf"), "scattered"),),
    "barrier": ((float("inf"), "dissemination"),),
    "scan": ((float("inf"), "recursive_doubling"),),
    "exscan": ((float("inf"), "recursive_doubling"),),
}


def classic(collective: str, p: int, size: float) -> str:
    """Classic algorithm for `size` bytes (the vector, or a block times p) on p ranks."""
    for most, algorithm in CLASSIC[collective]:
        if size <= most and _core.fits(collective, algorithm, p):
            return algorithm
    raise ValueError(f"no classic algorithm for {collective}")
