"""What a job's allreduces cost its neighbours on an emulated cluster, by what serves them.

    python benchmarks/neighbours/neighbours.py --mpi openmpi=mpicc=mpiexec [--sizes 256KiB 4MiB]
        [--layouts 3,4,3 4,4,2] [--victim exchange:32KiB] [--turns 5] [-o FILE.csv]

predicted.py has the packet engine's prediction of the same cases, and draws them.

Two jobs share 16 hosts in groups of 5, 6 and 5. The aggressor's ten ranks make an allreduce in
every period, the same number of calls whatever serves them: the MPI library, Rabenseifner's
algorithm, or hopbine (its choice by counting; `patient`: that of fewest bytes between groups that
takes at most twice as long). A layout is the aggressor's ranks in each group. The victim's six
ranks, on the other hosts, send messages between groups all the time. Its slowdown is (time beside -
time alone) / time alone. Arms run in turns, alone twice in each turn, which tells the noise.

A period is twice as long as the slowest arm's call takes alone.
"""

import argparse
import csv
import re
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from hopbine.emulate.report import out_of_groups
from hopbine.notation.units import parse_size, show_size

HERE = Path(__file__).parent
HOPBINE = [sys.executable, "-m", "hopbine"]
GROUPS = (range(5), range(5, 11), range(11, 16))  #: hosts
RATE, TAPER = 100e6, 4  #: bits per second of a host's link
NETWORK = ["--groups", ",".join(str(len(hosts)) for hosts in GROUPS)]
NETWORK += ["--rate", f"{RATE:.0f}bit", "--taper", f"{TAPER}"]
#: hopbine run's options by arm; none: without hopbine.
ARMS: dict[str, list[str] | None] = {
    "library": None,
    "rabenseifner": ["--algorithm", "allreduce=rabenseifner"],
    "hopbine": ["--choice", "count"],
    "patient": ["--choice", "count", "--patience", "2"],
}
#: Seconds from the launch to the first call, in which both jobs start; of rest before and after the
#: measurement, in which the aggressor is at work already and still.
START, REST = 4.0, 0.5


@dataclass(frozen=True)
class Told:
    """What one run told; zeros of what did not run."""

    victim: float  #: mean seconds of its exchange or call
    call: float  #: mean seconds of the aggressor's call on its slowest rank
    late: int  #: calls that began late
    calls: int
    between: int  #: payload out of all groups


def hosts_of(layout: str) -> dict[str, list[int]]:
    """Hosts of both jobs: the aggressor's are the first of each group, the victim's the others.

    The victim's ranks r and r + 3 are in different groups.
    """
    own = list(map(int, layout.split(",")))
    return {
        "aggressor": [h for group, n in zip(GROUPS, own, strict=True) for h in group[:n]],
        "victim": [h for group, n in zip(GROUPS, own, strict=True) for h in group[n:]],
    }


class Bench:
    """Programs of one MPI library, run on the cluster."""

    def __init__(self, mpicc: str, mpiexec: str, folder: Path):
        self.mpiexec, self.folder = mpiexec, folder
        self.hosts: dict[str, list[int]] = {}
        for name in ("aggressor", "victim"):
            command = [mpicc, "-O2", "-o", folder / name, HERE / f"{name}.c"]
            subprocess.run(command, check=True)

    def _job(self, name: str, words: list[str]) -> str:
        hosts = self.hosts[name]
        return f"{','.join(map(str, hosts))}: {self.mpiexec} -n {len(hosts)} {' '.join(words)}"

    def run(
        self, arm: str, size: int, period: float, seconds: float, victim: tuple[str, int] | None
    ) -> Told:
        """An arm's calls for some seconds, and the victim beside them; `alone`: without calls."""
        begin = time.time() + START
        jobs = []
        if arm != "alone":
            own = ARMS[arm]
            run = [] if own is None else [*HOPBINE, "run", *own]
            program = [str(self.folder / "aggressor"), str(size), f"{period:.6f}", f"{begin:.3f}"]
            jobs.append(self._job("aggressor", [*run, *program, f"{seconds + 2 * REST:.3f}"]))
        if victim:
            kind, length = victim
            program = [str(self.folder / "victim"), kind, str(length), f"{begin + REST:.3f}"]
            jobs.append(self._job("victim", [*program, f"{seconds:.3f}"]))
        told = self.folder / "links.json"
        done = subprocess.run(
            [*HOPBINE, "emulate", *NETWORK, "--json", told, "--jobs", *jobs],
            capture_output=True,
            text=True,
        )
        if done.returncode:
            sys.exit(f"the run failed: {done.stdout[-500:]}{done.stderr[-3000:]}")
        return _told(done.stdout, out_of_groups(told)["payload"])


def _told(text: str, between: int) -> Told:
    """The lines of both programs."""
    victim = re.search(r"victim number \d+ seconds (\S+)", text)
    aggressor = re.search(r"aggressor calls (\d+) late (\d+) seconds (\S+)", text)
    calls, late, call = aggressor.groups() if aggressor else (0, 0, 0)
    return Told(float(victim[1]) if victim else 0, float(call), int(late), int(calls), between)


def measure(
    bench: Bench, layout: str, size: int, victim: tuple[str, int], turns: int, calls: int
) -> list[dict]:
    """A row per arm: medians over turns."""
    bench.hosts = hosts_of(layout)
    slowest = 0.0
    between = {}
    for arm in ARMS:
        # Five calls, the next at once where one takes longer than that.
        alone = bench.run(arm, size, 0.2, 5 * 0.2 - 2 * REST, None)
        slowest = max(slowest, alone.call)
        between[arm] = alone.between / alone.calls
    period = 2 * slowest
    seconds = calls * period
    found: dict[str, list[Told]] = {arm: [] for arm in ("alone", *ARMS, "alone again")}
    for _ in range(turns):
        for arm, runs in found.items():
            runs.append(bench.run(arm.split()[0], size, period, seconds, victim))
    base = statistics.median(told.victim for told in found["alone"])
    rows = []
    for arm, runs in found.items():
        time_beside = statistics.median(told.victim for told in runs)
        rows.append(
            {
                "layout": layout,
                "victim": f"{victim[0]} of {show_size(victim[1])}",
                "size": size,
                "period": period,
                "arm": arm,
                "between": round(between.get(arm, 0)),
                "call": statistics.median(told.call for told in runs),
                "late": sum(told.late for told in runs),
                "victim_seconds": time_beside,
                "slowdown": time_beside / base - 1,
            }
        )
    return rows


def show(rows: list[dict]) -> None:
    """Prints the rows of a size and a victim."""
    first = rows[0]
    print(
        f"\nallreduce of {show_size(first['size'])} every {1e3 * first['period']:.0f} ms beside "
        f"{first['victim']}, layout {first['layout']}"
    )
    print(f"{'':14}{'bytes between':>16}{'its call':>12}{'late':>6}{'victim':>12}{'slowdown':>10}")
    for row in rows:
        print(
            f"{row['arm']:14}{row['between']:16,}{1e3 * row['call']:9.1f} ms{row['late']:6}"
            f"{1e3 * row['victim_seconds']:9.3f} ms{100 * row['slowdown']:8.1f} %"
        )


def main() -> int:
    """Measures and shows all cases."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mpi", required=True, metavar="NAME=MPICC=MPIEXEC")
    parser.add_argument("--sizes", nargs="+", default=["256KiB", "4MiB"])
    parser.add_argument("--layouts", nargs="+", default=["3,4,3", "4,4,2"], metavar="N,N,N")
    parser.add_argument("--victim", default="exchange:32KiB", metavar="KIND:SIZE")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--calls", type=int, default=20, help="of the aggressor in a run")
    parser.add_argument("-o", "--output", metavar="FILE.csv")
    args = parser.parse_args()
    _, mpicc, mpiexec = args.mpi.split("=")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(mpicc, mpiexec, Path(folder))
        kind, length = args.victim.split(":")
        victim = kind, parse_size(length)
        for size in args.sizes:
            for layout in args.layouts:
                found = measure(bench, layout, parse_size(size), victim, args.turns, args.calls)
                show(found)
                rows += found
    if args.output:
        with open(args.output, "w", newline="", encoding="utf-8") as file:
            table = csv.DictWriter(file, rows[0])
            table.writeheader()
            table.writerows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
