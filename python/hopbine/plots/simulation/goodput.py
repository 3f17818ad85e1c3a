"""Goodput by size (Swing Fig. 6)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ...notation.units import show_rate, show_size, show_time
from ...simulation.sweep import gains
from .. import style
from ..colours import look
from ..labels import shortest
from .marks import name_others, size_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Rows = list[dict[str, Any]]

#: Sizes of the inset with run times.
_SMALL = 32 << 10


def goodput(rows: Rows, focus: str, peak: float, title: str, aside: Sequence[str] = ()) -> Figure:
    """Draws goodput by size, with two insets.

    The upper one is the gain of `focus` over the best other algorithm, those in `aside` excluded;
    the lower one has the times up to 32 KiB.
    """
    labels = list(dict.fromkeys(r["algorithm"] for r in rows))
    sizes = sorted({r["bytes"] for r in rows})
    unit, scale = ("Tb/s", 1e12) if peak * 8 >= 2e12 else ("Gb/s", 1e9)
    figure = style.figure(9.5, 6.2)
    main = figure.subplots()
    looks = {label: look(label, i) for i, label in enumerate(labels)}
    lines = {label: [r for r in rows if r["algorithm"] == label] for label in labels}
    for label, line in lines.items():
        _curve(main, line, f"{label} ({shortest(label, labels)})", scale, looks[label])
    _peak(main, sizes[0], peak, scale)
    size_ticks(main, sizes, 16)
    main.set(title=title, xlabel="vector", ylabel=f"goodput ({unit})")
    main.set_ylim(0, 1.06 * max(8 * peak / scale, *(8 * r["goodput"] / scale for r in rows)))
    style.grid(main)
    main.legend(
        loc="center left", bbox_to_anchor=(0.0, 0.45), fontsize=style.FONT_TICK, framealpha=0.9
    )
    if len(labels) > 1:
        inset = main.inset_axes((0.06, 0.61, 0.42, 0.29))
        _gain_inset(inset, gains(rows, focus, aside), focus, labels)
    small = [s for s in sizes if s <= _SMALL]
    if len(small) > 1:
        _time_inset(main.inset_axes((0.08, 0.1, 0.36, 0.24)), lines, small, looks)
    return figure


def _curve(axes: Axes, line: Rows, label: str, scale: float, look: dict[str, Any]) -> None:
    """Draws one algorithm; a large dot is where its fastest variant changes (as in Fig. 6)."""
    axes.plot(
        [r["bytes"] for r in line],
        [8 * r["goodput"] / scale for r in line],
        label=label,
        markersize=4.5,
        linewidth=1.4,
        **look,
    )
    for before, after in pairwise(line):
        if before["variant"] != after["variant"]:
            place = [after["bytes"]], [8 * after["goodput"] / scale]
            axes.plot(*place, markersize=11, linestyle="", **look)


def _peak(axes: Axes, size: int, peak: float, scale: float) -> None:
    axes.axhline(8 * peak / scale, linestyle=":", **style.RULE)
    axes.annotate(
        f"peak {show_rate(peak)}",
        (size, 8 * peak / scale),
        xytext=(0, 3),
        textcoords="offset points",
        fontsize=style.FONT_TEXT,
        va="bottom",
    )


def _gain_inset(axes: Axes, gained: Rows, focus: str, labels: list[str]) -> None:
    axes.plot(
        [g["bytes"] for g in gained],
        [g["gain_pct"] for g in gained],
        color=style.INK,
        linewidth=1,
        marker=".",
        markersize=3,
    )
    name_others(axes, gained, labels, 3, style.INK)
    axes.axhline(0, **style.RULE | {"linewidth": 0.6})
    size_ticks(axes, [g["bytes"] for g in gained], 7)
    axes.margins(y=0.15)
    _inset_text(axes, "gain (%)")
    style.title(axes, f"{focus} over the best other", style.FONT_TEXT)


def _time_inset(
    axes: Axes, lines: dict[str, Rows], small: list[int], looks: dict[str, dict[str, Any]]
) -> None:
    """Draws the times of small vectors, of algorithms within 20 times the fastest."""
    rows = {a: [r for r in line if r["bytes"] <= small[-1]] for a, line in lines.items()}
    fastest = min(r["seconds"] for line in rows.values() for r in line)
    for label, line in rows.items():
        if line and line[0]["seconds"] < 20 * fastest:
            axes.plot(
                [r["bytes"] for r in line],
                [1e6 * r["seconds"] for r in line],
                linewidth=1,
                markersize=2.5,
                **looks[label],
            )
    words = [
        f"{shortest(a, list(lines))} {show_time(line[0]['seconds'])}"
        for a, line in rows.items()
        if line and line[0]["bytes"] == small[0]
    ]
    size_ticks(axes, small, 6)
    _inset_text(axes, "time (us)")
    style.title(axes, f"{show_size(small[0])}: " + ", ".join(words), style.FONT_VALUE)


def _inset_text(axes: Axes, label: str) -> None:
    axes.tick_params(axis="y", labelsize=style.FONT_TICK)
    axes.set_ylabel(label, fontsize=style.FONT_TICK)
