"""Lines between points.

A link is on the right side of its cable, so that the two directions do not overlap.
"""

from math import cos, hypot, pi, sin

Point = tuple[float, float]
Line = list[Point]
#: Pieces that a curve is made of.
_PIECES = 14


def polar(radius: float, angle: float) -> Point:
    """Point at a radius and an angle, clockwise from the top."""
    return radius * sin(angle), radius * cos(angle)


def circle(count: int) -> list[Point]:
    """Points on a circle, neighbours about 1 apart."""
    radius = max(1.0, count / 2 / pi)
    return [polar(radius, 2 * pi * i / count) for i in range(count)]


def between(a: Point, b: Point, share: float = 0.5) -> Point:
    """Point at `share` of the way from a to b."""
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def to_the_right(line: Line, shift: float) -> Line:
    """Line moved to the right of its direction."""
    if not shift:
        return line
    out = []
    for i, (x, y) in enumerate(line):
        (x0, y0), (x1, y1) = line[max(0, i - 1)], line[min(len(line) - 1, i + 1)]
        length = hypot(x1 - x0, y1 - y0) or 1.0
        out.append((x + shift * (y1 - y0) / length, y - shift * (x1 - x0) / length))
    return out


def straight(a: Point, b: Point, shift: float = 0.0) -> Line:
    """Straight line from a to b."""
    return to_the_right([a, b], shift)


def curve(a: Point, b: Point, pull: Point, shift: float = 0.0) -> Line:
    """Quadratic Bezier curve from a to b with the control point `pull`."""
    ts = [i / _PIECES for i in range(_PIECES + 1)]

    def at(t: float, k: int) -> float:
        return (1 - t) ** 2 * a[k] + 2 * t * (1 - t) * pull[k] + t * t * b[k]

    return to_the_right([(at(t, 0), at(t, 1)) for t in ts], shift)


def bow(a: Point, b: Point, height: float) -> Line:
    """Arc from a to b, at most `height` to the right of the straight line."""
    length = hypot(b[0] - a[0], b[1] - a[1])
    x, y = between(a, b)
    return curve(
        a, b, (x + 2 * height * (b[1] - a[1]) / length, y - 2 * height * (b[0] - a[0]) / length)
    )


def stubs(a: Point, b: Point, way: Point, shift: float = 0.0) -> list[Line]:
    """Both ends of a link whose middle is not drawn: out of a and into b in direction `way`."""
    return [
        straight(a, (a[0] + way[0], a[1] + way[1]), shift),
        straight((b[0] - way[0], b[1] - way[1]), b, shift),
    ]


def rectangle(low: Point, high: Point) -> Line:
    """Corners of a rectangle."""
    return [low, (high[0], low[1]), high, (low[0], high[1])]


def sector(inner: float, outer: float, first: float, last: float) -> Line:
    """Outline of the part of a ring between two angles."""
    angles = [first + (last - first) * i / (2 * _PIECES) for i in range(2 * _PIECES + 1)]
    return [polar(inner, a) for a in angles] + [polar(outer, a) for a in reversed(angles)]
