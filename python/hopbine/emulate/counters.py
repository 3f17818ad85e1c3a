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
#: Seconds between two looks. A shorter interval, the last one, has no share of its own.
INTERVAL = 0.25


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
        return max(0, self.busy - self.own) / self.all if self.all else 0


@dataclass
class Ticks:
    """Clock ticks so far: of all cores, and of each process of this namespace."""

    busy: int
    all: int
    interrupts: int  #: the network's work is done in these
    processes: dict[str, int]

    def add(self, since: "Ticks", to: Processors) -> None:
        """Adds what has passed since, but for processes that have ended."""
        second = os.sysconf("SC_CLK_TCK")
        own = self.interrupts - since.interrupts
        own += sum(n - since.processes.get(name, 0) for name, n in self.processes.items())
        to.own += own / second
        to.busy += (self.busy - since.busy) / second
        to.all += (self.all - since.all) / second


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
            cores.add(self._cores, self.processors)
        self.seconds = now - self._begun
        self.at, self._last, self._cores = now, read, cores

    def _read(self) -> list[tuple[int, int]]:
        """Bytes and packets that each link has taken."""
        known = {namespace: sent(_all(file)) for namespace, file in self._network.items()}
        return [known[link.namespace][link.device] for link in self.links]

    def _read_cores(self) -> Ticks:
        ticks = [int(word) for word in _all(self._processors).split(b"\n", 1)[0].split()[1:9]]
        idle = ticks[3] + ticks[4]
        return Ticks(sum(ticks) - idle, sum(ticks), ticks[5] + ticks[6], _ticks_of_processes())


def _ticks_of_processes() -> dict[str, int]:
    """What each process of this namespace has used."""
    out = {}
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended
            words = (process / "stat").read_text().rpartition(")")[2].split()
            out[process.name] = int(words[11]) + int(words[12])
    return out


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
