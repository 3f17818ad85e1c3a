"""Reads GOAL and follows it where every message takes one unit of time.

Shares no code with hopbine.
"""

import re
from collections import defaultdict, deque
from dataclasses import dataclass, field

OPERATION = re.compile(
    r"l(\d+): (?:(send|recv) (\d+)b (?:to|from) (\d+) tag (\d+) cpu 0 nic (\d+)|(calc) 0)"
)


@dataclass
class Operation:
    """A line with a label."""

    kind: str
    size: int = 0
    peer: int = -1
    tag: int = 0
    requires: list[int] = field(default_factory=list)


def read(text: str) -> list[dict[int, Operation]]:
    """Operations by label of every rank.

    AssertionError for what is not in order: ranks, labels before their use, tag and nic alike.
    """
    lines = deque(line for line in text.splitlines() if line)
    head, count = lines.popleft().split()
    assert head == "num_ranks"
    ranks: list[dict[int, Operation]] = []
    while lines:
        assert lines.popleft() == f"rank {len(ranks)} {{"
        operations: dict[int, Operation] = {}
        while (line := lines.popleft()) != "}":
            if match := OPERATION.fullmatch(line):
                label, kind, size, peer, tag, nic, calc = match.groups()
                assert int(label) == len(operations) + 1
                assert tag == nic
                operations[int(label)] = (
                    Operation(calc) if calc else Operation(kind, int(size), int(peer), int(tag))
                )
            else:
                after, before = re.fullmatch(r"l(\d+) requires l(\d+)", line).groups()
                assert int(before) in operations
                operations[int(after)].requires.append(int(before))
        ranks.append(operations)
    assert len(ranks) == int(count)
    return ranks


def matches(ranks: list[dict[int, Operation]]) -> dict[tuple[int, int], tuple[int, int]]:
    """(rank, label) of the send of each receive.

    The k-th of a source, destination and tag is the k-th. AssertionError when they do not match.
    """
    sends, receives = defaultdict(list), defaultdict(list)
    for rank, operations in enumerate(ranks):
        for label, o in operations.items():
            if o.kind == "send":
                sends[rank, o.peer, o.tag].append((rank, label))
            elif o.kind == "recv":
                receives[o.peer, rank, o.tag].append((rank, label))
    assert sends.keys() == receives.keys()
    out = {}
    for key, sent in sends.items():
        assert [ranks[r][i].size for r, i in sent] == [
            ranks[r][i].size for r, i in receives[key]
        ], key
        out |= dict(zip(receives[key], sent, strict=True))
    return out


def longest_chain(ranks: list[dict[int, Operation]]) -> int:
    """Messages on the critical path: a send takes one unit, and its receive ends with it.

    AssertionError when operations wait in a circle.
    """
    needs = {
        (r, i): [(r, j) for j in o.requires]
        for r, operations in enumerate(ranks)
        for i, o in operations.items()
    }
    for receive, send in matches(ranks).items():
        needs[receive].append(send)
    after = defaultdict(list)
    for one, before in needs.items():
        for other in before:
            after[other].append(one)
    open_, ends = {one: len(before) for one, before in needs.items()}, {}
    ready = deque(one for one, n in open_.items() if n == 0)
    while ready:
        rank, label = one = ready.popleft()
        ends[one] = max((ends[other] for other in needs[one]), default=0) + (
            ranks[rank][label].kind == "send"
        )
        for other in after[one]:
            open_[other] -= 1
            if open_[other] == 0:
                ready.append(other)
    assert len(ends) == len(needs), "operations wait in a circle"
    return max(ends.values(), default=0)
