"""One job of the comparison: several cells of a collective, with the arms that fit in one job."""

import contextlib
import os
import selectors
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rivals_library import Library
from rivals_network import Network

#: Seconds without a word from a job after which an algorithm is taken to hang.
SILENCE = 40.0
#: More failures in one job than that are not the algorithms'.
MOST_FAILURES = 6


@dataclass
class Cell:
    """A collective at a size: seconds it may take, most rounds, and arms `LABEL KIND WORDS`."""

    collective: str
    size: int
    seconds: float
    rounds: int
    arms: dict[str, str] = field(default_factory=dict)


@dataclass
class Row:
    """A line of the results; `note` is why there is no time."""

    label: str
    kind: str
    round: int
    calls: int
    seconds: float
    note: str = ""


def _plan(cells: list[Cell]) -> str:
    lines = []
    for cell in cells:
        lines.append(f"cell {cell.collective} {cell.size} {cell.seconds:g} {cell.rounds}")
        lines += [f"arm {label} {rest}".rstrip() for label, rest in cell.arms.items()]
    return "\n".join(lines) + "\n"


def end_job(job: subprocess.Popen[str]) -> None:
    """Interrupts a job, so that the launcher, or the emulated cluster, ends its ranks."""
    for sign in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            if sign == signal.SIGINT:
                job.send_signal(sign)
            else:
                os.killpg(job.pid, sign)
        with contextlib.suppress(subprocess.TimeoutExpired):
            job.wait(15)
            return


def _finish(job: subprocess.Popen[str]) -> None:
    """Waits for the end of a job that has nothing more to say."""
    try:
        job.wait(20)
    except subprocess.TimeoutExpired:
        end_job(job)


def _lines(job: subprocess.Popen[str], until: float) -> Iterator[str | None]:
    """Lines of a job's output as they come; None when it was silent for too long."""
    assert job.stdout
    os.set_blocking(job.stdout.fileno(), False)
    waiting, text, heard = selectors.DefaultSelector(), "", time.monotonic()
    waiting.register(job.stdout, selectors.EVENT_READ)
    while True:
        if waiting.select(1.0):
            read = os.read(job.stdout.fileno(), 1 << 16).decode(errors="replace")
            if not read:
                return
            heard, text = time.monotonic(), text + read
            *whole, text = text.split("\n")
            yield from whole
        elif time.monotonic() > min(heard + SILENCE, until):
            yield None
            return


def _words(cell: Cell, line: str, current: str) -> tuple[Row | None, str]:
    """The row of a line, and the arm that runs now."""
    what, *rest = line.split(" ", 4)
    kind = lambda label: cell.arms.get(label, " ").split(" ")[0]  # noqa: E731
    if what == "begin" and rest:
        return None, rest[0]
    if what == "sample" and len(rest) == 4:
        label, turn, calls, seconds = rest
        return Row(label, kind(label), int(turn), int(calls), float(seconds)), label
    if what in ("refused", "learned") and rest:
        label = rest[0] if what == "refused" else "auto"
        note = " ".join(rest[1:] if what == "refused" else [what, *rest])
        return Row(label, kind(label), -1, 0, 0.0, note.replace(",", ";")), current
    return None, current


@dataclass
class _Job:
    """A job that measures cells. What ran last, and whether it went silent, are told afterwards."""

    network: Network
    cells: list[Cell]
    finished: Callable[[Cell, list[Row]], None]
    current: str = ""
    silent: bool = False
    code: int = 0

    def run(
        self,
        library: Library,
        program: Path,
        environment: dict[str, str],
        failures: dict[str, str],
    ) -> None:
        """Removes the cells that it finishes."""
        limit = sum(4 * c.seconds + 60 for c in self.cells)
        with tempfile.NamedTemporaryFile("w", suffix=".plan", dir=self.network.folder) as plan:
            plan.write(_plan(self.cells))
            plan.flush()
            job = self.network.start(
                library,
                library.environment() | environment,
                [str(program), plan.name],
                limit,
            )
            self._read(_lines(job, time.monotonic() + limit), failures)
            if self.silent:
                end_job(job)
            _finish(job)
            self.code = job.returncode

    def _read(self, lines: Iterator[str | None], failures: dict[str, str]) -> None:
        rows: list[Row] = []
        for line in lines:
            if line is None:
                self.silent = True
                return
            if line.startswith("done "):
                rows += [Row(k, "library", -1, 0, 0.0, why) for k, why in failures.items()]
                self.finished(self.cells.pop(0), rows)
                rows, self.current = [], ""
                if not self.cells:
                    return
                continue
            row, self.current = _words(self.cells[0], line, self.current)
            rows += [row] if row else []


def measure(
    network: Network,
    library: Library,
    program: Path,
    environment: dict[str, str],
    cells: list[Cell],
    finished: Callable[[Cell, list[Row]], None],
) -> None:
    """Measures the cells; `finished` gets each with its rows.

    An arm that ends a job or says nothing is recorded and left out, and the job starts again.
    """
    failures: dict[str, str] = {}
    while cells:
        for cell in cells:
            cell.arms = {k: v for k, v in cell.arms.items() if k not in failures}
        job = _Job(network, cells, finished)
        job.run(library, program, environment, failures)
        if not cells:
            return
        size, arm = cells[0].size, job.current
        if not arm or arm == "auto" or len(failures) == MOST_FAILURES:
            raise RuntimeError(
                f"{library.name}, {cells[0].collective}, {size} bytes: "
                f"{'no word' if job.silent else f'ended with {job.code}'} at "
                f"'{arm or 'the start'}': {network.said()[-1500:]}"
            )
        failures[arm] = f"{'hangs' if job.silent else 'ends the job'} at {size} bytes"
