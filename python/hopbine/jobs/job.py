"""A job on a machine, and the choice by counting for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

from .. import _core
from ..core.records import Candidate, Explanation, Traffic
from ..errors import UsageError
from ..machines import Machine, Places
from ..notation.quantities import split_algorithm
from ..notation.text import near


@dataclass(frozen=True)
class Job:
    """A job on a machine: what all counts of it share."""

    name: str
    hosts: tuple[str, ...]
    machine: Machine

    @cached_property
    def places(self) -> Places:
        """Node and group of every rank. UsageError for unknown hosts."""
        return self.machine.place(self.hosts)

    @cached_property
    def orders(self) -> dict[str, list[int]]:
        """Numberings by name; rank order[v] plays v, an empty order is the given one."""
        return dict(_core.numberings(self.places.group, self.places.node))

    def order(self, numbering: str) -> list[int]:
        """The one of `orders` that has the name. UsageError."""
        if numbering not in self.orders:
            raise UsageError(
                f"numbering '{numbering}' is not one of {', '.join(self.orders)}"
                f"{near(numbering, self.orders)}"
            )
        return self.orders[numbering]

    @property
    def shape(self) -> list[int]:
        """The torus that the job has to itself, for algorithms that follow it.

        Empty when it has not.
        """
        shape = list(self.machine.shape or [])
        return shape if prod(shape) == len(self.hosts) else []

    @cached_property
    def grouped(self) -> bool:
        """Is it in several groups? Else the links between its nodes are the scarcest."""
        return len(set(self.places.group)) > 1

    def part(self, ranks: Sequence[int]) -> Job:
        """The job of some ranks, in their order; itself where these are all as they are."""
        if list(ranks) == list(range(len(self.hosts))):
            return self
        return Job(self.name, tuple(self.hosts[rank] for rank in ranks), self.machine)

    def group_name(self, group: int) -> str:
        """The machine's word for a group."""
        return self.machine.groups[group]

    def count(
        self, collective: str, algorithm: str, root: int = 0, numbering: str = "given"
    ) -> Traffic:
        """_core.count of 'NAME[:PARAMETER=VALUE...]'."""
        name, parameters = split_algorithm(algorithm)
        problem = _core.Problem(
            collective,
            name,
            root=root,
            parameters=parameters,
            group=self.places.group,
            node=self.places.node,
            shape=self.shape,
        )
        return _core.count(problem, self.order(numbering))

    def choose(
        self, collective: str, sizes: Sequence[float], root: int = 0
    ) -> list[tuple[str, str]]:
        """(algorithm, numbering) that the runtime takes by itself for each size."""
        told = explain(self, _core.Calls(collective, root=root), sizes)
        picked = [told["candidates"][i] for i in told["chosen"]]
        return [(one["algorithm"], one["numbering"]) for one in picked]


def explain(
    job: Job, calls: _core.Calls, sizes: Sequence[float], patience: float | None = None
) -> Explanation:
    """_core.explain for a job: candidates, and the chosen one of each size."""
    network = job.machine.network()
    choosing = (
        _core.Choosing(network=network)
        if patience is None
        else _core.Choosing(network=network, patience=patience)
    )
    return _core.explain(calls, list(sizes), job.places.group, job.places.node, job.shape, choosing)


def fit(told: Explanation, calls: _core.Calls) -> list[Candidate]:
    """The candidates that may be taken for the operands of such calls."""
    return [
        one
        for one in told["candidates"]
        if (calls.commutes or not one["commutes"]) and (calls.exact or one["bitwise_reproducible"])
    ]
