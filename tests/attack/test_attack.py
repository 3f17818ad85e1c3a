"""Drawn calls on every MPI library: hopbine's results are those that MPI defines."""

import json
import os
import re

import programs
import pytest
from mpi_conftest import RANKS, by_rank

#: Cases of one job; HOPBINE_ATTACK_CASES counts all jobs of one MPI library.
CASES = max(1, int(os.environ.get("HOPBINE_ATTACK_CASES", "2500")) // len(RANKS))
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


def attack(mpi, ranks, program, algorithms, cases=CASES, first=0, env=None):
    """Runs the program once; fails with its own output."""
    command = [
        program,
        "--seed",
        str(SEED),
        "--first",
        str(first),
        "--cases",
        str(cases),
        "--tame",
        "1",
        "--patience",
        "60",
        "--algorithms",
        algorithms,
    ]
    done = programs.run(mpi, ranks, command, env=env, timeout=120 + cases)
    told = [
        line for line in done.output.splitlines() if not line.startswith(("hopbine:", "LIBRARY"))
    ]
    assert done.ended == 0, "\n".join(told)[-6000:]
    found = re.search(r"^(\d+) cases, (\d+) served calls, 0 differences", done.output, re.M)
    assert found, "\n".join(told)[-2000:]
    assert int(found[1]) == cases, "\n".join(told)[-2000:]
    assert ranks == 1 or cases < 50 or int(found[2]) > cases / 2


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
    command = by_rank(
        "export HOPBINE_RENUMBER=1 HOPBINE_NODE=node$(( R % 3 ))",
        compiled(mpi, "attack"),
        "--seed",
        str(SEED),
        "--first",
        "200000",
        "--cases",
        str(min(CASES, 200)),
        "--tame",
        "1",
        "--patience",
        "60",
        "--algorithms",
        algorithms,
    )
    done = programs.run(mpi, ranks, command)
    assert done.ended == 0, done.output[-6000:]
    assert " 0 differences" in done.output, done.output[-6000:]
