"""What the times of the jobs tell: ratios, how sure they are, and the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from ..bench.compare import spread
from ..tuning.interval import Interval, fewest_values, ratio

FASTER, SLOWER = "faster", "slower"
ALIKE = "no difference that can be told"
TOO_FEW = "too few pairs to tell"


@dataclass(frozen=True)
class Result:
    """One figure. Ratios are of hopbine to stock, below 1: hopbine is better; of a rate inverted.

    `stock` and `hopbine` are medians. Ratios are medians of pairs, of jobs of one turn: with the
    interval that holds the true median (`low`, `high`), and with quartiles. `best`: the best job's
    to the best one's. `again`: the same of equal jobs, stock again to stock.
    """

    figure: str
    pairs: int
    stock: float
    hopbine: float
    ratio: float
    low: float
    high: float
    quartile_low: float
    quartile_high: float
    best: float
    again: float
    again_low: float
    again_high: float
    again_quartile_low: float
    again_quartile_high: float
    again_best: float
    verdict: str


def judged(of: Interval, again: Interval) -> str:
    """Faster or slower: the whole interval is beyond 1, by more than equal jobs are apart.

    How far these are apart is the median of their ratios, which is 1 but for noise.
    """
    apart = max(again.middle, 1 / again.middle)
    if of.high == inf:
        return TOO_FEW
    if of.high * apart < 1:
        return FASTER
    return SLOWER if of.low > apart else ALIKE


def result(
    figure: str,
    stock: Sequence[float],
    hopbine: Sequence[float],
    again: Sequence[float],
    confidence: float,
    rate: bool = False,
) -> Result:
    """A figure of complete turns: stock[k], hopbine[k] and again[k] are of one turn."""
    base, own, same = ([1 / v for v in row] if rate else row for row in (stock, hopbine, again))
    of, noise = ratio(own, base, confidence), ratio(same, base, confidence)
    quarters, noise_quarters = (
        spread([a / b for a, b in zip(row, base, strict=True)])[1:] for row in (own, same)
    )
    return Result(
        figure,
        len(stock),
        spread(list(stock))[0],
        spread(list(hopbine))[0],
        *(of.middle, of.low, of.high),
        *quarters,
        min(own) / min(base),
        *(noise.middle, noise.low, noise.high),
        *noise_quarters,
        min(same) / min(base),
        judged(of, noise),
    )


def _change(of: float) -> str:
    """'3.7 % more' of 1.037."""
    return f"{abs(100 * (of - 1)):.1f} % {'less' if of < 1 else 'more'}"


def sentence(of: Result, confidence: float) -> str:
    """The verdict for people."""
    what = "the job" if of.figure == "job" else of.figure
    if of.verdict == TOO_FEW:
        needed = fewest_values(confidence)
        return f"{what}: {TOO_FEW}: an interval of {100 * confidence:g} % needs {needed}"
    ends = f"{_change(of.low)} to {_change(of.high)}"
    if of.verdict == ALIKE:
        return f"{what}: {ALIKE}: with hopbine it takes {ends} time"
    return f"{what}: {of.verdict} with hopbine: {_change(of.ratio)} time ({ends})"
