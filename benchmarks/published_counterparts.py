"""The counterpart of every row that pico measured, or why it has none.

A row's own name tells (published_names.py). What a library takes under a name that does not tell
its messages has the time of the algorithm that it is (published_by_time.py), else MPICH's public
rules name it, where an implementation of that took about its time. What a library makes of two
collectives is what it takes for each of these by itself in the same run.
"""

from collections import defaultdict
from collections.abc import Callable, Container, Iterable
from functools import cached_property
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
    of_few,
    of_library,
    on_torus,
)
from published_runs import MODIFIED, NOT_FORCED, renamed

from hopbine.machines import load

Row = dict[str, Any]
#: On a power of two of ranks the large Bine allreduce has the steps and bytes of Rabenseifner's.
_ALIKE: dict[tuple[str, Name], Name] = {("allreduce", ("rabenseifner", ())): ("bine_large", ())}
#: Libraries whose algorithms have the code of Open MPI's.
_ONE_CODE = ("ompi", "fujitsu")
#: Why a name does not tell its messages, where a time can.
_TOLD_BY_TIME = (OWN_CHOICE, NOT_PUBLIC, NOT_FORCED, MODIFIED)
#: What Fujitsu MPI makes of a bcast, and of a gather and a bcast.
_SCATTERED, _GATHERED = "default-use-bcast", "default-gtbc"
#: Ranks of a ring that has two directions.
_RING = 3
#: Names under which Fujitsu MPI decides.
_DECIDED = (BY_ITSELF["fujitsu"], "default-basic-linear", "default-trinaryx6", "default-trix6")


def shape(row: Row) -> tuple[int, ...]:
    """The torus that a row's ranks fill; else nothing."""
    return row["nodes"] if load(row["system"]).kind == "torus" else ()


def _by_name(row: Row) -> Name:
    algorithm, why = renamed(row)
    if why:
        return why
    collective, ranks, size = row["collective"], row["ranks"], row["bytes"]
    if torus := shape(row):
        name = on_torus(collective, algorithm, torus)
    else:
        name = of_library(collective, algorithm, ranks, size)
    return of_few(collective, name, ranks, size) if library(algorithm) in _ONE_CODE else name


def _place(row: Row) -> tuple:
    """Where and for how many bytes a library was asked."""
    where = tuple(row[key] for key in ("system", "run", "nodes", "tasks_per_node", "bytes"))
    return (*where, library(row["algorithm"]))


def _asked(row: Row) -> tuple:
    """Where, for how many bytes and of which collective a library was asked."""
    return (*_place(row), row["collective"])


def _otherwise(row: Row, own: Timed, others: Timed) -> Name | None:
    """What MPICH's rules say that a row is, if its time is that; what Fujitsu MPI decided.

    `own`: algorithms of the row's library; `others`: the authors' implementations.
    """
    if library(row["algorithm"]) != "mpich":
        return decided(row["median_us"], own) if row["algorithm"] in _DECIDED else None
    taken = of_mpich(row["collective"], row["ranks"], row["bytes"])
    if taken is None:
        return None
    found = of_library(row["collective"], taken, row["ranks"], row["bytes"])
    # The fastest implementation of what is only alike counts, not one in many segments.
    alike = [t for name, t in others if name == _ALIKE.get((row["collective"], found))]
    fastest: Timed = [(found, min(alike))] if alike else []
    return found if confirmed(row["median_us"], own + others + fastest, found) else None


class _Rows:
    """Rows with their names, which times and parts tell better one after the other."""

    def __init__(self, rows: Iterable[Row]):
        self.all: list[tuple[Row, Name]] = [(row, _by_name(row)) for row in rows]
        self._named: dict[tuple, Timed] = defaultdict(list)
        self._told: dict[tuple, Timed] = defaultdict(list)
        for row, name in self.all:
            if not isinstance(name, str):
                self._named[_asked(row)].append((name, row["median_us"]))

    def tell(self, unknown: Container[Name], by: Callable[[Row], Name | None]) -> None:
        """Names what has one of these reasons for no name, where `by` knows what it is."""
        for i, (row, name) in enumerate(self.all):
            if name in unknown and (told := by(row)):
                self.all[i] = (row, told)
                self._told[_asked(row)].append((told, row["median_us"]))

    def by_time(self, row: Row) -> Name | None:
        """The algorithm of the row's library that took its time, or what its rules name."""
        own, authors = self._named[_asked(row)], self._named[_asked(row | {"algorithm": ""})]
        return nearest(row["median_us"], own) or _otherwise(row, own, authors)

    def by_parts(self, row: Row) -> Name | None:
        """What its parts are, or the algorithm that took its time."""
        return _of_two(row, self._itself) or nearest(row["median_us"], self._named[_asked(row)])

    @cached_property
    def _itself(self) -> dict[tuple, Name]:
        """What Fujitsu MPI takes by itself, where it was timed or by what was made of it."""
        decides = BY_ITSELF["fujitsu"]
        timed = {_asked(row): name for row, name in self.all if row["algorithm"] == decides}
        return self._made_only(timed) | timed

    def _made_only(self, timed: dict[tuple, Name]) -> dict[tuple, Name]:
        """A gather and a bcast of which only the allgather and the scatter made of them were timed.

        The scatter is the bcast, which is what a larger torus takes; the allgather takes longer by
        the gather, whose name is that of a scatter of this time: the same messages backwards.
        """
        took = {(*_asked(row), row["algorithm"]): row["median_us"] for row, _ in self.all}
        others = {
            (row["bytes"], row["system"]): name
            for row, name in self.all
            if row["algorithm"] == BY_ITSELF["fujitsu"]
            and row["collective"] == "bcast"
            and min(shape(row), default=0) >= _RING
        }
        out: dict[tuple, Name] = {}
        for row, _ in self.all:
            bcast = _asked(row | {"collective": "bcast"})
            whole = took.get((*_asked(row | {"collective": "allgather"}), _GATHERED))
            if row["algorithm"] != _SCATTERED or bcast in timed or whole is None:
                continue
            gather = nearest(whole - row["median_us"], self._named[_asked(row)])
            if gather:
                out[_asked(row | {"collective": "gather"})] = gather
            out[bcast] = others.get((row["bytes"], row["system"]), OWN_CHOICE)
        return out

    def by_what_was_told(self, row: Row) -> Name | None:
        """What took its time, of what a time or parts have told."""
        return nearest(row["median_us"], self._told[_asked(row)])


def counterparts(rows: Iterable[Row]) -> list[tuple[Row, Name]]:
    """Every row with its counterpart's name."""
    out = _Rows(rows)
    out.tell(_TOLD_BY_TIME, out.by_time)
    out.tell((OF_TWO,), out.by_parts)
    out.tell(_TOLD_BY_TIME, out.by_what_was_told)
    return out.all


def _of_two(row: Row, own: dict[tuple, Name]) -> Name | None:
    """The counterpart of what a library makes of other collectives, if those of all are known."""
    found = []
    for collective, algorithm in made_of(row["collective"], library(row["algorithm"])):
        asked = row | {"collective": collective, "algorithm": algorithm}
        itself = algorithm == BY_ITSELF["fujitsu"]
        part = own.get(_asked(asked), OWN_CHOICE) if itself else _by_name(asked)
        if isinstance(part, str):
            return None
        found.append((collective, *part))
    return combined(found)
