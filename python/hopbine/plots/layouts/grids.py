"""Grids of nodes, the last dimension fastest.

Planes of the last two dimensions, arranged in a grid themselves where there are more.
"""

from math import cos, pi, prod, sin

from .geometry import Point

#: Between planes, in distances of nodes.
_PLANE_GAP = 1.2


def coordinates(node: int, shape: list[int]) -> list[int]:
    """Coordinates of a node."""
    out = []
    for n in reversed(shape):
        out.append(node % n)
        node //= n
    return out[::-1]


def planes(shape: list[int]) -> list[Point]:
    """Places of all nodes: columns are the last dimension, rows the one before.

    Planes are placed by the further dimensions: the third from last across, the fourth down, and
    so on in turn.
    """
    step_x, step_y = [0.0] * len(shape), [0.0] * len(shape)
    width = height = 0.0
    for i, dimension in enumerate(reversed(range(len(shape)))):
        gap = 1 if i < 2 else _PLANE_GAP
        if i % 2 == 0:
            step_x[dimension], width = width + gap, width + (shape[dimension] - 1) * (width + gap)
        else:
            step_y[dimension], height = (
                -(height + gap),
                height + (shape[dimension] - 1) * (height + gap),
            )
    places = [coordinates(v, shape) for v in range(prod(shape))]
    return [
        (
            sum(c * s for c, s in zip(place, step_x, strict=True)),
            sum(c * s for c, s in zip(place, step_y, strict=True)),
        )
        for place in places
    ]


def slanted(count: int) -> list[Point]:
    """Directions of the dimensions that leave a plane: neither along rows nor along columns."""
    angles = [
        pi / 4 + (pi / 2 if i % 2 else 0) + pi / 12 * (i // 2) * (-1 if i % 4 > 1 else 1)
        for i in range(count)
    ]
    return [(cos(a), sin(a)) for a in angles]


def differing(a: list[int], b: list[int]) -> int:
    """Dimension in which two neighbours differ."""
    return next(d for d, (x, y) in enumerate(zip(a, b, strict=True)) if x != y)


def dimensions(count: int) -> str:
    """Names of the first `count` dimensions."""
    return "dimension 0" if count == 1 else f"dimensions 0 to {count - 1}"
