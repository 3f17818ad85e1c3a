"""Bytes of the links between groups as hopbine counts them from the schedules of what it served."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..notation.quantities import algorithm_text
from ..recorded.communicators import communicators
from ..recorded.crossings import LIBRARY, why_uncounted
from ..recorded.statistics import load

if TYPE_CHECKING:
    from ..jobs.job import Job
    from .plan import Plan

#: Collectives that move no data.
EMPTY = ("barrier",)


@dataclass
class Count:
    """Bytes out of groups and into them, and how many of the collective calls they are of."""

    out: list[float]
    into: list[float]
    calls: int = 0
    counted: int = 0
    why: dict[str, int] = field(default_factory=dict)  #: calls not counted, by reason

    def of_link(self, group: int | None, into: int | None) -> float:
        """Bytes of a link."""
        return self.out[group] if group is not None else self.into[into or 0]


def count(plan: Plan, files: Iterable[Path]) -> Count | None:
    """The count of statistics files of jobs on the cluster; None without any."""
    from ..jobs.job import Job
    from .launching import machine

    groups, on = len(plan.groups), machine(plan)
    total, any_file = Count([0.0] * groups, [0.0] * groups), False
    for path in files:
        data = load(path)
        nodes = data.get("nodes") or ()
        if not nodes or any(node is None for node in nodes):
            continue
        any_file = True
        job = Job("", tuple(nodes), on)
        for row in data["rows"]:
            total.calls += row["calls"]
            if row["collective"] in EMPTY:
                total.counted += row["calls"]
            elif why := _why_not(row, len(nodes)):
                total.why[why] = total.why.get(why, 0) + row["calls"]
            else:
                _add(total, row, job)
    return total if any_file else None


def _why_not(row: dict[str, Any], ranks: int) -> str | None:
    if row["algorithm"] == LIBRARY:
        return "served by the MPI library, which does not say how"
    return why_uncounted(row, ranks)


def _add(total: Count, row: dict[str, Any], job: Job) -> None:
    """Adds the calls of a row."""
    served = algorithm_text(row["algorithm"], row["parameters"])
    for one in communicators(row, len(job.hosts)):
        part = job.part(one.ranks)
        try:
            moved = part.count(
                row["collective"], served, row.get("root") or 0, row["numbering"] or "given"
            )
        except UsageError as error:
            total.why[str(error)] = total.why.get(str(error), 0) + one.calls
            continue
        total.counted += one.calls
        of_block = one.bytes / row["comm_size"]
        for side, volumes in ((total.out, moved["group_out"]), (total.into, moved["group_in"])):
            for group, blocks, _ in volumes:
                side[group] += blocks * of_block
