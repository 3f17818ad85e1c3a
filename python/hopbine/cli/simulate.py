"""hopbine simulate: times of a collective on a simulated network, algorithm by algorithm and size
by size
"""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..simulation.setup import Setup
    from ..simulation.sweep import Curve


#: Of vectors, and of blocks with --nodes.
SIZES, BLOCKS = "32:512MiB:4", "16:16KiB:4"


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.description = (
        "Runs schedules on a model of a network: the same schedules that run over MPI, on minimal\n"
        "adaptive routes. These are a model's figures, without the time that adding takes.\n\n"
        "With --nodes instead of --topology: an alltoallv with blocks of given sizes on nodes of "
        "several ranks.\n"
        "What counts there are start-ups, bytes inside and between nodes, and packing "
        "(docs/simulation.md)."
    )
    parser.epilog = "topologies:\n" + "\n".join(_forms())
    parser.add_argument("collective")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument(
        "--topology",
        metavar="T",
        help="torus:64x64, hyperx:64x64, hammingmesh:2x2:32x32, dragonfly:9x4x2, fattree:16x8 ...",
    )
    where.add_argument(
        "--nodes", metavar="NxQ", help="alltoallv: N nodes of Q consecutive ranks each"
    )
    parser.add_argument(
        "--algorithms",
        metavar="A,B",
        help="one curve each: bucket, torus_doubling:ports=1, swing+swing_small (the better one at "
        "every size), Swing=swing+swing_small; "
        "default: all that follow the grid, or on other networks all that do not; with --nodes all",
    )
    parser.add_argument(
        "--sizes",
        help=f"bytes of the vector: 2MiB, 32:512MiB (doubling), {SIZES} (default); with --nodes of "
        "blocks, as hopbine bench alltoallv "
        "takes them: 64 (in the mean), dist:uniform:1KiB, dist:normal:1000, dist:power:1KiB "
        f"(default {BLOCKS})",
    )
    parser.add_argument(
        "--element",
        default="4",
        metavar="BYTES",
        help="size of an element: a vector of fewer elements than an algorithm has parts cannot be "
        "divided, and blocks are whole elements (default 4)",
    )
    parser.add_argument("--csv", metavar="FILE", help="all columns ('-': to standard output)")
    parser.add_argument(
        "--figure",
        metavar="FILE",
        help="goodput by size, with run times of small vectors and gains; with --nodes time by "
        "size (svg, png, pdf)",
    )
    of_nodes = [
        parser.add_argument(
            "--machine",
            metavar="M",
            help="with --nodes: what messages cost there: a name or a description with [ranks] "
            "(docs/machines.md)",
        ),
        parser.add_argument(
            "--counts",
            choices=("new", "same"),
            default="new",
            help="with --nodes: every call has other counts than the one before (default), or all "
            "calls have the same, whose sizes need not be sent again",
        ),
    ]
    of_networks = [
        parser.add_argument(
            "--bandwidth",
            default="400Gb/s",
            metavar="B",
            help="of a link, each way (default 400Gb/s)",
        ),
        parser.add_argument(
            "--latency", default="100ns", metavar="T", help="of a cable (default 100ns)"
        ),
        parser.add_argument(
            "--processing",
            default="300ns",
            metavar="T",
            help="what a router takes to process a packet (default 300ns)",
        ),
        parser.add_argument(
            "--engine",
            choices=("flow", "step"),
            default="flow",
            help="flow: ranks go on by themselves and links are shared max-min fairly (default); "
            "step: every step takes its longest latency and "
            "what its most loaded link carries, for answers in milliseconds",
        ),
        parser.add_argument(
            "-p",
            "--ranks",
            type=int,
            help="ranks, one per node (default: as many as there are nodes)",
        ),
        parser.add_argument(
            "--place",
            metavar="P",
            help="nodes of the ranks: linear (default), random, random:seed=N, or a file with a "
            "node per line",
        ),
        parser.add_argument("--root", type=int, default=0),
        parser.add_argument(
            "--pad",
            action="store_true",
            help="take smaller vectors as if they had an element in every part, as the figures of "
            "papers do",
        ),
        parser.add_argument(
            "--focus",
            metavar="A",
            help="curve whose gain over the best other one is told (default: the first)",
        ),
        parser.add_argument(
            "--aside", metavar="A,B", help="curves that are shown, but that the gain is not over"
        ),
        parser.add_argument(
            "--deficiencies",
            action="store_true",
            help="latency, bandwidth and congestion deficiency of every algorithm instead, counted",
        ),
        parser.add_argument("--gains", metavar="FILE", help="gain by size (svg, png, pdf)"),
        parser.add_argument(
            "--heat-map",
            metavar="FILE",
            help="loads of the links, step by step, of the first algorithm (svg, png, pdf)",
        ),
        parser.add_argument(
            "--step", type=int, metavar="S", help="with --heat-map: only this step"
        ),
        parser.add_argument(
            "--timeline",
            metavar="FILE",
            help="messages of one rank over time, for the first algorithm and size (svg, png, pdf)",
        ),
        parser.add_argument(
            "--rank", type=int, default=0, help="with --timeline: the rank (default 0)"
        ),
    ]
    parser.set_defaults(only={"topology": of_networks, "nodes": of_nodes})


def _of_the_other(args: argparse.Namespace) -> None:
    """ValueError for an option that means nothing with the way to simulate that was chosen."""
    taken = "nodes" if args.nodes else "topology"
    for way, options in args.only.items():
        for option in options:
            if way != taken and getattr(args, option.dest) != option.default:
                raise ValueError(f"{option.option_strings[-1]} is for --{way}, not for --{taken}")


def _forms() -> list[str]:
    from .. import _core

    return [
        (
            f"  {form}\n"
            f"{textwrap.fill(meaning, 92, initial_indent='      ', subsequent_indent='      ')}"
        )
        for form, meaning in _core.topology_forms()
    ]


def setup_of(args: argparse.Namespace) -> Setup:
    """The network and ranks of the arguments. ValueError."""
    from ..simulation import Setup
    from ..simulation.setup import place
    from ..simulation.units import parse_bandwidth, parse_time

    return Setup(
        args.topology,
        place(args.place, args.topology, args.ranks),
        parse_bandwidth(args.bandwidth, "--bandwidth"),
        parse_time(args.latency, "--latency"),
        parse_time(args.processing, "--processing"),
        args.engine,
    )


def run(args: argparse.Namespace) -> int:
    """Prints the table; writes what was asked for."""
    _of_the_other(args)
    if args.nodes:
        from . import _simulate_nodes

        return _simulate_nodes.run(args, args.sizes or BLOCKS)
    from .. import _core
    from ..bench.sizes import parse_size, parse_sizes
    from ..simulation.sweep import curve, default_curves, gains, sweep
    from ._analysis import PICTURES, names, writable

    writable(args.figure, args.gains, args.heat_map, args.timeline, endings=PICTURES)
    writable(None if args.csv == "-" else args.csv)
    _core.rooted(args.collective)  # ValueError with the names that exist
    setup, sizes, element = (
        setup_of(args),
        parse_sizes(args.sizes or SIZES),
        parse_size(args.element),
    )
    if element < 1:
        raise ValueError(f"--element '{args.element}' needs at least 1 byte")
    curves = (
        [curve(text) for text in asked]
        if (asked := names(args.algorithms)) is not None
        else default_curves(setup, args.collective)
    )
    if not curves:
        raise ValueError(
            f"no algorithm of {args.collective} serves {len(setup.nodes)} ranks on {args.topology}"
        )
    focus = args.focus or curves[0].label
    if focus not in [c.label for c in curves]:
        raise ValueError(f"--focus '{focus}' is not one of {', '.join(c.label for c in curves)}")
    aside = names(args.aside) or []
    for label in aside:
        if label not in [c.label for c in curves] or label == focus:
            raise ValueError(
                f"--aside '{label}' is not one of "
                f"{', '.join(c.label for c in curves if c.label != focus)}"
            )
    if args.deficiencies:
        rows = deficiencies(setup, args.collective, curves, args.root)
    else:
        rows = sweep(setup, args.collective, curves, sizes, args.root, element, args.pad)
    import polars

    frame = polars.DataFrame(rows, infer_schema_length=None)
    if args.csv == "-":
        sys.stdout.write(frame.write_csv())
    elif args.deficiencies:
        show_deficiencies(rows)
    else:
        show(
            setup, rows, gains(rows, focus, aside) if len(curves) > 1 else [], focus, args, element
        )
    if args.csv and args.csv != "-":
        frame.write_csv(args.csv)
    pictures(args, setup, curves, sizes, rows, focus, aside)
    return 0


def deficiencies(
    setup: Setup, collective: str, curves: Sequence[Curve], root: int
) -> list[dict[str, Any]]:
    """A row per algorithm: Swing's Table 2, counted on this network."""
    out = []
    for variant in dict.fromkeys(v for c in curves for v in c.variants):
        s = setup.simulation(collective, variant, root)
        d = s.deficiencies()
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


def show_deficiencies(rows: list[dict[str, Any]]) -> None:
    """The table for people."""
    from ._common import print_table

    print(
        f"{rows[0]['collective']} on {rows[0]['topology']}, {rows[0]['ranks']} ranks; optimal is "
        "1 (Swing NSDI'24, eq. 1)"
    )
    print_table(
        ["algorithm", "steps", "latency", "bandwidth", "congestion", "bandwidth x congestion"],
        [
            [
                r["algorithm"],
                r["steps"],
                f"{r['latency']:.3f}",
                f"{r['bandwidth']:.3f}",
                f"{r['congestion']:.4f}",
                f"{r['bandwidth'] * r['congestion']:.4f}",
            ]
            for r in rows
        ],
        right={1, 2, 3, 4, 5},
    )


def show(
    setup: Setup,
    rows: list[dict[str, Any]],
    gained: list[dict[str, Any]],
    focus: str,
    args: argparse.Namespace,
    element: int,
) -> None:
    """The table for people: times by size and algorithm, the best and its lead."""
    from ..bench.sizes import show_size
    from ..simulation.sweep import best_by_size
    from ..simulation.units import show_rate, show_time
    from ._common import print_table

    print(
        f"{args.collective} on {setup.topology}, {len(setup.nodes)} ranks, "
        f"{show_rate(setup.bandwidth)} a link, {show_time(setup.cable)} a cable, "
        f"{show_time(setup.router)} a router; {setup.engine} engine (a model)"
    )
    labels = list(dict.fromkeys(r["algorithm"] for r in rows))
    gain = {g["bytes"]: g for g in gained}
    header = ["size", *labels, "best", "ahead by", "goodput", "of peak"] + (
        [f"{focus} gains"] if gained else []
    )
    body = []
    for size, ranked in best_by_size(rows).items():
        time = {r["algorithm"]: show_time(r["seconds"]) for r in ranked}
        best = ranked[0]
        lead = (
            f"{100 * (ranked[1]['seconds'] / best['seconds'] - 1):.1f} %"
            if len(ranked) > 1
            else "-"
        )
        line = [
            show_size(size),
            *(time.get(a, "-") for a in labels),
            best["variant"] if len(labels) == 1 else best["algorithm"],
            lead,
            show_rate(best["goodput"]),
            f"{100 * best['share_of_peak']:.1f} %",
        ]
        body.append(
            line + ([f"{gain[size]['gain_pct']:+.1f} %" if size in gain else "-"] if gained else [])
        )
    print_table(header, body, right=set(range(len(header))) - {len(labels) + 1})
    if any("-" in line[1 : len(labels) + 1] for line in body):
        print(
            f"-: fewer elements of {element} B than the algorithm has parts (--pad takes such "
            "vectors as if they had one in each)"
        )


def pictures(
    args: argparse.Namespace,
    setup: Setup,
    curves: Sequence[Curve],
    sizes: Sequence[int],
    rows: list[dict[str, Any]],
    focus: str,
    aside: list[str],
) -> None:
    """--figure, --gains, --heat-map, --timeline."""
    wanted = {
        "figure": args.figure,
        "gains": args.gains,
        "heat map": args.heat_map,
        "timeline": args.timeline,
    }
    if not any(wanted.values()):
        return
    if args.deficiencies and (args.figure or args.gains):
        raise ValueError("--figure and --gains show times; --deficiencies has none")
    try:
        from ..plots import simulation as plots
        from ..plots.simulation_steps import link_heat_map, timeline
        from ..plots.traffic import save
    except ImportError as error:
        raise ValueError(
            f"pictures need matplotlib, which is not there ({error}): pip install 'hopbine[plot]'"
        ) from None
    from ..bench.sizes import show_size
    from ..simulation.sweep import gains

    first = curves[0].variants[0]
    if args.figure:
        save(
            plots.goodput(
                rows,
                focus,
                setup.peak(args.collective),
                f"{args.collective} on {setup.topology}",
                aside,
            ),
            args.figure,
        )
    if args.gains:
        save(plots.gain_curves({setup.topology: gains(rows, focus, aside)}, focus), args.gains)
    if args.heat_map:
        save(link_heat_map(setup, args.collective, first, args.step, root=args.root), args.heat_map)
    if args.timeline:
        ranks = len(setup.nodes)
        if not 0 <= args.rank < ranks:
            raise ValueError(f"--rank {args.rank} is not one of the {ranks} ranks")
        told = setup.simulation(args.collective, first, args.root).flow(
            sizes[0], setup.bandwidth, setup.cable, setup.router, args.rank
        )
        title = (
            f"rank {args.rank} of {args.collective} {first}, {show_size(sizes[0])} on "
            f"{setup.topology}"
        )
        save(timeline(told["events"], args.rank, title), args.timeline)
    for what, path in wanted.items():
        if path:
            print(f"{what}: {path}", file=sys.stderr if args.csv == "-" else sys.stdout)
