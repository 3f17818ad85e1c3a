"""Parts of the time, as stacked bars (Fig. 10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: size -> bar -> part -> seconds.
Sizes = dict[str, dict[str, dict[str, float]]]


def _bars(axes: Axes, x: int, bars: dict[str, dict[str, float]], parts: list[str]) -> float:
    """Draws the bars of one size as shares of the longest. Returns its seconds."""
    whole = max(sum(bar.values()) for bar in bars.values())
    width = 0.7 / len(bars)
    for i, (name, bar) in enumerate(bars.items()):
        at, foot = x + 0.8 * ((i + 0.5) / len(bars) - 0.5), 0.0
        for k, part in enumerate(parts):
            axes.bar(at, bar.get(part, 0) / whole, width, foot, color=style.STACK[k])
            foot += bar.get(part, 0) / whole
        axes.annotate(
            name[0],
            (at, foot),
            xytext=(0, 1),
            textcoords="offset points",
            ha="center",
            fontsize=style.FONT_POINT,
        )
    return whole


def stacks(panels: dict[str, Sizes], across: int = 3) -> Figure:
    """Draws the parts of the time (Fig. 10).

    panels[title][size][bar] are at most eight parts in seconds; the first character of its name is
    above each bar.
    """
    figure, flat = style.panels(len(panels), across, 4.0, 3.0)
    all_bars = [bar for of in panels.values() for bars in of.values() for bar in bars.values()]
    parts = list(dict.fromkeys(part for bar in all_bars for part in bar))
    for axes, (title, of) in zip(flat, panels.items(), strict=True):
        whole = [_bars(axes, x, bars, parts) for x, bars in enumerate(of.values())]
        labels = [f"{size}\n{1e3 * each:.3g} ms" for size, each in zip(of, whole, strict=True)]
        style.title(axes, title, style.FONT_PANEL)
        axes.set(ylabel="share of the slower", ylim=(0, 1.12))
        axes.set_xticks(range(len(of)), labels, fontsize=style.FONT_TICK)
        axes.tick_params(axis="y", labelsize=style.FONT_TICK)
    handles: list[Any] = [flat[0].bar(0, 0, color=c) for c in style.STACK[: len(parts)]]
    figure.legend(handles, parts, loc="outside lower center", ncols=4, fontsize=style.FONT_TICK)
    return figure
