"""Running one command to its end: its wall time, and how it ended."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

#: A launcher that is asked to end has so many seconds to end its ranks, before it is killed.
GRACE = 10.0


@dataclass(frozen=True)
class Ended:
    """Seconds from begin to end, and the exit code; minus the number of a signal that killed it.

    `late`: it was ended for it took longer than allowed.
    """

    seconds: float
    code: int
    late: bool

    def how(self) -> str:
        """How it ended, in words."""
        if self.late:
            return f"did not end within {self.seconds:.0f} s"
        if self.code >= 0:
            return f"ended with exit code {self.code}"
        with suppress(ValueError):
            return f"was killed by {signal.Signals(-self.code).name}"
        return f"was killed by signal {-self.code}"


def run(
    command: Sequence[str],
    environment: Mapping[str, str],
    out: Path,
    err: Path,
    given: str = os.devnull,
    limit: float | None = None,
) -> Ended:
    """Runs a command in a session of its own, so that Ctrl-C reaches it through this process only.

    Its output goes to the files `out` and `err`, its input comes from `given`. OSError where it
    cannot be started. Whatever ends this function ends the command.
    """
    late = threading.Event()
    with open(given, "rb") as source, open(out, "wb") as said, open(err, "wb") as errors:
        began = time.monotonic()
        job = subprocess.Popen(
            command,
            stdin=source,
            stdout=said,
            stderr=errors,
            env=environment,
            start_new_session=True,
        )

        def is_late() -> None:
            late.set()
            _end(job)

        # A wait with a limit looks now and then, by which the time would be wrong.
        clock = threading.Timer(limit, is_late) if limit else None
        try:
            if clock:
                clock.start()
            job.wait()
            seconds = time.monotonic() - began
        finally:
            if clock:
                clock.cancel()
            _end(job)
    return Ended(seconds, job.returncode, late.is_set())


def _end(job: subprocess.Popen[bytes]) -> None:
    """Ends what still runs of a job: asked first, for launchers then end their ranks."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if job.poll() is not None:
            return
        with suppress(ProcessLookupError):
            os.killpg(job.pid, number)
        end = time.monotonic() + GRACE
        while job.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
