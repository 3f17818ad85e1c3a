"""hopbine simulate --topology: its pictures."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..output.progress import stopped
from ..output.tables import Reporter

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..simulation.setup import Setup
    from ..simulation.sweep import Curve


@dataclass(frozen=True)
class Simulated:
    """What is drawn: vectors of some sizes on a network."""

    setup: Setup
    curves: Sequence[Curve]
    sizes: Sequence[int]
    rows: list[dict[str, Any]]
    focus: str  #: the curve that others are compared with
    aside: list[str]  #: curves that are not


def pictures(report: Reporter, args: argparse.Namespace, of: Simulated) -> None:
    """--plot, --gains, --heat-map, --timeline."""
    wanted = {
        "figure": args.figure,
        "gains": args.gains,
        "heat map": args.heat_map,
        "timeline": args.timeline,
    }
    if not any(wanted.values()) or stopped:
        return
    if args.deficiencies and (args.figure or args.gains):
        raise UsageError("--plot and --gains show times; --deficiencies has none")
    from ..plots import simulation as plots
    from ..plots.files import save
    from ..plots.simulation_steps import link_heat_map
    from ..simulation.sweep import gains

    setup, first = of.setup, of.curves[0].variants[0]
    if args.figure:
        save(
            plots.goodput(
                of.rows,
                of.focus,
                setup.peak(args.collective),
                f"{args.collective} on {setup.topology}",
                of.aside,
            ),
            args.figure,
        )
    if args.gains:
        gained = gains(of.rows, of.focus, of.aside)
        save(plots.gain_curves({setup.topology: gained}, of.focus), args.gains)
    if args.heat_map:
        save(link_heat_map(setup, args.collective, first, args.step, root=args.root), args.heat_map)
    if args.timeline:
        save(_timeline(args, setup, first, of.sizes[0]), args.timeline)
    for what, path in wanted.items():
        if path:
            report.remark(f"{what}: {path}")


def _timeline(args: argparse.Namespace, setup: Setup, algorithm: str, size: int) -> Figure:
    """--timeline: the messages of --rank."""
    from ..notation.units import show_size
    from ..plots.simulation_steps import timeline

    ranks = len(setup.nodes)
    if not 0 <= args.rank < ranks:
        raise UsageError(f"--rank {args.rank} is not one of the {ranks} ranks")
    told = setup.followed(
        setup.simulation(args.collective, algorithm, args.root, size), size, args.rank
    )
    title = (
        f"rank {args.rank} of {args.collective} {algorithm}, {show_size(size)} on {setup.topology}"
    )
    return timeline(told["events"], args.rank, title)
