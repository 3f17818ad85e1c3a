"""Pictures of networks: bare, with the loads of their links, with the route of a message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import UsageError
from .frame import Frame
from .network import Marks, Scale, draw, placed, size
from .shares import label_shares

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .. import _core
    from .layouts import Layout


#: Largest size of a network, inches.
_WIDTH, _HEIGHT = 11.0, 9.0


def _framed(
    network: _core.Topology, shown: Layout, title: str, marks: Marks
) -> tuple[Figure, Axes, float]:
    """Draws a network; returns figure, axes, and inches per unit of the layout."""
    across, down, unit = size(shown, _WIDTH, _HEIGHT)
    frame = Frame(across, down, title, shown.note, marks.scale)
    axes = frame.axes(0, 0, frame.width, down)
    draw(axes, network, shown, unit, marks)
    return frame.figure, axes, unit


def summary(network: _core.Topology) -> str:
    """Title such as 'torus:8x8: 64 nodes, 256 links'."""
    switches = f"{network.switches} switches, " if network.switches else ""
    return f"{network.name}: {network.nodes} nodes, {switches}{len(network.links())} links"


def topology(
    network: _core.Topology,
    loads: Sequence[float] | None = None,
    label: str = "load",
    title: str | None = None,
    marked: int | None = None,
) -> Figure:
    """Draws a network and, with `loads`, the load of every link.

    `loads` is one number per link, explained by `label`; the link `marked` is highlighted. The two
    directions of a cable are side by side, each on its right. UsageError when the network is too
    large for a picture.
    """
    shown = placed(network, apart=loads is not None)
    if loads is None:
        return _framed(network, shown, title or summary(network), Marks())[0]
    if len(loads) != len(network.links()):
        raise UsageError(
            f"{len(loads)} loads are not one for each of the {len(network.links())} links of "
            f"{network.name}"
        )
    marks = Marks(loads, Scale(max(loads, default=0), label), marked)
    return _framed(network, shown, title or summary(network), marks)[0]


def route(network: _core.Topology, source: int, target: int) -> Figure:
    """Draws the minimal routes between two nodes and the share of a message on each link.

    UsageError when the nodes are one node or the network is too large for a picture.
    """
    way = network.route(source, target)
    if source == target:
        raise UsageError(f"a route needs two different nodes, not {source} twice")
    shown = placed(network, apart=True)
    shares = [0.0] * len(network.links())
    for link, share in way["hops"]:
        shares[link] = 100 * share
    title = (
        f"{network.name}, minimal ways from {source} to {target}: {way['cables']:.3g} cables, "
        f"{way['routers']:.3g} routers"
    )
    marks = Marks(shares, Scale(100, "share of a message, %"), ends=(source, target))
    figure, axes, unit = _framed(network, shown, title, marks)
    label_shares(axes, shown, unit, way["hops"])
    return figure
