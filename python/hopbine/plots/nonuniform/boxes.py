"""Times of many parameters as boxes (Fig. 7, 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import style
from ..colours import looks
from .panels import milliseconds, ticks, time_axis

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: size -> rows.
Sizes = dict[str, list[dict[str, Any]]]

_BOX: dict[str, Any] = {
    "patch_artist": True,
    "showfliers": False,
    "whis": (0, 100),
    "medianprops": {"color": style.INK},
}


def _series(
    axes: Axes,
    name: str,
    of: Sizes,
    at: list[float],
    width: float,
    look: tuple[str, int],
) -> None:
    """Draws the boxes of one series."""
    drawn = axes.boxplot(
        [milliseconds(rows) for rows in of.values()], positions=at, widths=width, **_BOX
    )
    style.fill_boxes(axes, drawn["boxes"], name, style.fill(*look))


def _best(axes: Axes, at: list[float], of: Sizes, best: str, upright: bool) -> None:
    """Writes the value `best` of the fastest row below each box, on the lower edge of the axes."""
    for x, rows in zip(at, of.values(), strict=True):
        fastest = min(rows, key=lambda r: r["seconds"])
        axes.annotate(
            str(fastest[best]),
            (x, 0),
            xycoords=("data", "axes fraction"),
            xytext=(0, 3),
            textcoords="offset points",
            ha="center",
            va="bottom",
            rotation=90 if upright else 0,
            fontsize=style.FONT_POINT,
            color=style.NOTE,
        )


def _make_room(axes: Axes, share: float) -> None:
    """Leaves a share of the (logarithmic) axis free below what is drawn."""
    low, high = axes.get_ylim()
    axes.set_ylim(low / (high / low) ** (share / (1 - share)), high)


def _lines(
    axes: Axes, lines: dict[str, dict[str, float]], sizes: list[str], of: list[tuple[str, int]]
) -> None:
    """Draws the times to compare with, in these colours: label -> size -> seconds."""
    for k, ((label, seconds), look) in enumerate(zip(lines.items(), of, strict=True)):
        axes.plot(
            [sizes.index(s) for s in seconds],
            [1e3 * t for t in seconds.values()],
            color=look[0],
            linestyle=style.DASHES[k % len(style.DASHES)],
            marker=style.MARKERS[k],
            markersize=4,
            linewidth=1,
            label=label,
        )


def boxes(
    panels: dict[str, dict[str, Sizes]],
    lines: dict[str, dict[str, dict[str, float]]],
    best: str,
    across: int = 2,
) -> Figure:
    """Boxes over all rows of a series and size, a panel for each title (Fig. 7, 9).

    panels[title][series][size]: rows, with the value `best` of the fastest written below;
    lines[title][label][size]: seconds.
    """
    figure, flat = style.panels(len(panels), across, 5.6, 3.2)
    for axes, (title, series) in zip(flat, panels.items(), strict=True):
        sizes = list(dict.fromkeys(size for of in series.values() for size in of))
        others = lines.get(title, {})
        shown = looks([*series, *others])
        for i, ((name, of), look) in enumerate(zip(series.items(), shown, strict=False)):
            shift = 0.8 * ((i + 0.5) / len(series) - 0.5)
            at = [sizes.index(size) + shift for size in of]
            _series(axes, name, of, at, 0.7 / len(series), look)
            _best(axes, at, of, best, len(series) > 1)
        _lines(axes, others, sizes, shown[len(series) :])
        style.title(axes, title, style.FONT_PANEL)
        time_axis(axes)
        axes.set_xlim(-0.6, len(sizes) - 0.4)
        ticks(axes, range(len(sizes)), sizes)
        axes.margins(y=0.05)
        _make_room(axes, 0.15 if len(series) > 1 else 0.08)
        style.grid(axes, "y")
    flat[0].legend(fontsize=style.FONT_TICK)
    return figure
