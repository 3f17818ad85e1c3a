"""Curves with markers, as several pictures have them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from . import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def curve(
    axes: Axes,
    xs: Sequence[float],
    ys: Sequence[float],
    label: str,
    look: dict[str, Any],
    quartiles: tuple[Sequence[float], Sequence[float]] | None = None,
    band: dict[str, Any] = style.BAND,
) -> None:
    """Draws a line through the points and, with `quartiles`, a band between them.

    `look` has at least the colour.
    """
    axes.plot(xs, ys, label=label, **style.CURVE | look)
    if quartiles:
        axes.fill_between(xs, *quartiles, color=look["color"], **band)
