#!/usr/bin/env python3
"""CPU time of a rank from its start to the end of MPI_Finalize, with hopbine and without in turns.

    benchmarks/start_up.py MPICC MPIEXEC [TURNS]

Jobs of one rank: of two, each would wait for the other, and a rank that waits takes CPU time.
benchmarks/launcher.py has the time of `hopbine run` alone; tests/mpi/test_start_up.py counts the
system calls.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from job_output import environment_of, output_of

HOPBINE = str(Path(sys.executable).with_name("hopbine"))


def rank_time(mpiexec: str, words: list[str], environment: dict[str, str]) -> float:
    """Milliseconds of the rank of a job."""
    return 1e3 * float(output_of([mpiexec, "-n", "1", *words], environment))


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
    args = parser.parse_args()
    environment = environment_of(args.mpicc, 1)
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/start_up"
        source = str(Path(__file__).with_suffix(".c"))
        subprocess.run([args.mpicc, "-O2", "-o", program, source], check=True)
        kinds = {"stock": [program], "hopbine": [HOPBINE, "run", "--quiet", program]}
        kinds["stock again"] = kinds["stock"]
        turns = [
            {kind: rank_time(args.mpiexec, words, environment) for kind, words in kinds.items()}
            for _ in range(args.turns)
        ]
    for kind in kinds:
        print(f"{kind:12} {statistics.median(turn[kind] for turn in turns):.2f} ms")
    for kind in list(kinds)[1:]:
        more = [turn[kind] - turn["stock"] for turn in turns]
        print(f"{kind + ' - stock':22} {interval(more)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
