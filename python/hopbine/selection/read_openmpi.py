"""Reads Open MPI's rules of coll/tuned: the classic text of 4.1 and 5.0, and the JSON of 6."""

import json
import re
from dataclasses import replace
from itertools import pairwise
from typing import Any, NoReturn

from ..bench.library import OPENMPI
from ..errors import UsageError
from ..notation.text import near, read_bytes, short
from .file import Range
from .foreign import EVERY, Foreign
from .openmpi import NUMBERS

#: All collectives that Open MPI numbers, those besides that `export` writes nothing for.
_NUMBERS = NUMBERS | {
    "allgatherv": 1,
    "alltoallv": 4,
    "alltoallw": 5,
    "exscan": 8,
    "gatherv": 10,
    "scan": 14,
    "scatterv": 16,
    "neighbor_allgather": 17,
    "neighbor_allgatherv": 18,
    "neighbor_alltoall": 19,
    "neighbor_alltoallv": 20,
    "neighbor_alltoallw": 21,
}
_NAMES = {number: name for name, number in sorted(_NUMBERS.items(), key=lambda pair: pair[1])}
#: Algorithms of 5.0 and 6 that 4.1 has not.
_LATER = {
    "allgather": {"sparbit": 7, "direct-messaging": 8},
    "allreduce": {"allgather_reduce": 7},
    "reduce": {"knomial": 8},
}
#: Open MPI's spellings of names that are others here (coll_tuned_*_decision.c).
_SPELLED = {
    "basic_linear": "linear",
    "binary_tree": "binary",
    "split_binary_tree": "split_binary",
    "in-order_binary": "in_order_binary",
    "non-overlapping": "nonoverlapping",
    "modified_bruck": "bruck",
    "bruck-k-fanout": "bruck",
}
#: A file may begin with its version; in the second every line ends with a further number.
_VERSION = re.compile(r"rule-file-version-([0-9]+)")
_COLUMNS = {1: 4, 2: 5}
#: What a distribution of ranks in version 6 asks of nodes.
_PLACES: dict[str, dict[str, Range]] = {
    "any": {},
    "single-node": {"nodes": (1, 1)},
    "one-per-node": {"ranks_per_node": (1, 1)},
}


def _algorithm(collective: str, number: object, where: str) -> str | None:
    """The name of an algorithm that is told by number or by name; None: Open MPI's own decision."""
    names = OPENMPI.get(collective, {}) | _LATER.get(collective, {})
    if not names:
        return None
    known = {0: None} | {n: name for name, n in names.items()}
    if isinstance(number, str):
        name = number if number in names else _SPELLED.get(number, number)
        if name in names or name == "ignore":
            return None if name == "ignore" else name
    if not isinstance(number, int) or isinstance(number, bool) or number not in known:
        listed = ", ".join(f"{n} {name or 'its own decision'}" for n, name in known.items())
        raise UsageError(f"{where}: {collective} has no algorithm {number!r}: {listed}")
    return known[number]


class _Numbers:
    """The numbers of a classic file, one after the other, with their lines."""

    def __init__(self, path: str):
        self._path = path
        text = read_bytes(path).decode("utf-8", "replace")
        self._words = [
            (word, number)
            for number, line in enumerate(text.splitlines(), 1)
            for word in line.partition("#")[0].split()
        ]
        self._at = 0
        self.line = 1

    def version(self) -> int:
        """Takes the version that a file may begin with."""
        found = self._words and _VERSION.fullmatch(self._words[0][0])
        if not found:
            return 1
        self._at, self.line = 1, self._words[0][1]
        if int(found[1]) not in _COLUMNS:
            self.wrong(f"version {found[1]} is none of {', '.join(map(str, _COLUMNS))}")
        return int(found[1])

    def next(self, what: str) -> int:
        """The next number, which is `what`."""
        if self._at == len(self._words):
            raise UsageError(f"{self._path}: ends where {what} should be")
        word, self.line = self._words[self._at]
        self._at += 1
        if not re.fullmatch("[0-9]{1,18}", word):
            self.wrong(f"'{short(word)}' is not {what}, a whole number from 0 on")
        return int(word)

    def end(self) -> None:
        """UsageError where anything is left."""
        if self._at < len(self._words):
            word, self.line = self._words[self._at]
            self.wrong(f"'{short(word)}' follows the last rule")

    def wrong(self, what: str) -> NoReturn:
        """UsageError with the line of the last number."""
        raise UsageError(f"{self._path}:{self.line}: {what}")


def rules(path: str) -> list[Foreign]:
    """The rules of either format, as Open MPI 6 tells them apart: JSON begins with a brace."""
    return version6(path) if read_bytes(path).lstrip()[:1] == b"{" else classic(path)


def classic(path: str) -> list[Foreign]:
    """The rules of a classic file, in its order. UsageError names the line.

    A size of communicator or message holds from there on up to the next; the first size of
    communicator holds below itself as well.
    """
    numbers = _Numbers(path)
    columns = _COLUMNS[numbers.version()]
    out: list[Foreign] = []
    for _ in range(numbers.next("the number of collectives")):
        number = numbers.next("a collective")
        if number not in _NAMES:
            listed = ", ".join(f"{n} {name}" for n, name in _NAMES.items())
            numbers.wrong(f"collective {number} is none of {listed}")
        out += _collective(numbers, _NAMES[number], columns, path)
    numbers.end()
    return out


def _upward(starts: list[int], numbers: _Numbers, what: str) -> list[Range]:
    """Each start up to the next."""
    for low, high in pairwise(starts):
        if high <= low:
            numbers.wrong(f"{what} {high} does not follow {low}: they must ascend")
    return [(low, high - 1) for low, high in pairwise(starts)] + [(starts[-1], None)]


def _collective(numbers: _Numbers, name: str, columns: int, path: str) -> list[Foreign]:
    """The rules of a collective."""
    starts, told = [], []
    for _ in range(numbers.next("the number of sizes of communicators")):
        starts.append(numbers.next("a size of a communicator"))
        sizes, rows = [], []
        for _ in range(numbers.next("the number of sizes of messages")):
            sizes.append(numbers.next("a size of a message"))
            line = numbers.line
            _upward(sizes, numbers, "size of message")
            number, _fanout, segment, *_ = [numbers.next("a column") for _ in range(columns - 1)]
            rows.append((line, _algorithm(name, number, f"{path}:{line}"), segment))
        told.append((sizes, rows))
    if not starts:
        return []
    spans = _upward(starts, numbers, "size of communicator")
    spans[0] = (0, spans[0][1])
    return [
        Foreign(name, algorithm, str(line), ranks, size, segment=segment)
        for ranks, (sizes, rows) in zip(spans, told, strict=True)
        if sizes
        for span, (line, algorithm, segment) in zip(
            _upward(sizes, numbers, "size of message"), rows, strict=True
        )
        for size in _asked(name, span)
    ]


def _asked(collective: str, size: Range) -> list[Range]:
    """The bytes that a range holds for: an alltoallv, whose bytes differ, is asked for with 0."""
    if collective != "alltoallv":
        return [size]
    return [EVERY] if size[0] == 0 else []


def version6(path: str) -> list[Foreign]:
    """The rules of a JSON file, in its order. UsageError names the branch."""
    try:
        tree = json.loads(read_bytes(path))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: is not JSON: {error}") from None
    table = tree.get("collectives") if isinstance(tree, dict) else None
    if not isinstance(table, dict):
        raise UsageError(f"{path}: has no 'collectives'")
    out: list[Foreign] = []
    for name, pieces in table.items():
        if name not in _NUMBERS:
            raise UsageError(
                f"{path}: collective '{short(name)}' is none of {', '.join(_NAMES.values())}"
                f"{near(name, _NUMBERS)}"
            )
        for i, piece in enumerate(_list(pieces, f"{path}: {name}")):
            where = f"{name}[{i}]"
            told = str(piece.get("comm_rank_distribution", "any"))
            if told not in _PLACES:
                raise UsageError(
                    f"{path}: {where}: comm_rank_distribution '{short(told)}' is none of "
                    f"{', '.join(_PLACES)}"
                )
            ranks = _span(piece, "comm_size", f"{path}: {where}")
            for j, rule in enumerate(_list(piece.get("rules"), f"{path}: {where}.rules")):
                here = f"{where}.rules[{j}]"
                one = Foreign(
                    name,
                    _algorithm(name, rule.get("alg"), f"{path}: {here}"),
                    here,
                    ranks,
                    nodes=_PLACES[told].get("nodes", EVERY),
                    ranks_per_node=_PLACES[told].get("ranks_per_node", EVERY),
                    segment=_whole(rule, "seg_size", 0, f"{path}: {here}") or 0,
                )
                sizes = _asked(name, _span(rule, "msg_size", f"{path}: {here}"))
                out += [replace(one, bytes=size) for size in sizes]
    return out


def _list(value: Any, where: str) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise UsageError(f"{where} is not a list of objects")
    return value


def _whole(told: dict[str, Any], key: str, otherwise: int | None, where: str) -> int | None:
    """The number of a key; 'INF' is an open end."""
    value = told.get(key, otherwise)
    if value is None or (isinstance(value, str) and value.upper() == "INF"):
        return None
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise UsageError(f"{where}: {key} {value!r} is not a whole number from 0 on, nor 'INF'")
    return value


def _span(told: dict[str, Any], what: str, where: str) -> Range:
    low = _whole(told, f"{what}_min", 0, where) or EVERY[0]
    high = _whole(told, f"{what}_max", None, where)
    if high is not None and high < low:
        raise UsageError(f"{where}: {what}_max {high} is below {what}_min {low}")
    return low, high
