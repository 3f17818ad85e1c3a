"""Records of the registry, by name."""

from collections.abc import Iterator

from .. import _core
from .records import Algorithm


def _named(collective: str, name: str) -> Iterator[Algorithm]:
    wanted = (collective, name)
    return (a for a in _core.algorithms() if (a["collective"], a["name"]) == wanted)


def find(collective: str, name: str) -> Algorithm | None:
    """The record of an algorithm; None if there is none of this name."""
    return next(_named(collective, name), None)


def record(collective: str, name: str) -> Algorithm:
    """The record of an algorithm. UsageError with the names that exist."""
    _core.fits(collective, name, 1)
    return next(_named(collective, name))
