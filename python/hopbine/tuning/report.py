"""What came out, for people and programs."""

import csv
import sys
from collections.abc import Sequence

from ..bench.sizes import show_size
from .candidates import LIBRARY
from .interval import Interval
from .race import SLOWER
from .tuner import Result
from .verify import Verified

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


def _numbers(interval: Interval | None) -> list[str]:
    return (
        [f"{x:.6g}" for x in (interval.middle, interval.low, interval.high)]
        if interval
        else ["", "", ""]
    )


def print_csv(
    results: Sequence[Result],
    ranks: int,
    verified: dict[tuple[str, int], Verified],
    withdrawn: set[tuple[str, int]],
) -> None:
    """A row per class.

    `slower` names the candidates that were slower than the library with confidence.
    """
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(COLUMNS)
    for r in results:
        o, key = r.outcome, (r.of.collective, r.of.bytes)
        check = verified.get(key)
        out.writerow(
            [
                r.of.collective,
                ranks,
                r.of.low,
                r.of.bytes,
                f"{o.library_seconds:.6g}" if o.library_seconds else "",
                len(r.of.candidates),
                o.best,
                o.samples,
                int(o.fresh),
                *_numbers(o.ratio),
                o.verdict,
                o.serves,
                ";".join(r.slower),
                *_numbers(check.ratio if check else None),
                int(key in withdrawn),
            ]
        )


def print_results(
    results: Sequence[Result], verified: dict[tuple[str, int], Verified], confidence: float
) -> None:
    """The table, then what was left to the library and why."""
    from ..cli._common import print_table

    rows = []
    for r in results:
        o, key = r.outcome, (r.of.collective, r.of.bytes)
        check = verified.get(key)
        verdict = o.verdict if o.fresh or not o.ratio else f"all {o.verdict}"
        rows.append(
            [
                r.of.collective,
                show_size(r.of.bytes),
                f"{o.library_seconds * 1e6:.1f} us" if o.library_seconds else "",
                o.best,
                str(o.ratio or ""),
                verdict,
                f"{len(r.slower)} of {len(r.of.candidates)}",
                o.serves,
                str(check.ratio) if check and check.ratio else "",
            ]
        )
    print_table(
        [
            "collective",
            "bytes",
            "library",
            "best",
            f"ratio ({confidence * 100:g} %)",
            "verdict",
            "slower",
            "serves",
            "verified",
        ],
        rows,
        right={1, 2},
    )
    faster = [o.ratio.middle for r in results if (o := r.outcome).serves != LIBRARY and o.ratio]
    print(
        f"\nratio: time over the library's. hopbine serves {len(faster)} of {len(results)} size "
        "classes, the MPI library the others."
    )
    if faster:
        print(
            f"Where hopbine serves it takes {min(faster):.3f} to {max(faster):.3f} of the "
            "library's time."
        )
    for r in results:
        o = r.outcome
        if o.verdict == SLOWER:
            print(
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
        print(f"left out: {collective} {a}: {why}")


def print_verified(checks: Sequence[Verified], confidence: float) -> None:
    """Ratio and spread with the file in use."""
    from ..cli._common import print_table

    rows = [
        [
            v.collective,
            show_size(v.bytes),
            v.served,
            str(v.ratio or "the time was up"),
            str(v.samples),
            "SLOWER" if v.slower else "",
        ]
        for v in checks
    ]
    print_table(
        ["collective", "bytes", "served by", f"ratio ({confidence * 100:g} %)", "samples", ""],
        rows,
        right={1, 4},
    )
    slower = [f"{v.collective} {show_size(v.bytes)}" for v in checks if v.slower]
    done = sum(v.ratio is not None for v in checks)
    print(
        f"\n{done} of {len(checks)} size classes verified; slower than the library beyond noise: "
        f"{', '.join(slower) or 'none'}"
    )
