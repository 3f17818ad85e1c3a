"""Speed-up and time by size (generalised collectives, Fig. 9 and 10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hopbine.plots import style
from hopbine.plots.curves import curve
from hopbine.plots.simulation.marks import size_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_OVER = {"default": "over its default radix", "usual": "over the usual choice"}


@dataclass(frozen=True)
class Point:
    """The best algorithm of one size."""

    bytes: int
    default: float  #: time of its default radix over its own
    usual: float  #: time of what a library usually takes over its own
    name: str  #: of its family
    k: int


def _speedup(axes: Axes, points: Sequence[Point]) -> None:
    sizes = [p.bytes for p in points]
    for i, (key, label) in enumerate(_OVER.items()):
        look = style.series(5 - 3 * i) | {"linestyle": style.DASHES[i]}
        curve(axes, sizes, [getattr(p, key) for p in points], label, look)
    factor = (sizes[-1] / sizes[0]) ** (0.5 / max(1, len(sizes) - 1))
    for p in points:
        axes.axvspan(
            p.bytes / factor, p.bytes * factor, color=style.family(p.name), alpha=0.18, lw=0
        )
        axes.annotate(
            str(p.k),
            (p.bytes, 0),
            xycoords=("data", "axes fraction"),
            xytext=(0, 3),
            textcoords="offset points",
            ha="center",
            fontsize=style.FONT_POINT,
        )
    axes.axhline(1, **style.RULE)
    size_ticks(axes, sizes, 10)
    axes.tick_params(axis="y", labelsize=style.FONT_TICK)
    axes.set_xlim(sizes[0] / factor, sizes[-1] * factor)
    axes.margins(y=0.15)
    style.grid(axes, "y")


def speedups(panels: Mapping[str, Sequence[Point]], title: str) -> Figure:
    """Draws a panel for each title: speed-up by size, k of the best beneath, its family behind."""
    from matplotlib.patches import Patch

    figure, flat = style.panels(len(panels), len(panels), 3.3, 3.1)
    for axes, (name, points) in zip(flat, panels.items(), strict=True):
        if points:
            _speedup(axes, points)
        style.title(axes, name, style.FONT_PANEL)
    flat[0].set_ylabel("speed-up (below: k)", fontsize=style.FONT_TEXT)
    lines, labels = flat[0].get_legend_handles_labels()
    names = dict.fromkeys(p.name for of in panels.values() for p in of)
    marks = [Patch(color=style.family(n), alpha=0.3, label=n) for n in names]
    figure.legend(
        handles=[*lines, *marks],
        labels=[*labels, *names],
        loc="outside lower center",
        ncols=5,
        fontsize=style.FONT_TEXT,
        frameon=False,
    )
    figure.suptitle(title, fontsize=style.FONT_FIGURE)
    return figure


def times(panels: Mapping[str, Mapping[str, Mapping[int, float]]], title: str) -> Figure:
    """Draws a panel for each title: panels[title][label][size] is a time in seconds."""
    figure, flat = style.panels(len(panels), len(panels), 3.3, 3.1)
    labels = list(dict.fromkeys(label for lines in panels.values() for label in lines))
    for axes, (name, lines) in zip(flat, panels.items(), strict=True):
        sizes = sorted({s for of in lines.values() for s in of})
        for label, of in lines.items():
            look = style.series(labels.index(label)) | (
                {} if label.startswith("k") else {"color": style.INK}
            )
            curve(axes, list(of), [1e6 * t for t in of.values()], label, look)
        axes.set_yscale("log")
        size_ticks(axes, sizes, 10)
        axes.tick_params(axis="y", labelsize=style.FONT_TICK)
        style.title(axes, name, style.FONT_PANEL)
        style.grid(axes)
    flat[0].set_ylabel("time (us)", fontsize=style.FONT_TEXT)
    figure.legend(
        *flat[0].get_legend_handles_labels(),
        loc="outside lower center",
        ncols=7,
        fontsize=style.FONT_TEXT,
        frameon=False,
    )
    figure.suptitle(title, fontsize=style.FONT_FIGURE)
    return figure
