"""Ticks at sizes, and names at points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...notation.units import show_size
from .. import style
from ..labels import shortest

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def size_ticks(axes: Axes, sizes: list[int], most: int) -> None:
    """Makes the axis of sizes logarithmic and labels at most `most` of them."""
    every = -(-len(sizes) // most)
    axes.set_xscale("log", base=2)
    axes.set_xticks(
        sizes[::every],
        [show_size(s).replace(" ", "") for s in sizes[::every]],
        rotation=45,
        ha="right",
        fontsize=style.FONT_TICK,
    )
    axes.minorticks_off()


def name_others(
    axes: Axes, gained: list[dict[str, Any]], labels: list[str], above: int, colour: str
) -> None:
    """Writes the best other algorithm `above` points over each gain."""
    for g in gained:
        axes.annotate(
            shortest(g["best_other"], labels),
            (g["bytes"], g["gain_pct"]),
            xytext=(0, above),
            textcoords="offset points",
            fontsize=style.FONT_POINT,
            ha="center",
            color=colour,
        )
