"""Drawing of a schedule: ranks left to right, steps downwards, messages as arrows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import style
from .picture import Arrow, Picture, reached_from

if TYPE_CHECKING:
    from matplotlib.axes import Axes


#: Height of a step and half the side of a box, in the width of a column.
ROW, HALF = 1.15, 0.17


def draw(shown: Picture, path: str, labels: dict[int, str] | None, highlight: list[int]) -> None:
    """Writes the picture to `path`; the suffix chooses the format.

    `labels` are written under the ranks; `highlight` are ranks whose trees inside a butterfly are
    coloured.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    column = {rank: i for i, rank in enumerate(shown.order)}
    figure = Figure(figsize=(max(3.5, 0.62 * shown.p + 1.1), 0.75 * (shown.steps + 1) + 1.2))
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.01, 0.01, 0.98, 0.98))
    _draw_ranks(axes, shown, column, labels)
    _draw_moments(axes, shown, column)
    _draw_messages(axes, shown, column, highlight)
    if shown.tree:
        _draw_steps_in_tree(axes, shown, column)
    axes.text(-1.6, 0.95, _title(shown, highlight), fontsize=style.FONT_PANEL, va="center")
    axes.set_xlim(-1.7, shown.p - 0.2)
    axes.set_ylim(-shown.steps * ROW - (0.75 if labels else 0.45), 1.2)
    axes.set_aspect("equal")
    axes.axis("off")
    figure.savefig(path, dpi=style.SCHEDULE_DPI, bbox_inches="tight", pad_inches=0.05)


def _title(shown: Picture, highlight: list[int]) -> str:
    role = f", root {shown.root}" if shown.rooted else ""
    picked = f"; trees of {', '.join(map(str, highlight))}" if highlight else ""
    return f"{shown.collective} {shown.algorithm}, p = {shown.p}{role}{picked}"


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
    """Draws all messages, faint behind the trees of `highlight`."""
    for a in shown.arrows:
        colour = style.FAINT if highlight else style.REDUCE if a.reduces else style.COPY
        _draw_arrow(axes, _lines(shown, a, column), colour, "-", 0.9 if highlight else 1.2)
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
