#!/usr/bin/env python3
"""An 8 B allreduce in processes without any preload, served by hopbine, and passed on by it: jobs take turns.

benchmarks/small_calls.py MPICC MPIEXEC [TURNS]    2 ranks; the library's own algorithm is the same, recursive doubling
"""

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from hopbine.bench.launch import quiet_environment

KINDS = {"no preload": [], "served": ["allreduce=recursive_doubling"], "passed on": ["allreduce=mpi"]}


def main() -> int:
    """Prints microseconds and, turn by turn, ratios to the job without a preload."""
    mpicc, mpiexec, turns = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 9
    family = "openmpi" if "openmpi" in mpicc else "mpich"
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/small_calls"
        subprocess.run([mpicc, "-O2", "-o", program, str(Path(__file__).with_suffix(".c"))], check=True)
        medians: dict[str, list[float]] = {kind: [] for kind in KINDS}
        for _ in range(turns):
            for kind, asked in KINDS.items():
                under = [sys.executable, "-m", "hopbine", "run", "--algorithm", *asked] if asked else []
                done = subprocess.run([mpiexec, "-n", "2", *under, program], capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL,
                                      env=os.environ | quiet_environment(family, 2))
                medians[kind].append(float(done.stdout.split()[1]))
    for kind, times in medians.items():
        ratios = sorted(a / b for a, b in zip(times, medians["no preload"]))
        spread = f"{statistics.median(ratios):.3f} ({ratios[len(ratios) // 4]:.3f}..{ratios[3 * len(ratios) // 4]:.3f})"
        print(f"{kind:10}  {statistics.median(times):.3f} us  {spread} of no preload")
    return 0


if __name__ == "__main__":
    sys.exit(main())
