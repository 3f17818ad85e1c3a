"""Confidence intervals of medians, whatever the distribution."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import count
from math import comb, inf
from statistics import median


@dataclass(frozen=True)
class Interval:
    """A median and what holds it with the confidence asked for.

    It is 0 and infinity when there are too few values to say.
    """

    middle: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.middle:.3f} ({self.low:.3f}..{self.high:.3f})"


@cache
def _cut(n: int, confidence: float) -> int:
    """How many of n values may be left out at each end.

    The median is outside the rest with P = 2 P(Binomial(n, 1/2) <= cut - 1). -1: none holds it.
    """
    cut, outside = -1, 0
    while cut + 1 < n / 2:
        outside += comb(n, cut + 1)
        if 2 * outside > Fraction(1 - confidence) * 2**n:  # whole numbers beyond what a float holds
            break
        cut += 1
    return cut


def median_interval(values: Sequence[float], confidence: float) -> Interval:
    """The median and its interval between order statistics.

    The interval is that of the sign test, exact for independent values.
    """
    ordered = sorted(values)
    cut = _cut(len(ordered), confidence)
    if cut < 0:
        return Interval(median(ordered) if ordered else 1.0, 0.0, inf)
    return Interval(median(ordered), ordered[cut], ordered[-1 - cut])


def ratio(times: Sequence[float], of: Sequence[float], confidence: float) -> Interval:
    """The median of paired ratios: times[k] and of[k] are from the same repetition."""
    return median_interval([a / b for a, b in zip(times, of, strict=True)], confidence)


def fewest_values(confidence: float) -> int:
    """How many values an interval needs, so that it has ends."""
    return next(n for n in count(1) if _cut(n, confidence) >= 0)
