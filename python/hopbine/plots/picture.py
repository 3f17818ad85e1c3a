"""Contents of a picture of a schedule: places of data, and arrows, read from its moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .. import _core


@dataclass
class Arrow:
    """One message."""

    step: int
    src: int
    dst: int
    blocks: int
    reduces: bool


@dataclass
class Picture:
    """A schedule as rows and arrows: row t is before step t, the last row is the end."""

    collective: str
    algorithm: str
    p: int
    root: int
    steps: int
    tree: bool  #: every rank takes part in one message up or down a tree
    arrows: list[Arrow] = field(default_factory=list)
    #: share[row][rank]: blocks of a rank, as a share of the most that one ever has, 0..1.
    share: list[list[float]] = field(default_factory=list)
    group: Sequence[int] = ()  #: of each rank; empty where groups are not told

    def crosses(self, arrow: Arrow) -> bool:
        """Whether a message goes from a group to another."""
        return bool(self.group) and self.group[arrow.src] != self.group[arrow.dst]

    @property
    def rooted(self) -> bool:
        """Whether the collective has a root."""
        return _core.rooted(self.collective)


def _wanted(problem: _core.Problem, parts: int) -> list[int]:
    """Parts of blocks that each rank must end with, as a bit mask."""
    block = (1 << parts) - 1
    return [sum(block << b * parts for b in problem.results(rank)) for rank in range(problem.p)]


#: Sender, receiver, whether it reduces, and the blocks as bits.
Sent = tuple[int, int, bool, int]


def _mask(runs: Sequence[tuple[int, int]]) -> int:
    out = 0
    for low, high in runs:
        out |= (1 << high) - (1 << low)
    return out


def _needed(wanted: list[int], moves: list[list[Sent]]) -> list[list[int]]:
    """Blocks that a rank must have in each row, to send or to end with: needed[row][rank].

    Computed backwards: a copied block was not needed before its step, a sent block was.
    """
    rows = [wanted]
    for now in reversed(moves):
        row = list(rows[-1])
        for _, dst, reduces, blocks in now:
            if not reduces:
                row[dst] &= ~blocks
        for src, dst, reduces, blocks in now:
            row[src] |= blocks
            if reduces:
                row[dst] |= blocks
        rows.append(row)
    return rows[::-1]


def _span(p: int, arrows: list[Arrow], start: int) -> int:
    """Total length of arrows when rank `start` is leftmost."""
    return sum(abs((a.src - start) % p - (a.dst - start) % p) for a in arrows)


def _sent(schedule: _core.Schedule, p: int) -> list[list[Sent]]:
    """Messages of each step."""
    return [
        [
            (rank, peer, mode == "reduce", _mask(runs))
            for rank in range(p)
            for way, mode, _channel, peer, runs in schedule.moves(rank, step)
            if way == "send"
        ]
        for step in range(schedule.steps)
    ]


def picture(schedule: _core.Schedule, problem: _core.Problem) -> Picture:
    """Reads a schedule."""
    p, root, group = problem.p, problem.root, problem.group
    steps, wanted = _sent(schedule, p), _wanted(problem, schedule.parts)
    arrows = [
        Arrow(t, src, dst, blocks.bit_count(), reduces)
        for t, now in enumerate(steps)
        for src, dst, reduces, blocks in now
    ]
    to_root = not any(blocks for rank, blocks in enumerate(wanted) if rank != root)
    ends = [a.src if to_root else a.dst for a in arrows]
    out = Picture(
        problem.collective,
        problem.algorithm,
        *(p, root, schedule.steps),
        tree=False,
        arrows=arrows,
        group=group,
    )
    out.tree = out.rooted and len(set(ends)) == len(ends) and root not in ends
    out.share = _shares(_needed(wanted, steps))
    return out


def ranks_from_left(pictures: Sequence[Picture]) -> list[int]:
    """The order of ranks in pictures of as many ranks, the same in all of them.

    It is rotated so that the arrows of trees are as short as possible, which puts the root inside
    as in the papers, and so that groups stay whole; without trees it is 0..p-1.
    """
    p, group = pictures[0].p, pictures[0].group
    starts = [s for s in range(p) if not group or s == 0 or group[s - 1] != group[s]]
    arrows = [a for shown in pictures if shown.tree for a in shown.arrows]
    start = min(starts, key=lambda s: _span(p, arrows, s))
    return [(start + i) % p for i in range(p)]


def _shares(needed: list[list[int]]) -> list[list[float]]:
    """Numbers of blocks as shares of the largest."""
    most = max(blocks.bit_count() for row in needed for blocks in row)
    return [[blocks.bit_count() / most for blocks in row] for row in needed]


def reached_from(shown: Picture, rank: int) -> list[Arrow]:
    """Arrows by which data of `rank` first reaches each other rank: the tree inside a butterfly."""
    reached, out = {rank}, []
    for step in range(shown.steps):
        fresh: set[int] = set()
        for a in shown.arrows:
            if a.step == step and a.src in reached and a.dst not in reached | fresh:
                fresh.add(a.dst)
                out.append(a)
        reached |= fresh
    return out
