"""hopbine traffic: bytes and messages that algorithms push between groups of nodes, for one job's
hosts
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..core.records import Traffic
from ..errors import UsageError
from ..notation.text import many, one_line
from ..output.progress import stopped
from ..output.replaced import replaced
from ..output.tables import Column, Reporter, plain

if TYPE_CHECKING:
    from ..jobs.job import Job


#: What rows of --by begin with, and what follows for each of its words.
OF_ALGORITHM = ("job", "collective", "algorithm", "numbering", "bytes")
_OUT_AND_IN = ("bytes_out", "messages_out", "bytes_in", "messages_in")
DETAILS = {
    "pairs": ("from_group", "to_group", "moved_bytes", "messages"),
    "groups": ("group", *_OUT_AND_IN),
    "nodes": ("node", "group", *_OUT_AND_IN),
    "steps": ("step", "times", "global_bytes", "worst_link_bytes"),
}
#: Columns that are no numbers.
WORDS = ("collective", "algorithm", "numbering", "from_group", "to_group", "group", "node")


def configure_analysis(parser: argparse.ArgumentParser) -> None:
    """What is analysed."""
    from ._analysis import add_hosts, add_machine

    parser.description = (
        "Counts, from the schedules, what a job on these hosts moves between groups (global), "
        "between nodes of a group (local) and "
        "inside nodes. Change is against --baseline; a minus is less. 'auto' is what the "
        "runtime takes by itself."
    )
    parser.add_argument("collectives", nargs="*", help="default: allreduce; 'all' for every one")
    add_machine(parser)
    add_hosts(parser)
    parser.add_argument(
        "--algorithms", metavar="A,B", help="default: 'all' that serve the job, and auto"
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
    from ._output import add_format

    configure_analysis(parser)
    add_format(parser)
    parser.add_argument(
        "--by",
        choices=tuple(DETAILS),
        help="one row per pair of groups, group, node or step instead of one per algorithm",
    )
    parser.add_argument(
        "--csv", metavar="FILE", help="the rows of --format csv ('-': to standard output)"
    )
    parser.add_argument("--parquet", metavar="FILE", help="the same as Parquet")
    parser.add_argument(
        "--heat-map",
        metavar="FILE",
        help="picture, group to group, of the first algorithm (svg, png, pdf)",
    )
    parser.add_argument(
        "--plot",
        "--steps",
        dest="steps",
        metavar="FILE",
        help="picture, bytes between groups step by step (svg, png, pdf)",
    )


def analyse(args: argparse.Namespace) -> tuple[Job, list[dict[str, Any]], list[Traffic]]:
    """(job, rows, counts) of the arguments."""
    from .. import _core
    from ..bench.sizes import parse_sizes
    from ..jobs.counting import Asked, count_of, counts
    from ..output.progress import watched
    from ._analysis import algorithms_of, one_job

    job = one_job(args)
    known = list(dict.fromkeys(a["collective"] for a in _core.algorithms()))
    collectives = known if args.collectives == ["all"] else args.collectives or ["allreduce"]
    for collective in collectives:
        _core.rooted(collective)  # UsageError with the names that exist
    if args.collectives == ["all"]:
        collectives = _with_baseline(job, collectives, args.baseline)
    p = len(job.hosts)
    if not 0 <= args.root < p:
        raise UsageError(f"--root {args.root} is not one of the {many(p, 'rank')}")
    numberings = list(job.orders) if args.numberings else ["given"]
    sizes = parse_sizes(args.sizes)
    asked = Asked(collectives, algorithms_of(args), sizes, args.baseline, args.root, numberings)
    rows, total = counts(job, asked), count_of(job, asked)
    found = list(watched(rows, total, "counts", lambda one: one[0]["algorithm"], keep=True))
    if not found:
        raise UsageError(f"no algorithm of {', '.join(collectives)} serves {many(p, 'rank')}")
    return job, [row for row, _ in found], [t for _, t in found]


def _with_baseline(job: Job, collectives: list[str], baseline: str | None) -> list[str]:
    """The collectives that the baseline serves; the others are told. UsageError."""
    from ..jobs.counting import check_names, why_no_baseline

    check_names(collectives, None, baseline)
    p = many(len(job.hosts), "rank")
    out = [c for c in collectives if why_no_baseline(job, c, baseline) is None]
    if not out:
        raise UsageError(f"--baseline '{baseline}' serves no collective on {p}")
    left = [c for c in collectives if c not in out]
    if left:
        print(
            one_line(
                f"hopbine: left out, which --baseline '{baseline}' does not serve on "
                f"{p}: {', '.join(left)}"
            ),
            file=sys.stderr,
        )
    return out


def run(args: argparse.Namespace) -> int:
    """Prints the table; writes what was asked for."""
    from ._analysis import PICTURES, writable
    from ._output import reporter, write_csv

    writable(args.heat_map, args.steps, endings=PICTURES)
    writable(args.parquet, None if args.csv == "-" else args.csv)
    with reporter(args, args.csv) as report:
        job, rows, counted = analyse(args)
        lines = detail(args.by, job, rows, counted) if args.by else rows
        columns = programs(args.by, lines)
        report.table(columns, lines)
        if args.by:
            show_detail(report, args.by, lines)
        else:
            show(report, job, rows)
        write_csv(args.csv, columns, lines)
        if args.parquet:
            import polars

            with replaced(args.parquet) as made:
                polars.DataFrame(lines, infer_schema_length=None).write_parquet(made)
        pictures(report, args, job, rows, counted)
    return 0


def detail(
    by: str, job: Job, rows: list[dict[str, Any]], counted: list[Traffic]
) -> list[dict[str, Any]]:
    """The rows of --by, of all algorithms."""
    from ..jobs.counting import pair_rows, step_rows, unit_rows

    of: dict[str, Callable[[dict[str, Any], Traffic], list[dict[str, Any]]]] = {
        "pairs": lambda row, t: pair_rows(job, row, t),
        "steps": step_rows,
        "groups": lambda row, t: unit_rows(job, row, t, "group"),
        "nodes": lambda row, t: unit_rows(job, row, t, "node"),
    }
    return [line for row, t in zip(rows, counted, strict=True) for line in of[by](row, t)]


def programs(by: str | None, lines: list[dict[str, Any]]) -> list[Column]:
    """All columns, bytes as whole numbers; those of --by also where there are no lines."""
    keys = list(lines[0]) if lines else [*OF_ALGORITHM, *DETAILS[by or "pairs"]]
    return plain(keys, {k for k in keys if "bytes" in k or k == "lower_bound"})


def show_detail(report: Reporter, by: str, lines: list[dict[str, Any]]) -> None:
    """The rows of --by for people."""
    from ..notation.units import show_bytes

    if not lines:
        report.caption("nothing crosses between groups")
        return

    def of(key: str) -> Column:
        show = show_bytes if "bytes" in key else str
        heading, right = key.replace("_", " "), key not in WORDS
        return Column(None, heading, lambda row: show(row[key]), right)

    report.table([of(key) for key in [*OF_ALGORITHM, *DETAILS[by]] if key != "job"], lines)


def _columns(routed: bool) -> list[Column]:
    """The table for people; `routed`: of a torus, whose links are counted."""
    from ..notation.units import show_bytes, show_pct

    def of(key: str, heading: str) -> Column:
        return Column(None, heading, lambda row: show_bytes(row[key]), right=True)

    steps = Column(None, "steps", lambda row: row["steps"], right=True)
    first = [
        Column(None, "algorithm", lambda row: row["algorithm"]),
        Column(None, "numbering", lambda row: row["numbering"]),
        steps,
    ]
    if routed:
        hops = of("hop_bytes", "bytes x hops"), of("worst_hop_bytes", "busiest link")
        return [*first, *hops, of("node_bytes", "local")]
    messages = Column(None, "messages", lambda row: row["global_messages"], right=True)
    change = Column(None, "change", lambda row: show_pct(row["change_pct"]), right=True)
    return [
        *first,
        of("global_bytes", "global"),
        messages,
        change,
        of("node_bytes", "local"),
        of("inside_bytes", "inside"),
        of("worst_link_bytes", "worst link"),
        Column(None, "", lambda row: row["worst_link"]),
    ]


def show(report: Reporter, job: Job, rows: list[dict[str, Any]]) -> None:
    """The table for people, collective by collective and size by size."""
    from ..notation.units import show_bytes
    from ._analysis import about_job

    first = rows[0]
    report.caption(about_job(job))
    routed = "hop_bytes" in first
    order = ("hop_bytes", "steps") if routed else ("global_bytes", "node_bytes", "steps")
    for collective, size in dict.fromkeys((r["collective"], r["bytes"]) for r in rows):
        part = [r for r in rows if (r["collective"], r["bytes"]) == (collective, size)]
        report.caption(
            f"\n{collective}, {show_bytes(size)}; between groups at least "
            f"{show_bytes(part[0]['lower_bound'])}; "
            f"compared with {part[0]['baseline']}"
        )
        ranked = sorted(part, key=lambda r: [r[key] for key in order])
        report.table(_columns(routed), ranked)


def pictures(
    report: Reporter,
    args: argparse.Namespace,
    job: Job,
    rows: list[dict[str, Any]],
    counted: list[Traffic],
) -> None:
    """--heat-map and --steps."""
    if stopped or not (args.heat_map or args.steps):
        return
    import polars

    from ..jobs.counting import drawn_steps, pair_rows
    from ..notation.units import show_bytes
    from ..plots import traffic as plots
    from ..plots.files import save

    if args.heat_map:
        row, t = next(
            ((r, t) for r, t in zip(rows, counted, strict=True) if t["pairs"]),
            (rows[0], counted[0]),
        )
        title = (
            f"{row['collective']} {row['algorithm']}, ranks as {row['numbering']}, "
            f"{many(len(job.hosts), 'rank')}"
        )
        save(plots.heat_map(polars.DataFrame(pair_rows(job, row, t)), title), args.heat_map)
        report.remark(f"heat map of {title}: {args.heat_map}")
    if args.steps:
        first = rows[0]["collective"]
        here = [i for i, row in enumerate(rows) if row["collective"] == first]
        drawn = drawn_steps(job, [rows[i] for i in here], [counted[i] for i in here], args.root)
        title = f"{first}, {show_bytes(drawn[0]['bytes'])}, bytes between groups in each step"
        save(plots.step_bars(polars.DataFrame(drawn), title), args.steps)
        names = dict.fromkeys((s["algorithm"], s["numbering"]) for s in drawn)
        shown = ", ".join(name for name, _ in names)
        report.remark(f"steps of {shown}, the first being the baseline: {args.steps}")
