"""Call sites of a statistics file: offsets in programs and libraries, as lines of source code."""

import subprocess
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

#: Longer than binutils take for the largest programs.
SECONDS = 60


def describe(sites: Iterable[tuple[str, str | None]]) -> dict[str, str]:
    """What people read for each (place, function): "solve (heat.c:42)", else what is known.

    Lines are those that addr2line finds: it needs the same program here, compiled with -g.
    """
    known = dict(sites)
    places: dict[str, list[str]] = defaultdict(list)
    for place in known:
        places[place.rpartition("+")[0]].append(place)
    out = {}
    for module, here in places.items():
        offsets = [place.rpartition("+")[2] for place in here]
        for place, (function, line) in zip(here, _lines(module, offsets), strict=True):
            told = function or known[place]
            where = line or Path(place).name
            out[place] = f"{told} ({where})" if told else where
    return out


def _lines(module: str, offsets: list[str]) -> list[tuple[str, str]]:
    """(function, file:line) of each offset; empty where it is not known."""
    unknown = [("", "")] * len(offsets)
    if not Path(module).is_file():
        return unknown
    try:
        done = subprocess.run(
            ["addr2line", "-f", "-C", "-s", "-e", module, *offsets],
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return unknown
    lines = done.stdout.splitlines()
    if done.returncode or len(lines) != 2 * len(offsets):
        return unknown
    pairs = zip(lines[::2], (line.split(" (")[0] for line in lines[1::2]), strict=True)
    return [("" if "?" in name else name, "" if "?" in line else line) for name, line in pairs]
