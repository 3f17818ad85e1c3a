#!/usr/bin/env python3
"""What hopbine adds to calls of many shapes that it leaves to the MPI library.

benchmarks/passed_calls.py MPICC MPIEXEC [--hopbine COMMAND ...] [--turns 7]

Calls of 16 bytes a block on 2 ranks with a core each: in place, with datatypes and operations of
the program, with counts in arrays. Jobs without hopbine and under each COMMAND (default: the one on
PATH) take turns. Prints the median of the jobs without it, and by how much each other median is
longer. Nothing is kept of the jobs.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from job_output import environment_of, times_of


def main() -> int:
    """Prints a line for each shape."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("mpicc")
    parser.add_argument("mpiexec")
    parser.add_argument("--hopbine", nargs="+", default=["hopbine"], metavar="COMMAND")
    parser.add_argument("--turns", type=int, default=7)
    args = parser.parse_args()
    environment = environment_of(args.mpicc, 2) | {"HOPBINE_LEARN": "none"}
    ways: list[list[str]] = [[], *([command, "run", "--quiet"] for command in args.hopbine)]
    taken: list[defaultdict[str, list[float]]] = [defaultdict(list) for _ in ways]
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/passed_calls"
        source = str(Path(__file__).with_suffix(".c"))
        subprocess.run([args.mpicc, "-O2", "-o", program, source], check=True)
        for _ in range(args.turns):
            for way, times in zip(ways, taken, strict=True):
                job = [args.mpiexec, "-n", "2", *way, program]
                for name, time in times_of(job, environment).items():
                    times[name].append(time)
    print(f"{'':24} {'library, ns':>11} " + " ".join(f"{c:>12}" for c in args.hopbine))
    for name in taken[0]:
        library, *others = (statistics.median(times[name]) for times in taken)
        print(f"{name:24} {library:11.0f} " + " ".join(f"{o - library:+12.0f}" for o in others))
    return 0


if __name__ == "__main__":
    sys.exit(main())
