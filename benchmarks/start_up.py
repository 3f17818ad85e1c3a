#!/usr/bin/env python3
"""CPU time of a rank from its start to the end of MPI_Finalize, and time of the job, with hopbine
and without in turns.

    benchmarks/start_up.py MPICC MPIEXEC [TURNS] [--ranks RANKS]

Jobs of one rank: of two, each would wait for the other, and a rank that waits takes CPU time. Two
are for what jobs of one rank do not have, the watcher. `around` is `hopbine run MPIEXEC`, which
starts no program in a rank; `become` starts a rank by a program that does nothing else, as
`hopbine run` does. benchmarks/launcher.py has the time of `hopbine run` alone;
tests/mpi/test_start_up.py counts system calls and symbols.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from job_output import environment_of, output_of

HOPBINE = str(Path(sys.executable).with_name("hopbine"))


def times(job: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """Milliseconds of CPU time of a rank, the mean of a job's, and of the job."""
    began = time.monotonic()
    ranks = [float(line) for line in output_of(job, environment).split()]
    return 1e3 * statistics.mean(ranks), 1e3 * (time.monotonic() - began)


def interval(values: list[float]) -> str:
    """Median and the 95 % interval of the sign test, about which 19 of 20 runs agree."""
    values = sorted(values)
    reach = round(0.98 * len(values) ** 0.5)
    middle = len(values) // 2
    low, high = values[max(middle - reach, 0)], values[min(middle + reach, len(values) - 1)]
    return f"{statistics.median(values):+.2f} ms ({low:+.2f}..{high:+.2f})"


def main() -> int:
    """Prints medians, and of the differences between jobs of one turn."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("mpicc")
    parser.add_argument("mpiexec")
    parser.add_argument("turns", nargs="?", type=int, default=100)
    parser.add_argument("--ranks", type=int, default=1)
    args = parser.parse_args()
    environment = environment_of(args.mpicc, args.ranks)
    launch = [args.mpiexec, "-n", str(args.ranks)]
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/start_up"
        source = str(Path(__file__).with_suffix(".c"))
        subprocess.run([args.mpicc, "-O2", "-o", program, source], check=True)
        hopbine = [HOPBINE, "run", "--quiet"]
        become = f"{folder}/become"
        source = str(Path(__file__).with_name("become.c"))
        subprocess.run(["cc", "-O2", "-static", "-o", become, source], check=True)
        kinds = {
            "stock": [*launch, program],
            "become": [*launch, become, program],
            "unwatched": [*launch, *hopbine, "--watch", "none", program],
            "hopbine": [*launch, *hopbine, program],
            "around": [*hopbine, *launch, program],
            "unwatched again": [*launch, *hopbine, "--watch", "none", program],
            "stock again": [*launch, program],
        }
        turns = [
            {kind: times(words, environment) for kind, words in kinds.items()}
            for _ in range(args.turns)
        ]
    for at, what in enumerate(("CPU time of a rank", "time of the job")):
        print(what)
        for kind in kinds:
            print(f"{kind:16} {statistics.median(turn[kind][at] for turn in turns):.2f} ms")
        for less, more in (
            ("stock", "hopbine"),
            ("stock", "around"),
            ("stock", "become"),
            ("unwatched", "hopbine"),
            ("unwatched", "unwatched again"),
            ("stock", "stock again"),
        ):
            differences = [turn[more][at] - turn[less][at] for turn in turns]
            print(f"{more} - {less:12} {interval(differences)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
