"""Picture of a machine's description: a tile for every group, with its nodes."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from . import style
from .frame import Frame
from .labels import plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..machines import Machine

#: More tiles are not readable in a picture.
MOST_GROUPS = 400
#: Size of a tile in inches, and of the space around it.
_WIDE, _HIGH, _SPACE = 1.5, 0.62, 0.08
#: Characters of a line of a tile.
_LETTERS = 22


def tiles(machine: Machine, groups: Sequence[dict[str, Any]], note: str = "") -> Figure:
    """A tile for each row of machines.summary.groups; its bar is its share of the largest group.

    UsageError when there are more than MOST_GROUPS.
    """
    if len(groups) > MOST_GROUPS:
        raise UsageError(
            f"{machine.name} has {len(groups):,} groups, more than the {MOST_GROUPS} that are drawn"
        )
    across = ceil(sqrt(len(groups) * _HIGH / _WIDE) * 1.6)
    down = ceil(len(groups) / across)
    width, height = across * _WIDE, down * _HIGH
    title = f"{machine.name}: {len(machine.hosts):,} nodes in {len(groups):,} groups"
    frame = Frame(width + 2 * _SPACE, height, title, note, None)
    axes = frame.axes(_SPACE, 0, width, height)
    axes.set(xlim=(-0.02, width), ylim=(height, -0.02))
    axes.axis("off")
    most = max(row["nodes"] for row in groups)
    for i, row in enumerate(groups):
        y, x = divmod(i, across)
        _tile(axes, x * _WIDE, y * _HIGH, row, most)
    return frame.figure


def _tile(axes: Any, x: float, y: float, row: dict[str, Any], most: int) -> None:
    """A group: its name, how many nodes, and which."""
    from matplotlib.patches import Rectangle

    wide, high = _WIDE - _SPACE, _HIGH - _SPACE
    axes.add_patch(Rectangle((x, y), wide, high, facecolor=style.GROUP, edgecolor=style.RIM))
    axes.add_patch(
        Rectangle((x, y + high - 0.06), wide * row["nodes"] / most, 0.06, color=style.RIM)
    )
    heading = f"{_short(row['name'])}: {row['nodes']:,}"
    axes.text(x + 0.05, y + 0.17, plain(heading), fontsize=style.FONT_TICK)
    axes.text(
        x + 0.05, y + 0.36, plain(_short(row["value"])), fontsize=style.FONT_POINT, color=style.NAME
    )


def _short(text: str) -> str:
    return text if len(text) <= _LETTERS else text[: _LETTERS - 3] + "..."
