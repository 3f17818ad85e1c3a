"""How late each rank came to its collectives, in the course of a job."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from . import style
from .labels import plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: More labels than that are not readable.
_MOST_NAMES = 32


def late_map(
    late: Sequence[Sequence[float]],
    begun: Sequence[float],
    rows: Sequence[tuple[str | None, int]],
    title: str,
) -> Figure:
    """Draws a row for each (node, rank): dark is late, white is not later than the mean of all.

    `late`: seconds by part of the job, then by row; `begun`: seconds at which each part began.
    """
    import numpy as np

    width = begun[-1] / max(1, len(begun) - 1) if begun[-1] > 0 else 1.0
    edges = [*begun, begun[-1] + width]
    values = np.maximum(0, 1e6 * np.array(late).T)
    figure = style.figure(8.0, min(9.0, 2.2 + 0.18 * len(rows)))
    axes = figure.subplots()
    shown = axes.pcolormesh(edges, np.arange(len(rows) + 1) - 0.5, values, cmap=style.GAINS, vmin=0)
    figure.colorbar(shown, ax=axes, label="us later than the mean of all ranks")
    for i in range(1, len(rows)):
        if rows[i][0] != rows[i - 1][0]:
            axes.axhline(i - 0.5, **style.FAINT_RULE)
    ticks = range(0, len(rows), -(-len(rows) // _MOST_NAMES))
    labels = [
        plain(f"{rows[i][0]}, {rows[i][1]}" if rows[i][0] else str(rows[i][1])) for i in ticks
    ]
    axes.set_yticks(ticks, labels, fontsize=style.FONT_TICK)
    axes.invert_yaxis()
    axes.set(xlabel="seconds since the first collective, by the clock of the first rank")
    axes.set_ylabel("node, rank")
    axes.tick_params(labelsize=style.FONT_TICK)
    style.title(axes, plain(title))
    return figure
