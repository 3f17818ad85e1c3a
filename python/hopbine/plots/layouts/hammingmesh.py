"""HammingMesh: boards are boxes.

A switch is a square at the rim, with a rail along the row or column of nodes that it joins.
"""

from .geometry import Line, Point, rectangle, straight
from .layout import Layout

#: Between boards, from nodes to the rail, along it, and from a board's nodes to its outline.
_GAP, _RAIL, _ALONG, _MARGIN = 0.75, 0.45, 0.26, 0.3
#: From the last nodes of a line to its switch.
_RIM = 1.1
_SHIFT = 0.05


def hammingmesh(
    links: list[tuple[int, int]], board: list[int], boards: list[int], apart: bool
) -> Layout:
    """Layout of boards with board[0] rows and board[1] columns."""
    mesh = _Mesh(board, boards)
    shift = _SHIFT if apart else 0.0
    return Layout(
        mesh.at,
        [[straight(mesh.end(a, b), mesh.end(b, a), shift)] for a, b in links],
        0.8,
        0.075,
        mesh.outlines(),
        mesh.rails,
        note="boxes are boards; a square and the grey rail from it are a switch: s0, s1, ...",
    )


class _Mesh:
    """Places of nodes in rows and columns, and of the switches at their ends."""

    def __init__(self, board: list[int], boards: list[int]):
        self.board, self.boards = board, boards
        rows, self.columns = (board[i] * boards[i] for i in (0, 1))
        self.xs = xs = [c + _GAP * (c // board[1]) for c in range(self.columns)]
        self.ys = ys = [-(r + _GAP * (r // board[0])) for r in range(rows)]
        self.at: list[Point] = [(x, y) for y in ys for x in xs]
        self.nodes = len(self.at)
        self.rails: list[Line] = []
        # The switches of the columns come first in the numbering. A line of one node has none.
        if rows > 1:
            bottom, top = ys[-1] - _RIM, ys[0] + _RAIL
            self.rails += [[(x + _RAIL, bottom), (x + _RAIL, top)] for x in xs]
        self.first_of_rows = self.nodes + len(self.rails)
        if self.columns > 1:
            right, left = xs[-1] + _RIM, xs[0] - _RAIL
            self.rails += [[(right, y + _RAIL), (left, y + _RAIL)] for y in ys]
        self.at += [rail[0] for rail in self.rails]

    def end(self, here: int, there: int) -> Point:
        """Start of the link from `here` to `there`; for a switch, a point on its rail."""
        return self.at[here] if here < self.nodes else self._on_rail(there, here)

    def _on_rail(self, node: int, switch: int) -> Point:
        """Point where the cable of a node meets the rail.

        It is on the outer side of the board, so that the cable crosses no trace.
        """
        x, y = self.at[node]
        r, c = divmod(node, self.columns)
        if switch >= self.first_of_rows:
            return x + _outwards(c, self.board[1]), y + _RAIL
        return x + _RAIL, y - _outwards(r, self.board[0])

    def outlines(self) -> list[Line]:
        """Outlines of the boards."""
        (high, wide), xs, ys = self.board, self.xs, self.ys
        return [
            rectangle(
                (xs[j * wide] - _MARGIN, ys[(i + 1) * high - 1] - _MARGIN),
                (xs[(j + 1) * wide - 1] + _MARGIN, ys[i * high] + _MARGIN),
            )
            for i in range(self.boards[0])
            for j in range(self.boards[1])
        ]


def _outwards(place: int, extent: int) -> float:
    """Offset along a rail: forward for the last node of a board, back for the others."""
    return _ALONG if place % extent == extent - 1 else -_ALONG
