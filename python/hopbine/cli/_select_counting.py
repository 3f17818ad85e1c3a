"""hopbine select explain: what the runtime takes by itself for a job's hosts, and why."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..jobs.explained import KEYS, candidates
from ..notation.units import show_bytes, show_microseconds, show_size
from ..output.tables import Column, Reporter, Row, plain

if TYPE_CHECKING:
    from ..jobs.job import Job


def explain_counting(args: argparse.Namespace) -> int:
    """Prints the choice by size, and with --all the candidates."""
    from .. import _core
    from ..bench.sizes import parse_sizes
    from ..jobs.job import explain
    from ..notation.quantities import check_blocks
    from ..output.progress import elapsed
    from ._analysis import about_job, one_job, spread
    from ._output import reporter

    _core.rooted(args.collective)
    job, sizes = one_job(args), parse_sizes(args.sizes)
    check_blocks(args.collective, len(job.hosts), "counted")
    calls = _core.Calls(
        args.collective,
        root=args.root,
        commutes=not args.in_order,
        exact=args.exact,
        form=args.form,
    )
    with elapsed("counting the candidates"):
        told = explain(job, calls, sizes, args.patience)
    p, groups, _ = spread(job)
    with reporter(args) as report:
        report.caption(about_job(job))
        report.caption(about_links(job))
        rows: list[dict[str, Any]] = []
        if not told["scarce"]:
            report.remark(_unscarce(told["library_first"][0], args.form, job))
        else:
            rows = candidates(told, sizes, p, calls)
            _add_bars(rows, args.collective, job)
            if args.all:
                show_candidates(report, rows, sizes, groups > 1)
            show_chosen(report, rows, sizes, groups > 1, args.form)
        told_of = rows if args.all else [row for row in rows if row["chosen"]]
        report.table(plain((*KEYS, *BARS), ("global_bytes", "local_bytes", "least_bytes")), told_of)
    return 0


#: Keys of an error bar at a size.
BARS = ("off", "off_90", "apart", "lost", "lost_90", "published_cells", "published_calls")


def _add_bars(rows: list[dict[str, Any]], collective: str, job: Job) -> None:
    """Adds what published times say of the model for calls such as these."""
    from .. import _core

    bars = {
        size: _core.error_bar(collective, size, len(job.hosts), bool(job.machine.shape))
        for size in {row["bytes"] for row in rows}
    }
    for row in rows:
        bar = bars[row["bytes"]]
        told = (bar.off, bar.off_90, bar.apart, bar.lost, bar.lost_90, bar.cells, bar.like)
        row |= dict(zip(BARS, told, strict=True))


def _bar(row: Row) -> str:
    return f"{row['off']:.2f}x ({row['off_90']:.2f}x)"


def about_bars(rows: list[Row]) -> list[str]:
    """What the error bars are of, in lines."""
    calls = {row["published_calls"]: row for row in rows}
    if not calls:
        return []
    return [
        "off by: factor of modelled times on published ones of similar calls, either way: median "
        "and nine tenths (docs/choice-errors)",
        *(
            f"  {like}: {row['published_cells']} cells; two algorithms' ratio is off by "
            f"{row['apart']:.2f}x in two thirds; the first choice took {row['lost']:.2f} times the "
            f"fastest of all that was timed, nine tenths up to {row['lost_90']:.2f}"
            for like, row in calls.items()
        ),
    ]


def _unscarce(why: str, form: str, job: Job) -> str:
    """What happens where no links are scarce."""
    if form == "blocking":
        return f"the first guess is mpi: {why}; the runtime measures in the job"
    small = "small calls go through shared memory where that is faster (docs/nonblocking.md)"
    return f"mpi: {why}" + (f"; {small}" if len(set(job.places.node)) == 1 else "")


def _scarce(row: Row, grouped: bool) -> float:
    """Bytes between groups, or where all are in one between nodes."""
    return float(row["global_bytes" if grouped else "local_bytes"])


def show_candidates(
    report: Reporter, rows: list[dict[str, Any]], sizes: list[int], grouped: bool
) -> None:
    """The table of --all: a line for each candidate, the fastest at the largest size first."""

    of_size = [[row for row in rows if row["bytes"] == size] for size in sizes]
    lines = sorted(zip(*of_size, strict=True), key=lambda line: line[-1]["seconds"])

    def time(i: int) -> Column:
        return Column(
            None, show_size(sizes[i]), lambda row: _time(row["line"][i]["seconds"]), right=True
        )

    def vectors(row: Row) -> str:
        last = row["line"][-1]
        return f"{_scarce(last, grouped) / last['bytes']:.4g} n"

    report.caption()
    report.table(
        [
            Column(None, "algorithm", lambda row: row["line"][0]["algorithm"]),
            Column(None, "numbering", lambda row: row["line"][0]["numbering"]),
            Column(None, "scarce", vectors, right=True),
            *map(time, range(len(sizes))),
        ],
        [{"line": line} for line in lines],
    )


def show_chosen(
    report: Reporter, rows: list[dict[str, Any]], sizes: list[int], grouped: bool, form: str
) -> None:
    """The table of what is taken, size by size."""

    taken = {row["bytes"]: row for row in rows if row["chosen"]}

    def of(heading: str, show: Callable[[Row], str], right: bool = False) -> Column:
        return Column(None, heading, lambda row: show(row) if "chosen" in row else "", right)

    beside = (
        [of("beside computation", lambda row: _time(row["beside_seconds"]), right=True)]
        if form != "blocking"
        else []
    )
    report.caption()
    report.table(
        [
            Column(None, "bytes", lambda row: show_size(row["bytes"]), right=True),
            Column(None, "algorithm", lambda row: row.get("algorithm", "none is fit")),
            of("numbering", lambda row: row["numbering"]),
            of("at first", lambda row: "this" if row["guess"] else "mpi"),
            of("modelled", lambda row: _time(row["seconds"]), right=True),
            of("off by", _bar, right=True),
            *beside,
            of("to fastest", lambda row: f"{row['to_fastest']:.2f}x", right=True),
            of("to least", _to_least, right=True),
            of("limited by", lambda row: row["limit"]),
            of(
                "between groups" if grouped else "between nodes",
                lambda row: show_bytes(_scarce(row, grouped)),
                right=True,
            ),
            of("least", lambda row: show_bytes(row["least_bytes"]), right=True),
        ],
        [taken.get(size, {"bytes": size}) for size in sizes],
    )
    for why in dict.fromkeys(row["library_first"] for row in taken.values()):
        if why:
            report.remark(f"mpi at first: {why}")
    for line in about_bars(list(taken.values())):
        report.remark(line)


def about_links(job: Job) -> str:
    """What the machine tells of its links, in a line."""
    return (
        f"links: {job.machine.network().replace(':', ', ') or 'not described'}; the rest as in "
        "docs/choice.md"
    )


def _to_least(row: Row) -> str:
    return f"{row['to_least']:.2f}x" if row["to_least"] else "-"


def _time(seconds: float) -> str:
    if seconds == float("inf"):
        return "-"
    return show_microseconds(seconds) if seconds < 1e-3 else f"{seconds * 1e3:.3g} ms"
