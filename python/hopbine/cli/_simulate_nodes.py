"""hopbine simulate alltoallv --nodes: the node model."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..output.tables import Column, Reporter, Row, plain

if TYPE_CHECKING:
    from ..simulation.nodes import Nodes

#: What the time goes into, of the phases inside and between nodes.
SPENT = {
    "start-ups": ("latency", "overhead"),
    "bytes": ("inside", "between"),
    "packing": ("packing",),
}


def run(args: argparse.Namespace, sizes: str) -> int:
    """Prints the table; writes what was asked for."""
    from ..bench.sizes import parse_blocks
    from ..machines import load
    from ..output.progress import stopped
    from ..simulation.nodes import COLLECTIVE, Nodes, default_curves, parse_nodes, sweep
    from ..simulation.sweep import curve
    from ._analysis import PICTURES, element, names, writable
    from ._output import reporter, write_csv

    if args.collective != COLLECTIVE:
        raise UsageError(
            f"--nodes is for {COLLECTIVE}, whose blocks have sizes, not for {args.collective}: "
            "give --topology"
        )
    writable(args.figure, endings=PICTURES)
    writable(None if args.csv == "-" else args.csv)
    each = element(args)
    if not args.machine:
        raise UsageError(
            "--nodes needs --machine: a description with [ranks], as round (docs/machines.md)"
        )
    nodes = Nodes(load(args.machine), *parse_nodes(args.nodes), each, args.counts == "same")
    asked = names(args.algorithms)
    curves = default_curves(nodes) if asked is None else [curve(text) for text in asked]
    with reporter(args, args.csv) as report:
        rows = sweep(nodes, curves, parse_blocks(sizes, each), watched=True)
        report.table(plain(rows[0]), rows)
        show(report, nodes, rows)
        write_csv(args.csv, plain(rows[0]), rows)
        if args.figure and not stopped:
            picture(args.figure, nodes, rows)
    return 0


def show(report: Reporter, nodes: Nodes, rows: list[dict[str, Any]]) -> None:
    """The table for people: the fastest first, and where its time goes."""
    from ..notation.units import show_time

    report.caption(
        f"{rows[0]['collective']}, {nodes.ranks} ranks, {nodes.per_node} on a node; "
        f"{nodes.machine.name} ({nodes.machine.source}); node model"
    )
    of_blocks: dict[str, list[dict[str, Any]]] = {}
    for row in sorted(rows, key=lambda r: r["seconds"]):
        of_blocks.setdefault(row["distribution"], []).append(row)
    ranked = [
        r for blocks in dict.fromkeys(r["distribution"] for r in rows) for r in of_blocks[blocks]
    ]

    def time(heading: str, key: str) -> Column:
        return Column(None, heading, lambda row: show_time(row[key]), right=True)

    def over_best(row: Row) -> str:
        return f"{row['seconds'] / of_blocks[row['distribution']][0]['seconds']:.2f}"

    def spent(heading: str) -> Column:
        return Column(
            None,
            heading,
            lambda row: show_time(
                sum(
                    row[f"{phase}_{term}"]
                    for phase in ("inside", "between")
                    for term in SPENT[heading]
                )
            ),
            right=True,
        )

    report.table(
        [
            Column(None, "blocks", lambda row: row["distribution"]),
            Column(None, "mean", lambda row: f"{row['bytes']:.4g} B", right=True),
            Column(None, "algorithm", _label),
            time("time", "seconds"),
            Column(None, "over best", over_best, right=True),
            Column(None, "steps", lambda row: row["steps"], right=True),
            Column(None, "messages", lambda row: row["messages"], right=True),
            time("inside nodes", "inside"),
            time("between", "between"),
            *map(spent, SPENT),
        ],
        ranked,
    )


def _label(row: Row) -> str:
    """The curve, with the variant of it that was best."""
    name, variant = row["algorithm"], row["variant"]
    return name if name == variant else f"{name} ({variant})"


def picture(path: str, nodes: Nodes, rows: list[dict[str, Any]]) -> None:
    """--plot. UsageError without matplotlib."""
    from ..plots.files import save
    from ..plots.nonuniform import by_size

    save(by_size({f"{nodes.ranks} ranks, {nodes.machine.name}": rows}), path)
