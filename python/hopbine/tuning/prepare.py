"""What is to be measured on the ranks that were started, and what is known of it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .. import _core
from ..errors import UsageError
from ..model import parameters
from ..model.counted import seconds
from ..notation.units import show_size
from ..output.progress import tell
from .candidates import all_candidates, of_size
from .pruning import prune
from .session import Session
from .state import State
from .tuner import SizeClass

if TYPE_CHECKING:
    from .session import Hello


#: Bytes at which a message is all header: what is smaller costs the same.
WORD = 8


def measurable(session: Session, collective: str, sizes: Sequence[int]) -> list[tuple[int, int]]:
    """(low, bytes) of the size classes.

    A class begins after the size before it, the first one at half its own, or at 0 where its blocks
    are words; sizes below an element for each block are told and left out. A collective without
    data has one class.
    """
    least = session.bytes(collective, 1)
    if least == 0:
        return [(0, 0)]
    fitting = [size for size in sizes if size >= least]
    if len(fitting) < len(sizes):
        tell(
            f"{collective}: sizes below {show_size(least)} have less than an element for each "
            "rank; they are left out"
        )
    if not fitting:
        raise UsageError(
            f"--sizes: {collective} needs at least {show_size(least)} here, an element for each "
            "rank"
        )
    element = session.bytes("bcast", 1)
    first = 0 if fitting[0] * element <= least * WORD else fitting[0] // 2 + 1
    return list(zip([first, *(size + 1 for size in fitting[:-1])], fitting, strict=True))


def _model(
    args: argparse.Namespace, session: Session, state: State
) -> parameters.Parameters | None:
    """What candidates are pruned by; None: nothing is."""
    if args.calibration and not state.parameters:
        state.keep_parameters(parameters.load(args.calibration))
    elif args.prune and not state.parameters:
        state.keep_parameters(session.probe())
    return state.parameters if args.prune else None


def _classes(
    args: argparse.Namespace,
    session: Session,
    state: State,
    candidates: dict[str, list[str]],
    ranges: dict[str, list[tuple[int, int]]],
) -> list[SizeClass]:
    """The size classes with the candidates that the model leaves."""
    p, out = len(session.hello.nodes), []
    model = _model(args, session, state)
    for collective in args.collectives:
        sizes = [size for _, size in ranges[collective]]
        times = {
            c: seconds(model, collective, c, p, sizes, args.root)
            for c in candidates[collective]
            if model
        }
        out_of = prune(times, sizes, args.prune)
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


def prepare(args: argparse.Namespace, session: Session) -> tuple[int, State, list[SizeClass]]:
    """What is to be measured on the ranks that were started, and what is known of it."""
    hello, p = session.hello, len(session.hello.nodes)
    if p < 2:
        raise UsageError("one rank was started: there is nothing to tune")
    if not 0 <= args.root < p:
        raise UsageError(f"--root {args.root} is outside 0..{p - 1}")
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
