"""Large jobs of Open MPI 5 on several hosts: ranks know by the launcher's command who is there.

The way of more than 256 ranks, taken by two: HOPBINE_TEST_MOST_ASKED is how many ask for all keys.
"""

import json
import os

import pytest

LARGE = os.environ | {"HOPBINE_TEST_MOST_ASKED": "1"}
HOPBINE = ["hopbine", "run", "--choice", "count", "--algorithm", "allreduce=ring"]
UNKNOWN = "the MPI library serves"


@pytest.fixture
def calls(one_mpi):
    """Open MPI 5 and what it runs; its `prterun` is beside its mpiexec."""
    if not os.path.exists(os.path.join(os.path.dirname(one_mpi.mpiexec), "prterun")):
        pytest.skip("Open MPI 5 only: other launchers' servers have all ranks' keys")
    return one_mpi


def run(user, mpi, *before, tmp_path):
    """Five allreduces between two hosts, with what served each kind of call."""
    stats = tmp_path / "stats.json"
    words = [*before, *HOPBINE, "--stats", str(stats), mpi.calls, "65536", "5"]
    done = user.emulate("--groups", "1,1", "--", *mpi.words(2, *words), env=LARGE)
    assert done.returncode == 0, done.stderr
    rows = json.loads(stats.read_text())["rows"] if stats.exists() else []
    return done.stderr, {row["served_by"] for row in rows if row["collective"] == "allreduce"}


def test_one_command_of_hopbine_run_is_all_ranks(user, calls, tmp_path):
    said, served = run(user, calls, tmp_path=tmp_path)
    assert served == {"hopbine"}, said
    assert UNKNOWN not in said


def test_a_script_may_have_left_out_some(user, calls, tmp_path):
    said, served = run(user, calls, "sh", "-c", 'exec "$@"', "sh", tmp_path=tmp_path)
    assert "hopbine" not in served, said
    assert said.count(UNKNOWN) == 1, said
