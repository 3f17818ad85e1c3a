"""Times as curves: over the radix (Fig. 6) and over the size of the blocks (Fig. 11, 12).

And over the number of ranks (Fig. 13 to 15).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import style
from ..colours import looks
from ..curves import curve
from .panels import largest, milliseconds, quartiles, ticks, time_axis

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Rows = list[dict[str, Any]]


def by_radix(panels: dict[str, Rows]) -> Figure:
    """Draws time over radix, a panel per block size (Fig. 6): rows with `radix`."""
    figure, flat = style.panels(len(panels), min(len(panels), 3), 3.2, 2.7)
    for axes, (title, rows) in zip(flat, panels.items(), strict=True):
        for i, name in enumerate(dict.fromkeys(r["series"] for r in rows)):
            line = sorted((r for r in rows if r["series"] == name), key=lambda r: r["radix"])
            look = style.series(i)
            radices = [r["radix"] for r in line]
            curve(axes, radices, milliseconds(line), name, look, quartiles(line))
            best = [min(line, key=lambda r: r["seconds"])]
            axes.plot(
                [r["radix"] for r in best], milliseconds(best), markersize=9, linestyle="", **look
            )
        style.title(axes, title, style.FONT_PANEL)
        axes.set(xscale="log", xlabel="r")
        time_axis(axes)
        _radix_ticks(axes, sorted({r["radix"] for r in rows}))
        style.grid(axes)
    flat[0].legend(fontsize=style.FONT_TICK)
    return figure


def _radix_ticks(axes: Axes, radices: list[int]) -> None:
    """Ticks at every radix; at most seven have a number."""
    every = -(-len(radices) // 7)
    ticks(axes, radices, [str(r) if k % every == 0 else "" for k, r in enumerate(radices)])


def by_size(panels: dict[str, Rows], across: int = 0) -> Figure:
    """Draws time over block size, a line per algorithm (Fig. 11, 12)."""
    figure, flat = style.panels(len(panels), across or min(len(panels), 2), 4.6, 3.3)
    lines = _lines(panels)
    for axes, (title, rows) in zip(flat, panels.items(), strict=True):
        ordered = sorted(rows, key=lambda r: r["bytes"])
        sizes = list(dict.fromkeys(r["distribution"] for r in ordered))
        for name, look in lines.items():
            line = [r for r in rows if r["algorithm"] == name]
            curve(
                axes,
                [sizes.index(r["distribution"]) for r in line],
                milliseconds(line),
                name,
                look,
                quartiles(line, style.PALE_BAND),
            )
        style.title(axes, title, style.FONT_PANEL)
        time_axis(axes)
        axes.set_xlabel("blocks (uniform: largest)", fontsize=style.FONT_TEXT)
        ticks(axes, range(len(sizes)), [_blocks(d) for d in sizes])
        style.grid(axes)
    flat[0].legend(fontsize=style.FONT_TICK)
    return figure


def _lines(panels: dict[str, Rows]) -> dict[str, dict[str, Any]]:
    """Marker, colour and dashes of every algorithm's line."""
    names = list(dict.fromkeys(r["algorithm"] for rows in panels.values() for r in rows))
    return {
        name: style.series(i)
        | {"color": colour, "linestyle": style.DASHES[before % len(style.DASHES)]}
        for i, (name, (colour, before)) in enumerate(zip(names, looks(names), strict=True))
    }


def _blocks(distribution: str) -> str:
    """Tick label: '16 B' of dist:uniform:16, other distributions by their names."""
    if distribution.startswith("dist:uniform:"):
        return largest({"distribution": distribution})
    return distribution.removeprefix("dist:")


def by_ranks(panels: dict[str, Rows]) -> Figure:
    """Draws time over the number of ranks, a line per algorithm (Fig. 13 to 15)."""
    figure, flat = style.panels(len(panels), min(len(panels), 2), 4.6, 3.3)
    lines = _lines(panels)
    for axes, (title, rows) in zip(flat, panels.items(), strict=True):
        for name, look in lines.items():
            line = sorted((r for r in rows if r["algorithm"] == name), key=lambda r: r["ranks"])
            curve(axes, [r["ranks"] for r in line], milliseconds(line), name, look, None)
        style.title(axes, title, style.FONT_PANEL)
        axes.set(xscale="log", xlabel="ranks")
        time_axis(axes)
        ranks = sorted({r["ranks"] for r in rows})
        ticks(axes, ranks, [str(p) for p in ranks])
        style.grid(axes)
    flat[0].legend(fontsize=style.FONT_TICK)
    return figure
