"""hopbine traffic: bytes and messages that algorithms push between groups of nodes, for one job's
hosts
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..counting import Job


def configure_analysis(parser: argparse.ArgumentParser) -> None:
    """What is analysed."""
    from ._analysis import add_hosts, add_machine

    parser.description = (
        "Counts, from the schedules, what a job on these hosts moves between groups (global), "
        "between nodes of a group (local) and "
        "inside nodes. Reduction is against --baseline; a minus is less. 'auto' is what the "
        "runtime takes by itself."
    )
    parser.add_argument("collectives", nargs="*", help="default: allreduce; 'all' for every one")
    add_machine(parser)
    add_hosts(parser)
    parser.add_argument(
        "--algorithms", metavar="A,B", help="default: all that serve the job, and auto"
    )
    parser.add_argument(
        "--sizes",
        default="1MiB",
        help="bytes of the vector (or of a block times the ranks): 8, 64KiB,1MiB, 1KiB:1MiB "
        "(default 1MiB)",
    )
    parser.add_argument(
        "--baseline",
        metavar="A",
        help="algorithm to compare with (default: the classic one for the size)",
    )
    parser.add_argument("--root", type=int, default=0)
    parser.add_argument(
        "--numberings",
        action="store_true",
        help="every numbering of the ranks that the runtime tries, not only the given one",
    )


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    configure_analysis(parser)
    parser.add_argument(
        "--by",
        choices=("pairs", "groups", "nodes", "steps"),
        help="one row per pair of groups, group, node or step instead of one per algorithm",
    )
    parser.add_argument(
        "--csv", metavar="FILE", help="the table, all columns ('-': to standard output)"
    )
    parser.add_argument("--parquet", metavar="FILE", help="the same as Parquet")
    parser.add_argument(
        "--heat-map",
        metavar="FILE",
        help="picture, group to group, of the first algorithm (svg, png, pdf)",
    )
    parser.add_argument(
        "--steps", metavar="FILE", help="picture, bytes between groups step by step (svg, png, pdf)"
    )


def analyse(args: argparse.Namespace) -> tuple[Job, list[dict[str, Any]], list[dict[str, Any]]]:
    """(job, rows, counts) of the arguments."""
    from .. import _core
    from ..bench.sizes import parse_sizes
    from ..counting import counts
    from ._analysis import names, one_job

    job = one_job(args)
    known = list(dict.fromkeys(a["collective"] for a in _core.algorithms()))
    collectives = known if args.collectives == ["all"] else args.collectives or ["allreduce"]
    for collective in collectives:
        _core.rooted(collective)  # ValueError with the names that exist
    p = len(job.hosts)
    if not 0 <= args.root < p:
        raise ValueError(f"--root {args.root} is not one of the {p} ranks")
    numberings = list(job.orders) if args.numberings else ["given"]
    found = list(
        counts(
            job,
            collectives,
            names(args.algorithms),
            parse_sizes(args.sizes),
            args.baseline,
            args.root,
            numberings,
        )
    )
    if not found:
        raise ValueError(f"no algorithm of {', '.join(collectives)} serves {p} ranks")
    return job, [row for row, _ in found], [t for _, t in found]


def run(args: argparse.Namespace) -> int:
    """Prints the table; writes what was asked for."""
    from ._analysis import PICTURES, writable

    writable(args.heat_map, args.steps, endings=PICTURES)
    writable(args.parquet, None if args.csv == "-" else args.csv)
    job, rows, counted = analyse(args)
    import polars

    lines = detail(args.by, job, rows, counted) if args.by else rows
    frame = polars.DataFrame(lines, infer_schema_length=None)
    if args.csv == "-":
        sys.stdout.write(frame.write_csv())
    else:
        show_detail(lines) if args.by else show(job, rows)
        if args.csv:
            frame.write_csv(args.csv)
    if args.parquet:
        frame.write_parquet(args.parquet)
    pictures(args, job, rows, counted)
    return 0


def detail(
    by: str, job: Job, rows: list[dict[str, Any]], counted: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """The rows of --by, of all algorithms."""
    from ..counting import pair_rows, step_rows, unit_rows

    of: dict[str, Callable[[dict[str, Any], dict[str, Any]], list[dict[str, Any]]]] = {
        "pairs": lambda row, t: pair_rows(job, row, t),
        "steps": step_rows,
        "groups": lambda row, t: unit_rows(job, row, t, "group"),
        "nodes": lambda row, t: unit_rows(job, row, t, "node"),
    }
    return [line for row, t in zip(rows, counted, strict=True) for line in of[by](row, t)]


def show_detail(lines: list[dict[str, Any]]) -> None:
    """The rows of --by for people."""
    from ..quantities import show_bytes
    from ._common import print_table

    if not lines:
        print("nothing crosses between groups")
        return
    header = [k for k in lines[0] if k != "job"]
    right = {i for i, k in enumerate(header) if not isinstance(lines[0][k], str)}
    print_table(
        [k.replace("_", " ") for k in header],
        [[show_bytes(r[k]) if "bytes" in k else r[k] for k in header] for r in lines],
        right=right,
    )


def show(job: Job, rows: list[dict[str, Any]]) -> None:
    """The table for people, collective by collective and size by size."""
    from ..quantities import show_bytes, show_pct
    from ._common import print_table

    first = rows[0]
    print(
        f"{len(job.hosts)} ranks on {first['nodes']} nodes in {first['groups']} groups of "
        f"{job.machine.name} ({job.machine.source})"
    )
    routed = "hop_bytes" in first
    for collective, size in dict.fromkeys((r["collective"], r["bytes"]) for r in rows):
        part = [r for r in rows if (r["collective"], r["bytes"]) == (collective, size)]
        print(
            f"\n{collective}, {show_bytes(size)}; between groups at least "
            f"{show_bytes(part[0]['lower_bound'])}; "
            f"compared with {part[0]['baseline']}"
        )
        header = [
            "algorithm",
            "numbering",
            "steps",
            "global",
            "messages",
            "change",
            "local",
            "inside",
            "worst link",
            "",
        ]
        body = [
            [
                r["algorithm"],
                r["numbering"],
                r["steps"],
                show_bytes(r["global_bytes"]),
                r["global_messages"],
                show_pct(None if r["reduction_pct"] is None else -r["reduction_pct"] or 0.0),
                show_bytes(r["node_bytes"]),
                show_bytes(r["inside_bytes"]),
                show_bytes(r["worst_link_bytes"]),
                r["worst_link"],
            ]
            for r in sorted(
                part,
                key=lambda r: (
                    r["hop_bytes"] if routed else r["global_bytes"],
                    r["node_bytes"],
                    r["steps"],
                ),
            )
        ]
        if routed:
            header[3:6] = ["bytes x hops", "busiest link", "messages"]
            for line, r in zip(
                body, sorted(part, key=lambda r: (r["hop_bytes"], r["steps"])), strict=True
            ):
                line[3:6] = [
                    show_bytes(r["hop_bytes"]),
                    show_bytes(r["worst_hop_bytes"]),
                    r["global_messages"],
                ]
            header, body = header[:5] + header[6:7], [line[:5] + line[6:7] for line in body]
        print_table(header, body, right={2, 3, 4, 5, 6, 7, 8})


def pictures(
    args: argparse.Namespace, job: Job, rows: list[dict[str, Any]], counted: list[dict[str, Any]]
) -> None:
    """--heat-map and --steps."""
    if not args.heat_map and not args.steps:
        return
    import polars

    from ..counting import pair_rows, step_rows
    from ..plots import traffic as plots

    if args.heat_map:
        row, t = next(
            ((r, t) for r, t in zip(rows, counted, strict=True) if t["pairs"]),
            (rows[0], counted[0]),
        )
        title = (
            f"{row['collective']} {row['algorithm']}, ranks as {row['numbering']}, "
            f"{len(job.hosts)} ranks"
        )
        plots.save(plots.heat_map(polars.DataFrame(pair_rows(job, row, t)), title), args.heat_map)
        print(f"heat map of {title}: {args.heat_map}")
    if args.steps:
        chosen = list(zip(rows, counted, strict=True))[:6]
        steps = polars.DataFrame([s for row, t in chosen for s in step_rows(row, t)])
        plots.save(
            plots.step_bars(steps, f"{rows[0]['collective']}, bytes between groups in each step"),
            args.steps,
        )
        print(f"steps of {len(chosen)} of {len(rows)} rows: {args.steps}")
