"""HammingMesh: boards are boxes.

A switch is a square at the rim, with a rail along the row or column of nodes that it joins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .geometry import rectangle, straight
from .layout import Layout

if TYPE_CHECKING:
    from .geometry import Point


#: Between boards, from nodes to the rail, along it, and from a board's nodes to its outline.
_GAP, _RAIL, _ALONG, _MARGIN = 0.75, 0.45, 0.26, 0.3
_SHIFT = 0.05


def hammingmesh(
    links: list[tuple[int, int]], board: list[int], boards: list[int], apart: bool
) -> Layout:
    """Boards of board[0] rows and board[1] columns."""
    rows, columns = (board[i] * boards[i] for i in (0, 1))
    xs = [c + _GAP * (c // board[1]) for c in range(columns)]
    ys = [-(r + _GAP * (r // board[0])) for r in range(rows)]
    at = [(x, y) for y in ys for x in xs]
    shift = _SHIFT if apart else 0.0
    nodes = len(at)
    rails = []
    # The switches of the columns come first in the numbering. A line of one node has none.
    if rows > 1:
        at += [(x + _RAIL, ys[-1] - 1.1) for x in xs]
        rails += [[(x + _RAIL, ys[-1] - 1.1), (x + _RAIL, ys[0] + _RAIL)] for x in xs]
    if columns > 1:
        at += [(xs[-1] + 1.1, y + _RAIL) for y in ys]
        rails += [[(xs[-1] + 1.1, y + _RAIL), (xs[0] - _RAIL, y + _RAIL)] for y in ys]
    first_of_rows = nodes + (columns if rows > 1 else 0)

    def on_rail(node: int, switch: int) -> Point:
        """Where the cable of a node meets the rail.

        Outwards of the board, so that it crosses no trace.
        """
        x, y = at[node]
        r, c = divmod(node, columns)
        if switch >= first_of_rows:
            return x + (_ALONG if c % board[1] == board[1] - 1 else -_ALONG), y + _RAIL
        return x + _RAIL, y - (_ALONG if r % board[0] == board[0] - 1 else -_ALONG)

    lines = []
    for a, b in links:
        begin = on_rail(b, a) if a >= nodes else at[a]
        end = on_rail(a, b) if b >= nodes else at[b]
        lines.append([straight(begin, end, shift)])
    boxes = [
        rectangle(
            (xs[j * board[1]] - _MARGIN, ys[(i + 1) * board[0] - 1] - _MARGIN),
            (xs[(j + 1) * board[1] - 1] + _MARGIN, ys[i * board[0]] + _MARGIN),
        )
        for i in range(boards[0])
        for j in range(boards[1])
    ]
    return Layout(
        at,
        lines,
        0.8,
        0.075,
        boxes,
        rails,
        note="boxes are boards; a square and the grey rail from it are a switch: s0, s1, ...",
    )
