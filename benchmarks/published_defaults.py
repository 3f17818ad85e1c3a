"""What Open MPI and MPICH take by themselves for a commutative operation, by ranks and bytes.

Open MPI's rules are public (Open MPI 4.1 and 5.0: ompi/mca/coll/tuned,
coll_tuned_decision_fixed.c). A line has the number of ranks below which it holds, then pairs of the
bytes below which an algorithm is taken and its number (hopbine.bench.library).
"""

import math
from collections.abc import Callable

from hopbine.bench.library import OPENMPI

_RULES = {
    "allreduce": """
        4     8 4  4096 3  8192 4  16384 3  65536 4  262144 5  inf 6
        8     16 4  8192 3  inf 6
        16    8192 3  inf 6
        32    64 5  4096 3  inf 6
        64    128 5  inf 6
        128   262144 3  inf 6
        256   131072 2  262144 3  inf 6
        512   4096 2  inf 6
        2048  2048 2  16384 3  inf 6
        4096  2048 2  4096 5  16384 3  inf 6
        inf   2048 2  16384 5  32768 3  inf 6""",
    "allgather": """
        3     inf 6
        32    inf 3
        64    1024 3  65536 5  inf 4
        128   512 3  65536 5  inf 4
        256   512 3  131072 5  524288 4  1048576 5  inf 4
        512   32 3  128 2  1024 3  131072 5  524288 4  1048576 5  inf 4
        1024  64 3  256 2  2048 3  inf 5
        2048  4 3  8 2  16 3  32 2  256 3  512 2  4096 3  inf 5
        4096  32 2  128 3  512 2  4096 3  inf 5
        inf   2 3  8 2  16 3  512 2  4096 3  inf 5""",
    "reduce_scatter": """
        4     65536 3  131072 4  inf 3
        8     8 1  262144 2  inf 3
        32    262144 2  inf 3
        64    64 1  2048 2  524288 4  inf 3
        128   256 1  512 2  2048 4  4096 2  inf 4
        256   256 1  512 2  inf 4
        512   256 1  1024 2  inf 4
        1024  512 1  2048 2  8192 4  16384 2  inf 4
        2048  512 1  4096 2  16384 4  32768 2  inf 4
        4096  512 1  4096 2  inf 4
        inf   1024 1  8192 2  inf 4""",
    "bcast": """
        4     32 3  256 5  512 3  1024 7  32768 1  131072 5  262144 2  524288 1  1048576 6  inf 5
        8     64 5  128 6  2048 5  8192 6  1048576 1  inf 2
        16    8 7  64 5  4096 7  16384 5  32768 6  inf 1
        32    4096 7  1048576 6  inf 8
        64    2048 6  inf 7
        128   inf 7
        256   2 6  16384 5  32768 1  65536 5  inf 7
        1024  16384 7  32768 4  inf 7
        2048  524288 7  inf 8
        4096  262144 7  inf 8
        inf   8192 7  16384 5  262144 7  inf 8""",
    "reduce": """
        4     8 7  16 4  32 3  262144 1  524288 3  1048576 2  inf 3
        8     4096 4  65536 2  262144 5  524288 1  1048576 5  inf 1
        16    8192 4  inf 5
        32    4096 4  inf 5
        256   inf 5
        512   8192 5  16384 6  inf 5
        2048  inf 5
        4096  512 5  1024 6  8192 5  16384 6  inf 5
        inf   16 5  32 6  1024 5  2048 6  8192 5  16384 6  inf 5""",
    "alltoall": """
        3     2 2  4 5  16 2  64 5  256 2  4096 5  32768 2  262144 4  1048576 5  inf 2
        8     8192 4  16384 1  65536 4  524288 1  1048576 2  inf 1
        16    262144 4  inf 1
        32    4 4  512 3  8192 4  32768 1  262144 4  524288 1  inf 4
        64    512 3  524288 1  inf 4
        128   1024 3  2048 1  4096 4  262144 1  inf 2
        256   1024 3  2048 4  262144 1  inf 2
        512   1024 3  8192 4  32768 1  inf 2
        1024  512 3  8192 4  16384 1  131072 4  262144 1  inf 2
        2048  512 3  1024 4  2048 1  16384 4  262144 1  inf 4
        4096  1024 3  4096 4  8192 1  131072 4  inf 1
        inf   2048 3  8192 4  16384 1  32768 4  65536 1  inf 4""",
    "gather": """
        4     2 3  4 1  32768 2  65536 1  131072 2  inf 3
        8     1024 2  8192 1  32768 2  262144 1  inf 3
        256   inf 2
        512   2048 2  8192 1  inf 2
        inf   inf 2""",
    "scatter": """
        4     2 3  131072 1  262144 3  inf 1
        8     2048 2  4096 1  8192 2  32768 1  1048576 3  inf 1
        16    16384 2  1048576 3  inf 1
        32    16384 2  32768 1  inf 3
        64    512 2  8192 3  16384 2  inf 3
        inf   512 2  inf 3""",
}
#: Collectives whose rules are about the bytes of one block.
_BLOCKS = ("allgather", "alltoall", "gather", "scatter")


def of_openmpi(collective: str, ranks: int, size: int) -> str | None:
    """Open MPI's name of what it takes, with the ending _ompi. `size`: of the whole vector.

    None: of a collective without rules here.
    """
    if collective not in _RULES:
        return None
    asked = size / ranks if collective in _BLOCKS else size
    line = next(
        words
        for words in map(str.split, _RULES[collective].strip().splitlines())
        if ranks < float(words[0])
    )
    rules = zip(map(float, line[1::2]), map(int, line[2::2]), strict=True)
    number = next(number for below, number in rules if asked < below or below == math.inf)
    names = {n: name for name, n in OPENMPI[collective].items()}
    return f"{names[number]}_ompi"


def _any(_: int) -> bool:
    return True


def _power_of_two(ranks: int) -> bool:
    return ranks & (ranks - 1) == 0


#: Bytes below which MPICH takes an algorithm, and for which ranks; the first that fits is taken
#: (MPICH 4: src/mpi/coll, *_intra_auto.c and the control variables that they read).
_MPICH: dict[str, tuple[tuple[float, str, Callable[[int], bool]], ...]] = {
    "allreduce": ((2049, "recursive_doubling", _any), (math.inf, "rabenseifner", _any)),
    "allgather": (
        (524288, "recursive_doubling", _power_of_two),
        (81920, "brucks", _any),
        (math.inf, "ring", _any),
    ),
    "reduce_scatter": ((524288, "recursive_halving", _any), (math.inf, "pairwise", _any)),
    "bcast": (
        (math.inf, "binomial", lambda ranks: ranks < 8),
        (12288, "binomial", _any),
        (524288, "scatter_recursive_doubling_allgather", _power_of_two),
        (math.inf, "scatter_ring_allgather", _any),
    ),
    "reduce": ((2049, "binomial", _any), (math.inf, "rabenseifner", _any)),
    "alltoall": (
        (257, "brucks", lambda ranks: ranks >= 8),
        (32769, "scattered", _any),
        (math.inf, "pairwise", _any),
    ),
    "gather": ((math.inf, "binomial", _any),),
    "scatter": ((math.inf, "binomial", _any),),
}


def of_mpich(collective: str, ranks: int, size: int) -> str | None:
    """MPICH's name of what it takes, with the ending _mpich. `size`: of the whole vector.

    None: of a collective without rules here.
    """
    asked = size / ranks if collective == "alltoall" else size
    rules = _MPICH.get(collective)
    return rules and next(
        f"{name}_mpich" for below, name, fits in rules if asked < below and fits(ranks)
    )
