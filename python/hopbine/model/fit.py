"""Least squares on relative errors.

What a start-up, a byte, a reduced byte and a further message cost, from measured runs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy

from ..errors import UsageError

#: A point whose fitted and measured times differ by more than this factor is not described by the
#: fit.
OFF = 1.5


@dataclass(frozen=True)
class Point:
    """Measured: m messages of these bytes at once.

    Seconds: median and quartiles of `samples` repetitions.
    """

    messages: int
    bytes: int
    samples: int
    seconds: float
    low: float
    high: float


@dataclass(frozen=True)
class Fit:
    """What was fitted to some points, and how well."""

    what: str
    formula: str
    coefficients: dict[str, float]
    points: tuple[Point, ...]
    fitted: tuple[float, ...]  #: seconds by the formula, point by point

    @property
    def ratios(self) -> list[float]:
        """Fitted over measured."""
        return [f / p.seconds for f, p in zip(self.fitted, self.points, strict=True)]

    @property
    def off(self) -> list[Point]:
        """Points that the formula misses by more than OFF."""
        return [
            p
            for p, ratio in zip(self.points, self.ratios, strict=True)
            if not 1 / OFF <= ratio <= OFF
        ]

    @property
    def r2(self) -> float | None:
        """1 - (squared relative errors of the fit) / (those of the best constant).

        None where all points are equal.
        """
        times = numpy.array([p.seconds for p in self.points])
        constant, _ = weighted([numpy.ones(len(times))], times)
        rest = float(numpy.sum((constant[0] / times - 1) ** 2))
        return (
            1 - float(numpy.sum((numpy.array(self.fitted) / times - 1) ** 2)) / rest
            if rest > 0
            else None
        )


def weighted(columns: Sequence[numpy.ndarray], times: numpy.ndarray) -> tuple[list[float], float]:
    """Coefficients from 0 on that minimise the sum of (fit / time - 1)^2, and that sum.

    Of few columns every choice of those that are not 0 is tried.
    """
    scaled = numpy.stack(columns, axis=1) / times[:, None]
    best, least = [0.0] * len(columns), float(len(times))
    for n in range(1, len(columns) + 1):
        for some in combinations(range(len(columns)), n):
            found, *_ = numpy.linalg.lstsq(scaled[:, some], numpy.ones(len(times)), rcond=None)
            error = float(numpy.sum((scaled[:, some] @ found - 1) ** 2))
            if (found >= 0).all() and error < least:
                best, least = [0.0] * len(columns), error
                for column, value in zip(some, found, strict=True):
                    best[column] = float(value)
    return best, least


def line(what: str, points: Sequence[Point], start: str, slope: str) -> Fit:
    """seconds = start + slope * bytes. UsageError when the points have fewer than two sizes."""
    if len({p.bytes for p in points}) < 2:
        raise UsageError(
            f"{what}: two sizes at least are needed to tell {start} from {slope}, not "
            f"{len({p.bytes for p in points})}"
        )
    sizes, times = (
        numpy.array([getattr(p, key) for p in points], dtype=float) for key in ("bytes", "seconds")
    )
    (a, b), _ = weighted([numpy.ones(len(sizes)), sizes], times)
    return Fit(
        what,
        f"{start} + {slope} * bytes",
        {start: a, slope: b},
        tuple(points),
        tuple(a + b * sizes),
    )


def further_messages(points: Sequence[Point], alpha: float, beta: float) -> Fit:
    """seconds = alpha + beta * messages * bytes + overhead * (messages - 1).

    Only overhead is fitted. UsageError when no point has several messages.
    """
    if not points or min(p.messages for p in points) < 2:
        raise UsageError(
            "runs of two messages at once at least are needed to tell what a further one costs"
        )
    messages, sizes, times = (
        numpy.array([getattr(p, key) for p in points], dtype=float)
        for key in ("messages", "bytes", "seconds")
    )
    known = alpha + beta * messages * sizes
    # One unknown: the least squares of (known + overhead * further) / time - 1.
    further = (messages - 1) / times
    overhead = max(0.0, float(numpy.sum(further * (1 - known / times)) / numpy.sum(further**2)))
    return Fit(
        "several messages at once",
        "alpha + beta * messages * bytes + overhead * (messages - 1)",
        {"overhead": overhead},
        tuple(points),
        tuple(known + overhead * (messages - 1)),
    )


def constant(what: str, points: Sequence[Point], name: str) -> Fit:
    """seconds = name."""
    times = numpy.array([p.seconds for p in points])
    (value,), _ = weighted([numpy.ones(len(times))], times)
    return Fit(what, name, {name: value}, tuple(points), (value,) * len(points))


def runs_of_blocks(points: Sequence[Point]) -> Fit:
    """seconds = block * runs + copy * bytes, of packing so many runs (`messages` of a point)."""
    runs, sizes, times = (
        numpy.array([getattr(p, key) for p in points], dtype=float)
        for key in ("messages", "bytes", "seconds")
    )
    (block, copy), _ = weighted([runs, sizes], times)
    return Fit(
        "packing",
        "block * runs + copy * bytes",
        {"block": block, "copy": copy},
        tuple(points),
        tuple(block * runs + copy * sizes),
    )
