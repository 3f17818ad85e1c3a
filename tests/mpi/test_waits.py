"""Who is waited for: hopbine stats names a node that is slower than the others, and no other."""

import json
import subprocess

import pytest
from conftest import COMMAND, by_rank

from hopbine.recorded.arrivals import compared
from hopbine.recorded.waited_for import lines

RANKS, CALLS, COMPUTE = 4, 1000, 4000  # microseconds
#: Two pretended nodes.
NODES = "export HOPBINE_NODE=n$((R / 2))"


def recorded(mpi, build, file, *words, options=()):
    """What a job of late_node.c with these words recorded."""
    command = (COMMAND, "run", "--quiet", "--stats", str(file), *options, build(mpi, "late_node"))
    done = mpi.run(RANKS, *by_rank(NODES, *command, *map(str, words)), timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(file.read_text())


@pytest.mark.dealt
def test_a_node_that_is_5_percent_slower_is_named(mpi, build, tmp_path):
    file = tmp_path / "s.json"
    recorded(mpi, build, file, CALLS, COMPUTE, 5)
    done = subprocess.run([COMMAND, "stats", str(file)], capture_output=True, text=True)
    last = done.stdout.splitlines()[-1]
    assert last.startswith("Who is waited for: node n1 (ranks 2, 3): "), done.stdout
    assert last.count("Who is waited for") == done.stdout.count("Who is waited for") == 1
    share = float(last.split(" in a call, ")[1].split(" %")[0])
    assert 2 < share < 10


def test_no_node_is_named_where_none_is_slower(mpi, build, tmp_path):
    (line,) = lines(recorded(mpi, build, tmp_path / "s.json", 400, COMPUTE, 0))
    assert line.startswith("Who is waited for: no node and no rank stands out (399 of"), line


@pytest.mark.dealt
@pytest.mark.parametrize("algorithm", ["bine", "mpi"])
def test_calls_of_all_kinds_tell(mpi, build, tmp_path, algorithm):
    """Served or passed on; MPI_Bcast, and calls without data, tell nothing and disturb nothing."""
    served = "barrier=bine,allgather=ring,alltoall=linear,reduce_scatter=ring,alltoallv=linear"
    options = ("--algorithm", served) if algorithm != "mpi" else ("--choice", "table")
    data = recorded(mpi, build, tmp_path / "s.json", 240, 3000, 100, "all", options=options)
    assert {row["served_by"] for row in data["rows"]} >= {
        "mpi" if algorithm == "mpi" else "hopbine"
    }
    (one,) = compared(data)
    # Six calls of a turn tell; the allreduce without data is counted, and tells nothing.
    assert one["calls"] == 280
    assert one["compared"] == 239  # what went on before the first call is not known
    (line,) = lines(data)
    assert "node n1" in line
    assert sum(one["last"][2:]) > 0.6 * one["compared"]
