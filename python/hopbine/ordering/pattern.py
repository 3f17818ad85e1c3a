"""Patterns of an application: which calls it makes, and what its ranks send each other."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import _core
from ..core.classic import classic
from ..core.registry import find
from ..errors import UsageError
from ..jobs.counting import named_algorithms
from ..jobs.job import Job
from ..notation.quantities import split_algorithm
from ..notation.text import many, near, read_text, short
from ..recorded.communicators import communicators
from ..recorded.crossings import why_uncounted

#: Bytes of a message that a file may name.
_MOST_BYTES = 1 << 62


@dataclass(frozen=True)
class Calls:
    """Calls of a collective by an algorithm, on ranks of the job in the communicator's order."""

    collective: str
    algorithm: str
    ranks: tuple[int, ...]
    bytes: float  #: of all calls, as --sizes has those of one
    root: int = 0


@dataclass(frozen=True)
class Pattern:
    """Calls, and bytes from rank to rank besides; `left` tells what is not in it."""

    ranks: int
    calls: Sequence[Calls] = ()
    messages: dict[tuple[int, int], float] = field(default_factory=dict)
    left: str = ""

    def matrix(self) -> np.ndarray:
        """Bytes that two ranks send each other, both ways, symmetric; nothing to themselves."""
        out = np.zeros((self.ranks, self.ranks))
        for one in self.calls:
            for a, b, blocks in pairs(one):
                out[one.ranks[a], one.ranks[b]] += blocks * one.bytes / len(one.ranks)
        for (a, b), size in self.messages.items():
            out[a, b] += size
        np.fill_diagonal(out, 0)
        return out + out.T


def pairs(calls: Calls) -> list[tuple[int, int, float]]:
    """From, to and blocks of such a call, counted as between groups of one rank each."""
    p = len(calls.ranks)
    name, parameters = split_algorithm(calls.algorithm)
    alone = list(range(p))
    problem = _core.Problem(
        calls.collective, name, root=calls.root, parameters=parameters, group=alone, node=alone
    )
    return [(a, b, blocks) for a, b, blocks, _ in _core.count(problem)["pairs"]]


def of_algorithm(
    collective: str, ranks: int, size: float, algorithm: str | None = None, root: int = 0
) -> Pattern:
    """One call on all ranks, by default with the classic algorithm. UsageError."""
    name = algorithm or classic(collective, ranks, size)
    base = split_algorithm(name)[0]
    _core.rooted(collective)  # UsageError with the names that exist
    serving = named_algorithms(collective, ranks)
    if base not in serving:
        raise UsageError(
            f"'{name}' is no algorithm of {collective} on {many(ranks, 'rank')}"
            f"{near(base, serving)}"
        )
    record = find(collective, base)
    if record and record["follows_placement"]:
        raise UsageError(
            f"{collective} {base} follows the nodes of the ranks by itself: no order changes what "
            "it moves between groups"
        )
    return Pattern(ranks, [Calls(collective, name, tuple(range(ranks)), size, root)])


def of_statistics(data: dict[str, Any]) -> Pattern:
    """The calls of a statistics file, by the classic algorithms, as the MPI library may have them.

    Calls that cannot be counted are left out, and told.
    """
    ranks, calls, left, every = data["ranks"], [], 0, 0
    for row in data["rows"]:
        every += row["calls"]
        if why_uncounted(row, ranks) or not row["calls"]:
            left += row["calls"]
            continue
        name = classic(row["collective"], row["comm_size"], row["bytes"] / row["calls"])
        calls += [
            Calls(row["collective"], name, one.ranks, float(one.bytes), row.get("root") or 0)
            for one in communicators(row, ranks)
        ]
    if not calls:
        raise UsageError("no call of the file can be counted (hopbine stats tells why)")
    told = f"{left:,} of {every:,} calls cannot be counted and are left out" if left else ""
    return Pattern(ranks, calls, left=told)


def of_messages(path: str, ranks: int) -> Pattern:
    """CSV from,to,bytes of the messages of ranks, a header or none. UsageError with the line."""
    out: dict[tuple[int, int], float] = {}
    for n, row in enumerate(csv.reader(read_text(path).splitlines()), 1):
        cells = [cell.strip() for cell in row]
        if not any(cells) or cells[0].startswith("#") or (n == 1 and cells[0] == "from"):
            continue
        if len(cells) != 3 or not all(re.fullmatch(r"[0-9]{1,19}", cell) for cell in cells):
            raise UsageError(f"{path}:{n}: '{short(','.join(row))}' is not FROM,TO,BYTES")
        a, b, size = map(int, cells)
        if max(a, b) >= ranks or size > _MOST_BYTES:
            raise UsageError(
                f"{path}:{n}: '{short(','.join(row))}' needs ranks below {ranks} and at most 2^62 "
                "bytes"
            )
        out[a, b] = out.get((a, b), 0.0) + size
    if not out:
        raise UsageError(f"{path}: lists no messages")
    return Pattern(ranks, messages=out)


def moved(pattern: Pattern, job: Job) -> tuple[float, float]:
    """Bytes between groups, and between nodes of a group, as hopbine traffic counts them.

    `job` has the host of each rank.
    """
    between = inside = 0.0
    for one in pattern.calls:
        part = job.part(one.ranks)
        counted = part.count(one.collective, one.algorithm, one.root)
        block = one.bytes / len(one.ranks)
        between += counted["global_blocks"] * block
        inside += counted["local_blocks"] * block
    group, node = job.places.group, job.places.node
    for (a, b), size in pattern.messages.items():
        between += size * (group[a] != group[b])
        inside += size * (group[a] == group[b] and node[a] != node[b])
    return between, inside
