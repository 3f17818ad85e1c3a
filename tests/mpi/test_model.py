"""hopbine's runtime for MPICH on a fake MPI (tests/mpi/model).

Ranks in one process run drawn programs of collectives of all forms, on a network that delays and
reorders messages as MPI may. A failure prints the line that draws its program again.
"""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("HOPBINE_BUILD") or ROOT / "build/python")


@pytest.fixture(scope="module")
def model():
    """model(words...) -> the run that ended."""
    made = subprocess.run(
        ["cmake", "--build", str(BUILD), "--target", "hopbine_model", "hopbine_mpich"],
        capture_output=True,
        text=True,
    )
    if "unknown target" in made.stdout + made.stderr:
        pytest.skip("the model is built with the header of MPICH 5, which this build has not")
    assert made.returncode == 0, made.stdout[-3000:] + made.stderr[-3000:]

    def run(*words):
        return subprocess.run(
            [str(BUILD / "hopbine_model"), str(BUILD / "libhopbine_mpich.so"), *words],
            capture_output=True,
            text=True,
            timeout=300,
        )

    return run


@pytest.mark.parametrize(
    "words",
    [
        ("--seeds", "1..1500"),
        ("--seeds", "2001..2500", "--lanes", "1"),
        ("--seeds", "3001..3500", "--lanes", "16"),
        ("--seeds", "4001..4500", "--ranks", "5"),
        ("--seeds", "5001..5020", "--threads", "2", "--ranks", "4"),
        ("--seeds", "6001..6500", "--node", "8"),
        ("--seeds", "7001..7020", "--node", "4", "--threads", "2", "--ranks", "4"),
    ],
    ids=" ".join,
)
def test_drawn_programs_give_what_mpi_defines(model, words):
    done = model(*words)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.endswith(" passed, 0 failed\n")


def test_a_network_that_lets_messages_overtake_is_noticed(model):
    done = model("--seeds", "1..100", "--overtakes")
    assert done.returncode == 1
    assert "hopbine_model RUNTIME --seeds" in done.stderr
