"""Simulated times of predicted calls, with the ranks numbered as each algorithm is taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from .. import _core
from ..jobs.job import Job
from ..recorded.crossings import LIBRARY
from .setup import Setup
from .sweep import timed


class Call(NamedTuple):
    """A call by an algorithm."""

    collective: str
    root: int
    algorithm: str
    numbering: str
    bytes: float
    members: tuple[int, ...] | None  #: ranks of the job; None: all


def add_simulated(
    rows: Sequence[dict[str, Any]],
    ways: Sequence[str],
    job: Job,
    setup: Setup,
    watched: bool = False,
) -> None:
    """Adds WAY_simulated_seconds, of all calls of a row, to rows of prediction.predict."""
    wanted = list(dict.fromkeys(_call(row, way) for row in rows for way in ways))
    seconds = _simulated(wanted, job, setup, watched)
    for row in rows:
        for way in ways:
            row[f"{way}_simulated_seconds"] = row["calls"] * seconds[_call(row, way)]


def _call(row: dict[str, Any], way: str) -> Call:
    """One of a row; what hopbine leaves to the MPI library is taken as the classic algorithm."""
    taken = "classic" if row[way] == LIBRARY else way
    return Call(
        row["collective"],
        row["root"],
        row[taken],
        row[f"{taken}_numbering"],
        row["bytes"] / row["calls"],
        row["members"],
    )


def _simulated(calls: Sequence[Call], job: Job, setup: Setup, watched: bool) -> dict[Call, float]:
    """Seconds of each, by the engine of the setup."""

    @cache
    def of(members: tuple[int, ...] | None) -> tuple[dict[str, list[int]], dict[str, Setup]]:
        """The numberings of a communicator, and its ranks on the network by each."""
        orders = job.part(members).orders if members else job.orders
        on = _numbered(setup, members or ())
        return orders, {name: _numbered(on, order) for name, order in orders.items()}

    def time(call: Call) -> float:
        orders, numbered = of(call.members)
        on, order = numbered[call.numbering], orders[call.numbering]
        root = order.index(call.root) if order and _core.rooted(call.collective) else call.root
        return on.seconds(call.collective, call.algorithm, call.bytes, root)

    def name(call: Call) -> str:
        return f"{call.collective} {call.algorithm}, {call.bytes:.0f} B"

    return dict(timed(calls, time, "calls simulated", name, watched))


def _numbered(setup: Setup, order: Sequence[int]) -> Setup:
    """The setup where rank order[v] plays v."""
    if not order:
        return setup
    return replace(setup, at=tuple(setup.nodes[rank] for rank in order), _kept={})
