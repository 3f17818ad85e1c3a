"""What works of the evaluations cost, recorded in costs.csv.xz, and how long those left will take.

A cost is CPU seconds of one process, so that other load does not count. How fast this machine is
beside the one that recorded is told by a sample, simulated here.
"""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from math import log, prod
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

#: A size in the name of a work: 'torus:8x8,', '8,192', '64'.
_SIZE = re.compile(r"(?:\w+:)?(\d[\d,]*(?:x\d+)*),?")

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
    guessed: int  #: works without a record, which count as others of their file, or folder
    unknown: int  #: works of folders without any record, which do not count


def estimate(left: list[Key], processes: int) -> Estimate:
    """The time of works by so many processes, from records and the sample."""
    known = recorded()
    alike: dict[str, dict[str, float]] = {}
    for (file, work), seconds in known.items():
        for where in (file, _folder(file)):
            alike.setdefault(where, {})[work] = seconds
    each, guessed, unknown = [], 0, 0
    for one in left:
        file, work = one
        if one in known:
            each.append(known[one])
        elif of := alike.get(file) or alike.get(_folder(file)):
            each.append(_alike(work, of))
            guessed += 1
        else:
            unknown += 1
    speed = sample() / known[SAMPLE] if each and SAMPLE in known else 1
    seconds = max(sum(each) / processes, max(each, default=0)) * speed
    return Estimate(len(left), seconds, guessed, unknown)


def _folder(file: str) -> str:
    """Where a file is; a name that no file has."""
    return file.rpartition("/")[0] + "/"


def _alike(work: str, known: dict[str, float]) -> float:
    """As works that differ in sizes only, by powers of these, else as those with the same words.

    The latter are those that share the most, in the mean.
    """
    frame, own = _frame(work)
    others = {o: s for o, s in known.items() if s > 0 and _frame(o)[0] == frame}
    if others:
        return _grown(own, [_frame(o)[1] for o in others], [*others.values()])
    shared: dict[int, list[float]] = {}
    for other, seconds in known.items():
        shared.setdefault(len({*work.split()} & {*other.split()}), []).append(seconds)
    return fmean(shared[max(shared)])


def _frame(work: str) -> tuple[str, list[float]]:
    """The name of a work without its sizes, and their logarithms.

    A size is '64', '8,192' or the 64 of 'torus:8x8,'.
    """
    words = work.split()
    found = [_SIZE.fullmatch(word) for word in words]
    sizes = [prod(map(int, f[1].replace(",", "").split("x"))) for f in found if f]
    frame = " ".join("#" if f else word for f, word in zip(found, words, strict=True))
    return frame, [log(max(size, 1)) for size in sizes]


def _grown(own: list[float], others: list[list[float]], seconds: list[float]) -> float:
    """The cost at sizes from those at others: least squares in logarithms.

    It grows in proportion to a size in which the others are all alike.
    """
    import numpy as np

    at, costs_ = np.array(others), np.log(seconds)
    varied = np.ptp(at, axis=0) > 0
    rest = np.sum(np.array(own)[~varied] - at[0, ~varied])
    terms = np.column_stack([np.ones(len(at)), at[:, varied]])
    fit = np.linalg.lstsq(terms, costs_, rcond=None)[0]
    return float(np.exp(fit @ [1, *np.array(own)[varied]] + rest))


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
