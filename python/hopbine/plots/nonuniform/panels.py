"""Times and ticks of the panels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...notation.units import show_size
from .. import style
from ..curves import Band

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def largest(row: dict[str, Any]) -> str:
    """Largest block of a uniform distribution: '16 B' of dist:uniform:16."""
    return show_size(int(float(row["distribution"].split(":")[2])))


def milliseconds(rows: Sequence[dict[str, Any]], key: str = "seconds") -> list[float]:
    """Times of the rows."""
    return [1e3 * r[key] for r in rows]


def quartiles(rows: Sequence[dict[str, Any]], look: dict[str, Any] = style.BAND) -> Band | None:
    """Quartiles in milliseconds, where they were measured."""
    if not rows or "low" not in rows[0]:
        return None
    return Band(milliseconds(rows, "low"), milliseconds(rows, "high"), look)


def time_axis(axes: Axes) -> None:
    """A logarithmic axis of milliseconds with a number at 1, 2 and 5 of each decade."""
    from matplotlib.ticker import LogLocator, NullFormatter

    axes.set(yscale="log", ylabel="time (ms)")
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_formatter(NullFormatter())


def ticks(axes: Axes, at: Sequence[float], labels: list[str]) -> None:
    """Labels the ticks: below the axes slanted where they are long, beside them in small type."""
    slant = 45 if max(map(len, labels)) > 4 else 0
    axes.set_xticks(at, labels, fontsize=style.FONT_TICK, rotation=slant)
    axes.minorticks_off()
    axes.tick_params(axis="y", labelsize=style.FONT_TICK)
