"""Drawn calls on every MPI library: hopbine's results are those that MPI defines."""

import json
import os
import re
import subprocess
import sys
import warnings
from pathlib import Path

import programs
import pytest
from mpi_conftest import RANKS, by_rank

#: Cases of one job; HOPBINE_ATTACK_CASES counts all jobs of one MPI library.
CASES = max(1, int(os.environ.get("HOPBINE_ATTACK_CASES", "900")) // len(RANKS))
#: Programs of several calls, in one job.
PROGRAMS = CASES // 4
SEED = int(os.environ.get("HOPBINE_ATTACK_SEED", "1"))
RULES = {
    "hopbine_rules": 1,
    "rules": [
        {"collective": "allreduce", "bytes": [0, 4096], "algorithm": "recursive_doubling"},
        {
            "collective": "allreduce",
            "bytes": [4097, None],
            "algorithm": "bine_large",
            "parameters": {"segment": 1000},
        },
        {"collective": "bcast", "ranks": [3, None], "algorithm": "knomial", "parameters": {"k": 3}},
        {"collective": "alltoallv", "algorithm": "parlogna", "parameters": {"r": 2}},
    ],
}


def attacking(program, algorithms, cases, first=0, **more) -> list[str]:
    """The command line."""
    options = {"seed": SEED, "first": first, "cases": cases, "tame": 1, "patience": 60}
    options |= {"algorithms": algorithms, **more}
    return [program, *(word for k, v in options.items() for word in (f"--{k}", str(v)))]


def without_differences(done, ranks, cases) -> str:
    """Fails with the job's own output, or returns it."""
    told = [
        line for line in done.output.splitlines() if not line.startswith(("hopbine:", "LIBRARY"))
    ]
    assert done.ended == 0, "\n".join(told)[-6000:]
    found = re.search(r"^(\d+) cases, (\d+) served calls, 0 differences", done.output, re.M)
    assert found, "\n".join(told)[-2000:]
    assert int(found[1]) == cases, "\n".join(told)[-2000:]
    assert ranks == 1 or cases < 50 or int(found[2]) > cases / 2
    return done.output


def attack(mpi, ranks, program, algorithms, cases=CASES, first=0, env=None):
    """Runs the program once."""
    command = attacking(program, algorithms, cases, first)
    done = programs.run(mpi, ranks, command, env=env, timeout=120 + cases)
    without_differences(done, ranks, cases)


def check_forms(mpi, output):
    """Whether a job had calls of all forms. Those that were left out are a warning."""
    found = re.search(
        r"^programs: (\d+) blocking, (\d+) nonblocking, (\d+) persistent$", output, re.M
    )
    assert found, output[-2000:]
    blocking, nonblocking, persistent = map(int, found.groups())
    left_out = re.findall(r"^left out: .*$", output, re.M)
    for line in left_out:
        warnings.warn(f"{mpi.name}: {line}", stacklevel=2)
    assert blocking > 0
    assert nonblocking > 0
    assert persistent > 0 or left_out


@pytest.mark.parametrize("ranks", RANKS)
def test_drawn_calls(mpi, compiled, algorithms, ranks):
    attack(mpi, ranks, compiled(mpi, "attack"), algorithms)


@pytest.mark.parametrize("ranks", [n for n in RANKS if n in (2, 5)])
def test_under_rules(mpi, compiled, algorithms, tmp_path, ranks):
    rules = tmp_path / "rules.json"
    rules.write_text(json.dumps(RULES))
    attack(
        mpi,
        ranks,
        compiled(mpi, "attack"),
        algorithms,
        cases=min(CASES, 200),
        first=100000,
        env={"HOPBINE_RULES": str(rules), "HOPBINE_STATS": str(tmp_path / "stats")},
    )


@pytest.mark.parametrize("ranks", [n for n in RANKS if n in (4, 7)])
def test_on_several_nodes(mpi, compiled, algorithms, ranks):
    """HOPBINE_NODE names each rank's node where all share one host; rank r is on node r mod 3."""
    cases = min(CASES, 200)
    command = by_rank(
        "export HOPBINE_RENUMBER=1 HOPBINE_NODE=node$(( R % 3 ))",
        *attacking(compiled(mpi, "attack"), algorithms, cases, 200000),
    )
    done = programs.run(mpi, ranks, command)
    assert done.ended == 0, done.output[-6000:]
    assert " 0 differences" in done.output, done.output[-6000:]


@pytest.mark.parametrize("ranks", RANKS)
def test_drawn_programs(mpi, compiled, algorithms, ranks):
    """Nonblocking, persistent and blocking calls that are under way together."""
    command = attacking(compiled(mpi, "attack"), algorithms, PROGRAMS, programs=1)
    done = programs.run(mpi, ranks, command, timeout=120 + PROGRAMS)
    check_forms(mpi, without_differences(done, ranks, PROGRAMS))


@pytest.mark.parametrize("ranks", [n for n in RANKS if n in (5, 8)])
def test_drawn_programs_in_several_groups(mpi, compiled, algorithms, ranks):
    """The ranks count, and hopbine serves nonblocking calls without being asked to."""
    command = by_rank(
        "export HOPBINE_NODE=node$(( R / 2 )) HOPBINE_GROUP=group$(( R / 4 ))",
        *attacking(compiled(mpi, "attack"), algorithms, PROGRAMS, 300000, programs=1, choose=0),
    )
    done = programs.run(mpi, ranks, command, timeout=120 + PROGRAMS)
    check_forms(mpi, without_differences(done, ranks, PROGRAMS))


def test_a_seed_by_hand(mpi):
    """`make attack` runs without pytest, which loads what a script must import itself."""
    few = {
        "HOPBINE_TEST_MPIS": f"{mpi.name}={mpi.mpicc}={mpi.mpiexec}",
        "HOPBINE_TEST_RANKS": "2",
        "HOPBINE_ATTACK_CASES": "4",
    }
    script = Path(__file__).with_name("seeds.py")
    done = subprocess.run(
        [sys.executable, script, "1"], env=os.environ | few, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert done.stdout.count(f"seed 1, {mpi.name}, 2 ranks") == 2, done.stdout
