"""Layouts, and the one of each kind of network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .geometry import Line, Point

if TYPE_CHECKING:
    from ... import _core


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


def layout(network: _core.Topology, apart: bool) -> Layout:
    """Layout of a network; `apart`: the two directions of a cable are side by side."""
    from . import fat_tree, groups, hammingmesh, hyperx, torus

    kind, *pieces = network.name.split(":")
    extents = [[int(n) for n in piece.split("x")] for piece in pieces if "=" not in piece]
    kinds: dict[str, Callable[..., Layout]] = {
        "torus": torus.torus,
        "hyperx": hyperx.hyperx,
        "hammingmesh": hammingmesh.hammingmesh,
        "dragonfly": groups.dragonfly,
        "dragonfly_plus": groups.dragonfly_plus,
        "fattree": fat_tree.fat_tree,
    }
    make = kinds.get(kind)
    if make is None:
        raise ValueError(f"there is no picture of a '{kind}' yet")
    return make([(a, b) for a, b, _, _ in network.links()], *extents, apart=apart)
