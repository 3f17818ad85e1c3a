"""A cluster from its making to the end of its jobs."""

import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from ..output.progress import tell as say
from . import kernel, report
from .build import FOLDER, build
from .check import filters
from .counted import count
from .counters import Counters
from .delays import begin
from .jobs import Asked
from .launching import about, environment_of
from .lifetime import apart
from .plan import Plan
from .session import Running, Waiting, start


@dataclass(frozen=True)
class How:
    """Options that are not of the network."""

    slots: int = 1  #: ranks per host
    csv: str | None = None
    json: str | None = None


def emulate(plan: Plan, jobs: Sequence[Asked], how: How) -> int:
    """The exit code of the jobs on a cluster. OSError where the kernel allows none, JobError."""
    return apart(lambda: _inside(plan, jobs, how))


def _inside(plan: Plan, jobs: Sequence[Asked], how: How) -> int:
    """In namespaces of its own."""
    begun = time.monotonic()
    refused = build(plan)
    needed = [begin(plan, filters())] if plan.delayed else []
    realtime = kernel.may_set_classes() and os.geteuid() == 0 and not _in_user_namespace()
    took = time.monotonic() - begun
    sys.stderr.write(f"hopbine emulate: {about(plan)}; made in {took:.2f} s\n")
    if not realtime:
        say(
            "hopbine emulate: without root: bytes are as with it, times vary more (hopbine compare "
            "as the command here says by how much: it runs equal jobs too)"
        )
    for one in refused:
        say(f"hopbine emulate: not set: {one}")
    with Counters(plan.links) as counters:
        running = [_start(plan, job, n, how, realtime) for n, job in enumerate(jobs)]
        code = Waiting([*running, *needed], counters).wait()
        counted = count(plan, sorted(FOLDER.glob("stats.*.json"))) if plan.groups else None
        rows = report.tell(plan, counters, counted, realtime)
        report.write(rows, counters, realtime, how.csv, how.json)
    return code


def _start(plan: Plan, job: Asked, number: int, how: How, realtime: bool) -> Running:
    given = dict(os.environ)
    environment = environment_of(plan, given, job.hosts, number, how.slots, realtime)
    return start(f"job {number + 1}", job.words, environment)


def _in_user_namespace() -> bool:
    """Is root here a user's own? The first namespace maps all users."""
    with open("/proc/self/uid_map") as file:
        return file.read().split() != ["0", "0", "4294967295"]
