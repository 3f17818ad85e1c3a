"""Runs the drawn calls of these seeds on every MPI library of HOPBINE_TEST_MPIS.

python tests/attack/seeds.py FIRST..LAST [library]. The exit code is 1 when there was a difference.
Each seed draws single calls, and then programs of calls in all forms.
With `library` hopbine is not loaded: each seed draws algorithms of the MPI library's own, which it
is forced to use, and the results of single calls are compared with what MPI defines.
"""

import os
import random
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "mpi"))
import conftest as mpi_conftest

sys.modules["mpi_conftest"] = mpi_conftest  # as conftest.py of this folder calls it
sys.path.insert(0, str(Path(__file__).parent))
import programs  # noqa: E402

from hopbine.bench import library  # noqa: E402

CASES = int(os.environ.get("HOPBINE_ATTACK_CASES", "500"))
#: What a watcher says: nothing, of calls that are right.
REPORT = "hopbine: watch:"


def told(output: str) -> str:
    """The relevant lines of a failed run's output."""
    lines = [
        line
        for line in output.splitlines()
        if line.startswith(REPORT) or not line.startswith(("hopbine:", "LIBRARY"))
    ]
    return "\n".join(lines)[-3000:]


def forced(mpi, ranks: int, seed: int) -> tuple[dict[str, str], str]:
    """The MPI library's algorithms that a seed draws for each collective: variables, and names."""
    draw, family = random.Random(seed), "openmpi" if "openmpi" in mpi.name else "mpich"
    variables: dict[str, str] = {}
    drawn = []
    for collective in library.OPENMPI:
        names = [n for n in library.names(family, collective) if n != "two_proc" or ranks == 2]
        drawn.append((collective, draw.choice([library.DEFAULT, *names])))
        variables |= library.forcing(family, *drawn[-1])
    return variables, ", ".join(f"{c}={n}" for c, n in drawn)


def attack(
    mpi, program: str, algorithms: str, ranks: int, seed: int, own: bool, forms: bool
) -> bool:
    """Runs one job and prints its outcome. True: no difference.

    `forms`: programs of calls in all forms, a fifth as many.
    """
    cases = max(1, CASES // 5) if forms else CASES
    options = {"seed": seed, "cases": cases, "tame": 1, "patience": 60, "algorithms": algorithms}
    options |= {"programs": int(forms)}
    words = [word for k, v in options.items() for word in (f"--{k}", str(v))]
    variables, names = forced(mpi, ranks, seed) if own else ({}, "")
    done = programs.run(
        mpi, ranks, [program, *words], preloaded=not own, env=variables, timeout=120 + CASES
    )
    good = done.ended == 0 and " 0 differences" in done.output and REPORT not in done.output
    said = [line for line in done.output.splitlines() if " served calls, " in line]
    outcome = said[0] if said else f"ended with {done.ended}"
    print(
        f"seed {seed}, {mpi.name}, {ranks} ranks{', all forms' * forms}: {outcome}"
        + ("" if good or not names else f"\n  forced: {names}")
        + ("" if good else "\n" + told(done.output)),
        flush=True,
    )
    return good


def main(seeds: str, own: bool) -> int:
    """Runs all seeds, each on every MPI library with every number of ranks."""
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
                    for forms in (False,) if own else (False, True):
                        failed += not attack(
                            mpi, built[mpi.name], algorithms, ranks, seed, own, forms
                        )
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:] == ["library"]))
