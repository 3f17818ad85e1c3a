#!/usr/bin/env python3
"""Times of building hopbine, in a clone of this repository's last commit.

benchmarks/build_times.py [CASE...]    default: all, in this order

Packages are installed first, and not timed. Each case is timed as a user would wait for it: seconds
of wall time, CPU seconds of its processes, and CPU seconds that the machine spent on others
meanwhile, which lengthen the first and, by the caches, the second.
"""

import argparse
import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ("scripts/setup", "run")
DEV = ("env", "PATH={path}", "scripts/building", "cmake")


@dataclass(frozen=True)
class Case:
    """What is timed, after what is done first in the clone."""

    name: str
    commands: tuple[tuple[str, ...], ...]
    before: Callable[[Path], object] = lambda clone: None
    packages: str = "run"


def touched(path: str) -> Callable[[Path], None]:
    """Makes a file look changed. Its time must be after that of the last build."""
    return lambda clone: os.utime(clone / path)


CASES = {
    "run": Case("make run, from an empty folder: build", (BUILD,)),
    "job": Case("make run: the job itself", ((".venv/bin/python", "scripts/main_job.py"),)),
    "nothing": Case("build, nothing changed", (BUILD,)),
    "algorithm": Case(
        "build, an algorithm changed", (BUILD,), touched("src/algorithms/allreduce/bine_large.cpp")
    ),
    "header": Case(
        "build, a header of src/mpi changed",
        (BUILD,),
        touched("src/mpi/state/communicator.hpp"),
    ),
    "test": Case(
        "make test, after make run: build",
        (
            ("scripts/setup", "test"),
            (*DEV, "--preset", "dev", "-G", "Ninja"),
            (*DEV, "--build", "--preset", "dev"),
        ),
        packages="test",
    ),
}


@dataclass(frozen=True)
class Cost:
    """Seconds: of the wall clock, of a case's processors, of others' on the machine."""

    wall: float
    cpu: float
    others: float


def machine_seconds() -> float:
    """CPU seconds that this machine has worked since it was started."""
    user, nice, system, *_ = (int(n) for n in Path("/proc/stat").read_text().split()[1:8])
    return (user + nice + system) / os.sysconf("SC_CLK_TCK")


def own_seconds() -> float:
    """CPU seconds of the processes that this one has started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cost_of(case: Case, clone: Path) -> Cost:
    """Runs a case. CalledProcessError when a command fails."""
    subprocess.run(["scripts/packages", case.packages], cwd=clone, check=True)
    case.before(clone)
    path = f"{clone}/.venv/bin:{os.environ['PATH']}"
    wall, machine, own = time.monotonic(), machine_seconds(), own_seconds()
    for command in case.commands:
        words = [word.format(path=path) for word in command]
        subprocess.run(words, cwd=clone, check=True, stdout=subprocess.DEVNULL)
    wall, own = time.monotonic() - wall, own_seconds() - own
    return Cost(wall, own, max(0.0, machine_seconds() - machine - own))


def main() -> None:
    """Prints a row for each case when it has ended."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(CASES))
    wanted = parser.parse_args().cases or list(CASES)
    unknown = [name for name in wanted if name not in CASES]
    if unknown:
        parser.error(f"'{unknown[0]}' is no case; allowed are {', '.join(CASES)}")
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "hopbine"
        subprocess.run(["git", "clone", "-q", ROOT, clone], check=True)
        if wanted[0] != "run":
            cost_of(CASES["run"], clone)  # the others are timed after a build
        print("| | wall, s | CPU, s | others' CPU, s |\n|---|---|---|---|", flush=True)
        for name in wanted:
            cost = cost_of(CASES[name], clone)
            row = f"| {CASES[name].name} | {cost.wall:.0f} | {cost.cpu:.0f} | {cost.others:.0f} |"
            print(row, flush=True)


if __name__ == "__main__":
    main()
