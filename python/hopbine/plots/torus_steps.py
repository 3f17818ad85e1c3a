"""A schedule on a torus: a grid of ranks for each step, its messages by port."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import dist, isclose, prod
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
#: Between two planes, and sideways from a rank towards another plane.
_BETWEEN, _OUT = 1.0, 0.34


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


def undrawable(shape: Sequence[int], steps: int) -> str:
    """Why a torus is not drawn as a grid for each step; empty where it is."""
    dimensions = sum(n > 1 for n in shape)
    if dimensions > 3:
        return f"it has {dimensions} dimensions, a grid at most 3"
    if prod(shape) > MOST_RANKS:
        return f"it has {prod(shape)} ranks, a grid at most {MOST_RANKS}"
    return f"there are {steps} steps, grids for at most {MOST_STEPS}" if steps > MOST_STEPS else ""


def torus_steps(
    schedules: Sequence[tuple[str, Sequence[Message]]], shape: Sequence[int], title: str
) -> Figure:
    """Draws a grid for each step of each schedule; of several, names are in the panels' titles.

    `shape`: one that is not undrawable(). The last dimension runs from left to right, the one
    before it downwards; of three dimensions the planes of the first are side by side.
    """
    torus = _Torus(*(1, 1, 1, *(n for n in shape if n > 1))[-3:])
    across = min(torus.most_across, max(len(_steps(found)) for _, found in schedules))
    panels: list[tuple[str, Sequence[Message], int | None]] = []
    for name, found in schedules:
        steps = _steps(found)
        panels += [(name, found, step) for step in steps]
        panels += [(name, found, None)] * (-len(steps) % across)  # the next begins a row
    figure, flat = style.panels(len(panels), across, *torus.inches)
    channels = sorted({m.channel for _, found in schedules for m in found})
    for axes, (name, found, step) in zip(flat, panels, strict=True):
        if step is None:
            axes.set_axis_off()
            continue
        _grid(axes, [m for m in found if m.step == step], torus, channels)
        of = f"{name}, " if len(schedules) > 1 else ""
        style.title(axes, plain(f"{of}step {step}"), style.FONT_PANEL)
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


def _steps(found: Sequence[Message]) -> list[int]:
    """The steps that have messages."""
    return sorted({m.step for m in found})


@dataclass(frozen=True)
class _Torus:
    """Planes side by side, each a grid."""

    planes: int
    height: int
    width: int

    @property
    def inches(self) -> tuple[float, float]:
        """Size of a panel."""
        columns = self.planes * (self.width + _BETWEEN) - _BETWEEN
        return max(2.2, 0.42 * columns + 0.6), max(1.6, 0.42 * self.height + 0.6)

    @property
    def most_across(self) -> int:
        """Panels side by side."""
        return 4 if self.planes == 1 else max(1, int(10 / self.inches[0]))

    def plane(self, rank: int) -> tuple[int, int]:
        """The plane of a rank, and its place in it."""
        return divmod(rank, self.height * self.width)

    def at(self, rank: int) -> Point:
        """Where a rank is drawn."""
        plane, place = self.plane(rank)
        row, column = divmod(place, self.width)
        return plane * (self.width + _BETWEEN) + column, row

    def lines(self, m: Message) -> list[tuple[Point, Point]]:
        """The lines of a message; to another plane a short one, that way or back."""
        (plane, src), (other, dst) = self.plane(m.src), self.plane(m.dst)
        if plane != other:
            x, y = self.at(m.src)
            way = _OUT if _shorter(other - plane, self.planes) > 0 else -_OUT
            return [((x, y), (x + way, y - way))]
        left = plane * (self.width + _BETWEEN)
        return [
            ((x0 + left, y0), (x1 + left, y1))
            for (x0, y0), (x1, y1) in lines(src, dst, self.width, self.height)
        ]


def _grid(axes: Axes, found: list[Message], torus: _Torus, channels: list[int]) -> None:
    """The ranks, and the messages of one step; those to another plane with the receiver's rank."""
    ranks = torus.planes * torus.height * torus.width
    right = torus.at(ranks - 1)[0]
    axes.set(xlim=(-0.8, right + 0.8), ylim=(torus.height - 0.2, -0.8), aspect="equal")
    axes.set_axis_off()
    for rank in range(ranks):
        column, row = torus.at(rank)
        axes.plot(column, row, "o", color=style.NODE, markeredgecolor=style.RIM, markersize=11)
        axes.text(
            column, row, str(rank), ha="center", va="center", fontsize=style.FONT_POINT, zorder=5
        )
    receivers = {}
    for m in found:
        at = channels.index(m.channel)
        parts = torus.lines(m)
        _message(axes, parts, at, _ASIDE * (at - (len(channels) - 1) / 2))
        if torus.plane(m.src)[0] != torus.plane(m.dst)[0]:
            receivers[m.src, m.dst] = parts[0]
    for (_, rank), ((x0, y0), (x, y)) in receivers.items():
        axes.text(
            x + 0.25 * (x - x0),
            y + 0.25 * (y - y0),
            str(rank),
            ha="center",
            va="center",
            fontsize=style.FONT_POINT,
            color=style.NOTE,
        )


def _message(axes: Axes, parts: list[tuple[Point, Point]], at: int, aside: float) -> None:
    """The lines of a message in the colour of its port, the last one with an arrowhead."""
    for begin, end in parts:
        dx, dy = abs(end[0] - begin[0]), abs(end[1] - begin[1])
        x, y = (0.0, aside) if dx >= dy else (aside, 0.0)
        if isclose(dx, dy):
            x, y = aside / 3, aside / 3
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
                "shrinkB": 5 if (begin, end) == parts[-1] and dist(begin, end) >= _HALF else 0,
            },
        )
