"""Another job beside a simulated one that calls a collective in every period."""

import random
import re
from collections.abc import Collection
from dataclasses import dataclass

from ..errors import UsageError
from ..notation.text import many, short


@dataclass(frozen=True)
class PeriodicJob:
    """A call in every period, or when the one before has ended where that takes longer.

    One rank on each node, each of which goes on by itself (src/simulation/periodic_job.hpp).
    """

    collective: str
    algorithm: str  #: 'NAME[:PARAMETER=VALUE...]'
    size: float  #: bytes of a call's vector; of none nothing is sent
    period: float  #: seconds from the begin of a call to that of the next
    nodes: tuple[int, ...]  #: of each rank, on the network

    def __str__(self) -> str:
        from ..notation.units import show_bytes, show_time

        return (
            f"{self.collective} by {self.algorithm} of {show_bytes(self.size)} every "
            f"{show_time(self.period)} on {many(len(self.nodes), 'node')}"
        )


def nodes_of(text: str, nodes: int) -> tuple[int, ...]:
    """'0-2,6-8' -> nodes of a network of so many, in this order. UsageError."""
    out: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d{1,8})(?:-(\d{1,8}))?\s*", part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if not first <= last < nodes:
            raise UsageError(
                f"--aggressor-nodes: '{short(part)}' names no nodes of 0 to {nodes - 1}, as in "
                "0-2,6-8"
            )
        out += range(first, last + 1)
    return tuple(out)


def drawn(nodes: int, used: Collection[int], count: int, seed: int) -> tuple[int, ...]:
    """So many of the nodes that nobody uses, in order; of fewer all. UsageError below 2."""
    taken = set(used)
    free = [node for node in range(nodes) if node not in taken]
    if len(free) < 2:
        raise UsageError(
            f"--aggressor: a job that calls a collective needs 2 nodes at least, and "
            f"{len(free)} of {nodes:,} are left"
        )
    return tuple(sorted(random.Random(f"aggressor {seed}").sample(free, min(count, len(free)))))
