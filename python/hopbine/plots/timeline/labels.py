"""Labels of the bars of a timeline: step and peer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .. import style
from .bars import Bar

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Points: width of a character, what an arrow takes more, height of a line.
_CHARACTER, _ARROW, _LINE = 4.0, 1.5, 7.0


def label(axes: Axes, bars: list[Bar], points: float, high: float) -> None:
    """Writes step and peer of each message, or the step alone.

    The text is inside the bar, else in the gap behind it, else over some of the bars. `points` are
    those of a unit of time, `high` those of a bar.
    """
    if high < _LINE:
        return
    taken: dict[int, float] = {}  # row -> where its last label ends
    for bar, following in zip(bars, _following(bars), strict=True):
        step = str(bar.event["step"])
        texts = _texts(bar)
        inside = _first_fitting(texts, bar.width * points, high)
        gap = (following - bar.end) * points
        behind = "" if inside else _first_fitting((*texts, step), gap, high)
        text = inside or behind or step
        half = _width(text) / 2 / points
        at = bar.end + half if behind else bar.x + bar.width / 2
        narrow = bar.width * points < _width(step)
        crowded = at - 3 * half < taken.get(bar.y, float("-inf"))
        if narrow and crowded and not (inside or behind):
            continue
        taken[bar.y] = at + half
        filled = bar.event["sent"] and not narrow
        _write(axes, at, bar.y, text, on_paper=bool(behind), on_bar=filled)


def _following(bars: list[Bar]) -> list[float]:
    """Start of the next bar in the same lane, for each bar."""
    begins: dict[int, float] = {}
    out = []
    for bar in reversed(bars):
        out.append(begins.get(bar.y, float("inf")))
        begins[bar.y] = bar.x
    return out[::-1]


def _texts(bar: Bar) -> tuple[str, str]:
    """Step and peer in one line and in two: '3→13'."""
    step, peer = bar.event["step"], f"{'→' if bar.event['sent'] else '←'}{bar.event['peer']}"
    return f"{step}{peer}", f"{step}\n{peer}"


def _write(axes: Axes, x: float, y: int, text: str, on_paper: bool, on_bar: bool) -> None:
    """Writes white on a filled bar; elsewhere black, with a white patch over hatched bars."""
    patch = {"facecolor": style.PAPER, "edgecolor": style.NONE, "pad": 0.6}
    axes.text(
        x,
        y + 0.5,
        text,
        fontsize=style.FONT_MESSAGE,
        ha="center",
        va="center" if "\n" in text else "center_baseline",
        linespacing=0.95,
        zorder=3,
        color=style.PAPER if on_bar and not on_paper else style.INK,
        bbox=None if on_bar or on_paper else patch,
    )


def _width(text: str) -> float:
    """Width of a text in points."""
    arrows = "→←"
    lines = text.split("\n")
    return 2 + max(_CHARACTER * len(line) + _ARROW * sum(map(line.count, arrows)) for line in lines)


def _first_fitting(texts: Sequence[str], wide: float, high: float) -> str:
    """First text that fits, or an empty one."""
    return next((t for t in texts if _width(t) <= wide and (t.count("\n") + 1) * _LINE <= high), "")
