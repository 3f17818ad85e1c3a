"""Text of axes, ticks and legends."""

from __future__ import annotations

import re

_UNITS = (("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1))


def plain(text: str) -> str:
    """Text with its dollars escaped, so that matplotlib reads no formula."""
    return text.replace("$", r"\$")


def byte_unit(most: float) -> tuple[str, int]:
    """Name and bytes of the largest unit in which `most` bytes are 1 or more."""
    return next((u for u in _UNITS if most >= u[1]), _UNITS[-1])


def natural(name: str) -> list[tuple[int, int, str]]:
    """Sort key of a name: numbers by value, before words."""
    return [
        (0, int(t), "") if t.isdecimal() else (1, 0, t)
        for t in re.findall(r"[0-9]{1,18}|[^0-9]+", name)
    ]


def shortest(label: str, labels: list[str]) -> str:
    """Shortest prefix that no other label has, its first character in upper case."""
    for n in range(1, len(label) + 1):
        if sum(other[:n].lower() == label[:n].lower() for other in labels) == 1:
            return label[:n].capitalize()
    return label
