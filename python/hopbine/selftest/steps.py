"""The steps of a selftest: files, proofs, and a job on each MPI library."""

from __future__ import annotations

import json
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import LIBRARY_FOLDER, _core
from ..bench.launch import FAMILIES, BenchError, measuring_program, run
from ..core.records import Algorithm
from ..errors import UsageError
from ..notation.text import many, one_line
from .libraries import Library, number

#: Seconds of the whole test, and of a job.
LIMIT, JOB_LIMIT = 110.0, 30.0
#: Algorithms that are proved, and on how many ranks.
PROVED, RANKS = 20, range(1, 17)
#: Ranks, sizes and what serves the job's calls; all answers are verified.
JOB_RANKS, SIZES, SERVED = 3, "8,65536", "bine_large"
#: Characters of what a job that failed said.
MOST_SAID = 400
OK, FAILED, LEFT = "ok", "failed", "left out"
#: What the dynamic linker says where an MPI library has another name than that of the wheel's
#: programs, as Debian's MPICH 4.0 has.
NO_LIBRARY = re.compile(r"error while loading shared libraries: (libmpi[\w.]*):")

#: What hopbine check does: cases proved and failures, of an algorithm, ranks, a torus, parameters.
Prove = Callable[[Algorithm, list[int], list[int], dict[str, int]], tuple[int, list[str]]]


@dataclass(frozen=True)
class Result:
    """A step: what it was about, how it ended, what was seen, how long it took."""

    step: str
    what: str
    state: str
    told: str
    seconds: float


def steps(libraries: list[Library], prove: Prove) -> Iterator[Result]:
    """Results, as they come. After LIMIT seconds the others have failed."""
    begun = time.monotonic()

    def timed(step: str, what: str, do: Callable[[float], tuple[str, str]]) -> Result:
        start = time.monotonic()
        left = LIMIT - (start - begun)
        state, told = do(left) if left > 1 else (FAILED, f"not done within {LIMIT:g} s")
        return Result(step, what, state, told, time.monotonic() - start)

    yield timed("files", str(LIBRARY_FOLDER), lambda _: _files())
    yield timed("proof", f"{PROVED} algorithms", lambda left: _proofs(prove, left))
    for one in libraries:
        yield timed("job", one.name, lambda left, one=one: _job(one, left))  # type: ignore[misc]


def _files() -> tuple[str, str]:
    """The preload library, and at least one runtime."""
    names = [f"libhopbine_{name}.so" for name in ("preload", *FAMILIES)]
    there = [name for name in names if (LIBRARY_FOLDER / name).exists()]
    if names[0] not in there or len(there) < 2:
        return FAILED, f"it lacks {names[0]} or a runtime; there is {', '.join(there) or 'nothing'}"
    return OK, ", ".join(there)


def chosen() -> list[int]:
    """Which of the registry's algorithms are proved: at equal distances, so of all collectives."""
    n = len(_core.algorithms())
    return [i * n // PROVED for i in range(min(PROVED, n))]


def _proofs(prove: Prove, left: float) -> tuple[str, str]:
    """Cases of the algorithms that are replayed, with all roots and parameters of so many ranks."""
    every, end, cases = _core.algorithms(), time.monotonic() + left, 0
    for done, i in enumerate(chosen()):
        proved, failures = prove(every[i], list(RANKS), [], {})
        cases += proved
        if failures or not proved:
            name = f"{every[i]['collective']} {every[i]['name']}"
            return FAILED, failures[0] if failures else f"{name} serves none of these ranks"
        if time.monotonic() > end:
            return FAILED, f"{done + 1} of {PROVED} within the time"
    return OK, f"{many(cases, 'case')} proved"


def _job(library: Library, left: float) -> tuple[str, str]:
    """An allreduce by hopbine's algorithm and by the library's: right answers, and served."""
    try:
        measuring_program(library.runtime)
    except UsageError:
        return LEFT, f"this hopbine was built without a runtime for {library.runtime}"
    end = time.monotonic() + min(left, JOB_LIMIT)
    try:
        loaded, _ = _ran(library, 1, "mpi", end)
        if library.version and number(loaded["mpi"]) != library.version:
            return LEFT, (
                f"it starts programs of {library.version}, but the test program of this "
                f"installation loads {one_line(loaded['mpi'])}: try hopbine run with a program of "
                "your own"
            )
        data, answers = _ran(library, JOB_RANKS, f"{SERVED},mpi", end)
    except (BenchError, UsageError) as error:
        if missing := NO_LIBRARY.search(str(error)):
            return LEFT, (
                f"the test program of this installation needs {missing[1]}, which this launcher's "
                "library does not have: try hopbine run with a program of your own"
            )
        return FAILED, " ".join(str(error).split())[-MOST_SAID:]
    except (OSError, ValueError) as error:
        return FAILED, f"the job wrote no statistics: {error}"
    calls = sum(row["calls"] for row in data["rows"] if row["algorithm"] == SERVED)
    if not calls:
        return FAILED, f"{data['mpi']}: no call was served by hopbine"
    return OK, f"{data['mpi']}: {calls} calls served, {answers} answers right"


def _ran(library: Library, ranks: int, algorithms: str, end: float) -> tuple[dict[str, Any], int]:
    """Statistics of a job, and how many answers it verified. BenchError, OSError, ValueError."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "stats.json"
        words = ["allreduce", algorithms, SIZES, "2", "1", "0", "float32"]
        own = {"HOPBINE_STATS": str(file), "HOPBINE_LEARN": "none"}
        left = max(end - time.monotonic(), 1.0)
        samples = list(run(library.launcher, library.runtime, ranks, words, own, left))
        return json.loads(file.read_text()), len(samples)
