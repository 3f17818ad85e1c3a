"""hopbine stats: prints the statistics that hopbine run --stats wrote"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..output.tables import Column, Reporter
from ..recorded.calls import check_sites, rows_of, total
from ._output import add_format, reporter

if TYPE_CHECKING:
    from ..machines import Machine


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
    parser.add_argument(
        "--account",
        action="store_true",
        help="what measuring saved and spent, a row for each kind of calls on each communicator, "
        "as rank 0 of that has measured it; the largest sums first",
    )
    parser.add_argument(
        "--waits",
        action="store_true",
        help="who is waited for: in how many calls each node and rank came last, and how long the "
        "others waited; those that they waited for longest first",
    )
    parser.add_argument(
        "--late-map",
        metavar="FILE",
        help="picture of how late each rank came in the course of the job (svg, png, pdf), on the "
        "communicator of most ranks",
    )
    parser.add_argument(
        "--all",
        action="store_true",
        help="all columns: also ranks, bytes of the calls and the classic algorithms; with --waits "
        "all rows",
    )
    add_format(parser)


def _size(row: dict[str, Any]) -> str:
    from ..notation.units import show_size

    if row["min_bytes"] is None:
        return "any"
    return f"{show_size(row['min_bytes'])} to {show_size(row['max_bytes'])}"


def columns(
    waits: bool, unit: str | None, sites: bool = False, every: bool = True, ranks: bool = True
) -> list[Column]:
    """The table's columns; people see what there is of MPI_Wait and of bytes between units.

    `every`: also what a line of a terminal has no room for; `ranks`: where they are not all alike.
    """

    def of(heading: str, shown: bool) -> str | None:
        return heading if shown else None

    between = of(f"between {unit}, classic", bool(unit))
    return [
        Column("file"),
        *([Column("called", "called in"), Column("site")] if sites else []),
        Column("collective", "collective"),
        Column("form"),
        Column("ranks", of("ranks", every or ranks), right=True),
        Column("min_bytes"),
        Column("max_bytes"),
        Column(None, "size", _size),
        Column("algorithm", of("served by", every)),
        Column("numbering", of("ranks as", every), lambda name: name or "-"),
        Column(None, of("served by", not every), _server),
        Column("calls", "calls", right=True),
        Column("bytes", of("bytes", every), right=True),
        Column("seconds", "ms", lambda s: f"{1e3 * s:.3f}", right=True, raw=float),
        Column("wait_seconds", "ms in wait" if waits else None, _milliseconds, right=True),
        Column("outside_wait_pct", "outside" if waits else None, _share, right=True),
        Column("classic", of("classic", bool(unit) and every), lambda name: name or "-"),
        Column("classic_global_bytes", between, _bytes, right=True, raw=round),
        Column("global_bytes", of("with hopbine", bool(unit)), _bytes, right=True, raw=round),
        Column("reason", "why"),
    ]


def _microseconds(seconds: float | None) -> str:
    return "-" if seconds is None else f"{1e6 * seconds:.4g}"


ACCOUNT_COLUMNS = [
    Column("file"),
    Column("ranks", "ranks"),
    Column("collective", "collective"),
    Column("min_bytes"),
    Column("max_bytes"),
    Column(None, "size", _size),
    Column("served_by", "served by"),
    Column("calls", "calls", right=True),
    Column("library_seconds", "us, mpi", _microseconds, right=True),
    Column("call_seconds", "us, now", _microseconds, right=True),
    Column("saved", "ms saved", lambda s: f"{1e3 * s:.3f}", right=True),
    Column("spent", "ms spent", lambda s: f"{1e3 * s:.3f}", right=True),
]


def account_rows(path: str, data: dict[str, Any]) -> list[dict[str, Any]]:
    """Rows of the account, the largest sums first. UsageError where the file has none."""
    if "account" not in data:
        raise UsageError(f"{path} has no account: hopbine {data['version']} wrote none")
    rows = []
    for kind in data["account"]["kinds"]:
        low, high = kind["bytes_class"]
        known = {name: kind.get(name) for name in ("library_seconds", "call_seconds")}
        rows.append({"file": path, "min_bytes": low, "max_bytes": high} | kind | known)
    return sorted(rows, key=lambda row: -max(row["saved"], row["spent"]))


def _milliseconds(seconds: float | None) -> str:
    return "-" if seconds is None else f"{1e3 * seconds:.3f}"


def _share(percent: float | None) -> str:
    return "-" if percent is None else f"{percent:.1f}%"


def _bytes(moved: float | None) -> str:
    return "-" if moved is None else f"{moved:,.0f}"


def _server(row: dict[str, Any]) -> str:
    """What served, and how it numbered the ranks where not as given."""
    own = row["numbering"] not in (None, "given")
    return f"{row['algorithm']}, {row['numbering']}" if own else row["algorithm"]


#: Nodes and ranks of a communicator that people read without --all.
MOST_WAITS = 10

WAITS_COLUMNS = [
    Column("file"),
    Column("communicator", "calls of ranks"),
    Column("calls"),
    Column("compared", "compared", right=True),
    Column("node", "node", lambda name: name or "-"),
    Column("rank", "rank", lambda rank: "all" if rank is None else rank, right=True),
    Column("last", "last", right=True),
    Column(None, "last in", lambda row: _share(100 * row["last"] / (row["compared"] or 1)), True),
    Column("waited_for_seconds", "us waited for", _microseconds, right=True),
    Column("waited_seconds", "us waited", _microseconds, right=True),
    Column("inside_seconds", "us inside", _microseconds, right=True),
    Column("outside_seconds", "us outside", _microseconds, right=True),
    Column("outside_longer_pct", "longer", _share, right=True),
]


def _waits(args: argparse.Namespace, report: Reporter, path: str, data: dict[str, Any]) -> None:
    """--waits: a table for each communicator."""
    from ..recorded.arrivals import compared, rows
    from ..recorded.waited_for import left_out

    if "arrivals" not in data:
        raise UsageError(f"{path} tells of no arrivals: hopbine {data['version']} took none")
    few = report.people and not args.all
    for one in compared(data):
        for of in rows(path, data, one):
            report.table(WAITS_COLUMNS, of[:MOST_WAITS] if few else of)
            if few and of[MOST_WAITS:]:
                report.caption(f"{len(of) - MOST_WAITS} more: --all")
    if left_out(data):
        report.caption(f"Not compared: {left_out(data)}")


def _late_map(file: str, path: str, data: dict[str, Any], report: Reporter) -> None:
    """--late-map."""
    from ..plots.arrivals import late_map
    from ..plots.files import save
    from ..recorded.arrivals import late_rows

    save(late_map(*late_rows(path, data)), file)
    report.remark(f"how late ranks of {path} came: {file}")


def _calls(
    args: argparse.Namespace,
    report: Reporter,
    path: str,
    data: dict[str, Any],
    machine: Machine | None,
) -> None:
    """What served which calls."""
    from ..recorded.crossings import job_of, unit
    from ..recorded.statistics import sums_line

    job = job_of(data, machine)
    if args.sites:
        check_sites(path, data)
    rows = rows_of(path, data, job, args.sites)
    crossing = unit(job) if job and any(r["classic_global_bytes"] for r in rows) else None
    waits = any(r["wait_seconds"] is not None for r in rows)
    ranks = len({row["ranks"] for row in rows}) > 1
    report.table(columns(waits, crossing, args.sites, args.all, ranks), rows)
    if crossing:
        report.caption(total(rows, crossing))
    if data.get("sums"):
        report.caption(sums_line(data["sums"]))


def run(args: argparse.Namespace) -> int:
    """One table per file."""
    from ..machines import load as load_machine
    from ..recorded.statistics import about, account_line, load
    from ..recorded.waited_for import lines

    if args.late_map and len(args.file) > 1:
        raise UsageError("--late-map is of one file")
    machine = load_machine(args.machine) if args.machine else None
    with reporter(args) as report:
        for path in args.file:
            data = load(path)
            report.caption(about(path, data))
            if args.late_map:
                _late_map(args.late_map, path, data, report)
            if args.account:
                report.table(ACCOUNT_COLUMNS, account_rows(path, data))
                report.caption(account_line(data["account"]))
                continue
            if args.waits:
                _waits(args, report, path, data)
            else:
                _calls(args, report, path, data, machine)
            for line in lines(data):
                report.caption(line)
    return 0
