"""Medians, spreads and paired ratios of benchmark samples."""

from collections import defaultdict
from dataclasses import dataclass
from statistics import median, quantiles

from .launch import Sample


@dataclass(frozen=True)
class Row:
    """One algorithm at one size.

    Times in seconds; `ratio` is paired with the baseline repetition by repetition. `distribution`:
    of an alltoallv's blocks.
    """

    collective: str
    algorithm: str
    ranks: int
    bytes: int
    samples: int
    seconds: float
    low: float
    high: float
    baseline: str
    ratio: float
    ratio_low: float
    ratio_high: float
    distribution: str


def spread(values: list[float]) -> tuple[float, float, float]:
    """Median and the quartiles around it."""
    if len(values) < 2:
        return values[0], values[0], values[0]
    low, _, high = quantiles(values, n=4, method="inclusive")
    return median(values), low, high


def compare(samples: list[Sample], baseline: str) -> list[Row]:
    """Rows in the order sizes and algorithms came.

    Every algorithm is held against `baseline` of the same launch.
    """
    by_case: dict[tuple[int, str, str], dict[int, float]] = defaultdict(dict)
    for s in samples:
        by_case[s.bytes, s.distribution, s.algorithm][s.repetition] = s.seconds
    rows = []
    for (size, distribution, algorithm), times in by_case.items():
        base = by_case[size, distribution, baseline]
        mid, low, high = spread(list(times.values()))
        ratios = spread([t / base[k] for k, t in times.items() if k in base])
        rows.append(
            Row(
                samples[0].collective,
                algorithm,
                samples[0].ranks,
                size,
                len(times),
                mid,
                low,
                high,
                baseline,
                *ratios,
                distribution,
            )
        )
    return rows
