"""A job on a cluster has its own streams and status; several have hosts of their own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

BETWEEN = ("--groups", "1,1", "--")


@pytest.mark.parametrize(
    ("script", "code"),
    [("exit 0", 0), ("exit 7", 7), ("kill -SEGV $$", 139), ("kill -KILL $$", 137)],
)
def test_the_exit_code_is_the_jobs(user, script, code):
    assert user.emulate(*BETWEEN, "sh", "-c", script).returncode == code


def test_a_rank_that_fails_ends_the_job(user, mpi):
    done = user.emulate("--groups", "1,1", "--", *mpi.words(2, "sh", "-c", "exit 3"))
    assert done.returncode == 3


def test_streams_are_the_jobs(user, mpi):
    # Not to the end of it, which launchers do not tell every rank, here or elsewhere.
    job = mpi.words(1, "sh", "-c", "head -n 1; echo said >&2")
    done = user.emulate(*BETWEEN, *job, stdin=None, input="given\n")
    assert done.returncode == 0
    assert done.stdout == "given\n"
    assert done.stderr.count("said\n") == 1


def test_python_programs(user, mpi):
    pytest.importorskip("mpi4py")
    script = "from mpi4py import MPI; print(MPI.COMM_WORLD.allreduce(1))"
    library = Path(mpi.mpiexec).resolve().parent.parent / "lib"  # of wheels, as in tests/mpi
    env = os.environ | {
        "LD_LIBRARY_PATH": f"{library}:{os.environ.get('LD_LIBRARY_PATH', '')}",
        "MPI4PY_MPIABI": "openmpi" if "openmpi" in mpi.name else "mpich",
    }
    done = user.emulate(*BETWEEN, *mpi.words(2, sys.executable, "-c", script), env=env)
    assert done.stdout == "2\n2\n", done.stderr


def test_ranks_are_on_hosts_in_their_order(user, mpi):
    done = user.emulate("--groups", "2,1", "--", *mpi.words(3, "hostname"))
    assert sorted(done.stdout.split()) == ["h0", "h1", "h2"]


def test_two_jobs_have_hosts_of_their_own(user, mpi):
    one, other = (" ".join(mpi.words(2, *words)) for words in (["hostname"], ["hostname"]))
    done = user.emulate("--groups", "2,2", "--jobs", f"0,2: {one}", f"1,3: {other}")
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.split()) == ["h0", "h1", "h2", "h3"]
    assert done.stderr.count("exit code 0 after") == 2


def test_the_status_of_jobs_is_that_of_the_first_that_fails(user):
    jobs = ["0: sh -c 'sleep 1; exit 5'", "1: sh -c 'exit 4'"]
    done = user.emulate("--groups", "1,1", "--jobs", *jobs)
    assert done.returncode == 4
    assert "job 1: exit code 5 after" in done.stderr
    assert "job 2: exit code 4 after" in done.stderr


def test_two_clusters_at_once(user, mpi):
    words = user.command("--groups", "2,2", "--", *mpi.words(4, mpi.calls, "65536", "50"))
    running = [
        subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL
        )
        for _ in range(2)
    ]
    for one in running:
        out, err = one.communicate(timeout=60)
        assert one.returncode == 0, err.decode()
        assert out.startswith(b"seconds")


def test_times_without_root_have_the_noise_beside(user, one_mpi, tmp_path):
    out, rows = tmp_path / "links.json", tmp_path / "rows.json"
    job = one_mpi.words(2, one_mpi.calls, "65536", "20")
    turns = ["hopbine", "compare", "--pairs", "1", "--warm-up", "0", "-o", str(rows), "--"]
    done = user.emulate("--groups", "1,1", "--json", str(out), "--", *turns, *job)
    assert done.returncode == 0, done.stderr
    # Whether other work could delay ranks, so that the noise counts.
    assert json.loads(out.read_text())["realtime"] == (user.name == "root")
    assert ("times vary more" in done.stderr) == (user.name != "root")
    assert "stock/stock" in done.stdout


def test_folders_for_temporary_files_are_the_clusters(user, tmp_path):
    kept = tmp_path / "kept"
    script = f"touch $TMPDIR/gone {kept}; echo $TMPDIR"
    done = user.emulate(*BETWEEN, "sh", "-c", script)
    assert kept.exists()
    assert not os.path.exists(f"{done.stdout.strip()}/gone")
