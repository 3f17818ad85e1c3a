"""What `hopbine tune` does, in order."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

from ..notation.units import show_size
from ..output.progress import progress, tell
from ..output.tables import Reporter
from . import report
from .confirm import bench_arguments, launched, run_options, written
from .launching import Launcher
from .prepare import prepare
from .race import UNDECIDED, Plan
from .session import Session
from .tuner import Result, Tuner
from .verify import Verified

#: The part of the time that is kept for holding the file against the library.
VERIFYING = 0.15


def tune(args: argparse.Namespace, started: Launcher, out: Reporter) -> int:
    """Measures, decides, writes, verifies, reports."""
    end = time.monotonic() + args.budget

    def start() -> Session:
        return started.start(bench_arguments(args), args.timeout, run_options(args))

    with Tuner(start, Plan(args.confidence, args.tolerance, args.samples), progress, tell) as tuner:
        assert tuner.session
        p, state, classes = prepare(args, tuner.session)
        results = tuner.run(
            classes,
            state,
            max((end - time.monotonic()) * (1 if args.no_verify else 1 - VERIFYING), 0),
        )
    results, checks, withdrawn = written(args, started, results, p, end)
    by_class = {(v.collective, v.bytes): v for v in checks}
    report.print_rows(results, p, by_class, withdrawn, out)
    report.print_results(results, by_class, args.confidence, out)
    _print_end(args, results, checks, withdrawn, out)
    return 0


def _print_end(
    args: argparse.Namespace,
    results: Sequence[Result],
    checks: Sequence[Verified],
    withdrawn: set[tuple[str, int]],
    out: Reporter,
) -> None:
    open_ones = [
        f"{r.of.collective} {show_size(r.of.bytes)}"
        for r in results
        if r.outcome.verdict == UNDECIDED
    ]
    if open_ones:
        out.remark(
            f"not decided when the time was up, left to the library: {', '.join(open_ones)} (the "
            f"same command goes on from {args.state})"
        )
    done = sum(v.ratio is not None for v in checks)
    if withdrawn:
        out.remark(
            "withdrawn, for a second launch did not confirm it: "
            + ", ".join(f"{collective} {show_size(size)}" for collective, size in sorted(withdrawn))
        )
    out.remark(
        f"{done} of {len(results)} size classes were held against the library in a second launch"
    )
    out.remark(f"rules: {args.output}; use them with hopbine run --rules {args.output}")


def verify_file(args: argparse.Namespace, started: Launcher, out: Reporter) -> int:
    """--verify: 0, or 1 when a size class is slower than the library beyond noise."""
    checks = launched(args, started, args.verify, None, args.budget)
    tell("")
    report.print_verified(checks, args.confidence, out)
    return 1 if any(v.slower for v in checks) else 0
