"""The rules file of a tuning, and a launch with it in use that must confirm it."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence

from ..output.progress import progress, tell
from ..selection import file
from . import outcome
from .candidates import LIBRARY
from .launching import Launcher
from .prepare import measurable
from .session import Lost, Session
from .tuner import Result
from .verify import Verified, verify


def bench_arguments(args: argparse.Namespace) -> list[str]:
    """The arguments of hopbine-bench serve."""
    return [str(args.seed), str(args.root), args.type]


def run_options(args: argparse.Namespace, *more: str) -> list[str]:
    """The options of hopbine run."""
    return [*(["--shape", "x".join(map(str, args.shape))] if args.shape else []), *more]


def written(
    args: argparse.Namespace, started: Launcher, results: list[Result], p: int, end: float
) -> tuple[list[Result], list[Verified], set[tuple[str, int]]]:
    """The file, and a second launch that must confirm it.

    (results, checks, classes that were withdrawn from the file).
    """
    old = file.read(args.output) if os.path.exists(args.output) else []
    note = f"hopbine tune {','.join(args.collectives)} on {p} ranks"

    def write() -> None:
        rules = outcome.rules(results, p, args.confidence)
        file.write(args.output, outcome.merged(rules, old), note)

    write()
    checks = [] if args.no_verify else _checked(args, started, results, end)
    serving = {(r.of.collective, r.of.bytes) for r in results if r.outcome.serves != LIBRARY}
    withdrawn = {
        (v.collective, v.bytes) for v in checks if v.ratio and v.ratio.middle > 1
    } & serving
    if withdrawn:
        results = [
            outcome.withdrawn(r) if (r.of.collective, r.of.bytes) in withdrawn else r
            for r in results
        ]
        write()
    return results, checks, withdrawn


def _checked(
    args: argparse.Namespace, started: Launcher, results: Sequence[Result], end: float
) -> list[Verified]:
    """What a second launch says of the file; nothing where the time is up or it breaks down."""
    left = end - time.monotonic()
    if left <= 0:
        return []
    classes = [(r.of.collective, r.of.bytes) for r in results]
    try:
        return launched(args, started, args.output, classes, left)
    except Lost as error:
        tell(f"hopbine: the file could not be verified: {error}")
        return []


def launched(
    args: argparse.Namespace,
    started: Launcher,
    rules: str,
    classes: Sequence[tuple[str, int]] | None,
    budget: float,
) -> list[Verified]:
    """Each class with the file in use, against the library; all that can be measured for None."""
    end = time.monotonic() + budget
    options = run_options(args, "--rules", os.path.abspath(rules))
    with started.start(bench_arguments(args), args.timeout, options) as session:
        return verify(
            session,
            _measurable(args, session) if classes is None else classes,
            args.samples,
            args.confidence,
            end - time.monotonic(),
            progress,
        )


def _measurable(args: argparse.Namespace, session: Session) -> list[tuple[str, int]]:
    """Every collective and size that is asked for."""
    return [(c, size) for c in args.collectives for _, size in measurable(session, c, args.sizes)]
