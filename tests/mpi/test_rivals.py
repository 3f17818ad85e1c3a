"""The comparison with the algorithms that a library can be forced to (benchmarks/rivals.py)."""

import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

from rivals_library import SOURCES, WORDS, Library, choices, read_variables  # noqa: E402

#: An algorithm that every version has, and one that refuses 3 ranks.
KNOWN = {"openmpi": ("recursive_doubling", "two_proc"), "mpich": ("ring", "recursive_doubling")}
COLLECTIVE = {"openmpi": "alltoall", "mpich": "allgather"}
RANKS = 3


@pytest.fixture
def rivals(mpi, build):
    """rivals(*arguments) -> lines of the measuring program under hopbine."""
    others = (*(str(BENCHMARKS / source) for source in SOURCES[1:]), "-lm")
    program = build(mpi, "rivals", folder=BENCHMARKS, flags=others)
    library = Library("ompi5" if mpi.is_openmpi else "mpich5", mpi.mpicc, mpi.mpiexec)

    def run(*arguments):
        done = mpi.hopbine(RANKS, program, *map(str, arguments), env=library.environment())
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    return library, run


def forced(library, listing, collective):
    """Label -> settings of what can be forced in a running program."""
    variables = read_variables("\n".join(listing))
    found = choices(library, variables, collective, 64, 1, True, True)
    return {c.label: dict(c.settings) for c in found if c.among(variables)}


def test_the_library_names_its_algorithms(rivals):
    library, run = rivals
    listing = run("list", *WORDS)
    labels = forced(library, listing, "allgather")
    assert KNOWN[library.family][0] in labels
    assert all(labels.values())
    assert len(set(map(str, labels.values()))) == len(labels)


def test_what_is_forced_serves(rivals, tmp_path):
    """An algorithm that does not serve 3 ranks is refused: forcing has an effect."""
    library, run = rivals
    collective = COLLECTIVE[library.family]
    labels = forced(library, run("list", *WORDS), collective)
    refused = KNOWN[library.family][1]
    (served,) = [x for x in labels if x in ("pairwise", "ring")]
    words = {x: " ".join(f"{k}={v}" for k, v in labels[x].items()) for x in (served, refused)}
    plan = tmp_path / "plan"
    plan.write_text(
        f"cell {collective} 4096 0.1 4\narm auto hopbine auto\narm default library\n"
        f"arm none hopbine nonsense\n"
        + "".join(f"arm {label} library {word}\n" for label, word in words.items())
    )
    lines = [line.split() for line in run(plan)]
    sampled = {line[1] for line in lines if line[0] == "sample"}
    assert sampled == {"auto", "default", served}
    assert {line[1] for line in lines if line[0] == "refused"} == {"none", refused}
    assert all(float(line[4]) > 0 for line in lines if line[0] == "sample")
    assert lines[-1] == ["done", collective, "4096"]
