"""The search for an order: the runtime's numberings, and ranks exchanged while that saves bytes.

An order is the slot of each rank; order[r] = s: rank r runs where rank s ran in the given order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..errors import UsageError
from ..jobs.job import Job
from .pattern import Pattern, moved

#: Most ranks whose exchanges are searched: at 1,024 an exchange looks at a million pairs, 10 ms.
MOST_SEARCHED = 1024
GIVEN, SEARCHED = "given", "exchanged"


@dataclass(frozen=True)
class Order:
    """An order by its name, and what the pattern moves in it."""

    name: str
    slots: tuple[int, ...]
    global_bytes: float
    node_bytes: float

    @property
    def cost(self) -> tuple[float, float]:
        """Bytes between groups first, then those between nodes of a group."""
        return self.global_bytes, self.node_bytes


def orders(pattern: Pattern, job: Job) -> list[Order]:
    """The given order, those of the runtime, and the one that the search finds; the best first.

    Of equal ones the given order is first, so the first never moves more than it. UsageError when
    the pattern is of other ranks than the job.
    """
    p = len(job.hosts)
    if pattern.ranks != p:
        raise UsageError(f"the pattern is of {pattern.ranks} ranks, the hosts are for {p}")
    known = {name: order or list(range(p)) for name, order in job.orders.items()}
    tried = {name: tuple(slots) for name, slots in known.items()}
    if p <= MOST_SEARCHED:
        tried[SEARCHED] = _searched(pattern.matrix(), job, list(tried.values()))
    found = [_order(name, slots, pattern, job) for name, slots in tried.items()]
    return sorted(found, key=lambda one: (*one.cost, one.name != GIVEN))


def placed(job: Job, slots: Sequence[int]) -> Job:
    """The job in an order."""
    return replace(job, hosts=tuple(job.hosts[slot] for slot in slots))


def _order(name: str, slots: tuple[int, ...], pattern: Pattern, job: Job) -> Order:
    return Order(name, slots, *moved(pattern, placed(job, slots)))


def _searched(weights: np.ndarray, job: Job, begins: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The best order that exchanges reach from each beginning, and from one grown by groups."""
    group, node = (np.unique(unit, return_inverse=True)[1] for unit in _units(job))
    found = []
    for begin in (*begins, _grown(weights, group)):
        slots = _exchanged(weights, group, np.array(begin), np.zeros_like(group))
        slots = _exchanged(weights, node, slots, group)
        found.append(
            (_cut(weights, group[slots]), _cut(weights, node[slots]), tuple(slots.tolist()))
        )
    return min(found)[2]


def _units(job: Job) -> tuple[list[int], list[int]]:
    return job.places.group, job.places.node


def _cut(weights: np.ndarray, unit: np.ndarray) -> float:
    """Bytes between ranks of different units."""
    return float(weights[unit[:, None] != unit[None, :]].sum())


def _grown(weights: np.ndarray, group: np.ndarray) -> tuple[int, ...]:
    """Groups filled one after the other, each time with the rank that sends it most.

    A group begins with the rank that sends most to those before it, the first with the busiest.
    """
    p = len(group)
    free = np.ones(p, bool)
    slots = np.zeros(p, int)
    for g in dict.fromkeys(group.tolist()):
        pull = np.zeros(p)
        for slot in np.flatnonzero(group == g):
            if not pull.any():
                near = weights[:, ~free].sum(axis=1) if not free.all() else weights.sum(axis=1)
            # -1 keeps ranks that are placed from coming again
            rank = int(np.argmax(np.where(free, pull if pull.any() else near, -1.0)))
            slots[rank] = slot
            free[rank] = False
            pull = pull + weights[:, rank]
    return tuple(slots.tolist())


def _exchanged(
    weights: np.ndarray, unit: np.ndarray, slots: np.ndarray, within: np.ndarray
) -> np.ndarray:
    """The slots after exchanges of two ranks, each time those that save most between units.

    Both ranks are of one value of `within`, by their slots. At most as many exchanges as ranks.
    """
    slots = slots.copy()
    p, k = len(slots), int(unit.max()) + 1
    least = 1e-9 * max(float(weights.sum()), 1.0)  # rounding may not go on for ever
    for _ in range(p):
        at, room = unit[slots], within[slots]
        to = np.zeros((p, k))  # bytes of each rank with each unit
        for g in range(k):
            to[:, g] = weights[:, at == g].sum(axis=1)
        own = to[np.arange(p), at]
        there = to[:, at]  # of rank r with the unit of rank s
        gain = there + there.T - own[:, None] - own[None, :] - 2 * weights
        gain[(at[:, None] == at[None, :]) | (room[:, None] != room[None, :])] = 0
        a, b = divmod(int(np.argmax(gain)), p)
        if gain[a, b] <= least:
            break
        slots[[a, b]] = slots[[b, a]]
    return slots
