"""Changes of many jobs against their baseline, as boxes (Bine SC'25, Fig. 5)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ...notation.text import many
from .. import style
from ..colours import looks
from ..labels import plain

if TYPE_CHECKING:
    import polars
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: The most that Bine can save against binomial trees, as a change in per cent (Bine SC'25, Sec.
#: 2.4.1).
BOUND = -100 / 3


@dataclass(frozen=True)
class _Job:
    """One job under one algorithm."""

    job: Any
    algorithm: str
    nodes: int
    change: float

    @property
    def bin(self) -> int:
        """The largest power of two that is at most the number of nodes."""
        return 1 << (self.nodes.bit_length() - 1)


def _known(jobs: polars.DataFrame) -> list[_Job]:
    """Rows with a change. There is none where the baseline moves nothing."""
    rows = jobs.select("job", "algorithm", "nodes", "change_pct").rows()
    out = [_Job(*row) for row in rows if row[3] is not None and row[3] == row[3]]
    if not out:
        raise UsageError("there are no changes to draw")
    return out


def _boxes(
    axes: Axes,
    name: str,
    values: dict[float, list[float]],
    width: float,
    colour: str,
    before: int,
) -> None:
    """Draws boxes of one algorithm, values by their place, and every outlier."""
    drawn = axes.boxplot(
        list(values.values()),
        positions=list(values),
        widths=width * 0.85,
        flierprops={"marker": ".", "markersize": 3, "markeredgecolor": colour},
        patch_artist=True,
        medianprops={"color": style.INK},
        manage_ticks=False,
    )
    style.fill_boxes(axes, drawn["boxes"], plain(name), style.fill(colour, before))


def _tick(jobs: polars.DataFrame, rows: list[_Job], each: int) -> str:
    """Label of a bin: its nodes and its number of jobs.

    Two rows of one algorithm with one job name are two jobs.
    """
    names: dict[str, Counter[Any]] = {}
    for row in rows:
        if row.bin == each:
            names.setdefault(row.algorithm, Counter())[row.job] += 1
    count = reduce(or_, names.values()).total()
    exact = all(n == each for n in jobs["nodes"] if each <= n < 2 * each)
    nodes = f"{each}" if exact else f"{each}–{2 * each - 1}"
    return f"{nodes}\n{many(count, 'job')}"


def _bound(axes: Axes) -> None:
    """Draws lines at zero and at the largest possible saving."""
    axes.axhline(0, **style.RULE)
    axes.axhline(BOUND, **style.RULE | {"color": style.REFERENCE}, linestyle="--")
    axes.annotate(
        "-33.3 %, the most Bine can save against binomial",
        (0.01, BOUND),
        xycoords=("axes fraction", "data"),
        fontsize=style.FONT_TICK,
        va="top",
        color=style.REFERENCE,
    )


def change_boxes(jobs: polars.DataFrame, title: str) -> Figure:
    """Draws a box per algorithm and power of two of nodes (Bine SC'25, Fig. 5).

    Columns are job, algorithm, nodes, change_pct. The ticks have the numbers of jobs. UsageError
    when no change is known.
    """
    rows = _known(jobs)
    bins = sorted({row.bin for row in rows})
    names = list(dict.fromkeys(row.algorithm for row in rows))
    figure = style.figure(max(5.0, 1.4 + 1.1 * len(bins) * max(1, len(names) / 1.6)), 4.0)
    axes = figure.subplots()
    width = 0.75 / len(names)
    for i, (name, look) in enumerate(zip(names, looks(names), strict=True)):
        values: dict[float, list[float]] = {}
        for x, each in enumerate(bins):
            here = [row.change for row in rows if (row.algorithm, row.bin) == (name, each)]
            if here:
                values[x + (i - (len(names) - 1) / 2) * width] = here
        _boxes(axes, name, values, width, *look)
    ticks = [_tick(jobs, rows, each) for each in bins]
    axes.set_xticks(range(len(bins)), ticks, fontsize=style.FONT_TEXT)
    _bound(axes)
    axes.set(
        xlabel="nodes",
        ylabel="change of bytes between groups, % (a minus is less)",
    )
    style.title(axes, plain(title))
    axes.legend(
        fontsize=style.FONT_TEXT, frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5)
    )
    style.open_frame(axes)
    return figure
