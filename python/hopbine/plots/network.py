"""Networks on axes: vertices, and links coloured by load."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .. import _core
from ..errors import UsageError
from . import style
from .layouts import Layout, layout

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Colormap


#: Larger networks are not readable in a picture.
MOST_VERTICES, MOST_LINKS = 1200, 20_000


@dataclass
class Scale:
    """Scale of the colours and widths of links: 0..most of `label`."""

    most: float
    label: str

    def colours(self) -> Colormap:
        """Colour map without the palest colours, which are too faint on white; dark is much."""
        from matplotlib import colormaps
        from matplotlib.colors import LinearSegmentedColormap

        return LinearSegmentedColormap.from_list(
            "loads", [colormaps[style.AMOUNTS](0.08 + 0.92 * i / 63) for i in range(64)]
        )

    def mappable(self) -> ScalarMappable:
        """Mapping of loads to colours, for the colour bar."""
        from matplotlib.cm import ScalarMappable
        from matplotlib.colors import Normalize

        return ScalarMappable(Normalize(0, self.most or 1), self.colours())


def check_nodes(text: str) -> None:
    """UsageError for a topology whose nodes alone are too many, before its links are made."""
    nodes = _core.topology_nodes(text)
    if nodes > MOST_VERTICES:
        raise UsageError(
            f"{text} has {nodes} nodes, too many for a picture (at most {MOST_VERTICES} nodes and "
            "switches)"
        )


def placed(network: _core.Topology, apart: bool) -> Layout:
    """Layout of a network that is small enough for a picture. UsageError."""
    vertices = network.nodes + network.switches
    if vertices > MOST_VERTICES:
        raise UsageError(
            f"{network.name} has {vertices} nodes and switches, too many for a picture (at most "
            f"{MOST_VERTICES})"
        )
    links = len(network.links())
    if links > MOST_LINKS:
        raise UsageError(
            f"{network.name} has {links} links, too many for a picture (at most {MOST_LINKS})"
        )
    return layout(network, apart)


def margin(shown: Layout) -> float:
    """Inches around a layout, more where it has names."""
    return 0.5 if shown.names else 0.2


def size(shown: Layout, width: float, height: float) -> tuple[float, float, float]:
    """Width and height in inches, and inches per unit of the layout, so that it fits."""
    (x0, y0), (x1, y1) = shown.corners()
    around = 2 * margin(shown)
    unit = min(
        (width - around) / max(x1 - x0, 1e-9),
        (height - around) / max(y1 - y0, 1e-9),
        0.62 / shown.spacing,
    )
    return (x1 - x0) * unit + around, (y1 - y0) * unit + around, unit


@dataclass(frozen=True)
class Marks:
    """What a picture shows of a network beside its cables."""

    loads: Sequence[float] | None = None  #: of every link, on the scale
    scale: Scale | None = None
    marked: int | None = None  #: a link that is highlighted with its ends
    ends: tuple[int, ...] = ()  #: vertices that are highlighted


def draw(
    axes: Axes, network: _core.Topology, shown: Layout, unit: float, marks: Marks = Marks()
) -> None:
    """Draws a network; `unit`: inches per unit of the layout.

    Without loads each cable is one line, its width by its capacity.
    """
    from matplotlib.patches import Polygon

    points = 72 * unit * shown.spacing
    around = margin(shown) / unit
    (x0, y0), (x1, y1) = shown.corners()
    axes.set(xlim=(x0 - around, x1 + around), ylim=(y0 - around, y1 + around), aspect="equal")
    axes.axis("off")
    for outline in shown.boxes:
        axes.add_patch(
            Polygon(
                outline,
                closed=True,
                facecolor=style.GROUP,
                edgecolor=style.FAINT,
                linewidth=0.6,
                zorder=0,
            )
        )
    for (ax, ay), (bx, by) in shown.rails:
        axes.plot(
            [ax, bx],
            [ay, by],
            color=style.RAIL,
            linewidth=min(3.0, 0.1 * points),
            solid_capstyle="round",
            zorder=0.5,
        )
    ends = marks.ends
    if marks.marked is not None:
        ends = (*ends, *network.links()[marks.marked][:2])
    if marks.loads is None or marks.scale is None:
        _cables(axes, network, shown, points)
    else:
        _loaded(axes, shown, points, marks.loads, marks.scale, marks.marked)
    _vertices(axes, network, shown, points, ends)
    for (x, y), text in shown.names:
        axes.text(
            x,
            y,
            text,
            fontsize=min(style.FONT_PANEL, max(style.FONT_POINT, 0.3 * points)),
            ha="center" if "group" in text else "right",
            va="center",
            color=style.NAME,
        )


def _cables(axes: Axes, network: _core.Topology, shown: Layout, points: float) -> None:
    from matplotlib.collections import LineCollection

    ends = network.links()
    lines, widths = [], []
    thin = min(
        1.0, max(0.25, 6 * len(shown.at) / max(1, len(ends)))
    )  # the more there are, the thinner
    for (a, b, capacity, _), pieces in zip(ends, shown.lines, strict=True):
        if a < b:
            lines += pieces
            widths += [min(0.08 * points, thin) * min(4.0, max(0.5, capacity**0.5))] * len(pieces)
    axes.add_collection(LineCollection(lines, colors=style.CABLE, linewidths=widths, zorder=1))


def _loaded(
    axes: Axes,
    shown: Layout,
    points: float,
    loads: Sequence[float],
    scale: Scale,
    marked: int | None,
) -> None:
    """Draws links by load: the most loaded on top, the marked one above all."""
    import numpy
    from matplotlib.collections import LineCollection

    width = min(4.0, max(0.7, shown.width / shown.spacing * points))
    idle = [
        line
        for load, pieces in zip(loads, shown.lines, strict=True)
        if load == 0
        for line in pieces
    ]
    axes.add_collection(
        LineCollection(idle, colors=style.IDLE, linewidths=min(0.8, 0.3 * width), zorder=1)
    )
    busy = sorted((load, link) for link, load in enumerate(loads) if load > 0)
    lines = [line for _, link in busy for line in shown.lines[link]]
    values = [load for load, link in busy for _ in shown.lines[link]]
    widths = [width * (0.35 + 0.65 * load / scale.most) for load in values]
    drawn = LineCollection(
        lines,
        linewidths=widths,
        colors=scale.mappable().to_rgba(numpy.array(values)),
        capstyle="round",
        zorder=2,
    )
    axes.add_collection(drawn)
    if marked is not None:
        lines, wide = shown.lines[marked], width * (0.35 + 0.65 * loads[marked] / scale.most)
        axes.add_collection(
            LineCollection(
                lines, colors=style.MARK, linewidths=wide + 2.0, capstyle="round", zorder=2.5
            )
        )
        axes.add_collection(
            LineCollection(
                lines,
                colors=scale.mappable().to_rgba(numpy.array([loads[marked]])),
                linewidths=wide,
                capstyle="round",
                zorder=2.6,
            )
        )


def _vertices(
    axes: Axes, network: _core.Topology, shown: Layout, points: float, ends: tuple[int, ...]
) -> None:
    """Draws nodes as dots and switches as squares, with their numbers where there is room.

    Vertices in `ends` have a rim.
    """
    diameter = min(17.0, 0.5 * points)
    nodes, switches = shown.at[: network.nodes], shown.at[network.nodes :]
    axes.scatter(
        [x for x, _ in nodes],
        [y for _, y in nodes],
        s=diameter**2,
        c=style.NODE,
        edgecolors=style.RIM,
        linewidths=min(0.7, diameter / 8),
        zorder=4,
    )
    if switches:
        axes.scatter(
            [x for x, _ in switches],
            [y for _, y in switches],
            s=(0.85 * diameter) ** 2,
            c=style.SWITCH,
            marker="s",
            linewidths=0,
            zorder=4,
        )
    for v in ends:
        axes.scatter(
            *shown.at[v],
            s=(1.15 * diameter + 3) ** 2,
            c=style.MARK,
            marker="o" if v < network.nodes else "s",
            linewidths=0,
            zorder=3.5,
        )
    for places, colour, room in ((nodes, style.INK, 0.55), (switches, style.PAPER, 0.75)):
        font = min(style.FONT_TEXT, diameter / (0.55 * len(str(len(places) - 1)) + room))
        for i, (x, y) in enumerate(places if font >= 3.5 else ()):
            axes.text(
                x,
                y,
                str(i),
                fontsize=font,
                color=colour,
                ha="center",
                va="center_baseline",
                zorder=5,
            )
