"""Figure of a timeline.

Events are those of _core.Simulation.flow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...core.records import Event
from ...errors import UsageError
from .. import style
from ..labels import plain
from .bars import Bar, Row, rows
from .labels import label

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: More bars are not readable.
MOST_EVENTS = 20_000
#: Inches: the time axis, a bar with the space to the next one, room beside and around the bars.
_WIDTH, _BAR, _SIDE, _AROUND = 11.0, 0.3, 1.15, 1.25
#: Inches: the tallest column of bars.
_TALL = 18.0
_HOW = "3→13: in step 3 to rank 13, 3←6: from rank 6; a number alone is the step"


def timeline(events: Sequence[Event], rank: int, title: str) -> Figure:
    """Draws a bar for each message of a rank, from the start of the send to its end or arrival.

    Each channel has a row for sends and one for receives, more where messages overlap. Step and
    peer are written where there is room. UsageError when there is nothing to draw, or too much.
    """
    from matplotlib.figure import Figure

    if not events:
        raise UsageError(f"rank {rank} sends and receives nothing")
    if len(events) > MOST_EVENTS:
        raise UsageError(
            f"rank {rank} has {len(events)} messages, too many for a picture (at most "
            f"{MOST_EVENTS})"
        )
    shown = rows(events)
    count = sum(len(row.lanes) for row in shown)
    bar = min(_BAR, _TALL / count)
    width, height = _WIDTH + _SIDE + 0.25, count * bar + _AROUND
    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((_SIDE / width, 0.55 / height, _WIDTH / width, count * bar / height))
    _draw_rows(axes, shown, max(e["end"] for e in events), bar)
    _legend(figure, width, height)
    for text, down, look in (
        (plain(title), 0.2, {"fontsize": style.FONT_TITLE}),
        (_HOW, 0.42, {"fontsize": style.FONT_NOTE, "color": style.NOTE}),
    ):
        figure.text(0.12 / width, 1 - down / height, text, va="center", **look)
    return figure


def _draw_rows(axes: Axes, shown: list[Row], last: float, bar: float) -> None:
    """Draws all bars with their labels, the time axis up to `last`, and the names of the rows."""
    name, unit = next(
        (u for u in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)) if last >= u[1]), ("ns", 1e-9)
    )
    across = 1.03 * last / unit or 1.0
    top, middles = 0, []
    for row in shown:
        if row.sent and top:
            axes.axhline(top, color=style.FAINT, linewidth=0.6)
        middles.append(top + len(row.lanes) / 2)
        bars = row.bars(top, unit)
        _draw_bars(axes, bars, row.sent)
        label(axes, bars, 72 * _WIDTH / across, 72 * bar * 0.8)
        top += len(row.lanes)
    axes.set(xlim=(0, across), ylim=(top, 0), xlabel=f"time, {name}")
    axes.set_yticks(middles, [row.name() for row in shown], fontsize=style.FONT_NOTE)
    axes.tick_params(axis="y", length=0)
    axes.tick_params(axis="x", labelsize=style.FONT_TEXT)
    axes.xaxis.label.set_fontsize(style.FONT_TEXT)
    style.open_frame(axes)


def _draw_bars(axes: Axes, bars: list[Bar], sent: bool) -> None:
    """Draws all bars as one collection."""
    from matplotlib.collections import PolyCollection

    corners = [
        [(b.x, b.y + 0.1), (b.end, b.y + 0.1), (b.end, b.y + 0.9), (b.x, b.y + 0.9)] for b in bars
    ]
    look = style.SEND if sent else style.RECEIVE
    name = "sends" if sent else "receives"
    axes.add_collection(PolyCollection(corners, linewidths=0.6, zorder=2, label=name, **look))


def _legend(figure: Figure, width: float, height: float) -> None:
    from matplotlib.patches import Patch

    figure.legend(
        handles=[Patch(**style.SEND, label="sends"), Patch(**style.RECEIVE, label="receives")],
        ncols=2,
        fontsize=style.FONT_TEXT,
        frameon=False,
        loc="upper right",
        bbox_to_anchor=(1 - 0.25 / width, 1 - 0.02 / height),
    )
