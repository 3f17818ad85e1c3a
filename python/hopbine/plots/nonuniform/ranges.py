"""Radixes at which one algorithm is faster than another (Fig. 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import LogNorm
    from matplotlib.figure import Figure

#: Width and height of a cell, in distances of cells.
_WIDE, _HIGH = 0.84, 0.6


def _cell(axes: Axes, x: int, y: int, gains: list[tuple[int, float]], norm: LogNorm) -> None:
    """Draws a frame from the smallest radix to the largest, coloured where there is a gain."""
    from matplotlib import colormaps
    from matplotlib.patches import Rectangle

    left, low = x - _WIDE / 2, y - _HIGH / 2
    unit = _WIDE / len(gains)
    for k, (_, gain) in enumerate(gains):
        if gain > 1:
            colour = colormaps[style.GAINS](0.15 + 0.85 * float(norm(gain)))
            piece = Rectangle((left + k * unit, low), unit, _HIGH, facecolor=colour, linewidth=0)
            axes.add_patch(piece)
    outline: dict[str, Any] = {"facecolor": style.NONE, "edgecolor": style.CELL, "linewidth": 0.7}
    axes.add_patch(Rectangle((left, low), _WIDE, _HIGH, **outline))
    radix, best = max(gains, key=lambda g: g[1])
    if best > 1:
        axes.annotate(
            f"{best:.1f}x at {radix}",
            (x, y),
            ha="center",
            va="center",
            fontsize=style.FONT_VALUE,
            color=style.PAPER if norm(best) > 0.6 else style.INK,
        )


def _colour_bar(figure: Figure, axes: Axes, norm: LogNorm, top: float) -> None:
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable

    bar = figure.colorbar(
        ScalarMappable(norm, colormaps[style.GAINS]),
        ax=axes,
        label="times faster",
        ticks=[t for t in (1, 2, 5, 10, 20, 50, 100, 200, 500) if t <= top],
        format="%.3g",
    )
    bar.ax.minorticks_off()


def ranges(cells: dict[tuple[int, str], list[tuple[int, float]]], title: str) -> Figure:
    """Draws the radices at which ParLogNa is faster (Fig. 8).

    cells[ranks, size] are pairs of a radix and its speedup. A frame is all radices, 2 at its left;
    coloured are those that are faster.
    """
    from matplotlib.colors import LogNorm

    figure, (axes,) = style.panels(1, 1, 7.5, 4.2)
    ranks = list(dict.fromkeys(p for p, _ in cells))
    sizes = list(dict.fromkeys(size for _, size in cells))
    top = max([1.1, *(gain for gains in cells.values() for _, gain in gains)])
    norm = LogNorm(1, top)
    for (p, size), gains in cells.items():
        _cell(axes, ranks.index(p), sizes.index(size), gains, norm)
    axes.set(
        xlim=(-0.6, len(ranks) - 0.4),
        ylim=(-0.6, len(sizes) - 0.4),
        xlabel="ranks (in each frame r from 2 to the ranks, by doubling)",
        ylabel="largest block",
    )
    axes.set_xticks(range(len(ranks)), [f"{p:,}" for p in ranks], fontsize=style.FONT_TEXT)
    axes.set_yticks(range(len(sizes)), sizes, fontsize=style.FONT_TEXT)
    style.title(axes, title)
    _colour_bar(figure, axes, norm, top)
    return figure
