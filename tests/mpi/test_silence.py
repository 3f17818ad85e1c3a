"""A job in which hopbine serves nothing says so in one line, and why.

Every rank reports its own errors.
"""

import re
import subprocess
import sys

import pytest
from conftest import UNDER, by_rank

SAYS = "hopbine: no collective was served: "


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("served", None),
        ("none", "the MPI library served all of its collectives"),
        ("self", "one rank"),
        ("dlsym", "the program's MPI calls do not come by the dynamic linker"),
        ("abort", "the program was aborted"),
    ],
)
def test_a_job_that_was_not_served_says_why(mpi, build, how, why):
    for _ in range(15):
        done = mpi.hopbine(
            2, "--algorithm", "allreduce=ring", build(mpi, "silence"), how, timeout=60
        )
        if how != "abort" or SAYS in done.stderr:
            break  # MPICH's launcher may end before it has read an aborted rank's output
    assert (done.returncode == 0) == (how != "abort")
    assert done.stderr.count(SAYS) == bool(why)
    assert f"{SAYS}{why}" in done.stderr + f"{SAYS}None"


def test_programs_without_mpi_and_their_children(mpi, build):
    """A script is reported only if none of its children can be an MPI program."""
    assert (
        mpi.hopbine(2, sys.executable, "-c", "print(1)").stderr.count(
            SAYS + "no MPI library is loaded"
        )
        == 1
    )
    for script in ('"$0" served; exit 0', 'exec "$0" served', '"$0" served & wait'):
        done = mpi.hopbine(
            2, "--algorithm", "allreduce=ring", "sh", "-c", script, build(mpi, "silence")
        )
        assert SAYS not in done.stderr, (script, done.stderr)


def test_a_static_program_is_warned_of(mpi, tmp_path):
    (tmp_path / "s.c").write_text("int main(void) { return 0; }")
    if subprocess.run(
        ["cc", "-static", "-o", str(tmp_path / "s"), str(tmp_path / "s.c")], capture_output=True
    ).returncode:
        pytest.skip("there is no static C library")
    done = mpi.hopbine(2, str(tmp_path / "s"))
    assert done.returncode == 0
    assert done.stderr.count("is linked statically, so that nothing is preloaded into it") == 1


def test_every_rank_tells_its_own_error(mpi, build):
    """Rank 1 has an unknown variable; all ranks have a wrong rule."""
    script = 'if [ "$R" = 1 ]; then export HOPBINE_ALGORTIHM=x; fi'
    done = mpi.run(3, *by_rank(script, *UNDER, "sh", "-c", "sleep 5"), timeout=60)
    assert done.returncode
    assert done.stderr.count("hopbine: rank ") == 1
    assert "rank 1 on " in done.stderr
    assert (
        "HOPBINE_ALGORTIHM is set, but hopbine has no such setting; is HOPBINE_ALGORITHM meant?"
        in done.stderr
    )


def test_a_shape_that_holds_more_ranks_is_refused_at_the_start(mpi, build):
    done = mpi.hopbine(2, "--shape", "3x3", build(mpi, "silence"), "served", timeout=60)
    assert done.returncode
    assert re.search(
        r"hopbine: rank [01] on \S+: --shape 3x3 holds 9 ranks, the job has 2", done.stderr
    )


@pytest.mark.parametrize(
    ("file", "says"),
    [
        ("/", "/: is a folder"),
        ("/proc/x", "/proc/x: cannot be written"),
        ("/nowhere/x", "/nowhere/x: its folder does not exist"),
    ],
)
def test_statistics_that_cannot_be_written_are_warned_of_at_the_start(mpi, build, file, says):
    """The job continues: if rank 0 alone were refused, the others would wait for it in MPI_Init."""
    done = mpi.hopbine(2, "--stats", file, build(mpi, "silence"), "served", timeout=60)
    assert done.returncode == 0
    assert f"there will be no statistics: {says}" in done.stderr


def test_a_shape_for_part_of_the_ranks_is_warned_of(mpi, build):
    done = mpi.hopbine(4, "--shape", "2x1", build(mpi, "silence"), "served")
    assert done.returncode == 0
    assert (
        done.stderr.count(
            "--shape 2x1 holds 2 ranks, the job has 4: it is used for communicators of 2 ranks only"
        )
        == 1
    )
