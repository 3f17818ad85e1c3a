"""What `hopbine tune` does, in order."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .. import _core
from ..model import parameters
from ..selection import file
from ..tables import Reporter
from ..units import show_size
from . import outcome, report
from .candidates import LIBRARY, all_candidates, of_size
from .launching import Launcher
from .pruning import prune
from .race import UNDECIDED, Plan
from .session import Lost, Session
from .state import State
from .tuner import Result, SizeClass, Tuner
from .verify import Verified, verify

if TYPE_CHECKING:
    from .session import Hello


#: The part of the time that is kept for holding the file against the library.
VERIFYING = 0.15
#: Of this many bytes a message is all header: what is smaller costs the same.
WORD = 8


def progress(text: str) -> None:
    """A line that the next one writes over; nothing where there is no terminal."""
    if sys.stderr.isatty():
        width = os.get_terminal_size(sys.stderr.fileno()).columns
        print(f"\r\033[K{text[: width - 1]}", end="", file=sys.stderr, flush=True)


def tell(text: str) -> None:
    """A line that stays."""
    print(("\r\033[K" if sys.stderr.isatty() else "") + text, file=sys.stderr, flush=True)


def bench_arguments(args: argparse.Namespace) -> list[str]:
    """Of hopbine-bench serve."""
    return [str(args.seed), str(args.root), args.type]


def run_options(args: argparse.Namespace, *more: str) -> list[str]:
    """Of hopbine run."""
    return [*(["--shape", "x".join(map(str, args.shape))] if args.shape else []), *more]


def measurable(session: Session, collective: str, sizes: Sequence[int]) -> list[tuple[int, int]]:
    """(low, bytes) of the size classes.

    A class begins after the size before it, the first one at half its own, or at 0 where its blocks
    are words; sizes below an element for each block are told and left out.
    """
    least = session.bytes(collective, 1)
    fitting = [size for size in sizes if size >= least]
    if len(fitting) < len(sizes):
        tell(
            f"{collective}: sizes below {show_size(least)} have less than an element for each "
            "rank; they are left out"
        )
    if not fitting:
        raise ValueError(
            f"--sizes: {collective} needs at least {show_size(least)} here, an element for each "
            "rank"
        )
    element = session.bytes("bcast", 1)
    first = 0 if fitting[0] * element <= least * WORD else fitting[0] // 2 + 1
    return list(zip([first, *(size + 1 for size in fitting[:-1])], fitting, strict=True))


def _classes(
    args: argparse.Namespace,
    session: Session,
    state: State,
    candidates: dict[str, list[str]],
    ranges: dict[str, list[tuple[int, int]]],
) -> list[SizeClass]:
    """The size classes with the candidates that the model leaves."""
    p, out = len(session.hello.nodes), []
    if args.calibration and not state.parameters:
        state.keep_parameters(parameters.load(args.calibration))
    elif args.prune and not state.parameters:
        state.keep_parameters(session.probe())
    for collective in args.collectives:
        sizes = [size for _, size in ranges[collective]]
        out_of = prune(
            candidates[collective], collective, p, sizes, args.root, state.parameters, args.prune
        )
        for low, size in ranges[collective]:
            left = of_size(
                [c for c in candidates[collective] if c not in out_of[size]], collective, size
            )
            out.append(SizeClass(collective, low, size, tuple(left)))
        gone = {c for pruned in out_of.values() for c in pruned}
        worst = max((times for pruned in out_of.values() for times in pruned.values()), default=0)
        tell(
            (
                f"{collective}: {len(candidates[collective])} candidates on {p} ranks, "
                f"{len(sizes)} size classes; "
            )
            + (
                f"{sum(map(len, out_of.values()))} of {len(sizes) * len(candidates[collective])} "
                "pairs of candidate and size are pruned, modelled at more than "
                f"{args.prune:g} and up to {worst:.0f} times the best: {', '.join(sorted(gone))}"
                if gone
                else "nothing is pruned"
            )
        )
    return out


def _prepare(args: argparse.Namespace, session: Session) -> tuple[int, State, list[SizeClass]]:
    """What is to be measured on the ranks that were started, and what is known of it."""
    hello, p = session.hello, len(session.hello.nodes)
    if p < 2:
        raise ValueError("one rank was started: there is nothing to tune")
    if not 0 <= args.root < p:
        raise ValueError(f"--root {args.root} is outside 0..{p - 1}")
    candidates = {
        c: all_candidates(c, p, args.shape, hello.placed, args.asked) for c in args.collectives
    }
    ranges = {c: measurable(session, c, args.sizes) for c in args.collectives}
    state = State(args.state, _question(args, hello, candidates), args.fresh)
    if state.answers:
        tell(
            f"going on from {args.state}: {sum(map(len, state.answers.values()))} rounds of "
            f"{len(state.answers)} size classes are there"
        )
    return p, state, _classes(args, session, state, candidates, ranges)


def _question(
    args: argparse.Namespace, hello: Hello, candidates: dict[str, list[str]]
) -> dict[str, Any]:
    """What the answers in a state file are answers to."""
    return {
        "hopbine": _core.version,
        "library": hello.library,
        "ranks": len(hello.nodes),
        "nodes": list(hello.nodes),
        "groups": list(hello.groups),
        "sizes": args.sizes,
        "type": args.type,
        "root": args.root,
        "shape": args.shape,
        "prune": args.prune,
        "candidates": candidates,
    }


def tune(args: argparse.Namespace, started: Launcher, out: Reporter) -> int:
    """Measures, decides, writes, verifies, reports."""
    end = time.monotonic() + args.budget

    def start() -> Session:
        return started.start(bench_arguments(args), args.timeout, run_options(args))

    with Tuner(start, Plan(args.confidence, args.tolerance, args.samples), progress, tell) as tuner:
        assert tuner.session
        p, state, classes = _prepare(args, tuner.session)
        results = tuner.run(
            classes,
            state,
            max((end - time.monotonic()) * (1 if args.no_verify else 1 - VERIFYING), 0),
        )
    results, checks, withdrawn = _written(args, started, results, p, end)
    by_class = {(v.collective, v.bytes): v for v in checks}
    report.print_rows(results, p, by_class, withdrawn, out)
    report.print_results(results, by_class, args.confidence, out)
    _print_end(args, results, checks, withdrawn, out)
    return 0


def _written(
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
        return _verified(args, started, args.output, classes, left)
    except Lost as error:
        tell(f"hopbine: the file could not be verified: {error}")
        return []


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


def _verified(
    args: argparse.Namespace,
    started: Launcher,
    rules: str,
    classes: Sequence[tuple[str, int]],
    budget: float,
) -> list[Verified]:
    """A launch with the file in use."""
    began = time.monotonic()
    with started.start(
        bench_arguments(args), args.timeout, run_options(args, "--rules", os.path.abspath(rules))
    ) as session:
        return verify(
            session,
            classes,
            args.samples,
            args.confidence,
            budget - (time.monotonic() - began),
            progress,
        )


def verify_file(args: argparse.Namespace, started: Launcher, out: Reporter) -> int:
    """--verify: 0, or 1 when a size class is slower than the library beyond noise."""
    began = time.monotonic()
    with started.start(
        bench_arguments(args),
        args.timeout,
        run_options(args, "--rules", os.path.abspath(args.verify)),
    ) as session:
        classes = [
            (c, size) for c in args.collectives for _, size in measurable(session, c, args.sizes)
        ]
        checks = verify(
            session,
            classes,
            args.samples,
            args.confidence,
            args.budget - (time.monotonic() - began),
            progress,
        )
    tell("")
    report.print_verified(checks, args.confidence, out)
    return 1 if any(v.slower for v in checks) else 0
