"""Jobs in which not every rank runs under hopbine: all ranks find out before a message is sent."""

import json
import subprocess

import pytest
from conftest import RANKS, UNDER

pytestmark = pytest.mark.skipif(max(RANKS) < 2, reason="needs two ranks")

ASKED = ["--algorithm", "allreduce=recursive_doubling,allgather=ring"]


def under(program, *options):
    """The command line that runs a program under hopbine."""
    return [*UNDER, *ASKED, *options, program]


def served(stats):
    """What served each row."""
    return {row["served_by"] for row in json.loads(stats.read_text())["rows"]}


@pytest.mark.parametrize("first", [True, False], ids=["the first", "the last"])
def test_one_program_of_two_runs_under_hopbine(mpi, build, first):
    """In an MPMD job the ranks under hopbine report it, once."""
    parts = [["-n", "1", *under(build(mpi, "presence"))], ["-n", "1", build(mpi, "presence")]]
    one, other = parts if first else parts[::-1]
    done = subprocess.run(
        [mpi.mpiexec, *one, ":", *other],
        capture_output=True,
        text=True,
        timeout=60,
        env=mpi.environment(2),
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("0 wrong") == 2, done.stdout + done.stderr
    assert (
        done.stderr.count(
            "1 of 2 ranks of the job run under hopbine; the MPI library serves all calls"
        )
        == 1
    ), done.stderr


def test_a_script_that_starts_hopbine_on_some_ranks(mpi, build):
    """The launcher starts one program, the ranks run two."""
    ranks = min(max(RANKS), 3)
    script = 'if [ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 1 ]; then exec "$0"; else exec "$@"; fi'
    done = mpi.run(
        ranks,
        "sh",
        "-c",
        script,
        build(mpi, "presence"),
        *under(build(mpi, "presence")),
        timeout=60,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("0 wrong") == ranks, done.stdout + done.stderr
    assert done.stderr.count(f"{ranks - 1} of {ranks} ranks of the job run under hopbine") == 1, (
        done.stderr
    )


#: Hides what hopbine needs to ask the launcher.
HIDDEN = ["env", "-u", "HYDI_CONTROL_FD"]


def test_a_launcher_that_cannot_tell(mpi, build, tmp_path):
    """The MPI library serves and rank 0 says why, unless the user knows."""
    if mpi.is_openmpi or "40" in mpi.name:
        pytest.skip("Open MPI starts with PMIx, MPICH 4.0 with a barrier of PMI's: both tell")
    done = mpi.run(
        2, *HIDDEN, *under(build(mpi, "presence"), "--stats", str(tmp_path / "a")), timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("0 wrong") == 2, done.stdout + done.stderr
    assert (
        done.stderr.count(
            "the launcher does not tell whether all ranks run under hopbine; the MPI library "
            "serves all calls"
        )
        == 1
    ), done.stderr
    done = mpi.run(
        2,
        *HIDDEN,
        *under(build(mpi, "presence"), "--everywhere", "--stats", str(tmp_path / "b")),
        timeout=60,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("0 wrong") == 2, done.stdout + done.stderr
    assert "does not tell" not in done.stderr
    assert served(tmp_path / "b") == {"hopbine"}
