"""Bytes between groups of the calls in a statistics file: classic algorithms, and what served.

Counted from the schedules. The file has the calls of each kind added up, so a row's mean size
decides which algorithm is the classic one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .. import _core
from ..core.classic import CLASSIC, classic
from ..core.registry import find
from ..jobs.job import Job
from ..machines import Machine, from_hosts
from ..notation.quantities import algorithm_text
from ..notation.text import many
from .communicators import communicators

#: What serves a call that hopbine passes on.
LIBRARY = "mpi"


@dataclass(frozen=True)
class Crossing:
    """Bytes of the calls of a row that cross between groups."""

    classic: float
    served: float
    algorithm: str  #: the classic one


def job_of(data: dict[str, Any], machine: Machine | None = None) -> Job | None:
    """The job of a statistics file: on the machine, else in the groups that the file names.

    Nodes are the groups where it names none. None when it has no nodes. UsageError when the machine
    lacks one of them.
    """
    nodes: Sequence[str] = data.get("nodes") or ()
    if not nodes or any(node is None for node in nodes):
        return None
    job = Job("", tuple(nodes), machine or _told(nodes, data.get("groups") or ()))
    _ = job.places  # for its errors
    return job


def _told(nodes: Sequence[str], groups: Sequence[str | None]) -> Machine:
    """The machine of these nodes and of their groups, where all have one and no node has two."""
    named = [group for group in groups if group is not None]
    pairs = set(zip(nodes, groups, strict=False))
    if len(named) < len(nodes) or len(pairs) > len(set(nodes)):
        return from_hosts(nodes)
    distinct = list(dict.fromkeys(named))
    return Machine(
        "the job",
        "groups",
        distinct,
        {node: distinct.index(group) for node, group in zip(nodes, named, strict=True)},
        source="the statistics file",
    )


def unit(job: Job) -> str:
    """What the scarce bytes cross between: "groups", or "nodes" where no group has several or one
    has all.
    """
    return (
        "nodes" if not job.grouped or job.machine.name == from_hosts(job.hosts).name else "groups"
    )


def why_uncounted(row: dict[str, Any], ranks: int) -> str | None:
    """Why the classic algorithm's bytes of a row cannot be counted; None: they can."""
    if row["collective"] == "alltoallv" or row["bytes_class"] is None:
        return "blocks of sizes of their own"
    if row["collective"] not in CLASSIC:
        return "not counted from schedules"
    if ranks < 2 or (row["comm_size"] != ranks and not row.get("communicators")):
        return f"on {row['comm_size']} of {many(ranks, 'rank')}"
    return None


def crossing(row: dict[str, Any], job: Job) -> Crossing | None:
    """Bytes between groups of a row of the file.

    None where they cannot be counted: communicators of some ranks that the file does not name,
    calls without a mean size or with blocks of sizes of their own (MPI_Alltoallv, neighbourhoods),
    algorithms for a torus that the job's description lacks.
    """
    p, moved, collective = row["comm_size"], row["bytes"], row["collective"]
    if why_uncounted(row, len(job.hosts)) or not row["calls"]:
        return None
    usual = classic(collective, p, moved / row["calls"])
    served, numbering = usual, "given"
    if row["algorithm"] != LIBRARY:
        served = algorithm_text(row["algorithm"], row["parameters"])
        numbering = row["numbering"] or "given"
    total = [0.0, 0.0]
    for one in communicators(row, len(job.hosts)):
        part = job.part(one.ranks)
        if row["algorithm"] != LIBRARY and not _counted(collective, row["algorithm"], part):
            return None
        for i, (name, order) in enumerate(((usual, "given"), (served, numbering))):
            blocks = part.count(collective, name, row.get("root") or 0, order)["global_blocks"]
            total[i] += blocks * one.bytes / p
    return Crossing(total[0], total[1], usual)


def _counted(collective: str, algorithm: str, job: Job) -> bool:
    """Can the schedule be counted? What follows a torus needs its shape."""
    known = find(collective, algorithm)
    return (
        known is not None
        and bool(job.shape or not known["follows_shape"])
        and _core.fits(collective, algorithm, len(job.hosts), job.shape)
    )
