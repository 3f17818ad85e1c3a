"""A schedule of many ranks as a matrix: senders are rows, receivers columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .. import _core
from . import style
from .labels import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass
class Matrix:
    """Messages of a schedule by sender and receiver; NaN where there are none."""

    title: str
    p: int
    first_step: list[list[float]]
    blocks: list[list[float]]  #: of all steps
    group: Sequence[int] = ()  #: of each rank; empty where groups are not told


def matrix(schedule: _core.Schedule, title: str, p: int, group: Sequence[int] = ()) -> Matrix:
    """Reads a schedule."""
    none = float("nan")
    first, blocks = ([[none] * p for _ in range(p)] for _ in range(2))
    for step in range(schedule.steps):
        for rank in range(p):
            for way, _mode, _channel, peer, runs in schedule.moves(rank, step):
                if way != "send":
                    continue
                sent = sum(high - low for low, high in runs) / schedule.parts
                if first[rank][peer] != first[rank][peer]:
                    first[rank][peer], blocks[rank][peer] = float(step), 0.0
                blocks[rank][peer] += sent
    return Matrix(title, p, first, blocks, group)


def draw_matrices(shown: Sequence[Matrix]) -> Figure:
    """Draws a row for each: on the left the step of the first message, on the right the blocks."""
    figure = style.figure(11.0, 4.8 * len(shown))
    flat = list(figure.subplots(len(shown), 2, squeeze=False).flat)
    for one, steps, blocks in zip(shown, flat[::2], flat[1::2], strict=True):
        _panel(figure, steps, one, one.first_step, "step of the first message")
        _panel(figure, blocks, one, one.blocks, "blocks in all steps")
    return figure


def _panel(figure: Figure, axes: Axes, shown: Matrix, values: list[list[float]], unit: str) -> None:
    # Pixels of several cells would mix: one of them is shown, never a mean.
    most = max((x for row in values for x in row if x == x), default=0)
    image = axes.imshow(
        values, cmap=style.AMOUNTS, vmin=0, vmax=max(1, most), interpolation="nearest"
    )
    figure.colorbar(image, ax=axes, label=unit, shrink=0.85)
    for rank in range(1, shown.p):
        if shown.group and shown.group[rank] != shown.group[rank - 1]:
            axes.axvline(rank - 0.5, **style.FAINT_RULE)
            axes.axhline(rank - 0.5, **style.FAINT_RULE)
    axes.set(xlabel="receiver", ylabel="sender")
    axes.tick_params(labelsize=style.FONT_TICK)
    style.title(axes, plain(f"{shown.title}: {unit}"))
