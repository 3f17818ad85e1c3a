"""Ratios of jobs in turns, and the table of them."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import fmean, stdev

from learning_jobs import Told

from hopbine.bench.compare import spread

#: The stock jobs of a turn. What differs between them is noise.
STOCK, AGAIN = "stock", "stock again"
#: The time that hopbine's account is about.
IN_COLLECTIVES = "collectives"
HEAD = [
    *("MPI", "where", "ranks", "program", "calls", "choice", "what", "stock", "hopbine"),
    *("ratio, median (quartiles)", "best to best", "A/A, median (quartiles)", "A/A, best to best"),
    *("worst cell", "A/A, worst cell", "pairs"),
]


@dataclass(frozen=True)
class Ratio:
    """Ratios of pairs of values: their median and quartiles, and the ratio of the least values."""

    middle: float
    low: float
    high: float
    best: float

    @classmethod
    def of(cls, values: list[float], base: list[float]) -> "Ratio":
        """Paired by place."""
        ratios = spread([v / b for v, b in zip(values, base, strict=True)])
        return cls(*ratios, min(values) / min(base))

    @classmethod
    def mean(cls, ratios: list["Ratio"]) -> "Ratio":
        """Geometric means of each figure over cells."""
        each: list[Callable[[Ratio], float]] = [
            lambda r: r.middle,
            lambda r: r.low,
            lambda r: r.high,
            lambda r: r.best,
        ]
        return cls(*(geometric([pick(r) for r in ratios]) for pick in each))


def geometric(values: list[float]) -> float:
    """Geometric mean of positive values."""
    return math.exp(sum(map(math.log, values)) / len(values))


def cells_of(told: Told, what: str) -> list[str]:
    """The names of times under which `what` was told: itself, or its cells."""
    return [name for name in told.times if name.partition("/")[0] == what]


def show_seconds(seconds: float) -> str:
    """In seconds, milliseconds or microseconds."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} us"


def _shown(ratio: Ratio) -> list[str]:
    return [
        f"{ratio.middle:.3f} ({ratio.low:.3f}..{ratio.high:.3f})",
        f"{ratio.best:.3f}",
    ]


def _worst(ratios: dict[str, Ratio]) -> str:
    if len(ratios) < 2:
        return ""
    name = max(ratios, key=lambda name: ratios[name].middle)
    return f"{ratios[name].middle:.2f} {name.partition('/')[2]}"


def row_of_time(taken: dict[str, list[Told]], arm: str, what: str) -> list[str]:
    """Cells of the table from `what` on, of a time."""
    names = cells_of(taken[STOCK][0], what)
    times = {way: {n: [t.times[n] for t in taken[way]] for n in names} for way in taken}
    served = {n: Ratio.of(times[arm][n], times[STOCK][n]) for n in names}
    noise = {n: Ratio.of(times[AGAIN][n], times[STOCK][n]) for n in names}
    medians = [
        show_seconds(geometric([spread(times[way][n])[0] for n in names])) for way in (STOCK, arm)
    ]
    several = f"{what}, mean of {len(names)}" if len(names) > 1 else what
    return [
        *(several, *medians),
        *_shown(Ratio.mean(list(served.values()))),
        *_shown(Ratio.mean(list(noise.values()))),
        *(_worst(served), _worst(noise), str(len(taken[STOCK]))),
    ]


def row_of_memory(taken: dict[str, list[Told]], arm: str, what: str) -> list[str]:
    """Cells of the table from `what` on, of memory. It has no ratio: growth may be nothing."""
    medians = [f"{spread([t.memory[what] for t in taken[way]])[0]:.0f} KiB" for way in (STOCK, arm)]
    return [what, *medians, *[""] * 6, str(len(taken[STOCK]))]


def _mean(values: list[float]) -> str:
    """With the standard error, in milliseconds."""
    error = f" ({stdev(values) / len(values) ** 0.5 * 1e3:.3g})" if len(values) > 1 else ""
    return f"{fmean(values) * 1e3:.3g}{error} ms"


def row_of_gain(taken: dict[str, list[Told]], arm: str, what: str) -> list[str]:
    """What closing lines tell under `hopbine`, and under `stock` what was gained by the times."""
    gained = [
        (a.times[what] + b.times[what]) / 2 - t.times[what]
        for a, b, t in zip(taken[STOCK], taken[AGAIN], taken[arm], strict=True)
    ]
    told = [t.gain for t in taken[arm] if t.gain is not None]
    return ["gained, told", _mean(gained), _mean(told), *[""] * 6, str(len(told))]


def rows(taken: dict[str, list[Told]], arm: str, shows: tuple[str, ...]) -> list[list[str]]:
    """A row for each of `shows`, one for the whole job, and one for the gain that it told."""
    out = [
        (row_of_memory if what in taken[STOCK][0].memory else row_of_time)(taken, arm, what)
        for what in (*shows, "job")
    ]
    if IN_COLLECTIVES in shows and any(t.gain is not None for t in taken[arm]):
        out.append(row_of_gain(taken, arm, IN_COLLECTIVES))
    return out


def line(cells: list[str]) -> str:
    """A line of Markdown."""
    return f"| {' | '.join(cells)} |"
