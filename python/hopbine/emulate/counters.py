"""Counters of links and processors, read from the kernel while a job runs."""

import os
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path

from . import kernel
from .build import NAMESPACES
from .plan import HEADERS, Link

#: The share of a link's rate above which it counts as in use; less is what keeps a job alive.
IN_USE = 0.05
#: Seconds between two looks, which take 5 ms with 64 hosts. A shorter interval, the last one, has
#: no share of its own.
INTERVAL = 0.5


@dataclass
class Use:
    """What went into a link, with all headers."""

    link: Link
    bytes: int = 0
    packets: int = 0
    peak: float = 0  #: the largest share of its rate in one interval

    @property
    def payload(self) -> int:
        """Bytes without headers."""
        return self.bytes - HEADERS * self.packets


@dataclass
class Processors:
    """Seconds of processors: of the cluster's programs and of its network, of anything, all."""

    own: float = 0
    busy: float = 0
    all: float = 0

    @property
    def share(self) -> float | None:
        """How busy they were with the cluster; None where nothing was measured."""
        return self.own / self.all if self.all else None

    @property
    def others(self) -> float:
        """How busy they were with anything else."""
        return (self.busy - self.own) / self.all if self.all else 0

    def __add__(self, other: "Processors") -> "Processors":
        return Processors(self.own + other.own, self.busy + other.busy, self.all + other.all)

    def __sub__(self, other: "Processors") -> "Processors":
        own = max(0, self.own - other.own)  # less where processes have ended
        return Processors(own, self.busy - other.busy, self.all - other.all)


@dataclass
class Counters:
    """Differences since the beginning, and shares in intervals. A context that holds files open."""

    links: Sequence[Link]
    uses: list[Use] = field(init=False)
    processors: Processors = field(default_factory=Processors)  #: while links were in use
    seconds: float = 0
    at: float = 0  #: when they were read, by the monotonic clock
    _files: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> "Counters":
        self._network: dict[str, FileIO] = {}
        for namespace in {link.namespace for link in self.links}:
            with kernel.network_of(NAMESPACES / namespace):
                # A file of the namespace in which it was opened, also outside of it.
                self._network[namespace] = self._opened("/proc/self/net/dev")
        self._processors = self._opened("/proc/stat")
        self.uses = [Use(link) for link in self.links]
        self._begun = self.at = time.monotonic()
        self._first = self._last = self._read()
        self._cores = self._read_cores()
        return self

    def __exit__(self, *_: object) -> None:
        self._files.close()

    def _opened(self, path: str) -> FileIO:
        return self._files.enter_context(open(path, "rb", buffering=0))

    def sample(self) -> None:
        """Reads all counters; an interval ends here and the next begins."""
        now, read, cores = time.monotonic(), self._read(), self._read_cores()
        took, used = now - self.at, False
        for use, first, last, this in zip(self.uses, self._first, self._last, read, strict=True):
            use.bytes, use.packets = this[0] - first[0], this[1] - first[1]
            share = 8 * (this[0] - last[0]) / (use.link.rate * max(took, INTERVAL))
            use.peak = max(use.peak, share)
            used |= share > IN_USE
        if used:
            self.processors += cores - self._cores
        self.seconds = now - self._begun
        self.at, self._last, self._cores = now, read, cores

    def _read(self) -> list[tuple[int, int]]:
        """Bytes and packets that each link has taken."""
        known = {namespace: sent(_all(file)) for namespace, file in self._network.items()}
        return [known[link.namespace][link.device] for link in self.links]

    def _read_cores(self) -> Processors:
        """All cores so far. Interrupts count as the cluster's: its network is their work."""
        ticks = [int(word) for word in _all(self._processors).split(b"\n", 1)[0].split()[1:9]]
        idle, interrupts = ticks[3] + ticks[4], ticks[5] + ticks[6]
        own = interrupts + _ticks_of_processes()
        per_second = os.sysconf("SC_CLK_TCK")
        return Processors(
            own / per_second, (sum(ticks) - idle) / per_second, sum(ticks) / per_second
        )


def _ticks_of_processes() -> int:
    """What all processes of this namespace have used that have not ended."""
    ticks = 0
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended
            words = (process / "stat").read_text().rpartition(")")[2].split()
            ticks += int(words[11]) + int(words[12])
    return ticks


def _all(file: FileIO) -> bytes:
    """The whole file as it is now."""
    file.seek(0)
    return file.readall()


def sent(text: bytes) -> dict[str, tuple[int, int]]:
    """Bytes and packets that devices have sent, of the lines of /proc/net/dev."""
    out = {}
    for line in text.decode().splitlines()[2:]:
        device, _, numbers = line.partition(":")
        words = numbers.split()
        out[device.strip()] = (int(words[8]), int(words[9]))
    return out
