"""A schedule on a torus: a grid of ranks for each step, its messages by port."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import dist, prod
from typing import TYPE_CHECKING

from .. import _core
from . import style
from .labels import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: More grids, or more ranks in a grid, are not readable.
MOST_STEPS, MOST_RANKS = 24, 256
#: From a rank to the rim.
_HALF = 0.5
#: Sideways, between the messages of two ports along the same line.
_ASIDE = 0.09


@dataclass(frozen=True)
class Message:
    """From a rank to another in a step, on a channel: a port of the torus."""

    step: int
    channel: int
    src: int
    dst: int


def messages(schedule: _core.Schedule, p: int) -> list[Message]:
    """Reads a schedule."""
    return [
        Message(step, channel, rank, peer)
        for step in range(schedule.steps)
        for rank in range(p)
        for way, _mode, channel, peer, _runs in schedule.moves(rank, step)
        if way == "send"
    ]


Point = tuple[float, float]


def lines(src: int, dst: int, width: int, height: int) -> list[tuple[Point, Point]]:
    """Lines of a message along the shorter way: one, or two where that goes round a rim."""
    (r0, c0), (r1, c1) = divmod(src, width), divmod(dst, width)
    dx, dy = _shorter(c1 - c0, width), _shorter(r1 - r0, height)
    if (c0 + dx, r0 + dy) == (c1, r1):
        return [((c0, r0), (c1, r1))]
    if dx and dy:  # across: no line along which it goes
        x, y = (_HALF * d / max(abs(dx), abs(dy)) for d in (dx, dy))
        return [((c0, r0), (c0 + x, r0 + y)), ((c1 - x, r1 - y), (c1, r1))]
    near, far = -_HALF, (width if dx else height) - _HALF
    out, back = (far, near) if dx + dy > 0 else (near, far)
    if dx:
        return [((c0, r0), (out, r0)), ((back, r1), (c1, r1))]
    return [((c0, r0), (c0, out)), ((c1, back), (c1, r1))]


def _shorter(ahead: int, extent: int) -> int:
    ahead %= extent
    return ahead - extent if 2 * ahead > extent else ahead


def drawable(shape: Sequence[int], steps: int) -> bool:
    """Whether a torus is a line or a grid, and small enough for a picture of each step."""
    large = [n for n in shape if n > 1]
    return 0 < len(large) <= 2 and prod(large) <= MOST_RANKS and steps <= MOST_STEPS


def torus_steps(found: Sequence[Message], shape: Sequence[int], title: str) -> Figure:
    """Draws a grid for each step; the last dimension of `shape` runs from left to right.

    `shape`: one that is drawable().
    """
    height, width = (1, *(n for n in shape if n > 1))[-2:]
    steps = sorted({m.step for m in found})
    across = min(4, len(steps))
    figure, flat = style.panels(
        len(steps), across, max(2.2, 0.42 * width + 0.6), max(1.6, 0.42 * height + 0.6)
    )
    channels = sorted({m.channel for m in found})
    for axes, step in zip(flat, steps, strict=True):
        _grid(axes, [m for m in found if m.step == step], height, width, channels)
        style.title(axes, f"step {step}", style.FONT_PANEL)
    figure.suptitle(plain(title), fontsize=style.FONT_FIGURE)
    handles = [
        flat[0].plot([], [], color=style.series(i)["color"], label=f"port {c}")[0]
        for i, c in enumerate(channels)
    ]
    if len(channels) > 1:
        figure.legend(
            handles=handles,
            loc="outside lower center",
            ncols=min(8, len(channels)),
            fontsize=style.FONT_TEXT,
            frameon=False,
        )
    return figure


def _grid(axes: Axes, found: list[Message], height: int, width: int, channels: list[int]) -> None:
    """The ranks, and the messages of one step."""
    axes.set(xlim=(-0.8, width - 0.2), ylim=(height - 0.2, -0.8), aspect="equal")
    axes.set_axis_off()
    for rank in range(height * width):
        row, column = divmod(rank, width)
        axes.plot(column, row, "o", color=style.NODE, markeredgecolor=style.RIM, markersize=11)
        axes.text(
            column, row, str(rank), ha="center", va="center", fontsize=style.FONT_POINT, zorder=5
        )
    for m in found:
        at = channels.index(m.channel)
        aside = _ASIDE * (at - (len(channels) - 1) / 2)
        parts = lines(m.src, m.dst, width, height)
        for begin, end in parts:
            level = abs(end[0] - begin[0]) >= abs(end[1] - begin[1])
            x, y = (0.0, aside) if level else (aside, 0.0)
            # Longer ones are bent, so that they do not pass over the ranks between.
            bend = 0.25 if dist(begin, end) > 1 else 0.0
            axes.annotate(
                "",
                xy=(end[0] + x, end[1] + y),
                xytext=(begin[0] + x, begin[1] + y),
                arrowprops={
                    "arrowstyle": "-|>" if (begin, end) == parts[-1] else "-",
                    "connectionstyle": f"arc3,rad={bend}",
                    "color": style.series(at)["color"],
                    "linewidth": 1,
                    "mutation_scale": 7,
                    "shrinkA": 5 if (begin, end) == parts[0] else 0,
                    "shrinkB": 5 if (begin, end) == parts[-1] else 0,
                },
            )
