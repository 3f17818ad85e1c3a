"""The counterpart of every row that pico measured, or why it has none.

A row's own name tells (published_names.py). What a library takes under a name that does not tell
its messages has the time of the algorithm that it is (published_by_time.py), else MPICH's public
rules name it, where an implementation of that took about its time. What a library makes of two
collectives is what it takes for each of these by itself in the same run.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from published_by_time import Timed, confirmed, decided, nearest
from published_defaults import of_mpich
from published_names import (
    BY_ITSELF,
    NOT_PUBLIC,
    OF_TWO,
    OWN_CHOICE,
    Name,
    combined,
    library,
    made_of,
    of_library,
    on_torus,
)
from published_runs import MODIFIED, NOT_FORCED, renamed

from hopbine.machines import load

Row = dict[str, Any]
#: Why a name does not tell its messages, where a time can.
_TOLD_BY_TIME = (OWN_CHOICE, NOT_PUBLIC, NOT_FORCED, MODIFIED)
#: Names under which Fujitsu MPI decides.
_DECIDED = (BY_ITSELF["fujitsu"], "default-basic-linear", "default-trinaryx6", "default-trix6")


def shape(row: Row) -> tuple[int, ...]:
    """The torus that a row's ranks fill; else nothing."""
    return row["nodes"] if load(row["system"]).kind == "torus" else ()


def _by_name(row: Row) -> Name:
    algorithm, why = renamed(row)
    if why:
        return why
    if torus := shape(row):
        return on_torus(row["collective"], algorithm, torus)
    return of_library(row["collective"], algorithm, row["ranks"], row["bytes"])


def _place(row: Row) -> tuple:
    """Where and for how many bytes a library was asked."""
    where = tuple(row[key] for key in ("system", "run", "nodes", "tasks_per_node", "bytes"))
    return (*where, library(row["algorithm"]))


def _otherwise(row: Row, own: Timed, others: Timed) -> Name | None:
    """What MPICH's rules say that a row is, if its time is that; what Fujitsu MPI decided.

    `own`: algorithms of the row's library; `others`: the authors' implementations.
    """
    if library(row["algorithm"]) != "mpich":
        return decided(row["median_us"], own) if row["algorithm"] in _DECIDED else None
    taken = of_mpich(row["collective"], row["ranks"], row["bytes"])
    found = of_library(row["collective"], taken, row["ranks"], row["bytes"])
    return found if confirmed(row["median_us"], own + others, found) else None


def counterparts(rows: Iterable[Row]) -> list[tuple[Row, Name]]:
    """Every row with its counterpart's name."""
    named: dict[tuple, Timed] = defaultdict(list)  # by place and collective
    out: list[tuple[Row, Name]] = [(row, _by_name(row)) for row in rows]
    for row, name in out:
        if not isinstance(name, str):
            named[*_place(row), row["collective"]].append((name, row["median_us"]))
    own: dict[tuple, Name] = {}  # what a library takes by itself
    for i, (row, name) in enumerate(out):
        key = (*_place(row), row["collective"])
        if name in _TOLD_BY_TIME:
            authors = named[*_place(row | {"algorithm": ""}), row["collective"]]
            told = nearest(row["median_us"], named[key]) or _otherwise(row, named[key], authors)
            out[i] = (row, told or name)
        if row["algorithm"] == BY_ITSELF["fujitsu"]:
            own[key] = out[i][1]
    for i, (row, name) in enumerate(out):
        if name == OF_TWO:
            told = nearest(row["median_us"], named[*_place(row), row["collective"]])
            out[i] = (row, _of_two(row, own) or told or name)
    return out


def _of_two(row: Row, own: dict[tuple, Name]) -> Name | None:
    """The counterpart of what a library makes of other collectives, if those of all are known."""
    found = []
    for collective, algorithm in made_of(row["collective"], library(row["algorithm"])):
        asked = row | {"collective": collective, "algorithm": algorithm}
        itself = algorithm == BY_ITSELF["fujitsu"]
        part = own.get((*_place(asked), collective), OWN_CHOICE) if itself else _by_name(asked)
        if isinstance(part, str):
            return None
        found.append((collective, *part))
    return combined(found)
