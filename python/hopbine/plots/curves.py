"""Curves with markers, as several pictures have them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from . import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Band(NamedTuple):
    """Between two quartiles, in the colour of the curve."""

    low: Sequence[float]
    high: Sequence[float]
    look: dict[str, Any] = style.BAND


def curve(
    axes: Axes,
    xs: Sequence[float],
    ys: Sequence[float],
    label: str,
    look: dict[str, Any],
    band: Band | None = None,
) -> None:
    """Draws a line through the points and, its band, where there is one.

    `look` has at least the colour.
    """
    axes.plot(xs, ys, label=label, **style.CURVE | look)
    if band:
        axes.fill_between(xs, band.low, band.high, color=look["color"], **band.look)
