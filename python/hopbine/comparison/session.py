"""Takes the jobs of a comparison one after another, and refuses what would not be one."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import JobError
from ..notation.text import one_line
from ..recorded.statistics import load
from . import outputs, running
from .commands import AGAIN, HOPBINE, STOCK, Commands
from .figures import JOB, Figure
from .turns import orders

UNSEEN = (
    "hopbine printed no line in the job with it: it did not come to the program, or the job keeps "
    "what it prints, or aborts. Where a launcher does not hand on its environment (srun "
    "--export=NONE, a container), put {mark} before the program: mpiexec -n 4 {mark} ./program. "
    "--unseen goes on without that line"
)


@dataclass(frozen=True)
class Plan:
    """What is compared, and how."""

    commands: Commands
    figures: Sequence[Figure] = ()
    pairs: int = 9
    warm_up: int = 1
    seed: int = 1
    confidence: float = 0.95
    limit: float | None = None  #: seconds of one job
    fresh: bool = False  #: each job with hopbine begins with nothing learned
    statistics: bool = True  #: the last job that is not counted writes them
    unseen: bool = False
    given: str = os.devnull  #: the file that every job reads as its input
    prepare: str | None = None  #: a shell's command before every job

    @property
    def jobs(self) -> int:
        """How many there are."""
        return 3 * self.pairs + 2 * self.warm_up


@dataclass
class Job:
    """One job. `turn` 0: not counted. `began`: in seconds since the first one did.

    `values`: of the figures. `said`: hopbine's own lines.
    """

    number: int
    turn: int
    kind: str
    began: float
    values: dict[str, float] = field(default_factory=dict)
    code: int | None = None
    said: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """For people."""
        which = "with" if self.kind == HOPBINE else "without"
        return f"job {self.number}, {which} hopbine"


class Session:
    """The jobs of a plan, with their files in a folder; `kept`: they stay there."""

    def __init__(self, plan: Plan, folder: Path, kept: bool = False) -> None:
        self.plan, self.folder, self.kept = plan, folder, kept
        self.jobs: list[Job] = []
        self.lines = outputs.Lines()
        self.statistics: dict[str, Any] | None = None
        self._seen, self._began = plan.unseen, time.monotonic()
        # hopbine's line is the sign that it was there; in both kinds of jobs, for it must not be.
        self._environment: Mapping[str, str] = os.environ | {"HOPBINE_SUMMARY": "always"}

    def take(self) -> Iterator[Job]:
        """The jobs as they end. RuntimeError when one fails, or cannot be compared."""
        for left in range(self.plan.warm_up, 0, -1):
            for kind in (STOCK, HOPBINE):
                yield self._one(0, kind, statistics=self.plan.statistics and left == 1)
        for turn, order in enumerate(orders(self.plan.pairs, self.plan.seed), 1):
            for kind in order:
                yield self._one(turn, kind)

    def column(self, kind: str, figure: str) -> list[float]:
        """A figure of one kind of job, of each turn that is complete."""
        done = {(job.turn, job.kind): job for job in self.jobs if figure in job.values}
        turns = [
            turn
            for turn in range(1, self.plan.pairs + 1)
            if all((turn, k) in done for k in (STOCK, HOPBINE, AGAIN))
        ]
        return [done[turn, kind].values[figure] for turn in turns]

    def _one(self, turn: int, kind: str, statistics: bool = False) -> Job:
        """Runs one job, and reads what it printed."""
        job = Job(len(self.jobs) + 1, turn, kind, time.monotonic() - self._began)
        name = f"{job.number:03}-{kind.replace(' ', '-')}"
        out, err = (self.folder / f"{name}.{end}" for end in ("out", "err"))
        stats = self.folder / f"{name}.stats.json"
        self._prepare(out, err)
        command = self._command(kind, stats if statistics and kind == HOPBINE else None, name)
        ended = running.run(command, self._environment, out, err, self.plan.given, self.plan.limit)
        job.code = ended.code
        job.said = outputs.own_lines(outputs.read(err)) + outputs.own_lines(outputs.read(out))
        self.jobs.append(job)
        if ended.code or ended.late:
            raise JobError(f"{job.name}, {ended.how()}; {outputs.ending(out, err)}")
        job.values[JOB] = ended.seconds
        self._read_figures(job, out, err)
        if stats.exists():
            self.statistics = load(stats)
        self._check_seen(job)
        self.lines.add(out, kind == HOPBINE)
        if not self.kept:
            for path in self.folder.glob(f"{name}*"):
                path.unlink()
        return job

    def _command(self, kind: str, stats: Path | None, name: str) -> list[str]:
        """The job's words."""
        if kind != HOPBINE:
            return self.plan.commands.stock()
        more = [f"--stats={str(stats).replace('%', '%%')}"] if stats else []
        if self.plan.fresh:
            more.append(f"--learn={self.folder / f'{name}.learned.json'}")
        return self.plan.commands.hopbine(more)

    def _prepare(self, out: Path, err: Path) -> None:
        """--prepare. RuntimeError when it fails."""
        if self.plan.prepare is None:
            return
        ended = running.run(
            ["sh", "-c", self.plan.prepare], os.environ, out, err, limit=self.plan.limit
        )
        if ended.code or ended.late:
            raise JobError(
                f"--prepare, before job {len(self.jobs) + 1}, {ended.how()}; "
                f"{outputs.ending(out, err)}"
            )

    def _read_figures(self, job: Job, out: Path, err: Path) -> None:
        """What the program prints of itself. RuntimeError where it does not."""
        for figure in self.plan.figures:
            value = figure.read(outputs.read(out))
            value = figure.read(outputs.read(err)) if value is None else value
            if value is None:
                raise JobError(
                    f"{job.name}, printed no number above 0 for "
                    f"'{one_line(figure.pattern.pattern)}'; "
                    f"{outputs.ending(out, err)}"
                )
            job.values[figure.name] = value

    def _check_seen(self, job: Job) -> None:
        """RuntimeError where hopbine was in a job without it, or not in the first one with it."""
        if job.kind != HOPBINE and job.said:
            raise JobError(
                f"{job.name}, ran under hopbine all the same: take `hopbine run` out of its script;"
                f" it said: {job.said[0]}"
            )
        if job.kind == HOPBINE and not self._seen:
            self._seen = bool(job.said or self.statistics)
            if not self._seen:
                raise JobError(UNSEEN.format(mark=self.plan.commands.mark))
