"""Reads MPICH's tuning file: a tree of questions, whose leaves are algorithms."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NoReturn

from ..core.registry import record
from ..errors import UsageError
from ..notation.text import near, short
from .counterparts import ours
from .foreign import Foreign
from .mpich import ONLY_ONE, SIZE, base, told

_QUESTION = re.compile(r"(\w+)(<=|<|=)(.+)")
_NAME = re.compile(
    r"(?:algorithm=MPIR_\w+?_(?:intra|allcomm)_|composition=(?=MPIDI_\w+_composition_))(\w+)"
)
#: Questions about sizes and their field of a rule.
_RANGES = {"comm_size": "ranks", "avg_msg_size": "bytes", "total_msg_size": "bytes"}
#: Questions that MPICH asks and no rule can: whatever follows is left to the library.
_UNASKED = ("per_proc_msg_size", "comm_avg_ppn", "is_node_consecutive")
#: Answers under which hopbine's own conditions hold: it checks operations and their counts itself.
_ASIDE = {
    "is_op_built_in": "yes",
    "count": "any",
    "is_sendbuf_inplace": "no",
    "comm_hierarchy": "any",
    "is_block_regular": "yes",
}


def tuning(path: str, library: str | None) -> list[Foreign]:
    """The rules of a file, in its order. UsageError names the branch.

    `library`: MPICH itself or its generic.json; what the file has of its rules is its own decision.
    """
    tree, _ = told(path, path)
    own = base(library)[0] if library else {}
    out: list[Foreign] = []
    for collective in SIZE:
        key = f"collective={collective}"
        if collective in ONLY_ONE or key not in tree:
            continue
        intra = tree[key]["comm_type=intra"]
        decides = own.get(key, {}).get("comm_type=intra")
        start = Foreign(collective, None, f"{key}, comm_type=intra")
        out += _Walk(path, decides).rules(intra, start)
    return out


class _Walk:
    """Goes down a collective's tree."""

    def __init__(self, path: str, own: Any):
        self._path, self._own = path, own

    def rules(self, tree: Any, at: Foreign) -> Iterator[Foreign]:
        """The rules below a branch, of calls that `at` describes so far."""
        if tree == self._own:
            yield at
            return
        if not isinstance(tree, dict) or not tree:
            self._wrong(at, "ends without an algorithm")
        low = {"ranks": at.ranks[0], "bytes": at.bytes[0]}
        for key, below in tree.items():
            if key.startswith(("algorithm=", "composition=")):
                yield self._leaf(key, below, at)
                continue
            found = _QUESTION.fullmatch(key)
            if not found:
                self._wrong(at, f"'{short(key)}' is no question and no algorithm=NAME")
            what, sign, value = found.groups()
            here = replace(at, where=f"{at.where}, {key}")
            if what in _UNASKED or value == "node_comm_size":
                yield replace(at, remark=f"asks for {key}, which no rule can; MPICH decides there")
                return
            if what not in _RANGES:
                yield from self._other(what, value, below, here)
                continue
            if value == "pow2":
                yield from self._powers_of_two(below, here)
                continue
            field = _RANGES[what]
            high = self._most(here, sign, value, getattr(at, field)[1])
            if high is None or high >= low[field]:
                span = (low[field], high)
                sized = field == "bytes"
                yield from self.rules(
                    below, replace(here, bytes=span) if sized else replace(here, ranks=span)
                )
            if high is not None:
                low[field] = max(low[field], high + 1)

    def _most(self, at: Foreign, sign: str, value: str, above: int | None) -> int | None:
        """The upper end of a range within one that ends `above`; None: open."""
        if value == "any":
            return above
        if not re.fullmatch("[0-9]{1,10}", value) or sign == "=":
            self._wrong(at, f"'{short(value)}' is neither a limit, as <=4096, nor any or pow2")
        most = int(value) - (sign == "<")
        return most if above is None else min(most, above)

    def _powers_of_two(self, below: Any, at: Foreign) -> Iterator[Foreign]:
        """Rules of powers of two: of algorithms that serve no other numbers of ranks."""
        for rule in self.rules(below, at):
            found = rule.algorithm and ours("mpich", rule.collective, rule.algorithm, rule.radix)
            collective = rule.collective.removesuffix("_block")
            if found and record(collective, found[0])["p"] == "power of two":
                yield rule

    def _other(self, what: str, value: str, below: Any, at: Foreign) -> Iterator[Foreign]:
        """Questions that are not about sizes."""
        if what == "is_commutative":
            in_order = value in ("no", "0")
            yield from self.rules(below, replace(at, operands="in_order" if in_order else ""))
        elif what not in _ASIDE:
            known = (*_RANGES, "is_commutative", *_ASIDE, *_UNASKED)
            self._wrong(
                at, f"asks for {what}: {', '.join(known)} are understood{near(what, known)}"
            )
        elif value == _ASIDE[what]:
            yield from self.rules(below, at)

    def _leaf(self, key: str, below: Any, at: Foreign) -> Foreign:
        name = _NAME.fullmatch(key)
        if not name:
            self._wrong(at, f"'{short(key)}' is not algorithm=MPIR_COLLECTIVE_intra_NAME")
        keys = list(below) if isinstance(below, dict) else []
        radix = next((int(k[2:]) for k in keys if re.fullmatch("k=[0-9]{1,6}", k)), None)
        return replace(at, algorithm=":".join([name[1], *keys]), radix=radix)

    def _wrong(self, at: Foreign, what: str) -> NoReturn:
        raise UsageError(f"{self._path}: {at.where}: {what}")
