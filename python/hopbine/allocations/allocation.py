"""One job's hosts."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Allocation:
    """hosts[r] is the host of rank r; `source` is FILE:LINE, for messages."""

    job: str
    hosts: tuple[str, ...]
    source: str


@dataclass(frozen=True)
class BadJob:
    """A job that cannot be used, among others that can."""

    job: str
    source: str
    why: str
