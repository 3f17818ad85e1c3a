"""HyperX: arcs along rows and columns, those of the two directions on opposite sides.

One dimension is a circle with chords.
"""

from math import cos, pi, sin

from .geometry import bow, polar, straight, stubs
from .grids import coordinates, differing, dimensions, planes
from .layout import Layout

_SHIFT, _STUB = 0.05, 0.42
#: Heights of the lowest and the highest arc.
_LOW, _HIGH = 0.2, 0.5


def hyperx(links: list[tuple[int, int]], shape: list[int], apart: bool) -> Layout:
    """Dimensions of one coordinate are left out."""
    shape = [n for n in shape if n > 1] or [1]
    if len(shape) == 1:
        radius = max(1.0, shape[0] / 2 / pi)
        at = [polar(radius, 2 * pi * v / shape[0]) for v in range(shape[0])]
        return Layout(
            at, [[straight(at[a], at[b], _SHIFT if apart else 0.0)] for a, b in links], 1.0, 0.05
        )
    at = planes(shape)
    slants = len(shape) - 2
    lines = []
    for a, b in links:
        p, q = coordinates(a, shape), coordinates(b, shape)
        d = differing(p, q)
        span = abs(q[d] - p[d])
        if d < slants:
            lines.append(
                stubs(
                    at[a],
                    at[b],
                    _fan(d, slants, p[d], q[d], shape[d]),
                    _SHIFT / 2 if apart else 0.0,
                )
            )
        elif span == 1:
            lines.append([straight(at[a], at[b], _SHIFT if apart else 0.0)])
        else:
            lines.append(
                [bow(at[a], at[b], _LOW + (_HIGH - _LOW) * (span - 2) / max(1, shape[d] - 3))]
            )
    note = "arcs are on the right of their direction" if apart else ""
    if slants:
        note = f"slanted stubs go to the same place of the other planes ({dimensions(slants)})" + (
            "; " + note if note else ""
        )
    return Layout(at, lines, 0.66, min(0.06, 0.4 * (_HIGH - _LOW) / max(shape)), note=note)


def _fan(dimension: int, slants: int, a: int, b: int, extent: int) -> tuple[float, float]:
    """Direction from coordinate a to b, such that the way back is the opposite one.

    One direction for each pair of a dimension.
    """
    low, high = min(a, b), max(a, b)
    number, pairs = low + (high - low - 1) * extent, extent * (extent - 1)
    angle = (
        pi
        / 2
        * (dimension + 0.15 + 0.7 * (number + 0.5) / pairs)
        * (2 / slants if slants > 2 else 1)
    )
    sign = _STUB if b > a else -_STUB
    return sign * cos(angle), sign * sin(angle)
