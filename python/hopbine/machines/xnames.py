"""Cray's names of places: x1000c0s2b0n1 is cabinet 1000, chassis 0, slot 2, board 0, node 1.

HPE Cray EX, "Component Names (xnames)" in the CSM documentation. A node has its own in
/etc/cray/xname. On Slingshot a cabinet is a dragonfly group on some machines (Frontier), but sites
may divide otherwise.
"""

import re

from .. import _core
from ..errors import UsageError
from .machine import Machine

_ALLOWED = "xXcCsSbBnN, such as x1000c0s2b0n1"
#: A line of several nodes' files: NODE: XNAME, as pdsh and clush print them, or NODE XNAME.
_LINE = re.compile(r"([^\s:,]+)(?::\s*|\s+)(x\d+c\w*)$")


def group(name: str, source: str, level: int | None = None) -> str:
    """Cabinet of a node, or with level 2 its chassis. UsageError names the source."""
    cabinet, chassis = _core.parse_xname(name, source)
    if level not in (None, 1, 2):
        raise UsageError(f"{source}: --level {level}: allowed are 1 (cabinets) and 2 (chassis)")
    return chassis if level == 2 else cabinet


def looks_like(text: str) -> bool:
    """Whether the first line is a node and its xname."""
    first = next((row for row in text.splitlines() if row.strip()), "")
    return _LINE.match(first.strip()) is not None


def parse(text: str, source: str, level: int | None = None) -> Machine:
    """Machine from the xnames of many nodes: pdsh -a cat /etc/cray/xname.

    UsageError names file and line.
    """
    hosts: dict[str, int] = {}
    lines: dict[str, int] = {}
    groups: dict[str, int] = {}
    for n, row in enumerate(text.splitlines(), 1):
        if not row.strip():
            continue
        found = _LINE.match(row.strip())
        if not found:
            raise UsageError(f"{source}:{n}: '{row.strip()[:60]}' is not NODE: XNAME ({_ALLOWED})")
        name = group(found[2], f"{source}:{n}", level)
        g = groups.setdefault(name, len(groups))
        if hosts.setdefault(found[1], g) != g:
            raise UsageError(
                f"{source}:{n}: host '{found[1]}' is in '{name}' and, by line {lines[found[1]]}, "
                f"in '{list(groups)[hosts[found[1]]]}'"
            )
        lines.setdefault(found[1], n)
    return Machine(source, "groups", list(groups), hosts, source=source)
