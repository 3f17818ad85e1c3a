"""Time against radix (generalised collectives, Fig. 8).

A line per size, a panel per source. Rows are those of hopbine.model.predict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..notation.units import show_size
from . import style
from .curves import Band, curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def curves(rows: list[dict[str, Any]], sources: dict[str, str], title: str) -> Figure:
    """Draws a panel per source: times against k, a line per size.

    `sources`: keys of the rows' times, and the titles of their panels; rows may lack some. Measured
    times have a band between their quartiles. All panels have the same axes.
    """
    from matplotlib import colormaps

    sizes, ks = (sorted({r[key] for r in rows}) for key in ("bytes", "k"))
    figure = style.figure(1.6 + 2.9 * len(sources), 3.9)
    panels = figure.subplots(1, len(sources), sharex=True, sharey=True, squeeze=False)[0]
    for i, size in enumerate(sizes):
        line = sorted((r for r in rows if r["bytes"] == size), key=lambda r: r["k"])
        look = style.series(i) | {"color": colormaps[style.SIZES](0.9 * i / max(1, len(sizes) - 1))}
        for axes, source in zip(panels, sources, strict=True):
            of = [r for r in line if source in r]
            curve(
                axes,
                [r["k"] for r in of],
                _microseconds(of, source),
                show_size(size),
                look,
                Band(_microseconds(of, "measured_low"), _microseconds(of, "measured_high"))
                if source == "measured"
                else None,
            )
    for axes, label in zip(panels, sources.values(), strict=True):
        axes.set(xscale="log", yscale="log", xlabel="k")
        _ticks(axes, ks)
        style.title(axes, label)
        style.grid(axes)
    panels[0].set_ylabel("time (us)")
    figure.legend(
        *panels[0].get_legend_handles_labels(),
        loc="outside right center",
        fontsize=style.FONT_TEXT,
        title="vector",
        title_fontsize=style.FONT_TEXT,
    )
    figure.suptitle(title, fontsize=style.FONT_FIGURE)
    return figure


def _microseconds(rows: list[dict[str, Any]], source: str) -> list[float]:
    return [1e6 * r[source] for r in rows]


def _ticks(axes: Axes, ks: list[int]) -> None:
    """Labels at most ten of the radices, as whole numbers."""
    from matplotlib.ticker import FixedLocator, NullLocator

    axes.xaxis.set_major_locator(FixedLocator(ks[:: -(-len(ks) // 10)]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter("{x:.0f}")
