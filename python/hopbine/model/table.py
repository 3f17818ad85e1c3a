"""Which equation each schedule of the registry is held against.

And what the count gives where that is something else.
"""

from collections.abc import Callable
from dataclasses import dataclass

from .. import _core
from ..core.records import Parameter
from ..core.registry import find
from ..errors import UsageError
from ..notation.text import near
from . import equations as eq
from .equations import Terms

#: (collective, p, k): the cost, or that of one of the parts whose costs add up: a scatter before
#: the allgather of a bcast, a tree up and a tree down.
Formula = Callable[[str, int, int], Terms]


@dataclass(frozen=True)
class Kernel:
    """One communication kernel: its equation, and the ranks that it is exact for."""

    equation: str
    printed: Formula
    exact: Callable[
        [int, int], bool
    ]  #: (p, k): are counts those of the formula, not only within its bounds?
    parameter: str | None = (
        "k"  #: of the algorithms; None: the kernel has no radix and formulas take 2 for it
    )


@dataclass(frozen=True)
class Entry:
    """An algorithm of the registry, and the formula that its count obeys."""

    collective: str
    algorithm: str  #: NAME, or NAME:PARAMETER=VALUE where only that is meant
    kernel: Kernel
    parts: tuple[
        Formula, ...
    ] = ()  #: what the count gives is the sum of these; none: what is printed
    why: str = ""  #: why that is not what is printed

    def printed(self, p: int, k: int = 2) -> Terms:
        """The paper's equation."""
        return self.kernel.printed(self.collective, p, k)

    def counted(self, p: int, k: int = 2) -> Terms:
        """What the count gives where `kernel.exact`."""
        return (
            sum((part(self.collective, p, k) for part in self.parts), Terms())
            if self.parts
            else self.printed(p, k)
        )

    def named(self, k: int) -> str:
        """The algorithm with its radix, as the command line takes it."""
        return (
            self.algorithm
            if self.kernel.parameter is None
            else f"{self.algorithm}:{self.kernel.parameter}={k}"
        )


def _power(p: int, k: int) -> bool:
    return eq.log(k, p).is_integer() and k ** int(eq.log(k, p)) == p


BINOMIAL = Kernel("(1)", lambda c, p, k: eq.T_binomial(c, p), _power, None)
BINOMIAL_TWICE = Kernel("(2)", lambda c, p, k: eq.T_binomial_twice(c, p), _power, None)
KNOMIAL = Kernel("(3)", eq.T_knomial, _power)
RECURSIVE_DOUBLING = Kernel("(4)", lambda c, p, k: eq.T_recursive_doubling(c, p), _power, None)
RECURSIVE_MULTIPLYING = Kernel("(6)", eq.T_recursive_multiplying, _power)
RING = Kernel("(8)", lambda c, p, k: eq.T_ring(c, p), lambda p, k: True, None)
KRING = Kernel("(12)", eq.T_kring, lambda p, k: p % k == 0)

#: Kernels with a radix by the name of their algorithms.
KERNELS = {"knomial": KNOMIAL, "recursive_multiplying": RECURSIVE_MULTIPLYING, "kring": KRING}


def _part(formula: Formula, collective: str) -> Formula:
    return lambda _, p, k: formula(collective, p, k)


def _twice(tree: Kernel, up: str) -> tuple[Formula, ...]:
    return _part(tree.printed, up), _part(tree.printed, "bcast")


def _scattered(scatter: Kernel, allgather: Kernel) -> tuple[Formula, ...]:
    return _part(scatter.printed, "scatter"), _part(allgather.printed, "allgather")


def _both(kernel: Kernel) -> tuple[Formula, ...]:
    return _part(kernel.printed, "allreduce"), _part(kernel.printed, "allgather")


_GATHERED = (
    "gather, then bcast: both trees start up, and the gather's root receives every block "
    "once, whatever k"
)
_REDUCED = "reduce, then bcast: both trees start up and move whole vectors"
_SCATTER = "the equation is that of the allgather; a scatter comes before it"
_RING_TWICE = "the equation is that of the reduce_scatter; an allgather follows"

TABLE = (
    *(Entry(c, "binomial_halving", BINOMIAL) for c in ("bcast", "reduce", "gather", "scatter")),
    Entry("allgather", "knomial:k=2", BINOMIAL_TWICE, _twice(BINOMIAL, "gather"), _GATHERED),
    Entry("allreduce", "knomial:k=2", BINOMIAL_TWICE, _twice(BINOMIAL, "reduce"), _REDUCED),
    *(
        Entry(c, "knomial", KNOMIAL)
        for c in ("bcast", "reduce", "gather", "scatter", "reduce_scatter")
    ),
    Entry("allgather", "knomial", KNOMIAL, _twice(KNOMIAL, "gather"), _GATHERED),
    Entry("allreduce", "knomial", KNOMIAL, _twice(KNOMIAL, "reduce"), _REDUCED),
    *(Entry(c, "recursive_doubling", RECURSIVE_DOUBLING) for c in ("allgather", "allreduce")),
    Entry(
        "bcast",
        "scatter_allgather",
        RECURSIVE_DOUBLING,
        _scattered(BINOMIAL, RECURSIVE_DOUBLING),
        _SCATTER,
    ),
    *(
        Entry(c, "recursive_multiplying", RECURSIVE_MULTIPLYING)
        for c in ("allgather", "reduce_scatter", "allreduce")
    ),
    Entry(
        "bcast",
        "recursive_multiplying",
        RECURSIVE_MULTIPLYING,
        _scattered(KNOMIAL, RECURSIVE_MULTIPLYING),
        _SCATTER,
    ),
    *(Entry(c, "ring", RING) for c in ("allgather", "reduce_scatter")),
    Entry("allreduce", "ring", RING, _both(RING), _RING_TWICE),
    Entry("bcast", "scatter_ring", RING, _scattered(BINOMIAL, RING), _SCATTER),
    *(Entry(c, "kring", KRING) for c in ("allgather", "reduce_scatter")),
    Entry("allreduce", "kring", KRING, _both(KRING), _RING_TWICE),
    Entry("bcast", "kring", KRING, _scattered(BINOMIAL, KRING), _SCATTER),
)


def entry(collective: str, kernel: str) -> Entry:
    """The entry of a kernel with a radix. UsageError names the kernels that the collective has."""
    has = {
        e.algorithm: e
        for e in TABLE
        if e.collective == collective and e.algorithm in KERNELS and find(collective, e.algorithm)
    }
    if kernel not in has:
        _core.rooted(collective)  # UsageError with the collectives that exist
        raise UsageError(
            f"no equation of a kernel '{kernel}' for {collective} (it has: "
            f"{', '.join(has) or 'none'}){near(kernel, has)}"
        )
    return has[kernel]


def _radix(e: Entry) -> Parameter:
    record = find(e.collective, e.algorithm)
    return next(
        q for q in (record["parameters"] if record else []) if q["name"] == e.kernel.parameter
    )


def lowest_radix(e: Entry) -> int:
    """The smallest that equations know: 0 leaves the groups of a k-ring to where the ranks are."""
    return max(1, int(_radix(e)["low"]))


def check_radix(e: Entry, ks: list[int]) -> None:
    """UsageError when a radix is not one that the registry allows."""
    low, high = lowest_radix(e), _radix(e)["high"]
    for k in ks:
        if not low <= k <= high:
            raise UsageError(
                f"--k {k} is outside {low}..{high} of {e.collective} {e.algorithm} "
                f"({_radix(e)['meaning']})"
            )
