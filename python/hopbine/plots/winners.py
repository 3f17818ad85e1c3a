"""Which algorithm is the fastest where: tables of letters and ratios, and boxes of ratios."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import style
from .colours import colour
from .labels import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

#: From this lead on a cell has the whole colour.
_FULL = 2.0


@dataclass(frozen=True)
class Best:
    """The fastest of a cell, and how many times as long the next takes."""

    name: str
    text: str  #: letter or ratio, written into the cell
    lead: float
    of: str = ""  #: family or algorithm whose colour it has; empty: the name's


@dataclass(frozen=True)
class Panel:
    """One table: `cells` by row and column; a cell that is missing stays empty."""

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    cells: Mapping[tuple[str, str], Best]


def _looks(panels: Sequence[Panel], names: Mapping[str, str]) -> dict[str, tuple[str, int]]:
    """(colour, how many before have the same) of all that is the fastest somewhere."""
    of = {best.name: best.of for p in panels for best in p.cells.values()}
    present = [name for name in names if name in of] + [name for name in of if name not in names]
    shown = [style.FAMILIES.get(of[n]) or colour(of[n]) or style.family(n) for n in present]
    return {n: (c, shown[:i].count(c)) for i, (n, c) in enumerate(zip(present, shown, strict=True))}


def _table(axes: Axes, panel: Panel, left: bool, looks: Mapping[str, tuple[str, int]]) -> None:
    import numpy as np
    from matplotlib.colors import to_rgba
    from matplotlib.patches import Rectangle

    colours = [[to_rgba(style.PAPER)] * len(panel.columns) for _ in panel.rows]
    for (row, column), best in panel.cells.items():
        x, y = panel.columns.index(column), panel.rows.index(row)
        share = 0.25 + 0.6 * min(1.0, (best.lead - 1) / (_FULL - 1))
        shown, before = looks[best.name]
        colours[y][x] = to_rgba(shown, share)
        if before:
            how: dict[str, Any] = {"hatch": style.HATCHES[before % len(style.HATCHES)]}
            how |= {"edgecolor": style.PAPER, "linewidth": 0, "zorder": 1.5}  # above the colour
            axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, fill=False, **how))
        text = axes.text(x, y, best.text, ha="center", va="center", fontsize=style.FONT_VALUE)
        if before:
            text.set_bbox({"facecolor": style.PAPER, "edgecolor": style.NONE, "pad": 0.6})
    edges = [[i - 0.5 for i in range(n + 1)] for n in (len(panel.columns), len(panel.rows))]
    axes.pcolormesh(*edges, np.array(colours))
    axes.invert_yaxis()
    axes.set_xticks(range(len(panel.columns)), panel.columns, fontsize=style.FONT_TICK)
    axes.set_yticks(
        range(len(panel.rows)),
        panel.rows if left else [""] * len(panel.rows),
        fontsize=style.FONT_TICK,
    )
    axes.tick_params(length=0)
    style.title(axes, plain(panel.title), style.FONT_PANEL)


def _columns(width: float, marks: Sequence[Patch]) -> int:
    """Columns of a legend that are not wider than so many inches."""
    longest = max((len(str(mark.get_label())) for mark in marks), default=0)
    return max(1, min(6, len(marks), int(width / (0.55 + 0.065 * longest))))


def tables(
    panels: Sequence[Panel], names: Mapping[str, str], title: str, across: int = 4
) -> Figure:
    """Draws a table for each panel: colour is the fastest algorithm, full from a lead of 2.

    `names`: letter of each algorithm in the legend.
    """
    from matplotlib.patches import Patch

    wide = 0.9 + 0.36 * max(len(p.columns) for p in panels)
    tall = 0.55 + 0.2 * max(len(p.rows) for p in panels)
    across = min(across, len(panels))
    wide = max(wide, 5.6 / across)
    figure, flat = style.panels(len(panels), across, wide, tall)
    looks = _looks(panels, names)
    for i, (axes, panel) in enumerate(zip(flat, panels, strict=True)):
        _table(axes, panel, i % across == 0, looks)
    marks = [
        Patch(**style.fill(*looks[name]), alpha=0.7, label=f"{letter}: {name}")
        for name, letter in names.items()
        if name in looks
    ]
    figure.legend(
        handles=marks,
        loc="outside lower center",
        ncols=_columns(across * wide, marks),
        fontsize=style.FONT_TEXT,
        frameon=False,
    )
    figure.suptitle(plain(title), fontsize=style.FONT_FIGURE)
    return figure


def boxes(
    groups: Mapping[str, Mapping[str, Sequence[float]]],
    counts: Mapping[str, Mapping[str, str]],
    label: str,
    title: str,
) -> Figure:
    """Draws a box for each series of each group; groups[name][series]: values.

    `counts`: text below each group's name, by series.
    """
    series = list(dict.fromkeys(s for of in groups.values() for s in of))
    figure = style.figure(1.4 + 1.05 * len(groups), 3.8)
    axes = figure.subplots()
    width = 0.8 / max(1, len(series))
    for i, name in enumerate(series):
        at = {
            x + (i - (len(series) - 1) / 2) * width: of[name]
            for x, of in enumerate(groups.values())
            if of.get(name)
        }
        drawn: dict[str, Any] = {"boxes": []}
        if at:
            drawn = axes.boxplot(
                list(at.values()),
                positions=list(at),
                widths=0.8 * width,
                patch_artist=True,
                manage_ticks=False,
                flierprops={"markersize": 3},
                medianprops={"color": style.INK},
            )
        style.fill_boxes(axes, drawn["boxes"], name, style.neutral(i))
    ticks = ["\n".join([name, *(counts[name].get(s, "-") for s in series)]) for name in groups]
    axes.set_xticks(range(len(groups)), ticks, fontsize=style.FONT_TICK)
    axes.set_xlim(-0.6, len(groups) - 0.4)
    axes.axhline(1, **style.RULE)
    axes.set_ylabel(label, fontsize=style.FONT_TEXT)
    axes.tick_params(axis="y", labelsize=style.FONT_TICK)
    style.title(axes, plain(title))
    style.grid(axes, "y")
    axes.legend(fontsize=style.FONT_TICK, frameon=False)
    style.open_frame(axes)
    return figure


def _outliers(axes: Axes, x: float, box: Mapping[str, float]) -> None:
    """Arrows from the whiskers to values that are not drawn, with the farthest."""
    for whisker, farthest, side in (("low", "least", -1), ("high", "most", 1)):
        value = box.get(farthest, box[whisker])
        if side * (value - box[whisker]) > 0:
            parts = (f"{value:.3g}", "↑" if side > 0 else "↓")
            axes.annotate(
                "\n".join(parts[::-side]),
                (x, box[whisker]),
                xytext=(0, 2 * side),
                textcoords="offset points",
                ha="center",
                va="bottom" if side > 0 else "top",
                fontsize=style.FONT_POINT,
                color=style.NOTE,
                linespacing=0.9,
                bbox={"facecolor": style.PAPER, "edgecolor": style.NONE, "pad": 0.2},
            )


def quartiles(
    boxes_of: Mapping[str, Sequence[Mapping[str, float]]],
    xlabel: str,
    ylabel: str,
    title: str,
    bound: float,
) -> Figure:
    """Draws boxes of known quartiles: boxes_of[series] has at, label, low, q1, median, q3, high.

    Where least or most are outside of the whiskers, an arrow says how far outliers go. A line at
    `bound`.
    """
    ticks = {b["at"]: b["label"] for of in boxes_of.values() for b in of}
    places = sorted(ticks)
    figure = style.figure(2 + 0.62 * len(places) * max(1, len(boxes_of) / 2), 3.8)
    axes = figure.subplots()
    width = 0.8 / len(boxes_of)
    for i, (name, of) in enumerate(boxes_of.items()):
        shift = (i - (len(boxes_of) - 1) / 2) * width
        stats = [
            {
                "whislo": b["low"],
                "q1": b["q1"],
                "med": b["median"],
                "q3": b["q3"],
                "whishi": b["high"],
            }
            for b in of
        ]
        drawn = axes.bxp(
            stats,
            positions=[places.index(b["at"]) + shift for b in of],
            widths=0.85 * width,
            patch_artist=True,
            manage_ticks=False,
            showfliers=False,
            medianprops={"color": style.INK},
        )
        style.fill_boxes(axes, drawn["boxes"], name, style.neutral(i))
        for b in of:
            _outliers(axes, places.index(b["at"]) + shift, b)
    axes.axhline(0, **style.FAINT_RULE)
    axes.axhline(bound, linestyle=":", **style.RULE)
    axes.set_xticks(range(len(places)), [str(ticks[p]) for p in places], fontsize=style.FONT_TEXT)
    axes.set(xlabel=xlabel, ylabel=ylabel)
    axes.margins(y=0.1)
    style.title(axes, plain(title))
    axes.legend(fontsize=style.FONT_TEXT, frameon=False)
    style.open_frame(axes)
    return figure
