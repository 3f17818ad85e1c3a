"""Times and uplink bytes of allreduce on an emulated oversubscribed cluster.

They are compared with the counts of the schedules.

    python benchmarks/emulated_network.py [--groups 5,6,5 4,4,4,4] [--sizes 256KiB 4MiB]

16 hosts of hopbine emulate, one rank each, 100 Mbit/s, uplinks 4:1 by default. Times: one run,
algorithms interleaved. Bytes: one run per algorithm, kernel counters of the uplinks without
headers, beside what hopbine counts from the schedules of all its calls. Open MPI is asked for its
own Rabenseifner (`mpi`). --mpirun is the launcher of the MPI library that hopbine was built with:
ranks of another one do not find each other, and wait.
"""

import argparse
import csv
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hopbine.bench.compare import compare
from hopbine.bench.launch import Sample, measuring_program
from hopbine.emulate.report import out_of_groups
from hopbine.notation.units import parse_size, show_size

ALGORITHMS = ("bine_large", "recursive_doubling", "rabenseifner", "ring")
RABENSEIFNER = {
    "OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
    "OMPI_MCA_coll_tuned_allreduce_algorithm": "6",
}


def emulating(
    where: Sequence[str], rate: float, delay: str | None, ranks_per_host: int
) -> list[str]:
    """Command that emulates a network, up to the job's. `where`: options of its form."""
    return [
        *(sys.executable, "-m", "hopbine", "emulate", *where, "--rate", f"{rate:g}Mbit"),
        *(["--delay", delay] if delay else []),
        *("--ranks-per-host", str(ranks_per_host)),
    ]


class Emulator:
    """An emulated cluster, new for every job."""

    def __init__(
        self,
        groups: str,
        rate: float,
        oversubscription: float,
        delay: str | None = None,
        ranks_per_host: int = 1,
    ):
        self.groups, self.ranks_per_host = groups, ranks_per_host
        #: All links out of groups in the last job, as hopbine emulate counts them.
        self.between: dict[str, Any] = {}
        where = ["--groups", groups, "--taper", str(oversubscription)]
        self.command = emulating(where, rate, delay, ranks_per_host)

    def bench(
        self,
        algorithms: str,
        size: int | str,
        repetitions: int,
        mpirun: str | None,
        collective: str = "allreduce",
        library: Mapping[str, str] = RABENSEIFNER,
        options: Sequence[str] = (),
        counted: bool = False,
    ) -> list[Sample]:
        """hopbine-bench on all hosts.

        `library` are variables of Open MPI, `options` those of hopbine run. `counted`: hopbine
        counts its bytes, for which it keeps statistics.
        """
        ranks = sum(map(int, self.groups.split(","))) * self.ranks_per_host
        with tempfile.TemporaryDirectory() as folder:
            links = Path(folder) / "links.json"
            done = subprocess.run(
                [
                    *("timeout", "500", *self.command, "--json", links, "--"),
                    *(mpirun or "mpirun.openmpi", "-n", str(ranks)),
                    *(sys.executable, "-m", "hopbine", "run", *options),
                    *(str(measuring_program("openmpi")), collective, algorithms, str(size)),
                    *(str(repetitions), "1", "0", "float32"),
                ],
                capture_output=True,
                text=True,
                env=os.environ | ({} if counted else {"HOPBINE_STATS": ""}) | library,
            )
            if not done.returncode:
                self.between = out_of_groups(links)
        rows = list(csv.DictReader(line for line in done.stdout.splitlines() if "," in line))
        if done.returncode or not rows or any(r["correct"] != "1" for r in rows):
            sys.exit(f"the run failed: {done.stdout[-500:]}{done.stderr[-2000:]}")
        return [Sample.of(r) for r in rows]

    def told_bytes(self) -> str:
        """Bytes out of groups in the last job, which was `counted`."""
        told = self.between
        if told["ratio"] is None:
            return f"uplinks {told['payload']:,}, not all of hopbine's calls"
        return f"uplinks {told['payload']:,}, hopbine {told['hopbine']:,}: {told['ratio']:.3f}"


def measure(emulator: Emulator, size: int, repetitions: int, mpirun: str | None) -> None:
    """Prints one table."""
    rows = {
        r.algorithm: r
        for r in compare(
            emulator.bench(",".join(["mpi", *ALGORITHMS]), size, repetitions, mpirun),
            "recursive_doubling",
        )
    }
    to_library = {
        r.algorithm: r
        for r in compare(emulator.bench("mpi,bine_large", size, repetitions, mpirun), "mpi")
    }
    print(
        f"\ngroups {emulator.groups}, {show_size(size)}: {len(emulator.groups.split(','))} "
        f"groups, {rows['mpi'].ranks} hosts"
    )
    print(f"{'algorithm':<20} {'median ms':>10}   {'to recursive doubling':<26} bytes of all calls")
    for name, row in sorted(rows.items(), key=lambda x: x[1].seconds):
        ratio = f"{row.ratio:.3f} ({row.ratio_low:.3f}..{row.ratio_high:.3f})"
        if name == "mpi":
            print(f"{'Open MPI Rabenseifner':<20} {1e3 * row.seconds:>9.1f}   {ratio:<26}")
            continue
        emulator.bench(name, size, 4, mpirun, counted=True)
        print(f"{name:<20} {1e3 * row.seconds:>10.1f}   {ratio:<26} {emulator.told_bytes()}")
    pair = to_library["bine_large"]
    print(
        f"bine_large to Open MPI's Rabenseifner, alternating: {pair.ratio:.3f} "
        f"({pair.ratio_low:.3f}..{pair.ratio_high:.3f})"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--groups", nargs="+", default=["5,6,5", "4,4,4,4"])
    parser.add_argument("--sizes", nargs="+", default=["256KiB", "4MiB"])
    parser.add_argument("--rate", type=float, default=100, help="Mbit/s of a host's link")
    parser.add_argument("--oversubscription", type=float, default=4)
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--mpirun", help="Open MPI's launcher, when it is not mpirun.openmpi")
    args = parser.parse_args()
    for groups in args.groups:
        emulator = Emulator(groups, args.rate, args.oversubscription)
        for size in args.sizes:
            measure(emulator, parse_size(size), args.repetitions, args.mpirun)


if __name__ == "__main__":
    main()
