#!/usr/bin/env python3
"""Calls of two builds of hopbine, in turns: whether a change made them slower.

benchmarks/builds.py MPICC MPIEXEC BEFORE AFTER [--ranks 2] [--turns 9] [--bytes 8 4194304]
    [--algorithm allreduce=swing]

BEFORE and AFTER are `hopbine` commands, each in an environment of its own. The same algorithms
serve all calls. A job's time is the best of its loops, a build's the best of its jobs: whatever
else the machine does only adds to both. Prints the ratio of each collective, and their geometric
mean.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from job_output import environment_of, times_of

RULES = ",".join(
    (
        "allreduce=recursive_doubling",
        "bcast=knomial",
        "reduce=knomial",
        "allgather=bine_send",
        "alltoall=pairwise",
        "reduce_scatter=bine_send",
        "gather=knomial",
        "scatter=knomial",
        "scan=recursive_doubling",
        "barrier=dissemination",
    )
)


def compare(
    job: list[str],
    commands: list[str],
    program: list[str],
    rules: str,
    turns: int,
    environment: dict[str, str],
) -> None:
    """Prints a line for each collective, and the geometric mean of the ratios."""
    best: list[dict[str, float]] = [{}, {}]
    for _ in range(turns):
        for of, command in zip(best, commands, strict=True):
            under = [command, "run", "--quiet", "--algorithm", rules]
            for name, time in times_of([*job, *under, *program], environment).items():
                of[name] = min(time, of.get(name, time))
    before, after = best
    for name in before:
        print(
            f"{name:15} {before[name]:10.3f} {after[name]:10.3f} {after[name] / before[name]:8.3f}"
        )
    mean = statistics.geometric_mean(after[name] / before[name] for name in before)
    print(f"{'geometric mean':15} {'':10} {'':10} {mean:8.3f}")


def main() -> int:
    """Prints a table for each size."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("mpicc")
    parser.add_argument("mpiexec")
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--bytes", type=int, nargs="+", default=[8, 4 << 20])
    parser.add_argument("--algorithm", default=RULES, help="which serve (default: %(default)s)")
    args = parser.parse_args()
    environment = environment_of(args.mpicc, args.ranks)
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/calls"
        source = str(Path(__file__).with_name("calls.c"))
        subprocess.run([args.mpicc, "-O2", "-o", program, source], check=True)
        for size in args.bytes:
            print(f"{f'{size} bytes':15} {'before, us':>10} {'after, us':>10} {'ratio':>8}")
            compare(
                [args.mpiexec, "-n", str(args.ranks)],
                [args.before, args.after],
                [program, str(size)],
                args.algorithm,
                args.turns,
                environment,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
