"""What a recorded job would cost elsewhere: the classic algorithms against hopbine's choice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..notation.units import show_bytes, show_time
from . import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: The ways that are drawn, and what they are called.
WAYS = {"classic": "classic", "choice": "hopbine's choice"}


def way_bars(rows: Sequence[dict[str, Any]], unit: str) -> Figure:
    """Bars of bytes between units and of modelled time, collective by collective.

    Rows are those of hopbine.recorded.prediction.predict that are predicted. UsageError without
    rows.
    """
    if not rows:
        raise UsageError("there are no predicted calls to draw")
    names = list(dict.fromkeys(row["collective"] for row in rows))
    figure = style.figure(10, 1.2 + 0.45 * len(names))
    for axes, (what, shown, heading) in zip(
        figure.subplots(1, 2),
        (("bytes", show_bytes, f"bytes between {unit}"), ("seconds", show_time, "modelled time")),
        strict=True,
    ):
        sums = {
            way: [sum(r[f"{way}_{what}"] for r in rows if r["collective"] == n) for n in names]
            for way in WAYS
        }
        _bars(axes, sums, names, shown)
        style.title(axes, f"{heading}, all calls (logarithmic)", style.FONT_PANEL)
    figure.axes[0].legend(fontsize=style.FONT_TEXT, frameon=False, loc="best")
    return figure


def _bars(
    axes: Axes, sums: dict[str, list[float]], names: list[str], shown: Callable[[float], str]
) -> None:
    """Two bars for each name, with their values; a bar of nothing has only its value."""
    some = [value for values in sums.values() for value in values if value > 0] or [1.0]
    least = min(some) / 4  # on a logarithmic axis bars begin somewhere
    height = 0.8 / len(sums)
    for i, ((way, values), colour) in enumerate(
        zip(sums.items(), style.NEUTRAL[1::-1], strict=True)
    ):
        drawn = axes.barh(
            [k + (i - (len(sums) - 1) / 2) * height for k in range(len(names))],
            [max(value / least, 1) for value in values],
            height,
            label=WAYS[way],
            color=colour,
        )
        axes.bar_label(drawn, [shown(v) for v in values], padding=3, fontsize=style.FONT_VALUE)
        for bar, name, value in zip(drawn, names, values, strict=True):
            style.tip(bar, f"{name}, {WAYS[way]}: {shown(value)}")
    axes.set_xscale("log")
    axes.set_xlim(1, 30 * max(some) / least)
    axes.set_xticks([])
    axes.minorticks_off()
    axes.set_yticks(range(len(names)), names, fontsize=style.FONT_TEXT)
    axes.invert_yaxis()
    style.open_frame(axes)
    axes.spines["bottom"].set_visible(False)
