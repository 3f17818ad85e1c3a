#!/usr/bin/env python3
"""Records the times of every arm, call by call, of jobs with several MPI libraries.

    python benchmarks/regret/record.py ARMS --library ompi5=MPICC=MPIEXEC ...
        [--jobs ompi5-4 ...] [--ahead] [--output benchmarks/regret/data]

ARMS is the program regret_arms (CMake: HOPBINE_BENCHMARKS). The emulated job needs hopbine emulate
as root. Run it with a Python that has hopbine, on a quiet machine. README.md beside this file has
the format.
"""

import argparse
import datetime
import lzma
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from rivals_library import Library  # noqa: E402
from rivals_network import Network  # noqa: E402

#: Steps of a code in a factor of e: a time is off by 1/256 at most.
STEPS = 128
SIZES = tuple(8**k for k in range(1, 7))
#: Bytes from which calls on the emulated network take tens of milliseconds.
LARGE = 128 << 10
#: Seconds that a job may take.
LIMIT = 900
#: Shell: puts a rank before whatever else runs. The kernel shares cores by sessions; where ranks
#: have one each, as MPICH's, none yields to another, unless they are in the real-time class. There
#: the kernel stops ranks that never wait, for a twentieth of the time.
AHEAD_AS_SESSION = "echo -20 >/proc/self/autogroup"
AHEAD_AS_RANK = "chrt --rr --pid 1 $$"


@dataclass(frozen=True)
class Job:
    """A recorded job: its name is that of its file. `network`: as rivals_network reads it."""

    name: str
    library: str
    network: str

    @property
    def emulated(self) -> bool:
        """Whether it needs the emulator."""
        return not self.network.startswith("node:")

    def lengths(self, size: int) -> tuple[int, int]:
        """Calls of the longest block of an arm, and calls apart."""
        if not self.emulated:
            return 128, 10
        return (64, 8) if size < LARGE else (8, 2)


JOBS = (
    *(Job(f"{mpi}-{p}", mpi, f"node:{p}") for mpi in ("ompi4", "ompi5", "mpich5") for p in (4, 2)),
    Job("mpich4-2", "mpich4", "node:2"),
    Job("ompi4-emulated", "ompi4", "5,6,5"),
)


class Stock(Library):
    """A library with its own choice of algorithms."""

    def environment(self) -> dict[str, str]:
        return {"OMPI_MCA_btl": "^ofi", "OMPI_MCA_mtl": "^ofi"} if self.name == "ompi5" else {}

    def recorder(self, folder: Path) -> Path:
        """The recording program, built with it."""
        program = folder / f"record-{self.name}"
        sources = [str(HERE / name) for name in ("record.c", "record_kinds.c")]
        subprocess.run([self.mpicc, "-O2", "-o", str(program), *sources, "-ldl"], check=True)
        return program


@dataclass(frozen=True)
class Kind:
    """A collective with bytes. `guess`: number of the arm that counting takes for first calls.

    `counting`: nanoseconds. `arms`: names and nanoseconds by the model.
    """

    collective: str
    size: int
    guess: int
    counting: int
    arms: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, line: str) -> "Kind":
        """The kind in a line of regret_arms."""
        collective, size, guess, counting, *arms = line.split()
        pairs = zip(arms[::2], map(int, arms[1::2]), strict=True)
        return cls(collective, int(size), int(guess), int(counting), tuple(pairs))

    def asked(self, lengths: tuple[int, int]) -> str:
        """The recorder's line."""
        longest, apart = lengths
        names = " ".join(name for name, _ in self.arms)
        return f"{self.collective} {self.size} {longest} {apart} {names}\n"


def kinds(program: str, network: Network) -> list[Kind]:
    """All kinds of a job, those of one size together."""
    groups = "1" if network.one_node else network.form
    per_node = str(network.ranks if network.one_node else network.ranks_per_host)
    costs = network.hopbine_settings().get("HOPBINE_NETWORK", "")
    done = subprocess.run(
        [program, groups, per_node, costs, *map(str, SIZES)],
        capture_output=True,
        text=True,
        check=True,
    )
    return sorted(map(Kind.of, done.stdout.splitlines()), key=lambda kind: kind.size)


def code(nanoseconds: int) -> int:
    """A time of at least 1 ns in logarithmic steps."""
    return round(STEPS * math.log(max(1, nanoseconds)))


def packed(line: str) -> str:
    """A line of the recorder with codes for its times: all first ones, second ones, third ones."""
    series, kind, arm, *times = line.split()
    codes = [str(code(int(t))) for t in times]
    values = [word for which in range(3) for word in codes[which::3]]
    return " ".join([series, kind, arm, *values])


def lines(job: Job, network: Network, all_kinds: list[Kind], recorded: str) -> Iterator[str]:
    """The lines of a job's file."""
    library, *series = recorded.splitlines()
    yield library
    yield f"ranks {network.ranks}"
    yield f"network {job.network}"
    yield f"cores {len(os.sched_getaffinity(0))}"
    yield f"date {datetime.date.today()}"
    for number, kind in enumerate(all_kinds):
        yield f"kind {number} {kind.collective} {kind.size} {kind.guess} {kind.counting}"
        for arm, (name, modelled) in enumerate(kind.arms):
            yield f"arm {number} {arm} {name} {modelled}"
    yield from map(packed, series)


def ahead(library: Library, network: Network) -> list[str]:
    """The command line before a program that is not to be disturbed. Needs root."""
    crowded = network.one_node and network.ranks > len(os.sched_getaffinity(0))
    how = AHEAD_AS_RANK if crowded and library.family == "mpich" else AHEAD_AS_SESSION
    return ["sh", "-c", f'{how} && exec "$@"', "sh"]


def record(job: Job, library: Stock, args: argparse.Namespace, folder: Path) -> Path:
    """One job into its file. RuntimeError when it fails."""
    program = library.recorder(folder)
    with Network(job.network, 1, folder) as network:
        all_kinds = kinds(args.arms, network)
        spec = folder / "spec"
        spec.write_text("".join(kind.asked(job.lengths(kind.size)) for kind in all_kinds))
        before = ahead(library, network) if args.ahead else []
        running = network.start(library, {}, [*before, str(program), str(spec)], LIMIT)
        try:
            recorded, _ = running.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            running.terminate()
            running.wait()
            raise RuntimeError(f"{job.name}: no end after {LIMIT} s") from None
        if running.returncode:
            raise RuntimeError(f"{job.name}: {network.said().strip()[-2000:]}")
        path = Path(args.output) / f"{job.name}.txt.xz"
        text = "".join(line + "\n" for line in lines(job, network, all_kinds, recorded))
    path.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
    return path


def main() -> None:
    """Records the jobs whose libraries are given."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("arms", help="the program regret_arms")
    parser.add_argument("--library", nargs="+", required=True, metavar="NAME=MPICC=MPIEXEC")
    parser.add_argument("--jobs", nargs="+", choices=[job.name for job in JOBS])
    parser.add_argument("--ahead", action="store_true", help="of what else runs (needs root)")
    parser.add_argument("--output", default=str(HERE / "data"))
    args = parser.parse_args()
    libraries = {one.name: one for one in (Stock(*text.split("=")) for text in args.library)}
    Path(args.output).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for job in JOBS:
            wanted = job.name in args.jobs if args.jobs else job.library in libraries
            if not wanted:
                continue
            path = record(job, libraries[job.library], args, Path(folder))
            print(f"{path}: {path.stat().st_size} bytes", flush=True)


if __name__ == "__main__":
    main()
