"""Jobs on a cluster that is there: started, waited for, ended."""

import os
import select
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import JobError
from . import lifetime
from .counters import INTERVAL, Counters

#: Seconds that a job has to end by itself after Ctrl-C, which it has got too, and after SIGTERM.
_AFTER_INTERRUPT, _AFTER_TERMINATE = 2, 5
#: Seconds that a launcher has to see that one of its daemons was killed; how the cluster is told
#: (src/emulate/enter.c), and daemons that it sees the end of, as they are nobody else's children.
_AFTER_LOSS = 3
LOST = signal.SIGUSR1
DAEMONS = ("orted", "prted", "hydra_pmi_proxy", "hopbine-shell")


@dataclass
class Running:
    """A process: a job's, or one that the cluster cannot do without."""

    name: str
    pid: int
    needed: bool = False
    begun: float = field(default_factory=time.monotonic)
    code: int | None = None
    seconds: float = 0


def start(
    name: str,
    words: Sequence[str],
    environment: dict[str, str],
    needed: bool = False,
    output: int = 1,
) -> Running:
    """Starts a program; it has this process's streams, but for `output`. JobError."""
    every = set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}
    try:
        pid = os.posix_spawnp(
            words[0],
            list(words),
            environment,
            file_actions=[(os.POSIX_SPAWN_DUP2, output, 1)],
            setsigdef=every,
            setsigmask=[],
        )
    except OSError as error:
        raise JobError(f"{words[0]}: {error.strerror}") from None
    return Running(name, pid, needed)


class Waiting:
    """Waiting for jobs, as the first process of their namespace, whose orphans come to it."""

    def __init__(self, processes: Sequence[Running], counters: Counters):
        self.jobs = [one for one in processes if not one.needed]
        self._by_pid = {one.pid: one for one in processes}
        self._counters = counters
        self._signal = 0  #: the first that asked for the end
        self._lost = False  #: has a launcher's daemon been killed?
        self._steps: list[float] = []  #: when to send SIGTERM, and when to leave
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._writer, False)
        for number in (*lifetime.ENDING, signal.SIGCHLD, LOST):
            signal.signal(number, lambda *_: None)
        signal.set_wakeup_fd(self._writer, warn_on_full_buffer=False)

    def wait(self) -> int:
        """The exit code: that of a signal that asked for the end, else of the first job that
        failed. JobError.
        """
        self._reap()
        while any(job.code is None for job in self.jobs) and not self._is_over():
            ready = select.select([self._reader], [], [], INTERVAL)[0]
            for number in os.read(self._reader, 512) if ready else b"":
                self._take(number)
            self._reap()
            if time.monotonic() - self._counters.at >= INTERVAL:
                self._counters.sample()
        self._counters.sample()
        if self._signal:
            return 128 + self._signal
        failed = sorted((job.seconds, job.code) for job in self.jobs if job.code)
        if self._lost and len(self._steps) < 2:  # a job did not end by itself
            raise JobError("a daemon of the launcher was killed, so that its ranks wait for ever")
        return failed[0][1] if failed else 0

    def _take(self, number: int) -> None:
        """What a signal begins."""
        if number in lifetime.ENDING and not self._signal:
            self._signal = number
            # A terminal's Ctrl-C is the launcher's too, and it ends its job on every host.
            self._end(_AFTER_INTERRUPT if number == signal.SIGINT else 0)
        elif number == LOST and not self._lost:
            self._lost = True
            self._end(_AFTER_LOSS)

    def _end(self, patience: float) -> None:
        """Jobs that have not ended after some seconds are asked to, and then killed."""
        first = time.monotonic() + patience
        self._steps = self._steps or [first, first + _AFTER_TERMINATE]

    def _is_over(self) -> bool:
        """Goes on with the end. Is it time to leave, with which the kernel ends all?"""
        if self._steps and time.monotonic() >= self._steps[0]:
            self._steps.pop(0)
            for job in self.jobs:
                if job.code is None and self._steps:
                    os.kill(job.pid, signal.SIGTERM)
            return not self._steps
        return False

    def _reap(self) -> None:
        """Takes note of all that have ended. JobError for what is needed."""
        while True:
            try:
                ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            except ChildProcessError:
                return
            if ended is None:
                return
            name = _command(ended.si_pid)
            _, status = os.waitpid(ended.si_pid, 0)
            if known := self._by_pid.get(ended.si_pid):
                self._note(known, lifetime.exit_code(status))
            elif os.WIFSIGNALED(status) and name in DAEMONS:
                self._take(LOST)

    def _note(self, ended: Running, code: int) -> None:
        """One of the cluster's own has ended."""
        if ended.needed:
            raise JobError(f"{ended.name} has ended with {code}, so that no message arrives")
        ended.code, ended.seconds = code, time.monotonic() - ended.begun
        if len(self.jobs) > 1:
            sys.stderr.write(
                f"hopbine emulate: {ended.name}: exit code {code} after {ended.seconds:.2f} s\n"
            )


def _command(pid: int) -> str:
    """The name of a process's program, also of one that has ended."""
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""
