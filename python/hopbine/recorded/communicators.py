"""The communicators that calls of a row of a statistics file were made on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ..errors import UsageError


class Communicator(NamedTuple):
    """Ranks of the job in the communicator's order, and the calls of the row on it."""

    ranks: tuple[int, ...]
    calls: int
    bytes: int


def ranks_of(text: str, size: int, job: int) -> tuple[int, ...]:
    """The `size` ranks that a text names, of a job of `job` ranks. UsageError.

    Runs FIRST, FIRST-LAST or FIRST-LAST/STEP, up or down, such as "12-0/4,5".
    """
    out: list[int] = []
    for run in text.split(","):
        ends, _, step = run.partition("/")
        first, _, last = ends.partition("-")
        numbers = [first, last or first, step or "1"]
        if not all(number.isdecimal() for number in numbers) or int(numbers[2]) < 1:
            raise UsageError(f"'{run}' is not a run of ranks")
        begin, end, by = map(int, numbers)
        if max(begin, end) >= job:
            raise UsageError(f"'{run}' names ranks that a job of {job} has not")
        out += range(begin, end + 1, by) if begin <= end else range(begin, end - 1, -by)
    if len(out) != size or len(set(out)) != size:
        raise UsageError(f"'{text}' is not {size} ranks")
    return tuple(out)


def communicators(row: dict[str, Any], job: int) -> Iterator[Communicator]:
    """Communicators of a row, in a job of `job` ranks. Calls it lists none for are of all ranks.

    Nothing where they are of some ranks that the file does not name. UsageError.
    """
    size, listed = row["comm_size"], _listed(row, job)
    yield from listed
    calls, moved = (
        row[what] - sum(getattr(one, what) for one in listed) for what in ("calls", "bytes")
    )
    if calls < 0 or moved < 0 or (listed and calls and size < job):
        raise UsageError("communicators have other calls than the row")
    if calls and size == job:
        yield Communicator(tuple(range(job)), calls, moved)


def _listed(row: dict[str, Any], job: int) -> list[Communicator]:
    given = row.get("communicators") or ()
    if not isinstance(given, Iterable) or not all(_is_entry(one) for one in given):
        raise UsageError("communicators is wrong")
    size = row["comm_size"]
    return [Communicator(ranks_of(text, size, job), calls, moved) for text, calls, moved in given]


def _is_entry(one: object) -> bool:
    return (
        isinstance(one, list)
        and [type(value) for value in one] == [str, int, int]
        and min(one[1:]) >= 0
    )
