"""Gains of one algorithm over the best other: curves by size, and boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import style
from ..curves import curve
from ..labels import shortest
from .marks import name_others, size_ticks

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_GAIN = "goodput gain (%)"


def gain_curves(gained: dict[str, list[dict[str, Any]]], focus: str) -> Figure:
    """Draws gain by size, a line per network, with the best other algorithm at each point."""
    figure = style.figure(8.5, 4.6)
    axes = figure.subplots()
    others = list(dict.fromkeys(g["best_other"] for line in gained.values() for g in line))
    for i, (label, line) in enumerate(gained.items()):
        look = style.series(i)
        curve(axes, [g["bytes"] for g in line], [g["gain_pct"] for g in line], label, look)
        name_others(axes, line, others, 4, look["color"])
    axes.axhline(0, **style.RULE)
    size_ticks(axes, sorted({g["bytes"] for line in gained.values() for g in line}), 16)
    prefixes = ", ".join(f"{shortest(o, others)}: {o}" for o in others)
    axes.set(xlabel="vector", ylabel=_GAIN)
    style.title(axes, f"{focus} over the best other algorithm ({prefixes})")
    style.grid(axes)
    axes.legend(fontsize=style.FONT_TEXT)
    return figure


def summary(gained: dict[str, list[dict[str, Any]]], focus: str) -> Figure:
    """Draws the gains over all sizes, a box per network (Swing Fig. 15).

    Boxes are quartiles, whiskers 1.5 times their distance, triangles medians.
    """
    figure = style.figure(8, 0.9 + 0.42 * len(gained))
    axes = figure.subplots()
    names = list(gained)[::-1]
    boxes = axes.boxplot(
        [[g["gain_pct"] for g in gained[name]] for name in names],
        orientation="horizontal",
        patch_artist=True,
        flierprops={"markersize": 4},
        medianprops={"linestyle": ""},
    )
    for box in boxes["boxes"]:
        box.set_facecolor(style.SUMMARY)
    rows = range(1, len(names) + 1)
    medians = [float(line.get_xdata()[0]) for line in boxes["medians"]]
    axes.plot(medians, rows, linestyle="", marker="^", color=style.SERIES[0])
    axes.set_yticks(rows, names, fontsize=style.FONT_TEXT)
    axes.axvline(0, **style.RULE)
    axes.set(xlabel=_GAIN)
    style.title(axes, f"{focus} over the best other algorithm")
    style.grid(axes, "x")
    return figure
