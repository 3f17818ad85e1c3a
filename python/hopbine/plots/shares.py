"""Labels of the links of a route: the share of the message that each carries."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import hypot
from typing import TYPE_CHECKING

from . import style
from .layouts import Layout
from .layouts.geometry import Line, Point, between

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: A rectangle: its middle and half its sides.
Box = tuple[float, float, float, float]

#: Points: half the height of a label, width of a character, distance from the link.
_HALF, _CHARACTER, _AWAY = 3.6, 3.6, 4.0


def label_shares(axes: Axes, shown: Layout, unit: float, hops: list[tuple[int, float]]) -> None:
    """Draws an arrow and the share at each hop; `unit`: inches per unit of the layout."""
    from matplotlib.patheffects import withStroke

    point = 1 / (72 * unit)
    radius = min(8.5, 0.25 * 72 * unit * shown.spacing) * point
    taken = [(x, y, radius, radius) for x, y in shown.at]
    taken += [
        (x, y, point, point)
        for link, _ in hops
        for line in shown.lines[link]
        for x, y in _dotted(line, 4 * point)
    ]
    for link, share in hops:
        pieces = shown.lines[link]
        begin, end = _at(pieces[0], 0.5 if len(pieces) == 1 else 0.72)
        axes.annotate(
            "",
            xy=end,
            xytext=begin,
            zorder=6,
            arrowprops={
                "arrowstyle": "-|>",
                "facecolor": style.MARK,
                "edgecolor": style.PAPER,
                "linewidth": 0.4,
                "mutation_scale": 11,
                "shrinkA": 0,
                "shrinkB": 0,
            },
        )
        text = f"{100 * share:.3g} %"
        half = _CHARACTER * len(text) / 2 * point, _HALF * point
        places = [(*place, *half) for place in _beside(pieces[0], half, _AWAY * point)]
        x, y, *_ = place = min(places, key=lambda p: sum(_overlap(p, other) for other in taken))
        taken += [place] * 9  # a label on a label is worse than one on a line
        axes.text(
            x,
            y,
            text,
            fontsize=style.FONT_VALUE,
            zorder=7,
            ha="center",
            va="center",
            path_effects=[withStroke(linewidth=1.5, foreground=style.PAPER)],
        )


def _at(line: Line, share: float) -> tuple[Point, Point]:
    """Point at a share of the length of a line, and one a little further on."""
    piece = min(int(share * (len(line) - 1)), len(line) - 2)
    rest = share * (len(line) - 1) - piece
    return between(line[piece], line[piece + 1], rest), between(
        line[piece], line[piece + 1], rest + 0.02
    )


def _beside(line: Line, half: tuple[float, float], away: float) -> Iterator[Point]:
    """Places to try for the middle of a label: first on the right of the middle of the line."""
    for side in (1, -1):
        for share in (0.5, 0.36, 0.64, 0.25, 0.75, 0.9):
            (x, y), (x1, y1) = _at(line, share)
            length = hypot(x1 - x, y1 - y)
            right, up = side * (y1 - y) / length, side * (x - x1) / length
            far = away + abs(right) * half[0] + abs(up) * half[1]
            yield x + far * right, y + far * up


def _dotted(line: Line, step: float) -> list[Point]:
    """Points of a line, `step` apart."""
    out = []
    for a, b in pairwise(line):
        count = max(1, int(hypot(b[0] - a[0], b[1] - a[1]) / step))
        out += [between(a, b, i / count) for i in range(count)]
    return out


def _overlap(a: Box, b: Box) -> bool:
    """Whether two rectangles overlap, given by their middles and half their sides."""
    return abs(a[0] - b[0]) < a[2] + b[2] and abs(a[1] - b[1]) < a[3] + b[3]
