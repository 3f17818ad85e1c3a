"""Rows of pico's compressed files, checked: errors name the file and the line."""

import csv
import gzip
import math
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from hopbine import _core
from hopbine.machines import names
from hopbine.notation.text import near, one_line

#: What a column's text becomes. ValueError says what it is not.
Kinds = Mapping[str, Callable[[str], Any]]


def count(text: str) -> int:
    """A whole number from 1 on."""
    if not re.fullmatch("[0-9]{1,15}", text) or not int(text):
        raise ValueError("a whole number from 1 on")
    return int(text)


def micros(text: str) -> float:
    """A time above 0."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise ValueError("a time above 0 in microseconds")
    return value


def extents(text: str) -> tuple[int, ...]:
    """'16' or '4x4x4': nodes, or the shape of a torus."""
    if not re.fullmatch("[1-9][0-9]{0,6}(x[1-9][0-9]{0,6})*", text):
        raise ValueError("a number of nodes or a shape, as 4x4x4")
    return tuple(map(int, text.split("x")))


def expanded(text: str) -> list[str]:
    """'1 4*2' -> ['1', '4', '4']."""
    out = []
    for part in text.split():
        value, star, times = part.partition("*")
        if star and not re.fullmatch("[1-9][0-9]{0,6}", times):
            raise ValueError("a list such as 1 4*2")
        out += [value] * int(times or 1)
    return out


#: Names of systems, and the described machine of each: its own name, or another of the artefact's.
SYSTEMS = {name: name for name in names()} | {"mare_nostrum": "marenostrum5"}


def system(text: str) -> str:
    """The described machine of a system's name."""
    if text not in SYSTEMS:
        raise ValueError(f"one of {', '.join(SYSTEMS)}{near(text, list(SYSTEMS))}")
    return SYSTEMS[text]


#: Collectives of which there can be a choice.
COLLECTIVES = sorted({a["collective"] for a in _core.algorithms()})


def collective(text: str) -> str:
    """A collective that hopbine knows."""
    if text not in COLLECTIVES:
        raise ValueError(f"one of {', '.join(COLLECTIVES)}{near(text, COLLECTIVES)}")
    return text


#: Columns of the files.
MEASURED: Kinds = {
    "system": system,
    "run": str,
    "collective": collective,
    **dict.fromkeys(("algorithm", "mpi", "gpu"), str),
    **dict.fromkeys(("tasks_per_node", "ranks", "bytes"), count),
    "nodes": extents,
    "median_us": micros,
}
GROUPS: Kinds = {"system": system, "run": str, "group_of_each": expanded}
ALLOCATIONS: Kinds = {
    **GROUPS,
    **dict.fromkeys(("ranks", "nodes", "groups"), count),
    "node_of_each": expanded,
}


def rows(path: Path, kinds: Kinds) -> Iterator[dict[str, Any]]:
    """Each with these columns. ValueError, one line that names the file."""
    if not path.is_file():
        raise ValueError(f"'{path.parent}' has no {path.name}")
    try:
        with gzip.open(path, "rt", newline="") as file:
            lines = csv.DictReader(file)
            missing = sorted(set(kinds) - set(lines.fieldnames or ()))
            if missing:
                raise ValueError(f"{path} has no column {', '.join(missing)}")
            for row in lines:
                yield {name: _value(path, lines.line_num, name, row, kinds) for name in kinds}
    except (gzip.BadGzipFile, EOFError, zlib.error, UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path}: cannot be read: {one_line(str(error))}") from None


def _value(path: Path, line: int, name: str, row: dict[str, str | None], kinds: Kinds) -> Any:
    text = row[name]
    if text is None:
        raise ValueError(f"{path}:{line}: has no {name}")
    try:
        return kinds[name](text)
    except ValueError as error:
        raise ValueError(f"{path}:{line}: {name} '{one_line(text, 60)}' is not {error}") from None
