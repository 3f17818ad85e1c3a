"""HyperX: arcs along rows and columns, those of the two directions on opposite sides.

One dimension is a circle with chords.
"""

from math import cos, pi, sin

from .geometry import Line, Point, bow, circle, straight, stubs
from .grids import coordinates, differing, dimensions, planes
from .layout import Layout

_SHIFT, _STUB = 0.05, 0.42
#: Heights of the lowest and the highest arc.
_LOW, _HIGH = 0.2, 0.5


def hyperx(links: list[tuple[int, int]], shape: list[int], apart: bool) -> Layout:
    """Layout without the dimensions of extent 1."""
    shape = [n for n in shape if n > 1] or [1]
    shift = _SHIFT if apart else 0.0
    if len(shape) == 1:
        at = circle(shape[0])
        return Layout(at, [[straight(at[a], at[b], shift)] for a, b in links], 1.0, 0.05)
    at = planes(shape)
    width = min(0.06, 0.4 * (_HIGH - _LOW) / max(shape))
    lines = [_link(at, a, b, shape, shift) for a, b in links]
    return Layout(at, lines, 0.66, width, note=_note(len(shape) - 2, apart))


def _link(at: list[Point], a: int, b: int, shape: list[int], shift: float) -> list[Line]:
    """Lines of a link: stubs out of the plane; inside it straight to a neighbour, else an arc."""
    p, q = coordinates(a, shape), coordinates(b, shape)
    d = differing(p, q)
    slants = len(shape) - 2
    if d < slants:
        return stubs(at[a], at[b], _fan(d, slants, p[d], q[d], shape[d]), shift / 2)
    span = abs(q[d] - p[d])
    if span == 1:
        return [straight(at[a], at[b], shift)]
    return [bow(at[a], at[b], _LOW + (_HIGH - _LOW) * (span - 2) / max(1, shape[d] - 3))]


def _note(slants: int, apart: bool) -> str:
    """Note on how to read the picture."""
    slanted = f"slanted stubs go to the same place of the other planes ({dimensions(slants)})"
    arcs = "arcs are on the right of their direction"
    return "; ".join(([slanted] if slants else []) + ([arcs] if apart else []))


def _fan(dimension: int, slants: int, a: int, b: int, extent: int) -> tuple[float, float]:
    """Direction of the stub from coordinate a to b: one per pair, opposite for the way back."""
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
