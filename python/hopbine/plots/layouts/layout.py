"""A layout of a network."""

from __future__ import annotations

from dataclasses import dataclass, field

from .geometry import Line, Point


@dataclass
class Layout:
    """Places of vertices and links; one unit is arbitrary."""

    at: list[Point]  #: of every vertex
    lines: list[
        list[Line]
    ]  #: of every link, in its direction: one line, or two stubs where the middle is left out
    spacing: float  #: between vertices that are next to each other
    width: float  #: of the widest line that keeps clear of those beside it
    boxes: list[Line] = field(default_factory=list)  #: outlines of boards and groups
    rails: list[Line] = field(default_factory=list)  #: switches that are as long as what they join
    names: list[tuple[Point, str]] = field(default_factory=list)
    note: str = ""  #: what one has to know to read the picture

    def corners(self) -> tuple[Point, Point]:
        """Lower left and upper right corner of everything drawn."""
        points = [
            *self.at,
            *(p for lines in self.lines for line in lines for p in line),
            *(p for line in self.boxes + self.rails for p in line),
            *(p for p, _ in self.names),
        ]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        return (min(xs), min(ys)), (max(xs), max(ys))
