"""Style of all pictures and of the report: colours, fonts, lines, empty figures.

matplotlib is imported inside functions, so that a report without pictures does not need it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Colours.

INK, PAPER, NONE = "black", "white", "none"
#: Greys, from dark to pale.
GREY_90, GREY_80, GREY_70, GREY_60, GREY_50 = "#111827", "#1f2937", "#374151", "#4b5563", "#6b7280"
GREY_40, GREY_20, GREY_15, GREY_10, GREY_5 = "#9ca3af", "#d1d5db", "#d5d9df", "#e5e7eb", "#f3f4f6"
#: Series: colours that colour-blind readers can distinguish (Okabe and Ito).
SERIES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
#: Series that are no algorithms, beside boxes that might be: greys, which no algorithm has.
NEUTRAL = (GREY_70, GREY_40, GREY_20)
BOX_ALPHA = 0.7
#: Families of algorithms, the same in every picture; shades of their members: colours.py.
FAMILIES = {
    "Swing": SERIES[0],
    "binomial": SERIES[1],
    "torus doubling": "#8C5A2B",
    "mirrored": "#332288",
    "bucket": SERIES[3],
    "ring": SERIES[4],
    "Bine": SERIES[2],
    "Bruck": SERIES[5],
    "neighbour exchange": "#6A51A3",
    "sparbit": "#F0E442",
    "pairwise": "#B3446C",
    "linear": "#999999",
    "Trinaryx": "#E31A1C",
    "k-nomial": "#17BECF",
    "recursive multiplying": "#3B6E22",
    "k-ring": "#1F3B73",
    "torus Bine": "#117A65",
    "torus": "#A0522D",
    "scatter": "#5DADE2",
    "hierarchical": "#7D6608",
    "trees": "#C2185B",
    "circulant": "#546E7A",
}
#: Families as the figures of the Swing paper name them.
SHORT = {"RecDoub": "torus doubling", "Mirrored": "mirrored", "Bucket": "bucket", "Ring": "ring"}
#: Parts of a stacked bar.
STACK = (*SERIES[:2], *SERIES[3:], SERIES[2], "#999999", "#000000")
#: Colour maps: sizes of a series, amounts (dark is much), gains.
SIZES, AMOUNTS, GAINS = "viridis", "viridis_r", "Reds"
#: Notes, faint lines, outlines of cells, reference lines, boxes of a summary.
NOTE, FAINT, CELL, REFERENCE, SUMMARY = GREY_60, GREY_40, "#666666", "grey", "#D6E6F2"
#: Highlighted links and vertices.
MARK = SERIES[1]

#: A schedule: messages that copy and that reduce, the data of a rank, the number of a step.
COPY, REDUCE, DATA, STEP = GREY_80, "#7c2d12", "#93c5fd", "#b91c1c"
#: Backgrounds of groups of ranks in turn; of the last of an odd number; and a message from one to
#: another.
GROUP_BANDS, LAST_BAND, CROSSING = (GREY_10, PAPER), GREY_20, SERIES[1]
#: Colours and dashes of highlighted trees, in the order of the ranks given.
TREES = (("#d97706", "-"), (STEP, ":"), ("#1d4ed8", "--"), ("#047857", "-."))

#: A network: nodes, their rims, switches, links without load, cables, rails, names.
NODE, RIM, SWITCH, IDLE, CABLE, RAIL, NAME = (
    GREY_10,
    GREY_60,
    GREY_90,
    GREY_20,
    GREY_50,
    GREY_15,
    GREY_70,
)
#: Inside of the outline of a group or board.
GROUP = GREY_5

#: A timeline. Sends are filled, receives hatched, so that they differ without colours.
SEND: dict[str, Any] = {"facecolor": SERIES[0], "edgecolor": INK}
RECEIVE: dict[str, Any] = {"facecolor": PAPER, "edgecolor": SERIES[1], "hatch": "/////"}

#: Placeholders of report/page.css.
PAGE = {
    "ink": GREY_80,
    "back": "#fff",
    "head": "#eef2f7",
    "dark_ink": GREY_10,
    "dark_back": GREY_90,
    "dark_head": GREY_80,
    "quiet": GREY_60,
    "dark_quiet": GREY_40,
    "line": "#8884",
}

# Sizes of fonts, in points.

FONT_FIGURE = 11  #: title above several panels
FONT_TITLE = 10
FONT_PANEL = 9
FONT_TEXT = 8  #: axes and legends
FONT_NOTE = 7.5
FONT_TICK = 7
FONT_VALUE = 6.5  #: a number written into the drawing
FONT_MESSAGE = 6.2  #: of a timeline
FONT_POINT = 6  #: beside a point of a curve

# Lines.

MARKERS = "osD^vPX*"
DASHES = ("-", "--", ":")
#: Hatches of bars and boxes that have the colour of one before.
HATCHES = (None, "///", "...", "xxx", "\\\\\\")
CURVE: dict[str, Any] = {"markersize": 4, "linewidth": 1.3}
#: Band between quartiles.
BAND: dict[str, Any] = {"alpha": 0.2, "linewidth": 0}
#: Band between quartiles where many curves overlap.
PALE_BAND = BAND | {"alpha": 0.15}
RULE: dict[str, Any] = {"color": INK, "linewidth": 0.8}

FAINT_RULE: dict[str, Any] = {"color": FAINT, "linewidth": 0.8}

#: How identifiers of parts with a tooltip begin.
TIP = "tip: "

#: Dots per inch of a picture made of pixels.
DPI = 150


def series(i: int) -> dict[str, Any]:
    """Colour and marker of series `i`; they repeat where there are many."""
    return {"color": SERIES[i % len(SERIES)], "marker": MARKERS[i % len(MARKERS)]}


def family(name: str) -> str:
    """Colour of a family of algorithms, one and the same everywhere; grey for others."""
    return FAMILIES.get(name, GREY_20)


def group_band(group: int, groups: int) -> str:
    """Background of a group by its number; its neighbours' differ, also those round the ring."""
    if groups > 1 and groups % 2 and group == groups - 1:
        return LAST_BAND
    return GROUP_BANDS[group % len(GROUP_BANDS)]


def fill(colour: str, before: int) -> dict[str, Any]:
    """Style of a bar or box; hatched where `before` earlier series have its colour."""
    hatch = HATCHES[before % len(HATCHES)]
    return {"facecolor": colour} | ({"hatch": hatch, "edgecolor": PAPER} if hatch else {})


def neutral(i: int) -> dict[str, Any]:
    """Style of the boxes of series `i` that is no algorithm."""
    return fill(NEUTRAL[i % len(NEUTRAL)], i // len(NEUTRAL))


def fill_boxes(axes: Axes, drawn: Sequence[Artist], name: str, how: Mapping[str, Any]) -> None:
    """Fills the boxes of a series as `how` (of fill or neutral), and adds it to the legend."""
    for box in drawn:
        box.set(**how, alpha=BOX_ALPHA)
    axes.fill_between([], [], label=name, **how, alpha=BOX_ALPHA)


def figure(width: float, height: float) -> Figure:
    """Figure of `width` x `height` inches whose axes do not overlap."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def panels(count: int, across: int, width: float, height: float) -> tuple[Figure, list[Axes]]:
    """Figure with `count` axes of `width` x `height` inches, `across` of them side by side."""
    down = -(-count // across)
    made = figure(width * across, height * down + 0.5)
    flat = list(made.subplots(down, across, squeeze=False).flat)
    for axes in flat[count:]:
        axes.set_axis_off()
    return made, flat[:count]


def title(axes: Axes, text: str, size: float = FONT_TITLE) -> None:
    """Writes a title above the axes."""
    axes.set_title(text, fontsize=size)


def grid(axes: Axes, axis: Literal["x", "y", "both"] = "both") -> None:
    """Draws pale lines at the ticks."""
    axes.grid(axis=axis, alpha=0.25)


def open_frame(axes: Axes) -> None:
    """Removes the lines above the axes and on their right."""
    axes.spines[["top", "right"]].set_visible(False)


def tip(part: Artist, text: str) -> None:
    """Names a part of a drawing: on the page of a report it has this tooltip."""
    part.set_gid(TIP + text)


def as_text(salt: str = "hopbine") -> AbstractContextManager[None]:
    """Context in which the same figure gives the same SVG, with text as text."""
    import matplotlib

    return matplotlib.rc_context({"svg.hashsalt": salt, "svg.fonttype": "none"})
