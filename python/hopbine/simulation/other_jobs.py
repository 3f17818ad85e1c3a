"""Other jobs beside a simulated one: real allocations, of which those that fit are drawn."""

import random
from collections.abc import Iterable
from dataclasses import dataclass

from ..allocations import Allocation, BadJob, read
from ..errors import UsageError
from ..notation.text import many, short
from .on_machine import MachineNetwork


@dataclass(frozen=True)
class OtherJobs:
    """What was placed beside a job."""

    nodes: tuple[tuple[int, ...], ...]  #: of each job, on the network
    known: int  #: jobs that the file has
    elsewhere: int  #: of these with hosts that the network lacks, or that could not be read
    free: int  #: nodes that the job leaves

    @property
    def busy(self) -> int:
        """Nodes that they have."""
        return sum(map(len, self.nodes))

    def __str__(self) -> str:
        alone = sum(len(job) == 1 for job in self.nodes)
        return (
            f"{len(self.nodes):,} of {many(self.known, 'job')} on {self.busy:,} of {self.free:,} "
            "free nodes"
            + (f", {self.elsewhere:,} not on this network" if self.elsewhere else "")
            + (f", {alone:,} of one node, which send nothing" if alone else "")
        )


def draw(
    on: MachineNetwork,
    jobs: Iterable[Allocation | BadJob],
    used: Iterable[int],
    seed: int,
    busy: float = 1,
) -> OtherJobs:
    """Places jobs, in an order drawn by the seed, that share no node with `used` or each other.

    Until the share `busy` of the free nodes is taken, which no job exceeds, or all that fit are.
    """
    taken, placed, found = set(used), [], []
    known = elsewhere = 0
    for job in jobs:
        known += 1
        nodes = () if isinstance(job, BadJob) else _nodes(on, job)
        elsewhere += not nodes
        found += [nodes] if nodes else []
    free = len(on.numbers) - len(taken)
    left = int(busy * free)
    for nodes in random.Random(f"jobs {seed}").sample(found, len(found)):
        if len(nodes) <= left and taken.isdisjoint(nodes):
            taken.update(nodes)
            placed.append(nodes)
            left -= len(nodes)
    return OtherJobs(tuple(placed), known, elsewhere, free)


def of_file(
    on: MachineNetwork,
    path: str,
    used: Iterable[int],
    seed: int,
    busy: float = 1,
) -> OtherJobs:
    """`draw` from a file, or a folder of files, of allocations. UsageError if no job fits."""
    out = draw(on, read(path), used, seed, busy)
    if not out.nodes:
        raise UsageError(
            f"{short(path)}: none of {many(out.known, 'job')} fits on {busy:.4g} of the "
            f"{out.free:,} nodes that the job leaves ({out.elsewhere:,} not on {on.text})"
        )
    return out


def _nodes(on: MachineNetwork, job: Allocation) -> tuple[int, ...]:
    """Nodes of a job, once each; none if the network lacks one of them."""
    try:
        return tuple(dict.fromkeys(on.nodes(job.hosts)))
    except UsageError:
        return ()
