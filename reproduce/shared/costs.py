"""What works of the evaluations cost, recorded in costs.csv.xz, and how long those left will take.

A cost is CPU seconds of one process, so that other load does not count. How fast this machine is
beside the one that recorded is told by a sample, simulated here.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import fmean

from hopbine.simulation import Setup
from shared import results

ROOT = Path(__file__).parents[1]
FILE = ROOT / "costs.csv.xz"
#: File and name of a work.
Key = tuple[str, str]
#: The key of the sample, which stands for no work.
SAMPLE: Key = ("", "sample")
#: The sample is simulated so many times, and the fastest counts: caches are cold at first.
SAMPLES = 3

#: What is only listed and not made, where works are planned.
_planned: ContextVar["list[Key] | None"] = ContextVar("planned", default=None)
#: What was made in this process.
made: dict[Key, float] = {}


def key(path: Path, work: str) -> Key:
    """The key of a work of a file of results."""
    inside = path.is_relative_to(ROOT)
    return (path.relative_to(ROOT) if inside else path).as_posix(), work


@contextmanager
def planning() -> Iterator[list[Key]]:
    """Works that are asked for within are listed, and not made."""
    listed: list[Key] = []
    token = _planned.set(listed)
    try:
        yield listed
    finally:
        _planned.reset(token)


def planned(path: Path, left: list[str]) -> bool:
    """Whether works are only listed; then those of this file that are left now are."""
    listed = _planned.get()
    if listed is not None:
        listed += [key(path, work) for work in left]
    return listed is not None


@cache
def recorded() -> dict[Key, float]:
    """CPU seconds of each work, and of the sample."""
    return {(r["file"], r["work"]): float(r["seconds"]) for r in results.known(FILE)}


def sample() -> float:
    """CPU seconds of a simulation that is always the same."""
    on, took = Setup("torus:32x32", engine="packet"), []
    for _ in range(SAMPLES):
        began = time.process_time()
        on.seconds("allreduce", "swing", 32 << 20)
        took.append(time.process_time() - began)
    return min(took)


@dataclass(frozen=True)
class Estimate:
    """How long works will take here."""

    works: int
    seconds: float  #: of wall time
    guessed: int  #: works without a record, which count as those of their file that are most alike
    unknown: int  #: works of files without any record, which do not count


def estimate(left: list[Key], processes: int) -> Estimate:
    """The time of works by so many processes, from records and the sample."""
    known = recorded()
    of_file: dict[str, dict[str, float]] = {}
    for (file, work), seconds in known.items():
        of_file.setdefault(file, {})[work] = seconds
    each, guessed, unknown = [], 0, 0
    for one in left:
        if one in known:
            each.append(known[one])
        elif one[0] in of_file:
            each.append(_alike(one[1], of_file[one[0]]))
            guessed += 1
        else:
            unknown += 1
    speed = sample() / known[SAMPLE] if each and SAMPLE in known else 1
    seconds = max(sum(each) / processes, max(each, default=0)) * speed
    return Estimate(len(left), seconds, guessed, unknown)


def _alike(work: str, known: dict[str, float]) -> float:
    """The mean of the works that share the most words with one."""
    shared: dict[int, list[float]] = {}
    for other, seconds in known.items():
        shared.setdefault(len({*work.split()} & {*other.split()}), []).append(seconds)
    return fmean(shared[max(shared)])


def save() -> None:
    """Records what was made in this process, beside what was recorded before."""
    recorded.cache_clear()  # another process may have written it
    known, here = recorded(), sample()
    speed = here / known.get(SAMPLE, here)
    every = {SAMPLE: here / speed} | known | {k: s / speed for k, s in made.items()}
    rows = [f"{_quoted(file)},{_quoted(work)},{s:.3g}" for (file, work), s in sorted(every.items())]
    results.write(FILE, "\n".join(["file,work,seconds", *rows, ""]))
    recorded.cache_clear()


def _quoted(text: str) -> str:
    """As a cell of CSV."""
    return '"' + text.replace('"', '""') + '"'
