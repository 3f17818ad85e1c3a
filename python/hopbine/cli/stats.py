"""hopbine stats: prints the statistics that hopbine run --stats wrote"""

import argparse
from typing import Any

from ..recorded_calls import check_sites, rows_of, total
from ..tables import Column
from ._output import add_format, reporter


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    parser.add_argument("file", nargs="+")
    parser.add_argument(
        "--machine",
        metavar="M",
        help="count bytes between the groups of this machine (as hopbine traffic takes it); "
        "default: those that the job knew, else its nodes",
    )
    parser.add_argument(
        "--sites",
        action="store_true",
        help="a row for each place of the program that calls, the longest time first; needs files "
        "of hopbine run --stats FILE --sites",
    )
    add_format(parser)


def _size(row: dict[str, Any]) -> str:
    from ..units import show_size

    if row["min_bytes"] is None:
        return "any"
    return f"{show_size(row['min_bytes'])} to {show_size(row['max_bytes'])}"


def columns(waits: bool, unit: str | None, sites: bool = False) -> list[Column]:
    """Those of a table; people see what there is of MPI_Wait and of bytes between units."""
    return [
        Column("file"),
        *([Column("called", "called in"), Column("site")] if sites else []),
        Column("collective", "collective"),
        Column("form"),
        Column("ranks", "ranks", right=True),
        Column("min_bytes"),
        Column("max_bytes"),
        Column(None, "size", _size),
        Column("algorithm", "served by"),
        Column("numbering", "ranks as", lambda name: name or "-"),
        Column("calls", "calls", right=True),
        Column("bytes", "bytes", right=True),
        Column("seconds", "ms", lambda s: f"{1e3 * s:.3f}", right=True, raw=float),
        Column("wait_seconds", "ms in wait" if waits else None, _milliseconds, right=True),
        Column("outside_wait_pct", "outside" if waits else None, _share, right=True),
        Column(None, f"between {unit}, classic" if unit else None, _classic, right=True),
        Column("classic"),
        Column("classic_global_bytes", raw=round),
        Column("global_bytes", "with hopbine" if unit else None, _bytes, right=True, raw=round),
        Column("reason", "why"),
    ]


def _milliseconds(seconds: float | None) -> str:
    return "-" if seconds is None else f"{1e3 * seconds:.3f}"


def _share(percent: float | None) -> str:
    return "-" if percent is None else f"{percent:.1f}%"


def _bytes(moved: float | None) -> str:
    return "-" if moved is None else f"{moved:,.0f}"


def _classic(row: dict[str, Any]) -> str:
    moved = row["classic_global_bytes"]
    return "-" if moved is None else f"{moved:,.0f} ({row['classic']})"


def run(args: argparse.Namespace) -> int:
    """One table per file."""
    from ..crossings import job_of, unit
    from ..machines import load as load_machine
    from ..statistics_file import about, load

    machine = load_machine(args.machine) if args.machine else None
    with reporter(args) as report:
        for path in args.file:
            data = load(path)
            job = job_of(data, machine)
            report.caption(about(path, data))
            if args.sites:
                check_sites(path, data)
            rows = rows_of(path, data, job, args.sites)
            crossing = unit(job) if job and any(r["classic_global_bytes"] for r in rows) else None
            waits = any(r["wait_seconds"] is not None for r in rows)
            report.table(columns(waits, crossing, args.sites), rows)
            if crossing:
                report.caption(total(rows, crossing))
    return 0
