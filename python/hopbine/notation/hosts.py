"""Lists of hosts as schedulers write them: nid[001003-001010,002001],login1.

ClusterShell expands them; the order given is kept.
"""

import csv
import re
from itertools import chain

from ..errors import UsageError
from .text import MOST_BYTES, short

#: More hosts than any machine has: a larger range is a typing error, and would fill the memory.
MOST_HOSTS = 1_000_000
#: Most ranks of a job.
MOST_RANKS = 1 << 22
_RANGE = re.compile(r"([0-9]{1,18})-([0-9]{1,18})")
csv.field_size_limit(MOST_BYTES)  # a list of hosts is one field


def is_file(text: str) -> bool:
    """Whether there is a file of this name. Text that cannot be a name is none."""
    import os

    try:
        return os.path.exists(text)
    except (OSError, ValueError):
        return False


def split(text: str) -> list[str]:
    """Parts between commas and blanks that are outside brackets.

    UsageError when brackets do not match.
    """
    parts, depth, now = [], 0, ""
    for c in text:
        depth += (c == "[") - (c == "]")
        if depth not in (0, 1):
            raise UsageError(f"brackets of '{short(text)}' do not match")
        if depth == 0 and (c == "," or c.isspace()):
            parts.append(now)
            now = ""
        else:
            now += c
    if depth:
        raise UsageError(f"brackets of '{short(text)}' do not match")
    return [p for p in [*parts, now] if p]


def expand(text: str) -> list[str]:
    """Host names in the order given; a name given twice comes twice.

    UsageError names the part that is wrong.
    """
    parts = split(text)
    size = sum(map(_size, parts))
    if size > MOST_HOSTS:
        raise UsageError(
            f"'{short(text)}' stands for {size:,} hosts; at most {MOST_HOSTS:,} are expanded"
        )
    return list(chain.from_iterable(map(_expand_part, parts)))


def _size(part: str) -> int:
    """Number of hosts in a part, without expanding it."""
    size = 1
    for inside in re.findall(r"\[([^\]]*)\]", part):
        size *= sum(_length(piece) for piece in inside.split(","))
    return size


def _expand_part(part: str) -> list[str]:
    odd = re.search(r"[^\w.:-]", re.sub(r"\[[^\]]*\]", "", part))
    if odd and odd[0] in "!&^":
        raise UsageError(
            f"'{short(part)}' has a '{odd[0]}', which is ClusterShell's syntax, not Slurm's; "
            "write the hosts that remain, as in n[1-2,4-5]"
        )
    if odd or ("[" not in part and len(part) > 255):
        raise UsageError(f"'{short(part)}' is no host name")
    if "[" not in part:
        return [part]
    from ClusterShell.NodeSet import RESOLVER_NOGROUP, NodeSet, NodeSetException

    head, _, rest = part.partition("[")
    inside, _, tail = rest.partition("]")
    # A set is sorted; pieces one by one keep the order of the list.
    pieces = [f"{head}[{piece}]{tail}" for piece in inside.split(",")]
    try:
        return [host for piece in pieces for host in NodeSet(piece, resolver=RESOLVER_NOGROUP)]
    except NodeSetException as error:
        raise UsageError(f"'{short(part)}' is no list of hosts: {error}") from None


def _length(piece: str) -> int:
    if not re.fullmatch(r"[0-9]{1,18}(-[0-9]{1,18}(/[0-9]{1,9})?)?", piece):
        raise UsageError(f"'{short(piece)}' between brackets is no number or range")
    m = _RANGE.match(piece)
    if m and int(m[2]) < int(m[1]):
        raise UsageError(f"the range {piece} runs backwards")
    return int(m[2]) - int(m[1]) + 1 if m else 1
