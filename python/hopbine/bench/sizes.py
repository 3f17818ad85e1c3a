"""Sizes as people write them: 8, 64KiB, 1:1MiB, 8:1MiB:4, dist:normal:1000."""

import re

from ..errors import UsageError
from ..notation.text import near, short
from ..notation.units import parse_size

#: At most so many at once.
MOST_SIZES = 1000
#: Bytes of the elements that are measured.
ELEMENTS = {"int32": 4, "float32": 4, "float64": 8}
DISTRIBUTION = "dist:"
KINDS = ("uniform", "normal", "power")


def parse_sizes(text: str) -> list[int]:
    """'8:1MiB' doubles from 8 to 1 MiB, '8:1MiB:4' takes every fourth power; commas join.

    Ascending, no repeats.
    """
    sizes: set[int] = set()
    for part in text.split(","):
        ends = part.split(":")
        if len(ends) > 3:
            raise UsageError(f"sizes '{short(part)}' are not LOW:HIGH or LOW:HIGH:FACTOR")
        low = parse_size(ends[0])
        high = parse_size(ends[1]) if len(ends) > 1 else low
        factor = parse_size(ends[2]) if len(ends) > 2 else 2
        if low < 1 or high < low or factor < 2:
            raise UsageError(
                f"sizes '{short(part)}' need 1 <= LOW <= HIGH and a factor of at least 2"
            )
        while low <= high:
            sizes.add(low)
            low *= factor
        if len(sizes) > MOST_SIZES:
            raise UsageError(f"sizes '{short(text)}' are more than {MOST_SIZES}")
    return sorted(sizes)


def parse_blocks(text: str, element: int) -> list[str]:
    """Sizes of an alltoallv's blocks as hopbine-bench takes them.

    What parse_sizes reads, ascending, then distributions (src/bench/distribution.h), whose sizes
    may have units. What comes to the same distribution of elements of `element` bytes is there
    once. UsageError says what is allowed.
    """
    from .. import _core

    def plain(word: str) -> str:
        return str(parse_size(word)) if re.fullmatch(r"[0-9.]+[A-Za-z]+", word) else word

    parts = text.split(",")
    if len(parts) > MOST_SIZES:
        raise UsageError(f"sizes '{short(text)}' are more than {MOST_SIZES}")
    sizes = [part for part in parts if not part.startswith(DISTRIBUTION)]
    drawn = [
        DISTRIBUTION + ":".join(map(plain, part.removeprefix(DISTRIBUTION).split(":")))
        for part in parts
        if part.startswith(DISTRIBUTION)
    ]
    for case in drawn:
        kind = case.split(":")[1]
        if kind not in KINDS and (meant := near(kind, KINDS)):
            raise UsageError(
                f"sizes '{short(case)}': '{kind}' is none of {', '.join(KINDS)}{meant}"
            )
    cases: dict[str, str] = {}
    for case in [*map(str, parse_sizes(",".join(sizes)) if sizes else []), *drawn]:
        cases.setdefault(_core.distribution(case, element)["text"], case)
    return list(cases.values())
