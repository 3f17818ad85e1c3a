"""The node model counts what a run of alltoallv sends.

Messages, and bytes with their headers.
"""

import sys
from math import inf
from pathlib import Path

import pytest
from conftest import FEW
from sends import by_rank, counted

from hopbine import _core
from hopbine.notation.quantities import split_algorithm

FREE = {
    "latency_inside": 0,
    "latency_between": 0,
    "overhead": 0,
    "rank": inf,
    "node": inf,
    "block": 0,
    "copy": inf,
}


def modelled(algorithm: str, ranks: int, size: int, again: bool) -> tuple[int, int]:
    """Messages and bytes of a rank, all on one node, with blocks of `size` bytes.

    Found as times: with a cost per message only, and with a cost per byte only.
    """
    name, parameters = split_algorithm(algorithm)
    run = _core.OnNodes(name, 1, ranks, parameters)
    spent = [
        run.time(f"dist:normal:{size}:0.001", 1, again, FREE | cost)["inside"]
        for cost in ({"overhead": 1}, {"rank": 1})
    ]
    return round(spent[0]["overhead"]) + run.sent()["steps"], round(spent[1]["inside"])


ALGORITHMS = [
    "parlogna:r=2",
    "parlogna:r=3",
    "parlinna:r=2",
    "two_phase_bruck",
    "spread_out",
    "linear",
    "pairwise",
    "scattered:batch=2",
]


@pytest.mark.dealt
@pytest.mark.parametrize(
    ("algorithm", "ranks"),
    [(a, FEW[-1]) for a in ALGORITHMS] + [("parlogna:r=3", n) for n in FEW[:-1]],
)
def test_the_model_counts_what_is_sent(mpi, build, tmp_path, algorithm, ranks):
    """In a later call, with other sizes than in the first and with the same sizes."""
    program = tmp_path / "run"
    program.write_text(
        "#!/bin/sh\n"
        f"exec {Path(sys.executable).with_name('hopbine')} run --algorithm alltoallv={algorithm} "
        f'{build(mpi, "calls")} "$@"\n'
    )
    program.chmod(0o755)
    first, other = (f"alltoallv:{ranks * size}" for size in (40, 48))
    # Calls 1, 2 and 4 of a communicator agree on device memory: the third is counted.
    before = by_rank(counted(mpi, str(program), ranks, [first, first], {}, tmp_path, "E"))
    for call, size, again in ((other, 48, False), (first, 40, True)):
        after = by_rank(counted(mpi, str(program), ranks, [first, first, call], {}, tmp_path, "E"))
        for rank in range(ranks):
            sent = tuple(
                after[rank, None, what] - before[rank, None, what] for what in ("messages", "bytes")
            )
            assert sent == modelled(algorithm, ranks, size, again), (rank, again)
