"""What came out, for people and programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..notation.units import show_microseconds, show_size
from ..output.tables import Column, Reporter, Row, Table, plain
from .candidates import LIBRARY
from .interval import Interval
from .race import SLOWER
from .tuner import Result
from .verify import Verified

#: Columns of a class. `slower`: the candidates that were slower than the library with confidence.
COLUMNS = (
    "collective",
    "ranks",
    "low",
    "bytes",
    "library_seconds",
    "candidates",
    "best",
    "samples",
    "fresh",
    "ratio",
    "ratio_low",
    "ratio_high",
    "verdict",
    "serves",
    "slower",
    "verified_ratio",
    "verified_low",
    "verified_high",
    "withdrawn",
)


def _numbers(interval: Interval | None) -> tuple[float | None, float | None, float | None]:
    return (interval.middle, interval.low, interval.high) if interval else (None, None, None)


def print_rows(
    results: Sequence[Result],
    ranks: int,
    verified: dict[tuple[str, int], Verified],
    withdrawn: set[tuple[str, int]],
    report: Reporter,
) -> None:
    """A row per class, for programs."""
    rows = []
    for r in results:
        o, key = r.outcome, (r.of.collective, r.of.bytes)
        check = verified.get(key)
        values = (
            r.of.collective,
            ranks,
            r.of.low,
            r.of.bytes,
            o.library_seconds or None,
            len(r.of.candidates),
            o.best,
            o.samples,
            int(o.fresh),
            *_numbers(o.ratio),
            o.verdict,
            o.serves,
            list(r.slower),
            *_numbers(check.ratio if check else None),
            int(key in withdrawn),
        )
        rows.append(dict(zip(COLUMNS, values, strict=True)))
    report.table(plain(COLUMNS), rows)


def print_results(
    results: Sequence[Result],
    verified: dict[tuple[str, int], Verified],
    confidence: float,
    report: Reporter | None = None,
) -> None:
    """The table for people, then what was left to the library and why."""
    report = report or Table()

    def of(heading: str, show: Callable[[Result], str], right: bool = False) -> Column:
        return Column(None, heading, lambda row: show(row["result"]), right)

    report.table(
        [
            of("collective", lambda r: r.of.collective),
            of("bytes", lambda r: show_size(r.of.bytes), right=True),
            of("library", _library_time, right=True),
            of("best", lambda r: r.outcome.best),
            of(f"ratio ({confidence * 100:g} %)", lambda r: str(r.outcome.ratio or "")),
            of("verdict", _verdict),
            of("slower", lambda r: f"{len(r.slower)} of {len(r.of.candidates)}"),
            of("serves", lambda r: r.outcome.serves),
            of("verified", lambda r: _verified(verified.get((r.of.collective, r.of.bytes)))),
        ],
        [{"result": r} for r in results],
    )
    _sum_up(results, report)


def _library_time(r: Result) -> str:
    seconds = r.outcome.library_seconds
    return show_microseconds(seconds) if seconds else ""


def _verdict(r: Result) -> str:
    """With a word on where the samples are from."""
    o = r.outcome
    return o.verdict if o.fresh or not o.ratio else f"all {o.verdict}"


def _verified(check: Verified | None) -> str:
    return str(check.ratio) if check and check.ratio else ""


def _sum_up(results: Sequence[Result], report: Reporter) -> None:
    """Who serves how much, and what was dropped for another reason than its time."""
    faster = [o.ratio.middle for r in results if (o := r.outcome).serves != LIBRARY and o.ratio]
    report.caption(
        f"\nratio: time over the library's. hopbine serves {len(faster)} of {len(results)} size "
        "classes, the MPI library the others."
    )
    if faster:
        report.caption(
            f"Where hopbine serves it takes {min(faster):.3f} to {max(faster):.3f} of the "
            "library's time."
        )
    for r in results:
        o = r.outcome
        if o.verdict == SLOWER:
            report.caption(
                f"slower: {r.of.collective} {show_size(r.of.bytes)}: the best, {o.best}, takes "
                f"{o.ratio} of the library's time"
            )
    broken = {
        (r.of.collective, a): why
        for r in results
        for a, why in r.dropped.items()
        if not why.startswith(("slower than", "among"))
    }
    for (collective, a), why in broken.items():
        report.remark(f"left out: {collective} {a}: {why}")


def print_verified(checks: Sequence[Verified], confidence: float, report: Reporter) -> None:
    """Ratio and spread with the file in use."""

    def ratio(row: Row) -> str:
        return str(row["check"].ratio or "the time was up")

    keys = ("collective", "bytes", "algorithm", "ratio", "ratio_low", "ratio_high")
    rows: list[dict[str, Any]] = []
    for v in checks:
        values = (v.collective, v.bytes, v.served, *_numbers(v.ratio))
        more = {"samples": v.samples, "slower": v.slower, "check": v}
        rows.append(dict(zip(keys, values, strict=True)) | more)
    report.table(
        [
            Column("collective", "collective"),
            Column("bytes", "bytes", show_size, right=True),
            Column("algorithm", "served by"),
            Column(None, f"ratio ({confidence * 100:g} %)", ratio),
            *plain(("ratio", "ratio_low", "ratio_high")),
            Column("samples", "samples", right=True),
            Column("slower", "", lambda slower: "SLOWER" if slower else ""),
        ],
        rows,
    )
    slower = [f"{v.collective} {show_size(v.bytes)}" for v in checks if v.slower]
    done = sum(v.ratio is not None for v in checks)
    report.remark(
        f"\n{done} of {len(checks)} size classes verified; slower than the library beyond noise: "
        f"{', '.join(slower) or 'none'}"
    )
