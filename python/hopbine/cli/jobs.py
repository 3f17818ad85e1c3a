"""hopbine jobs: a whole accounting period of jobs: what algorithms save between groups, by number
of nodes
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

from ..errors import UsageError
from ..notation.text import many, one_line
from ..output.progress import stopped, watched
from ..output.replaced import replaced
from ..output.tables import plain

#: Columns of bytes.
WHOLE = ("bytes", "global_bytes", "lower_bound")


def configure_analysis(parser: argparse.ArgumentParser) -> None:
    """What is analysed."""
    from ._analysis import add_machine, add_reading

    parser.description = (
        "Counts every job's traffic between groups and compares algorithms with a baseline: "
        "quartiles by number of nodes, one row "
        "per job in the CSV. Jobs that cannot be used, and those that the baseline does not serve, "
        "are counted and listed; the rest go on."
    )
    parser.add_argument(
        "files",
        nargs="+",
        help="files or folders of jobs: squeue, scontrol show job, jobs CSV, or one file of hosts "
        "per job",
    )
    add_machine(parser)
    add_reading(parser)
    parser.add_argument("--collective", default="allreduce")
    parser.add_argument(
        "--algorithms",
        default="bine_large,auto",
        metavar="A,B",
        help="default %(default)s; 'all' that serve; auto is what the runtime takes by itself",
    )
    parser.add_argument(
        "--baseline", default=None, metavar="A", help="default: the classic one for the size"
    )
    parser.add_argument("--size", default="64MiB", help="bytes of the vector (default %(default)s)")
    parser.add_argument(
        "--min-nodes", type=int, default=2, metavar="N", help="pass over smaller jobs"
    )
    parser.add_argument(
        "--power-of-two",
        action="store_true",
        help="only jobs whose number of ranks is a power of two, as in the paper's Fig. 5",
    )


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    from ._output import add_format

    configure_analysis(parser)
    add_format(parser)
    parser.add_argument("--csv", metavar="FILE", help="one row per job and algorithm")
    parser.add_argument("--parquet", metavar="FILE", help="the same as Parquet")
    parser.add_argument(
        "--plot", metavar="FILE", help="box plots by number of nodes (svg, png, pdf)"
    )


def analyse(
    args: argparse.Namespace,
) -> tuple[list[dict[str, Any]], list[tuple[str, str, str]], int]:
    """(rows, bad jobs as (source, job, why), jobs passed over) of the arguments.

    Progress on standard error.
    """
    from .. import _core
    from ..allocations import Allocation, BadJob, read
    from ..jobs.counting import Asked, check_names, counts, why_no_baseline
    from ..jobs.job import Job
    from ..machines import from_hosts
    from ..notation.quantities import check_blocks
    from ..notation.units import parse_size
    from ._analysis import algorithms_of, machine_of

    _core.rooted(args.collective)
    machine, size, algorithms = machine_of(args), parse_size(args.size), algorithms_of(args)
    check_names([args.collective], algorithms, args.baseline)
    asked = Asked([args.collective], algorithms, [size], args.baseline)

    def counted(found: Allocation | BadJob) -> list[dict[str, Any]] | str:
        """The rows of a job, none where it is passed over; else why it cannot be used."""
        if isinstance(found, BadJob):
            return found.why
        p = len(found.hosts)
        if len(set(found.hosts)) < args.min_nodes or (args.power_of_two and p & (p - 1)):
            return []
        job = Job(found.job, found.hosts, machine or from_hosts(found.hosts))
        try:
            if len(set(job.places.group)) == 1:
                return []
            check_blocks(args.collective, p, "counted")
        except UsageError as error:
            return str(error)
        if why := why_no_baseline(job, args.collective, args.baseline):
            return why
        return [_row(row) for row, _ in counts(job, asked)]

    rows, bad, passed = [], [], 0
    every = [j for what in args.files for j in read(what, args.ranks_per_node, args.input_format)]
    results = zip(every, map(counted, every), strict=True)
    for found, told in watched(results, len(every), "jobs", lambda one: one[0].job, keep=True):
        if isinstance(told, str):
            bad.append((found.source, found.job, told))
        rows += [] if isinstance(told, str) else told
        passed += not told
    return rows, bad, passed


def _row(row: dict[str, Any]) -> dict[str, Any]:
    out = {
        k: row[k]
        for k in (
            "job",
            "nodes",
            "groups",
            "ranks",
            "collective",
            "algorithm",
            "numbering",
            "bytes",
            "global_bytes",
            "baseline",
            "change_pct",
            "lower_bound",
        )
    }
    above = 100 * (row["global_bytes"] / row["lower_bound"] - 1) if row["lower_bound"] else None
    return out | {"above_lower_bound_pct": above}


def run(args: argparse.Namespace) -> int:
    """Prints quartiles; 1 when no job could be used."""
    from ._analysis import PICTURES, writable
    from ._jobs_summary import COLUMNS, by_nodes
    from ._output import reporter, write_csv

    writable(args.plot, endings=PICTURES)
    writable(args.csv, args.parquet)
    with reporter(args) as report:
        rows, bad, passed = analyse(args)
        for source, name, why in bad[:10]:
            print(one_line(f"hopbine: {source}: job {name}: {why}"), file=sys.stderr)
        if len(bad) > 10:
            print(f"hopbine: and {len(bad) - 10} more that cannot be used", file=sys.stderr)
        jobs = len({(r["job"], r["nodes"]) for r in rows})
        report.remark(
            f"{many(jobs, 'job')} counted, {passed} passed over (in one group, too small or not a "
            f"power of two), {len(bad)} cannot be used"
        )
        if rows:
            baselines = sorted({r["baseline"] for r in rows})
            report.caption(
                f"\n{args.collective}: change of bytes between groups in per cent of "
                f"{', '.join(baselines)}; a minus is less\n"
            )
        if rows or not report.people:
            report.table(COLUMNS, by_nodes(rows))
        if rows:
            write_csv(args.csv, plain(rows[0], WHOLE), rows)
            _frame_files(args, rows)
    return 0 if rows else 1


def _frame_files(args: argparse.Namespace, rows: list[dict[str, Any]]) -> None:
    """--parquet and --plot."""
    if not args.parquet and not args.plot:
        return
    import polars

    frame = polars.DataFrame(rows, infer_schema_length=None)
    if args.parquet:
        with replaced(args.parquet) as made:
            frame.write_parquet(made)
    if args.plot and not stopped:
        from ..plots import traffic as plots
        from ..plots.files import save

        save(
            plots.change_boxes(
                frame.with_columns(algorithm=polars.col("algorithm").str.split(":").list.first()),
                f"{args.collective}: bytes between groups against "
                f"{args.baseline or 'the classic algorithm'}",
            ),
            args.plot,
        )
