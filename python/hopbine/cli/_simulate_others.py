"""hopbine simulate: what other jobs on the network do."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..notation.text import short
from ._parser import count

if TYPE_CHECKING:
    from ..simulation.periodic import PeriodicJob
    from ..simulation.setup import Background, Setup

#: What says how an aggressor calls a collective.
_OF_CALLS = ("aggressor_size", "aggressor_period", "aggressor_nodes")


def others_of(args: argparse.Namespace, setup: Setup, seed: int) -> Background:
    """Other jobs beside those ranks. UsageError."""
    out = _with_aggressor(args, _background(args), setup, seed)
    used = [*setup.nodes, *(out.calls.nodes if out.calls else ())]
    return _with_jobs(args, out, used, seed)


def _background(args: argparse.Namespace) -> Background:
    """--background. UsageError."""
    from ..simulation.setup import Background

    out = Background()
    if args.background is not None:
        text, _, pattern = args.background.partition(":")
        share = _share(text)
        if share is None or pattern not in ("", "uniform", "permutation", "alltoall"):
            raise UsageError(
                f"--background '{short(args.background)}' is not a share above 0 and up to 1, "
                "with :uniform, :permutation or :alltoall behind it"
            )
        out = replace(out, share=share, pattern=pattern or out.pattern)
    return out


def _with_aggressor(
    args: argparse.Namespace, background: Background, setup: Setup, seed: int
) -> Background:
    """--aggressor and what belongs to it. UsageError."""
    kind, colon, rest = (args.aggressor or "").partition(":")
    pattern = kind in ("incast", "alltoall") and (not colon or rest.isdigit())
    if pattern or args.aggressor is None:
        for name in _OF_CALLS:
            if getattr(args, name) is not None:
                option = name.replace("_", "-")
                raise UsageError(
                    f"--{option} is for an --aggressor that calls a collective, as in "
                    "--aggressor allreduce:rabenseifner"
                )
    if args.aggressor is None:
        return background
    if not pattern:
        return replace(background, calls=_calls(args, kind, rest, setup, seed))
    try:
        number = count(2, 1 << 24)(rest) if colon else 0
    except argparse.ArgumentTypeError:
        raise UsageError(f"{_named(args)}: {kind} is of 2 nodes at least") from None
    return replace(background, aggressor=kind, nodes=number)


def _named(args: argparse.Namespace) -> str:
    return f"--aggressor '{short(args.aggressor)}'"


def _calls(
    args: argparse.Namespace, collective: str, algorithm: str, setup: Setup, seed: int
) -> PeriodicJob:
    """An aggressor that calls a collective. UsageError."""
    from .. import _core
    from ..notation.units import parse_size, parse_time
    from ..simulation.periodic import PeriodicJob, drawn, nodes_of

    if collective not in {a["collective"] for a in _core.algorithms()} or not algorithm:
        raise UsageError(
            f"{_named(args)} is not incast or alltoall, with :NODES of at least 2 behind it, nor "
            "COLLECTIVE:ALGORITHM, as in allreduce:rabenseifner"
        )
    if args.aggressor_size is None or args.aggressor_period is None:
        raise UsageError(f"{_named(args)} needs --aggressor-size and --aggressor-period")
    nodes = setup.network.nodes // setup.cards
    return PeriodicJob(
        collective,
        algorithm,
        parse_size(args.aggressor_size),
        parse_time(args.aggressor_period, "--aggressor-period"),
        nodes_of(args.aggressor_nodes, nodes)
        if args.aggressor_nodes
        else drawn(nodes, setup.nodes, len(set(setup.nodes)), seed),
    )


def _with_jobs(
    args: argparse.Namespace, background: Background, used: list[int], seed: int
) -> Background:
    """--background-jobs. UsageError."""
    from ..simulation.other_jobs import of_file
    from ._simulate_setup import machine_network

    if args.background_busy is not None and args.background_jobs is None:
        raise UsageError(
            "--background-busy says how many nodes the jobs of --background-jobs take: give both"
        )
    if args.background_jobs is None:
        return background
    if not background.share:
        raise UsageError("--background-jobs needs --background SHARE: what its jobs send")
    busy = _share(args.background_busy or "1")
    if busy is None:
        raise UsageError(
            f"--background-busy '{short(args.background_busy)}' is not a share above 0 and up to 1"
        )
    placed = of_file(machine_network(args), args.background_jobs, used, seed, busy)
    return replace(background, jobs=placed.nodes, about=str(placed))


def _share(text: str) -> float | None:
    """A number above 0 and up to 1; None for anything else."""
    try:
        share = float(text) if len(text) < 30 else 0
    except ValueError:
        return None
    return share if 0 < share <= 1 else None
