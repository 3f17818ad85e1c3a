"""Lines of Slurm's topology.conf and of `scontrol show topology`: KEY=VALUE pairs.

Lines that Slurm would refuse are refused here too.
"""

import re
from collections.abc import Iterator

from ..errors import UsageError

#: Keys of topology.conf, then those that only scontrol prints. As in Slurm, case does not matter.
KEYS = (
    "SwitchName",
    "Switches",
    "Nodes",
    "LinkSpeed",
    "BlockName",
    "BlockSizes",
    "Level",
    "BlockIndex",
    "BlockSize",
    "AggregatedBlock",
)
_KNOWN = {key.lower() for key in KEYS}
#: A value may be quoted, or missing: no name has a '=', so in 'Nodes= Switches=a' Nodes is empty.
_PAIR = re.compile(r'\s*(\w+)\s*=(?:\s*("[^"]*"|[^\s"=]+))?(?=\s|$)')
#: A line of the kind though its keys may be misspelt: two bare KEY=VALUE in a line are no TOML.
_KIND = re.compile(
    r"""^\s*(?:(?:Switch|Block)Name\s*=|\w*(?:switch|block)\w*\s*=\s*[^\s"'\[{]
                   |\w+\s*=\s*[^\s"'\[{\#]+\s+(?:nodes?|switch\w*)\s*=)""",
    re.I | re.M | re.X,
)


def looks_like(text: str) -> bool:
    """Whether a line describes a switch or a block, perhaps with a misspelt key."""
    return _KIND.search(text) is not None


def pairs(text: str, source: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Line number and pairs, keys in lower case, of every line that has any.

    A backslash continues a line. UsageError names the line.
    """
    begun, first, n = "", 0, 0
    for n, row in enumerate(text.splitlines(), 1):
        row = row.partition("#")[0].rstrip()
        first = first or n
        if row.endswith("\\"):
            begun += row[:-1]
            continue
        if found := _pairs(begun + row, f"{source}:{first}"):
            yield first, found
        begun, first = "", 0
    if first:
        raise UsageError(
            f"{source}:{n}: ends in a backslash, which announces another line, but the file ends "
            "here"
        )


def _pairs(text: str, where: str) -> dict[str, str]:
    out: dict[str, str] = {}
    at = 0
    while m := _PAIR.match(text, at):
        key = m[1].lower()
        if key not in _KNOWN:
            raise UsageError(f"{where}: unknown key '{m[1][:60]}' (known: {', '.join(KEYS)})")
        if key in out:
            raise UsageError(f"{where}: key '{m[1]}' is there twice")
        out[key] = (m[2] or "").strip('"')
        at = m.end()
    if rest := text[at:].split():
        after = f" after '{text[:at].split()[-1][-60:]}'" if at else ""
        raise UsageError(
            f"{where}: '{rest[0][:60]}'{after} is not KEY=VALUE (keys: {', '.join(KEYS)}); lists "
            "of nodes and switches have no blanks"
        )
    return out
