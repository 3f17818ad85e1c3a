"""Reads UCC's tune string for tl/ucp: COLLECTIVE:BYTES:MEMORY:[RANKS]:SCORE:@ALGORITHM#..."""

import re

from ..errors import UsageError
from ..notation.text import near, read_bytes, short
from .counterparts import SAME
from .file import Range
from .foreign import EVERY, Foreign

#: Kinds of memory; hopbine's rules are about the host's.
_MEMORY = ("host", "cuda", "rocm", "cuda_managed", "rocm_managed", "ze_host", "ze_device")
_UNITS = {"": 1, "b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
_SIZE = re.compile(r"([0-9]{1,12})([bkmg]?)b?", re.IGNORECASE)


def _size(text: str, where: str) -> int | None:
    """'64K' -> 65536; 'inf' is an open end."""
    if text.lower() == "inf":
        return None
    found = _SIZE.fullmatch(text)
    if not found:
        raise UsageError(f"{where}: '{short(text)}' is not a number such as 4096, 64K or inf")
    return int(found[1]) * _UNITS[found[2].lower()]


def _span(text: str, where: str) -> Range:
    low, dash, high = text.partition("-")
    first, last = _size(low, where), _size(high, where) if dash else None
    if not dash or first is None or (last is not None and last < first):
        raise UsageError(f"{where}: '{short(text)}' is not a range such as 0-4k or 64k-inf")
    return first, last


def _score(text: str) -> float | None:
    return float(text) if re.fullmatch(r"inf|[0-9]{1,9}", text) else None


class _Told:
    """One part of the string: its words may stand in any order."""

    def __init__(self, text: str, where: str):
        self.collectives = list(SAME["ucc"])
        self.memory, self.ranks, self.bytes = ["host"], [EVERY], [EVERY]
        self.score = float("inf")
        self.algorithm: str | None = None
        for word in text.split(":"):
            self._take(word.strip(), where)

    def _take(self, word: str, where: str) -> None:
        names = word.split(",")
        if word.startswith("@"):
            self.algorithm = word[1:]
        elif word.startswith("[") and word.endswith("]"):
            self.ranks = [_span(one, where) for one in word[1:-1].split(",")]
        elif (score := _score(word)) is not None:
            self.score = score
        elif all(name in _MEMORY for name in names):
            self.memory = names
        elif word[:1].isdigit():
            self.bytes = [_span(one, where) for one in names]
        elif re.fullmatch("[a-z_]+", names[0]) and all(name in SAME["ucc"] for name in names):
            self.collectives = names
        else:
            raise UsageError(
                f"{where}: '{short(word)}' is no collective ({', '.join(SAME['ucc'])}), range of "
                f"bytes, [range of ranks], memory ({', '.join(_MEMORY)}), score or @algorithm"
                f"{near(word, [*SAME['ucc'], *_MEMORY])}"
            )


def tune_string(path: str) -> list[Foreign]:
    """The rules of a file that holds the string: higher scores first. UsageError names the part."""
    text = read_bytes(path).decode("utf-8", "replace").strip()
    parts: list[tuple[int, _Told]] = []
    for number, part in enumerate(text.split("#"), 1):
        told = _Told(part, f"{path}: part {number}")
        if told.algorithm is not None and told.score > 0 and "host" in told.memory:
            parts.append((number, told))
    return [
        Foreign(collective, told.algorithm, f"part {number}", ranks, size)
        for number, told in sorted(parts, key=lambda part: -part[1].score)
        for collective in told.collectives
        for ranks in told.ranks
        for size in told.bytes
    ]
