"""hopbine simulate alltoallv --nodes: the node model."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..simulation.nodes import Nodes


def run(args: argparse.Namespace, sizes: str) -> int:
    """Prints the table; writes what was asked for."""
    from ..bench.sizes import parse_blocks, parse_size
    from ..machines import load
    from ..simulation.nodes import COLLECTIVE, Nodes, default_curves, parse_nodes, sweep
    from ..simulation.sweep import curve
    from ._analysis import PICTURES, names, writable

    if args.collective != COLLECTIVE:
        raise ValueError(
            f"--nodes is for {COLLECTIVE}, whose blocks have sizes, not for {args.collective}: "
            "give --topology"
        )
    writable(args.figure, endings=PICTURES)
    writable(None if args.csv == "-" else args.csv)
    element = parse_size(args.element)
    if element < 1:
        raise ValueError(f"--element '{args.element}' needs at least 1 byte")
    if not args.machine:
        raise ValueError(
            "--nodes needs --machine: a description with [ranks], as round (docs/machines.md)"
        )
    nodes = Nodes(load(args.machine), *parse_nodes(args.nodes), element, args.counts == "same")
    curves = (
        [curve(text) for text in asked]
        if (asked := names(args.algorithms)) is not None
        else default_curves(nodes)
    )
    rows = sweep(nodes, curves, parse_blocks(sizes, element))
    import polars

    frame = polars.DataFrame(rows)
    if args.csv == "-":
        sys.stdout.write(frame.write_csv())
    else:
        show(nodes, rows)
    if args.csv and args.csv != "-":
        frame.write_csv(args.csv)
    if args.figure:
        picture(args.figure, nodes, rows)
    return 0


def show(nodes: Nodes, rows: list[dict[str, Any]]) -> None:
    """The table for people: the fastest first, and where its time goes."""
    from ..simulation.units import show_time
    from ._common import print_table

    print(
        f"{rows[0]['collective']}, {nodes.ranks} ranks, {nodes.per_node} on a node; "
        f"{nodes.machine.name} ({nodes.machine.source}); node model"
    )
    header = [
        "blocks",
        "mean",
        "algorithm",
        "time",
        "over best",
        "steps",
        "messages",
        "inside nodes",
        "between",
        "start-ups",
        "bytes",
        "packing",
    ]
    body = []
    for blocks in dict.fromkeys(r["distribution"] for r in rows):
        ranked = sorted(
            (r for r in rows if r["distribution"] == blocks), key=lambda r: r["seconds"]
        )
        for r in ranked:
            spent = {
                what: sum(r[f"{phase}_{term}"] for phase in ("inside", "between") for term in terms)
                for what, terms in {
                    "start-ups": ("latency", "overhead"),
                    "bytes": ("inside", "between"),
                    "packing": ("packing",),
                }.items()
            }
            label = (
                r["algorithm"]
                if r["algorithm"] == r["variant"]
                else f"{r['algorithm']} ({r['variant']})"
            )
            body.append(
                [
                    blocks,
                    f"{r['bytes']:.4g} B",
                    label,
                    show_time(r["seconds"]),
                    f"{r['seconds'] / ranked[0]['seconds']:.2f}",
                    r["steps"],
                    r["messages"],
                    show_time(r["inside"]),
                    show_time(r["between"]),
                    *(show_time(t) for t in spent.values()),
                ]
            )
    print_table(header, body, right=set(range(len(header))) - {0, 2})


def picture(path: str, nodes: Nodes, rows: list[dict[str, Any]]) -> None:
    """--figure. ValueError without matplotlib."""
    try:
        from ..plots.nonuniform import by_size
        from ..plots.traffic import save
    except ImportError as error:
        raise ValueError(
            f"pictures need matplotlib, which is not there ({error}): pip install 'hopbine[plot]'"
        ) from None
    save(by_size({f"{nodes.ranks} ranks, {nodes.machine.name}": rows}), path)
