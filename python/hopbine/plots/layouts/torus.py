"""Tori: a ring, a grid, a grid seen from the side, a grid of planes.

Links that go round are two stubs.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from .geometry import Point, circle, straight, stubs
from .grids import coordinates, differing, dimensions, planes, slanted
from .layout import Layout

if TYPE_CHECKING:
    from .geometry import Line


#: Between a direction of a cable and its middle; length of a stub; width of a line.
_SHIFT, _STUB, _WIDTH = 0.07, 0.42, 0.1


def torus(links: list[tuple[int, int]], shape: list[int], apart: bool) -> Layout:
    """Layout without the dimensions of extent 1."""
    shape = [n for n in shape if n > 1] or [1]
    shift = _SHIFT if apart else 0.0
    if len(shape) == 1:
        at = circle(shape[0])
        return Layout(at, [[straight(at[a], at[b], shift)] for a, b in links], 1.0, _WIDTH)
    if len(shape) == 3:
        return _seen_from_the_side(links, shape, shift)
    at = planes(shape)
    axes = [*slanted(len(shape) - 2), (0.0, -1.0), (1.0, 0.0)]
    note = "stubs at a rim go on at the opposite one" if max(shape[-2:]) > 2 else ""
    if len(shape) > 2:
        note = (
            "stubs go on at the opposite rim, slanted ones in another plane "
            f"({dimensions(len(shape) - 2)})"
        )
    return Layout(at, _lines(links, shape, at, axes, len(shape) - 2, shift), 1.0, _WIDTH, note=note)


def _lines(
    links: list[tuple[int, int]],
    shape: list[int],
    at: list[Point],
    axes: list[Point],
    slants: int,
    shift: float,
) -> list[list[Line]]:
    """Lines of the links.

    `axes`: direction of each dimension; links of the first `slants` are always stubs."""
    out = []
    for a, b in links:
        p, q = coordinates(a, shape), coordinates(b, shape)
        d = differing(p, q)
        ahead = q[d] - p[d]
        if d >= slants and abs(ahead) == 1:
            out.append([straight(at[a], at[b], shift)])
            continue
        sign = (1 if ahead > 0 else -1) * (1 if abs(ahead) == 1 else -1) * _STUB
        out.append(stubs(at[a], at[b], (sign * axes[d][0], sign * axes[d][1]), shift))
    return out


def _seen_from_the_side(links: list[tuple[int, int]], shape: list[int], shift: float) -> Layout:
    """Layout of three dimensions, seen from the side.

    The first dimension goes back in steps so short that it fits between neighbours of the others.
    """
    cell = max(2.4, 0.85 * shape[0] + 0.5)
    back = (0.85, 0.62)
    places = [coordinates(v, shape) for v in range(prod(shape))]
    at = [(cell * c + back[0] * d, -cell * r + back[1] * d) for d, r, c in places]
    lines = _lines(links, shape, at, [back, (0.0, -1.6), (1.6, 0.0)], 0, shift)
    return Layout(
        at,
        lines,
        1.0,
        _WIDTH,
        note="dimension 0 goes back, 1 down, 2 to the right; stubs go on at the opposite side",
    )
