"""Draws a Picture with matplotlib.

Ranks left to right, a dashed row per moment, messages as arrows between rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .picture import Arrow, Picture, reached_from

if TYPE_CHECKING:
    from matplotlib.axes import Axes


#: Colours and dashes of the trees that are picked out, in the order they are asked for.
TREES = (("#d97706", "-"), ("#b91c1c", ":"), ("#1d4ed8", "--"), ("#047857", "-."))
COPY, REDUCE, FAINT, BOX = "#1f2937", "#7c2d12", "#9ca3af", "#93c5fd"
#: Height of a step and half the side of a box, in the width of a column.
ROW, HALF = 1.15, 0.17


def _lines(
    shown: Picture, arrow: Arrow, column: dict[int, int]
) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """The arrow as one line, or as two where the way round is shorter.

    Those leave on one side and come back on the other.
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
    shown: Picture,
    arrow: Arrow,
    column: dict[int, int],
    colour: str,
    style: str,
    width: float,
) -> None:
    lines = _lines(shown, arrow, column)
    for i, (begin, end) in enumerate(lines):
        axes.annotate(
            "",
            xy=end,
            xytext=begin,
            zorder=3,
            arrowprops={
                "arrowstyle": "-|>" if i == len(lines) - 1 else "-",
                "color": colour,
                "linestyle": style,
                "linewidth": width,
                "shrinkA": 0,
                "shrinkB": 0,
                "mutation_scale": 9,
            },
        )


def _draw_box(axes: Axes, x: float, y: float, share: float) -> None:
    """A box filled from below by the share of the data that is there."""
    from matplotlib.patches import Rectangle

    axes.add_patch(
        Rectangle(
            (x - HALF, y - HALF), 2 * HALF, 2 * HALF, facecolor="white", edgecolor="none", zorder=4
        )
    )
    axes.add_patch(
        Rectangle(
            (x - HALF, y - HALF),
            2 * HALF,
            2 * HALF * share,
            facecolor=BOX,
            edgecolor="none",
            zorder=5,
        )
    )
    axes.add_patch(
        Rectangle(
            (x - HALF, y - HALF),
            2 * HALF,
            2 * HALF,
            facecolor="none",
            edgecolor=COPY,
            linewidth=0.9,
            zorder=6,
        )
    )


def _draw_steps_in_tree(axes: Axes, shown: Picture, column: dict[int, int]) -> None:
    """Beside the box of each rank the step in which the tree reaches it.

    Going up: in which it leaves.
    """
    up = shown.collective in ("reduce", "gather")
    for a in shown.arrows:
        rank, row = (a.src, a.step) if up else (a.dst, a.step + 1)
        axes.text(
            column[rank] + HALF + 0.05,
            -row * ROW,
            str(a.step),
            fontsize=7,
            color="#b91c1c",
            va="center",
            zorder=7,
        )


def draw(shown: Picture, path: str, labels: dict[int, str] | None, highlight: list[int]) -> None:
    """Writes the picture to `path`; the ending of the name chooses the format.

    `labels` stand under the ranks; `highlight` are ranks whose trees inside a butterfly are picked
    out.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    column = {rank: i for i, rank in enumerate(shown.order)}
    bottom = -shown.steps * ROW
    figure = Figure(figsize=(max(3.5, 0.62 * shown.p + 1.1), 0.75 * (shown.steps + 1) + 1.2))
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.01, 0.01, 0.98, 0.98))
    for rank, x in column.items():
        axes.plot([x, x], [0, bottom], color=FAINT, linewidth=0.8, zorder=1)
        weight = "bold" if shown.rooted and rank == shown.root else "normal"
        axes.text(x, 0.42, str(rank), ha="center", va="center", fontsize=10, weight=weight)
        if labels:
            axes.text(
                x,
                bottom - 0.45,
                labels[rank],
                ha="center",
                va="center",
                fontsize=8,
                family="monospace",
            )
    for row in range(shown.steps + 1):
        axes.plot(
            [-0.5, shown.p - 0.5],
            [-row * ROW] * 2,
            color=FAINT,
            linewidth=0.8,
            linestyle="--",
            zorder=1,
        )
        if row < shown.steps:
            axes.text(-0.65, -(row + 0.5) * ROW, f"step {row}", ha="right", va="center", fontsize=8)
        for rank, x in column.items():
            if shown.held[row][rank]:
                _draw_box(axes, x, -row * ROW, shown.held[row][rank])
    for a in shown.arrows:
        colour = FAINT if highlight else REDUCE if a.reduces else COPY
        _draw_arrow(axes, shown, a, column, colour, "-", 0.9 if highlight else 1.2)
    for rank, (colour, style) in zip(highlight, TREES, strict=False):
        for a in reached_from(shown, rank):
            _draw_arrow(axes, shown, a, column, colour, style, 1.8)
    if shown.tree:
        _draw_steps_in_tree(axes, shown, column)
    role = f", root {shown.root}" if shown.rooted else ""
    picked = f"; trees of {', '.join(map(str, highlight))}" if highlight else ""
    axes.text(
        -1.6,
        0.95,
        f"{shown.collective} {shown.algorithm}, p = {shown.p}{role}{picked}",
        fontsize=9,
        va="center",
    )
    axes.set_xlim(-1.7, shown.p - 0.2)
    axes.set_ylim(bottom - (0.75 if labels else 0.45), 1.2)
    axes.set_aspect("equal")
    axes.axis("off")
    figure.savefig(path, dpi=160, bbox_inches="tight", pad_inches=0.05)
