"""Machines from the features of Slurm's nodes: sinfo -N -o "%N %f".

A site that tells its network to users without topology.conf names the group, cell, rack or switch
of a node among its features (man sinfo: %N lists the node, %f the features available on it).
"""

import re

from ..errors import UsageError
from .machine import Machine

#: What a group is called in features, the widest first.
WORDS = (
    "group",
    "dragonfly",
    "cell",
    "island",
    "pod",
    "block",
    "cabinet",
    "rack",
    "chassis",
    "switch",
    "leaf",
)
#: A feature that names a group: the word, and a number or name.
_FEATURE = re.compile(rf"({'|'.join(WORDS)})[-_=:.]?([a-z]?\d[\w.-]*)$", re.I)
_HEADER = re.compile(r"\s*(NODELIST|HOSTNAMES?)\s+(AVAIL_FEATURES|FEATURES|ACTIVE_FEATURES)\s*$")
_ALLOWED = "features such as group3, cell-2 and rack=r12 (" + ", ".join(WORDS) + ")"


def looks_like(text: str) -> bool:
    """Whether the text begins with sinfo's header of nodes and features."""
    first = next((row for row in text.splitlines() if row.strip()), "")
    return _HEADER.match(first) is not None


def parse(text: str, source: str) -> Machine:
    """Machine whose groups are those of the first of WORDS that every node has once.

    A node has a line for each of its partitions. UsageError names file and line.
    """
    named, lines = _read(text, source)
    for word in WORDS:
        if all(len(names.get(word, ())) == 1 for names in named.values()):
            groups: dict[str, int] = {}
            hosts = {
                host: groups.setdefault(next(iter(names[word])), len(groups))
                for host, names in named.items()
            }
            return Machine(source, "groups", list(groups), hosts, source=source)
    host, names = min(named.items(), key=lambda item: (len(item[1]), lines[item[0]]))
    twice = next((w for w in WORDS if len(names.get(w, ())) > 1), None)
    why = f"has several of '{twice}'" if twice else "lacks one that the others have"
    raise UsageError(
        f"{source}:{lines[host]}: host '{host}' {why if names else 'has none that names a group'}; "
        f"every host needs one of the {_ALLOWED}"
    )


def _read(text: str, source: str) -> tuple[dict[str, dict[str, set[str]]], dict[str, int]]:
    """By host: names of its groups by word; and its first line."""
    named: dict[str, dict[str, set[str]]] = {}
    lines: dict[str, int] = {}
    for n, row in enumerate(text.splitlines(), 1):
        cells = row.split()
        if not cells or _HEADER.match(row):
            continue
        if len(cells) != 2:
            raise UsageError(
                f"{source}:{n}: '{row.strip()[:60]}' is not NODE FEATURE,FEATURE,... "
                '(sinfo -N -o "%N %f")'
            )
        words = named.setdefault(cells[0], {})
        lines.setdefault(cells[0], n)
        for feature in cells[1].split(","):
            if m := _FEATURE.match(feature):
                words.setdefault(m[1].lower(), set()).add(feature)
    if not named:
        raise UsageError(f"{source}: lists no hosts")
    return named, lines
