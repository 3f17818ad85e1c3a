"""Numbers and parameters of algorithms as people write and read them."""

from collections.abc import Mapping
from functools import cache
from math import isqrt

from ..errors import UsageError
from .text import short
from .units import parse_size

#: The most blocks of an alltoall, from each rank to each; more take hours.
MOST_BLOCKS = 1 << 32


def check_blocks(collective: str, ranks: int, done: str, on: str = "", instead: str = "") -> None:
    """UsageError for a collective of more blocks than can be `done`: counted, or simulated."""
    if collective in ("alltoall", "alltoallv") and ranks * ranks > MOST_BLOCKS:
        raise UsageError(
            f"{collective} between {ranks:,} ranks{on} has {ranks * ranks:,} blocks: up to "
            f"{MOST_BLOCKS:,} are {done}, of {isqrt(MOST_BLOCKS):,} ranks{instead}"
        )


def whole(text: str, what: str, low: int, high: int) -> int:
    """The number that `text` is. UsageError names `what` and the bounds."""
    digits = text[1:] if text[:1] == "-" else text
    if digits.isascii() and digits.isdigit() and len(digits) < 20 and low <= int(text) <= high:
        return int(text)
    raise UsageError(f"{what} '{short(text)}' is not a whole number from {low} to {high}")


@cache
def _of_bytes() -> frozenset[str]:
    """Names of parameters that are bytes."""
    from .. import _core

    every = (q for a in _core.algorithms() for q in a["parameters"])
    return frozenset(q["name"] for q in every if q["kind"] == "bytes")


def parameter(text: str, shown: str) -> tuple[str, int]:
    """'k=4' -> ('k', 4), and 'segment=64KiB' -> ('segment', 65536).

    UsageError begins with `shown`.
    """
    key, _, value = text.partition("=")
    if value[:1].isdigit() and not value.isdigit() and key in _of_bytes():
        try:
            return key, parse_size(value)
        except UsageError as error:
            raise UsageError(f"{shown}: {error}") from None
    try:
        return key, whole(value, key, -(1 << 62), 1 << 62)
    except UsageError:
        raise UsageError(f"{shown} is not PARAMETER=INTEGER") from None


def algorithm_text(name: str, parameters: Mapping[str, int]) -> str:
    """'bine_large:segment=131072': what `split_algorithm` reads."""
    return ":".join([name, *(f"{key}={value}" for key, value in parameters.items())])


def canonical(text: str) -> str:
    """'bine_large:segment=64KiB' -> 'bine_large:segment=65536', as C++ reads it. UsageError."""
    return algorithm_text(*split_algorithm(text))


def split_algorithm(text: str) -> tuple[str, dict[str, int]]:
    """'bine_large:segment=65536' -> ('bine_large', {'segment': 65536}). UsageError."""
    name, *settings = text.split(":")
    return name, dict(parameter(one, f"'{short(one)}' of '{short(text)}'") for one in settings)
