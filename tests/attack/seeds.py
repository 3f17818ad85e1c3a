"""Drawn calls of these seeds on every MPI of HOPBINE_TEST_MPIS.

python tests/attack/seeds.py FIRST..LAST. Exit code 1 when there was a difference.
"""

import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "mpi"))
import conftest as mpi_conftest

sys.path.insert(0, str(Path(__file__).parent))
import programs

CASES = int(os.environ.get("HOPBINE_ATTACK_CASES", "500"))


def told(output: str) -> str:
    """What is worth reading of a failed run."""
    lines = [line for line in output.splitlines() if not line.startswith(("hopbine:", "LIBRARY"))]
    return "\n".join(lines)[-3000:]


def main(seeds: str) -> int:
    """All seeds; each is run by every MPI on every number of ranks."""
    first, _, last = seeds.partition("..")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        algorithms = programs.write_algorithms(Path(folder) / "algorithms")
        built = {}
        for mpi in mpi_conftest.known():
            (Path(folder) / mpi.name).mkdir()
            built[mpi.name] = programs.build(mpi, "attack", Path(folder) / mpi.name)
        for seed in range(int(first), int(last or first) + 1):
            for mpi in mpi_conftest.known():
                for ranks in mpi_conftest.RANKS:
                    command = [
                        built[mpi.name],
                        "--seed",
                        str(seed),
                        "--cases",
                        str(CASES),
                        "--tame",
                        "1",
                        "--patience",
                        "60",
                        "--algorithms",
                        algorithms,
                    ]
                    done = programs.run(mpi, ranks, command, timeout=120 + CASES)
                    good = done.ended == 0 and " 0 differences" in done.output
                    failed += not good
                    summary = next(
                        (line for line in done.output.splitlines() if " served calls, " in line),
                        f"ended with {done.ended}",
                    )
                    print(
                        f"seed {seed}, {mpi.name}, {ranks} ranks: {summary}"
                        + ("" if good else "\n" + told(done.output)),
                        flush=True,
                    )
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
