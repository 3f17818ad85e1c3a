"""Hosts of one job."""

from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import UsageError
from ..notation.hosts import expand


@dataclass(frozen=True)
class Allocation:
    """Hosts of a job: hosts[r] is the host of rank r; `source` is FILE:LINE, for messages."""

    job: str
    hosts: tuple[str, ...]
    source: str


@dataclass(frozen=True)
class BadJob:
    """Job that cannot be used, among others that can."""

    job: str
    source: str
    why: str


#: Result of a parser.
Jobs = Iterator[Allocation | BadJob]


def job(name: str, text: str, source: str) -> Allocation | BadJob:
    """Job with the hosts of a compact list."""
    if not name.strip():
        return BadJob("without a name", source, "the name of the job is empty; every job needs one")
    try:
        hosts = expand(text)
    except UsageError as error:
        return BadJob(name, source, str(error))
    return Allocation(name, tuple(hosts), source) if hosts else BadJob(name, source, "has no hosts")
