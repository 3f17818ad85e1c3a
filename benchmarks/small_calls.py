#!/usr/bin/env python3
"""An 8 B allreduce on 2 ranks: without a preload, chosen, passed on and served by hopbine.

benchmarks/small_calls.py MPICC MPIEXEC [TURNS]

Jobs of all kinds take turns. Two figures of each: its time over that of the job without a preload
of the same turn, and what a call costs over the MPI library's own function within the same job.
The second is free of what differs from job to job (clock, where memory lies).
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from job_output import environment_of, output_of

KINDS: dict[str, list[str] | None] = {
    "no preload": None,
    "by default": [],
    "passed on": ["--algorithm", "allreduce=mpi"],
    "served": ["--algorithm", "allreduce=recursive_doubling"],
    "served, with a thread": [
        *("--algorithm", "allreduce=recursive_doubling"),
        *("--progress", "thread"),
    ],
}


def run(
    mpiexec: str, program: str, options: list[str] | None, environment: dict[str, str]
) -> list[float]:
    """The three numbers that small_calls.c prints."""
    under = [] if options is None else [sys.executable, "-m", "hopbine", "run", *options]
    command = [mpiexec, "-n", "2", *under, program]
    return [float(word) for word in output_of(command, environment).split()]


def spread(values: list[float]) -> str:
    """Median (quartiles)."""
    low, middle, high = statistics.quantiles(values, n=4)
    return f"{middle:.3f} ({low:.3f}..{high:.3f})"


def main() -> int:
    """Prints a line for each kind of job."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("mpicc")
    parser.add_argument("mpiexec")
    parser.add_argument("turns", nargs="?", type=int, default=9)
    args = parser.parse_args()
    mpicc, mpiexec = args.mpicc, args.mpiexec
    environment = environment_of(mpicc, 2)
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/small_calls"
        source = str(Path(__file__).with_suffix(".c"))
        subprocess.run([mpicc, "-O2", "-o", program, source, "-ldl"], check=True)
        turn = [
            {kind: run(mpiexec, program, options, environment) for kind, options in KINDS.items()}
            for _ in range(args.turns)
        ]
    print(
        "             us a call                ratio to no preload      us over the library's "
        "function"
    )
    for kind in KINDS:
        print(
            f"{kind:10}   {spread([t[kind][0] for t in turn]):23}  "
            f"{spread([t[kind][0] / t['no preload'][0] for t in turn]):23}  "
            f"{spread([t[kind][2] for t in turn])}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
