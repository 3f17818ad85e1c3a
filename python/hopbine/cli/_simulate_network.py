"""hopbine simulate --topology: a network, link by link."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..notation.text import short
from ..output.progress import stopped
from ..output.tables import Column, Reporter, Row, plain

if TYPE_CHECKING:
    from .._core import Simulation
    from ..core.records import Deficiencies
    from ..simulation.setup import Setup
    from ..simulation.sweep import Curve


def run(args: argparse.Namespace, sizes: str) -> int:
    """Prints the table; writes what was asked for."""
    from .. import _core
    from ..bench.sizes import DISTRIBUTION, parse_sizes
    from ..simulation.sweep import Vectors, check_size, sweep
    from ._analysis import PICTURES, element, writable
    from ._output import reporter, write_csv
    from ._simulate_pictures import Simulated, pictures
    from ._simulate_setup import setup_of

    writable(args.figure, args.gains, args.heat_map, args.timeline, endings=PICTURES)
    writable(None if args.csv == "-" else args.csv)
    _core.rooted(args.collective)  # UsageError with the names that exist
    if DISTRIBUTION in sizes:
        return run_blocks(args, sizes)
    setup, vectors, each = setup_of(args), parse_sizes(sizes), element(args)
    check_size(setup, args.collective)
    curves = curves_of(args, setup)
    focus, aside = compared(args, [c.label for c in curves])
    with reporter(args, args.csv) as report:
        if args.deficiencies:
            rows = deficiencies(setup, args.collective, curves, args.root)
            show_deficiencies(report, rows)
        else:
            of = Vectors(args.root, each, args.pad)
            rows = sweep(setup, args.collective, curves, vectors, of, watched=True)
            gained = _gains(rows, focus, aside)
            report.caption(describe(args.collective, setup))
            for line in besides(setup, rows):
                report.caption(line)
            show(report, rows, gained, focus, each)
            report.table(plain(rows[0]), rows)
        write_csv(args.csv, plain(rows[0]), rows)
        pictures(report, args, Simulated(setup, curves, vectors, rows, focus, aside))
    return 0


def run_blocks(args: argparse.Namespace, sizes: str) -> int:
    """As run, for an alltoallv whose blocks are drawn."""
    from ..bench.sizes import parse_blocks
    from ..simulation.sweep import check_size, sweep_blocks
    from ._analysis import element
    from ._output import reporter, write_csv
    from ._simulate_setup import setup_of

    if args.collective != "alltoallv":
        raise UsageError(f"--sizes '{short(sizes)}': blocks of alltoallv are drawn, none of others")
    for name in ("figure", "gains", "heat_map", "timeline", "deficiencies"):
        if getattr(args, name):
            raise UsageError(f"--{name.replace('_', '-')} shows vectors, not blocks that are drawn")
    setup, each = setup_of(args), element(args)
    check_size(setup, args.collective, drawn=True)
    curves = curves_of(args, setup)
    focus, aside = compared(args, [c.label for c in curves])
    with reporter(args, args.csv) as report:
        rows = sweep_blocks(setup, curves, parse_blocks(sizes, each), each, watched=True)
        report.caption(describe(args.collective, setup))
        for line in besides(setup, rows):
            report.caption(line)
        for text in dict.fromkeys(row["distribution"] for row in rows):
            report.caption(f"blocks of {text}; the size is that of a rank's mean vector")
            some = [row for row in rows if row["distribution"] == text]
            show(report, some, _gains(some, focus, aside), focus, each)
        report.table(plain(rows[0]), rows)
        write_csv(args.csv, plain(rows[0]), rows)
    return 0


def curves_of(args: argparse.Namespace, setup: Setup) -> list[Curve]:
    """--algorithms, or all that fit. UsageError when there are none."""
    from ..simulation.sweep import curve, default_curves
    from ._analysis import names

    asked = names(args.algorithms)
    curves = (
        default_curves(setup, args.collective) if asked is None else [curve(text) for text in asked]
    )
    if not curves:
        raise UsageError(
            f"no algorithm of {args.collective} serves {len(setup.nodes)} ranks on {setup.topology}"
        )
    return curves


def compared(args: argparse.Namespace, labels: list[str]) -> tuple[str, list[str]]:
    """--focus and --aside. UsageError for what is no curve."""
    from ._analysis import names

    focus = args.focus or labels[0]
    if focus not in labels:
        raise UsageError(f"--focus '{focus}' is not one of {', '.join(labels)}")
    aside = names(args.aside) or []
    others = [label for label in labels if label != focus]
    for label in aside:
        if label not in others:
            raise UsageError(f"--aside '{label}' is not one of {', '.join(others)}")
    return focus, aside


def _gains(rows: list[dict[str, Any]], focus: str, aside: list[str]) -> list[dict[str, Any]]:
    """Gains of the focus over others; none where it is the only one, or was not reached."""
    from ..simulation.sweep import gains

    labels = {row["algorithm"] for row in rows}
    return gains(rows, focus, aside) if focus in labels and len(labels) > 1 else []


def deficiencies(
    setup: Setup, collective: str, curves: Sequence[Curve], root: int
) -> list[dict[str, Any]]:
    """A row per algorithm: Swing's Table 2, counted on this network."""
    from ..output.progress import watched

    def count(variant: str) -> tuple[str, Simulation, Deficiencies]:
        s = setup.simulation(collective, variant, root)
        return variant, s, s.deficiencies()

    out = []
    variants = dict.fromkeys(v for c in curves for v in c.variants)
    counted = map(count, variants)
    for variant, s, d in watched(counted, len(variants), "algorithms", lambda o: o[0], keep=True):
        out.append(
            {
                "collective": collective,
                "topology": setup.topology,
                "ranks": len(setup.nodes),
                "algorithm": variant,
                "steps": s.step_count,
                "latency": d["latency"],
                "bandwidth": d["bandwidth"],
                "congestion": d["congestion"],
            }
        )
    return out


#: Columns of Swing's Table 2.
DEFICIENCIES = [
    *plain(("collective", "topology", "ranks")),
    Column("algorithm", "algorithm"),
    Column("steps", "steps", right=True),
    Column("latency", "latency", "{:.3f}".format, right=True),
    Column("bandwidth", "bandwidth", "{:.3f}".format, right=True),
    Column("congestion", "congestion", "{:.4f}".format, right=True),
    Column(
        None,
        "bandwidth x congestion",
        lambda row: f"{row['bandwidth'] * row['congestion']:.4f}",
        right=True,
    ),
]


def show_deficiencies(report: Reporter, rows: list[dict[str, Any]]) -> None:
    """The table of --deficiencies."""
    report.caption(
        f"{rows[0]['collective']} on {rows[0]['topology']}, {rows[0]['ranks']} ranks; optimal is "
        "1 (Swing NSDI'24, eq. 1)"
    )
    report.table(DEFICIENCIES, rows)


def describe(collective: str, setup: Setup) -> str:
    """The collective, the network and its speeds."""
    from ..notation.units import show_bytes, show_rate, show_time

    several = "" if setup.per_node == 1 else f", {setup.per_node} on a node"
    cards = "" if setup.cards == 1 else f", {setup.cards} network cards a node"
    buffers = "" if setup.buffers == math.inf else f", buffers of {show_bytes(setup.buffers)}"
    return (
        f"{collective} on {setup.topology}, {len(setup.nodes)} ranks{several}{cards}, "
        f"{show_rate(setup.bandwidth)} a link, {show_time(setup.cable)} a cable, "
        f"{show_time(setup.router)} a router{buffers}; {setup.engine} engine"
        f"{'' if setup.routing == 'minimal' else f', {setup.routing} routing'} (a model)"
    )


def besides(setup: Setup, rows: list[dict[str, Any]]) -> list[str]:
    """What messages cost, and what other jobs send."""
    from ..machines.messages import KEYS
    from ..notation.units import show_bytes, show_rate, show_time

    shown = {"time": show_time, "bandwidth": show_rate, "size": show_bytes}
    out = []
    if setup.costs:
        costs = (
            f"{key} {shown[KEYS[key]](setup.costs[key])}" for key in KEYS if key in setup.costs
        )
        out.append(f"a message costs: {', '.join(costs)}")
    if setup.background.jobs:
        out.append(f"other jobs: {setup.background.about}")
    if setup.calls > 1:
        out.append(f"{setup.calls:,} calls one after the other; times are of one, in the mean")
    if setup.background.calls:
        out.append(f"aggressor {setup.background.calls}: {_calls_beside(rows)}")
    inside = " inside their jobs" if setup.background.jobs else ""
    pattern = f"{setup.background.pattern}{inside}"
    names = {
        "background": f"background {100 * setup.background.share:g} % ({pattern})",
        "aggressor": f"aggressor {setup.background.aggressor}",
    }
    for kind, name in names.items():
        if f"{kind}_reached" in rows[0]:
            found = [100 * row[f"{kind}_reached"] for row in rows]
            out.append(
                f"{name}: its senders reached {min(found):.0f} to {max(found):.0f} % of a link"
            )
    return out


def _calls_beside(rows: list[dict[str, Any]]) -> str:
    """What an aggressor's calls took."""
    from ..notation.units import show_time

    took = [row["aggressor_seconds"] for row in rows if row["aggressor_calls"]]
    if not took:
        return "none of its calls ended before the job"
    calls, late = (sum(row[f"aggressor_{what}"] for row in rows) for what in ("calls", "late"))
    return (
        f"its calls took {show_time(min(took))} to {show_time(max(took))}, {late:,} of {calls:,} "
        "began late"
    )


def show(
    report: Reporter,
    rows: list[dict[str, Any]],
    gained: list[dict[str, Any]],
    focus: str,
    element: int,
) -> None:
    """The table for people: times by size and algorithm, the best and its lead."""
    from ..notation.units import show_rate, show_size, show_time
    from ..simulation.sweep import best_by_size

    labels = list(dict.fromkeys(r["algorithm"] for r in rows))
    gain = {g["bytes"]: f"{g['gain_pct']:+.1f} %" for g in gained}
    ranked = best_by_size(rows)
    times = {size: {r["algorithm"]: r["seconds"] for r in ranked[size]} for size in ranked}

    def best(heading: str, key: str, shown: Callable[[Any], str]) -> Column:
        return Column(None, heading, lambda row: shown(ranked[row["bytes"]][0][key]), right=True)

    def of_curve(label: str) -> Column:
        def time(row: Row) -> str:
            seconds = times[row["bytes"]].get(label)
            return "-" if seconds is None else show_time(seconds)

        return Column(None, label, time, right=True)

    name = "variant" if len(labels) == 1 else "algorithm"
    gains = Column(None, f"{focus} gains", lambda row: gain.get(row["bytes"], "-"), right=True)
    report.table(
        [
            Column(None, "size", lambda row: show_size(row["bytes"]), right=True),
            *map(of_curve, labels),
            Column(None, "best", lambda row: ranked[row["bytes"]][0][name]),
            Column(None, "ahead by", lambda row: _lead(ranked[row["bytes"]]), right=True),
            best("goodput", "goodput", show_rate),
            best("of peak", "share_of_peak", _share),
            *([gains] if gained else []),
        ],
        [{"bytes": size} for size in ranked],
    )
    if any(len(of_size) < len(labels) for of_size in times.values()):
        undone = "not done, or " if stopped else ""
        report.caption(
            f"-: {undone}fewer elements of {element} B than the algorithm has parts (--pad takes "
            "such vectors as if they had one in each)"
        )


def _share(of_peak: float) -> str:
    return f"{100 * of_peak:.1f} %"


def _lead(ranked: Sequence[Row]) -> str:
    """The lead of the best curve at a size over the next one."""
    if len(ranked) < 2:
        return "-"
    return f"{100 * (ranked[1]['seconds'] / ranked[0]['seconds'] - 1):.1f} %"
