"""Networks of groups on a circle: nodes outside, global links through the inside."""

from math import ceil, hypot, pi, sqrt

from .geometry import Line, Point, between, curve, polar, sector, straight
from .layout import Layout

#: Between nodes, and between a switch and its first row of nodes.
_STEP, _STEM = 0.6, 0.9
_SHIFT = 0.05


class _Circle:
    """Groups of slots, each as wide as a switch with its nodes."""

    def __init__(self, groups: int, slots: int, on_slot: int, least: float):
        self.columns = ceil(sqrt(on_slot)) if on_slot > 3 else on_slot
        self.rows = ceil(on_slot / self.columns)
        self.groups, self.slots = groups, slots
        width = max(1.0, _STEP * (self.columns + 0.5 * (self.rows > 1)) + 0.25)
        gap = 0.7 if groups > 1 else 0.3
        self.radius = max(least, groups * (slots * width + gap) / 2 / pi)
        self.slot = 2 * pi / (groups * (slots + gap / width))  # an angle
        self.outer = self.radius + _STEM + (self.rows - 1) * _STEP

    def angle(self, group: int, slot: float) -> float:
        """Angle of the middle of a slot."""
        return 2 * pi * group / self.groups + (slot - (self.slots - 1) / 2) * self.slot

    def nodes(self, group: int, slot: float, count: int) -> list[Point]:
        """Places of nodes in rows outside their switch.

        Every other row is shifted, so that lines to the rows behind pass between.
        """
        out = []
        for i in range(count):
            row, column = divmod(i, self.columns)
            across = (
                column - (self.columns - 1) / 2 + (0.25 if row % 2 else -0.25) * (self.rows > 1)
            )
            radius = self.radius + _STEM + row * _STEP
            out.append(polar(radius, self.angle(group, slot) + across * _STEP / self.radius))
        return out

    def outline(self, group: int, inner: float) -> Line:
        """Outline of a group."""
        return sector(
            inner - 0.4,
            self.outer + 0.35,
            self.angle(group, -0.5),
            self.angle(group, self.slots - 0.5),
        )

    def names(self) -> list[tuple[Point, str]]:
        """Names of the groups and their places outside the circle."""
        return [
            (polar(self.outer + 0.8, self.angle(g, (self.slots - 1) / 2)), f"group {g}")
            for g in range(self.groups)
        ]


def _global(a: Point, b: Point, shift: float) -> Line:
    """Curve through the inside of the circle; the longer, the nearer to the centre."""
    x, y = between(a, b)
    return curve(a, b, (0.35 * x, 0.35 * y), shift)


class _Dragonfly:
    """Routers of a dragonfly and the lines of its links."""

    def __init__(self, circle: _Circle, nodes: int, shift: float):
        self.circle, self.nodes, self.shift = circle, nodes, shift

    def place(self, router: int) -> tuple[int, int]:
        """Group of a router, and its number in the group."""
        return divmod(router - self.nodes, self.circle.slots)

    def local(self, a: int, b: int) -> bool:
        """Whether two routers of one group are linked."""
        return min(a, b) >= self.nodes and self.place(a)[0] == self.place(b)[0]

    def line(self, a: int, b: int, at: list[Point]) -> Line:
        """Straight line to a node, curve to another group, arc inside a group."""
        if min(a, b) < self.nodes:
            return straight(at[a], at[b], self.shift)
        if not self.local(a, b):
            return _global(at[a], at[b], self.shift)
        circle, (group, i), (_, j) = self.circle, self.place(a), self.place(b)
        depth = circle.radius * (1 - abs(i - j) * circle.slot / 4) - 0.55 * abs(i - j)
        pull = polar(max(0.0, depth), circle.angle(group, (i + j) / 2))
        return curve(at[a], at[b], pull, self.shift)


def dragonfly(links: list[tuple[int, int]], extents: list[int], apart: bool) -> Layout:
    """Layout with the routers of a group beside each other and arcs between them."""
    groups, routers, on_router = extents
    circle = _Circle(groups, routers, on_router, 2.2)
    slots = [(g, r) for g in range(groups) for r in range(routers)]
    at = [p for g, r in slots for p in circle.nodes(g, r, on_router)]
    drawn = _Dragonfly(circle, len(at), _SHIFT if apart else 0.0)
    at += [polar(circle.radius, circle.angle(g, r)) for g, r in slots]
    lines = [drawn.line(a, b, at) for a, b in links]
    local = [line for (a, b), line in zip(links, lines, strict=True) if drawn.local(a, b)]
    deepest = min((hypot(x, y) for line in local for x, y in line), default=circle.radius)
    note = "dots are nodes, squares routers: s0, s1, ..."
    return _layout(circle, at, lines, deepest + 0.2, note)


def _layout(circle: _Circle, at: list[Point], lines: list[Line], inner: float, note: str) -> Layout:
    """Layout of lines; several groups have outlines from the radius `inner` on, and names."""
    groups = range(circle.groups if circle.groups > 1 else 0)
    return Layout(
        at,
        [[line] for line in lines],
        _STEP,
        1.4 * _SHIFT,
        [circle.outline(g, inner) for g in groups],
        names=circle.names() if groups else [],
        note=note,
    )


def dragonfly_plus(links: list[tuple[int, int]], extents: list[int], apart: bool) -> Layout:
    """Layout with spines inside, leaves further out."""
    groups, leaves, spines, on_leaf = extents
    circle = _Circle(groups, max(leaves, ceil(spines * 0.75)), on_leaf, 4.0)
    inner = circle.radius - max(1.8, 0.3 * circle.radius * circle.slot * leaves)
    inner = max(inner, 0.45 * circle.radius)
    shift = _SHIFT if apart else 0.0
    placed = [i * (circle.slots / leaves) + (circle.slots / leaves - 1) / 2 for i in range(leaves)]
    nodes = [p for g in range(groups) for slot in placed for p in circle.nodes(g, slot, on_leaf)]
    at = list(nodes)
    for g in range(groups):
        at += [polar(circle.radius, circle.angle(g, slot)) for slot in placed]
        at += [
            polar(inner, circle.angle(g, (i + 0.5) * circle.slots / spines - 0.5))
            for i in range(spines)
        ]

    def line(a: int, b: int) -> Line:
        joins_groups = min(a, b) >= len(nodes) and (a - len(nodes)) // (leaves + spines) != (
            b - len(nodes)
        ) // (leaves + spines)
        return _global(at[a], at[b], shift) if joins_groups else straight(at[a], at[b], shift)

    note = "dots are nodes, squares switches (s0, s1, ...): leaves outside, spines inside"
    return _layout(circle, at, [line(a, b) for a, b in links], inner, note)
