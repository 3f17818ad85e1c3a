"""Figures that a program prints of itself, as users name them by regular expressions."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Iterable
from dataclasses import dataclass

from ..errors import UsageError
from ..notation.text import short

#: The figure of every job: its time from begin to end.
JOB = "job"


@dataclass(frozen=True)
class Figure:
    """A number that the program prints. `rate`: more is better; otherwise less is, as of a time."""

    name: str
    pattern: re.Pattern[str]
    rate: bool = False

    def read(self, text: str) -> float | None:
        """The last one in the text; None where there is none above 0."""
        found = [m[1] for m in self.pattern.finditer(text) if m[1]]
        value = seconds_of(found[-1]) if found else None
        return value if value and value > 0 and math.isfinite(value) else None


def number(text: str) -> float | None:
    """The number that a program printed, also with Fortran's D, or None for a word."""
    try:
        return float(re.sub("[dD]", "e", text) if text[:1] in "+-.0123456789" else text)
    except ValueError:
        return None


def seconds_of(text: str) -> float | None:
    """Seconds of `3.5`, or of `1m21.76` as Fortran programs print it; None for a word."""
    minutes, _, rest = text.rpartition("m")
    parts = number(minutes or "0"), number(rest)
    return None if parts[0] is None or parts[1] is None else 60 * parts[0] + parts[1]


def figure(text: str, option: str) -> Figure:
    """What --figure and --rate take: an expression with one group, whose name is the figure's.

    UsageError says what is wrong with it.
    """
    try:
        with warnings.catch_warnings(action="ignore"):  # of what other Pythons may read otherwise
            pattern = re.compile(text, re.M)
    except (re.error, OverflowError, RecursionError) as error:
        raise UsageError(f"{option} '{short(text)}' is no regular expression: {error}") from None
    if pattern.groups != 1:
        raise UsageError(
            f"{option} '{short(text)}' has {pattern.groups} groups: one is needed, around the "
            "number, as in 'Loop time of ([0-9.]+)'"
        )
    name = next(iter(pattern.groupindex), short(text))
    return Figure(name, pattern, option == "--rate")


def figures(times: Iterable[str], rates: Iterable[str]) -> list[Figure]:
    """All that are asked for. UsageError, also where two have one name."""
    out = [figure(t, "--figure") for t in times] + [figure(r, "--rate") for r in rates]
    names = [JOB, *(f.name for f in out)]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"two figures are called '{name}': (?P<NAME>...) names a figure")
    return out
