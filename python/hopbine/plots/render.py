"""Drawing of a schedule: ranks left to right, steps downwards, messages as arrows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any

from . import style
from .picture import Arrow, Picture, ranks_from_left, reached_from

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


#: Height of a step and half the side of a box, in the width of a column.
ROW, HALF = 1.15, 0.17


@dataclass
class Panel:
    """A schedule to draw."""

    shown: Picture
    labels: dict[int, str] | None = None  #: below the ranks
    #: Ranks whose trees inside a butterfly are coloured.
    highlight: list[int] = field(default_factory=list)

    @property
    def width(self) -> float:
        """In columns of ranks."""
        return self.shown.p + 1.5

    @property
    def height(self) -> float:
        """In the width of a column."""
        return self.shown.steps * ROW + (0.75 if self.labels else 0.45) + 1.2


def draw(panels: list[Panel]) -> Figure:
    """Pictures of schedules of as many ranks, below each other."""
    from matplotlib.figure import Figure

    height = sum(panel.height for panel in panels)
    title = max(len(_title(panel.shown, panel.highlight)) for panel in panels)
    least = max(3.5, 0.08 * title)  # inches, for its text
    column = max(0.62, least / panels[0].width)
    figure = Figure(figsize=(column * panels[0].width, column * height))
    order = ranks_from_left([panel.shown for panel in panels])
    top = height
    for panel in panels:
        top -= panel.height
        _draw_panel(figure.add_axes((0, top / height, 1, panel.height / height)), panel, order)
    return figure


def _draw_panel(axes: Axes, panel: Panel, order: Sequence[int]) -> None:
    shown, labels, highlight = panel.shown, panel.labels, panel.highlight
    column = {rank: i for i, rank in enumerate(order)}
    _draw_groups(axes, shown, order)
    _draw_ranks(axes, shown, column, labels)
    _draw_moments(axes, shown, column)
    _draw_messages(axes, shown, column, highlight)
    if shown.tree:
        _draw_steps_in_tree(axes, shown, column)
    axes.text(-1.6, 0.95, _title(shown, highlight), fontsize=style.FONT_PANEL, va="center")
    axes.set_xlim(-1.7, panel.width - 1.7)
    axes.set_ylim(1.2 - panel.height, 1.2)
    axes.set_aspect("equal")
    axes.axis("off")


def _title(shown: Picture, highlight: list[int]) -> str:
    role = f", root {shown.root}" if shown.rooted else ""
    picked = f"; trees of {', '.join(map(str, highlight))}" if highlight else ""
    return f"{shown.collective} {shown.algorithm}, p = {shown.p}{role}{picked}{_crossing(shown)}"


def _crossing(shown: Picture) -> str:
    """How many messages go between groups, and how many blocks in them."""
    if not shown.group:
        return ""
    between = [a for a in shown.arrows if shown.crosses(a)]
    return (
        f"; between groups {len(between)} of {len(shown.arrows)} messages, "
        f"{sum(a.blocks for a in between)} of {sum(a.blocks for a in shown.arrows)} blocks"
    )


def _draw_groups(axes: Axes, shown: Picture, order: Sequence[int]) -> None:
    """Shades the groups by their number, so that one has its shade in every numbering."""
    from matplotlib.patches import Rectangle

    left = -0.5
    ranks = order if shown.group else []
    for group, run in groupby(ranks, key=lambda rank: shown.group[rank]):
        width = len(list(run))
        colour = style.group_band(group, max(shown.group) + 1)
        corner, height = (left, -shown.steps * ROW - 0.3), shown.steps * ROW + 1
        axes.add_patch(
            Rectangle(corner, width, height, facecolor=colour, edgecolor=style.NONE, zorder=0)
        )
        left += width


def _draw_ranks(
    axes: Axes, shown: Picture, column: dict[int, int], labels: dict[int, str] | None
) -> None:
    """Draws a line down for each rank, its number above, its label below."""
    bottom = -shown.steps * ROW
    middle: dict[str, Any] = {"ha": "center", "va": "center"}
    for rank, x in column.items():
        axes.plot([x, x], [0, bottom], zorder=1, **style.FAINT_RULE)
        weight = "bold" if shown.rooted and rank == shown.root else "normal"
        axes.text(x, 0.42, str(rank), fontsize=style.FONT_TITLE, weight=weight, **middle)
        if labels:
            font: dict[str, Any] = {"fontsize": style.FONT_TEXT, "family": "monospace"}
            axes.text(x, bottom - 0.45, labels[rank], **font, **middle)


def _draw_moments(axes: Axes, shown: Picture, column: dict[int, int]) -> None:
    """Draws a dashed row before each step and at the end, a box where a rank has data."""
    for row in range(shown.steps + 1):
        ends = [-0.5, shown.p - 0.5]
        axes.plot(ends, [-row * ROW] * 2, linestyle="--", zorder=1, **style.FAINT_RULE)
        if row < shown.steps:
            middle = -(row + 0.5) * ROW
            name = f"step {row}"
            axes.text(-0.65, middle, name, ha="right", va="center", fontsize=style.FONT_TEXT)
        for rank, x in column.items():
            if shown.share[row][rank]:
                _draw_box(axes, x, -row * ROW, shown.share[row][rank])


def _draw_box(axes: Axes, x: float, y: float, share: float) -> None:
    """Draws a box, filled from below by the share of the data that the rank has."""
    from matplotlib.patches import Rectangle

    corner, side = (x - HALF, y - HALF), 2 * HALF
    bare: dict[str, Any] = {"edgecolor": style.NONE}
    rim: dict[str, Any] = {"facecolor": style.NONE, "edgecolor": style.COPY, "linewidth": 0.9}
    axes.add_patch(Rectangle(corner, side, side, facecolor=style.PAPER, zorder=4, **bare))
    axes.add_patch(Rectangle(corner, side, side * share, facecolor=style.DATA, zorder=5, **bare))
    axes.add_patch(Rectangle(corner, side, side, zorder=6, **rim))


def _draw_messages(
    axes: Axes, shown: Picture, column: dict[int, int], highlight: list[int]
) -> None:
    """Draws all messages, faint behind the trees of `highlight`; bold those between groups."""
    for a in shown.arrows:
        colour = style.FAINT if highlight else style.REDUCE if a.reduces else style.COPY
        width = 0.9 if highlight else 1.2
        if shown.crosses(a):
            colour, width = (colour if highlight else style.CROSSING), 2 * width
        _draw_arrow(axes, _lines(shown, a, column), colour, "-", width)
    for rank, (colour, dashes) in zip(highlight, style.TREES, strict=False):
        for a in reached_from(shown, rank):
            _draw_arrow(axes, _lines(shown, a, column), colour, dashes, 1.8)


def _lines(
    shown: Picture, arrow: Arrow, column: dict[int, int]
) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Ends of an arrow: one line, or two where the way around the ring of ranks is shorter.

    The first of two leaves on one side, the second comes in on the other.
    """
    x0, x1 = column[arrow.src], column[arrow.dst]
    y0, y1 = -arrow.step * ROW - HALF, -(arrow.step + 1) * ROW + HALF
    if shown.tree or 2 * abs(x1 - x0) <= shown.p:
        return [((x0, y0), (x1, y1))]
    unwrapped = x1 + shown.p if x1 < x0 else x1 - shown.p
    edge = shown.p - 0.5 if unwrapped > x0 else -0.5
    middle = y0 + (y1 - y0) * (edge - x0) / (unwrapped - x0)
    return [((x0, y0), (edge, middle)), ((shown.p - 1 - edge, middle), (x1, y1))]


def _draw_arrow(
    axes: Axes,
    lines: list[tuple[tuple[float, float], tuple[float, float]]],
    colour: str,
    dashes: str,
    width: float,
) -> None:
    """Draws the lines of a message, the last one with an arrowhead."""
    for begin, end in lines:
        axes.annotate(
            "",
            xy=end,
            xytext=begin,
            zorder=3,
            arrowprops={
                "arrowstyle": "-|>" if end == lines[-1][1] else "-",
                "color": colour,
                "linestyle": dashes,
                "linewidth": width,
                "shrinkA": 0,
                "shrinkB": 0,
                "mutation_scale": 9,
            },
        )


def _draw_steps_in_tree(axes: Axes, shown: Picture, column: dict[int, int]) -> None:
    """Writes beside each box the step in which the tree reaches the rank.

    For reduce and gather: the step in which the rank sends.
    """
    up = shown.collective in ("reduce", "gather")
    for a in shown.arrows:
        rank, row = (a.src, a.step) if up else (a.dst, a.step + 1)
        axes.text(
            column[rank] + HALF + 0.05,
            -row * ROW,
            str(a.step),
            fontsize=style.FONT_TICK,
            color=style.STEP,
            va="center",
            zorder=7,
        )
