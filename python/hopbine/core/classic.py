"""Default algorithms of MPI libraries, from the literature: the baseline of bytes between groups.

An MPI library does not report which algorithm it used, so a call is compared with the classic one
of its collective and size (Thakur, Rabenseifner, Gropp IJHPCA'05; Bine SC'25, Sec. 5).
"""

from .. import _core

#: collective -> (most bytes, algorithm) in order; the first that fits p and the size
#: (src/select/classic.cpp).
CLASSIC: dict[str, tuple[tuple[float, str], ...]] = _core.classics()


def classic(collective: str, p: int, size: float) -> str:
    """Classic algorithm for `size` bytes (the vector, or a block times p) on p ranks."""
    return _core.classic(collective, p, size)
