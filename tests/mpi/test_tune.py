"""hopbine tune on real ranks: its file works, and an interrupt keeps the measurements."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from hopbine.bench.launch import family_of, measuring_program
from hopbine.selection import file

#: As many as a small machine has cores, also for a library that spins.
N = 2


def command(mpi, *options: str) -> list[str]:
    return [
        sys.executable,
        "-m",
        "hopbine",
        "tune",
        *options,
        "--ranks",
        str(N),
        "--mpiexec",
        mpi.mpiexec,
    ]


def tune(mpi, folder, *options: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        command(mpi, *options),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        stdin=subprocess.DEVNULL,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("tune")


def test_a_tuned_file_serves(mpi, folder):
    output = folder / f"{mpi.name}.json"
    done = tune(
        mpi,
        folder,
        "allreduce",
        "--sizes",
        "4:64:4",
        "--algorithms",
        "knomial,recursive_doubling,bine_small",
        "--budget",
        "4min",
        "--samples",
        "12",
        "-o",
        str(output),
        "--format",
        "csv",
    )
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [int(r["bytes"]) for r in rows] == [4, 16, 64]
    assert all(
        float(r["library_seconds"]) > 0 and r["verdict"] and r["verified_ratio"] for r in rows
    )
    rules = file.read(str(output))
    assert rules[0].bytes[0] == 0
    assert rules[-1].bytes[1] == 64
    assert all(r.ranks == (N, N) for r in rules)

    stats = folder / f"{mpi.name}-stats.json"
    program = str(measuring_program(family_of(mpi.mpiexec)))
    ran = mpi.hopbine(
        N,
        "--rules",
        str(output),
        "--stats",
        str(stats),
        program,
        "allreduce",
        "auto",
        "8",
        "2",
        "1",
        "0",
        "float32",
    )
    assert ran.returncode == 0, ran.stderr
    served = [
        row for row in json.loads(stats.read_text())["rows"] if row["collective"] == "allreduce"
    ]
    assert served, served
    assert all(str(output) in row["reason"] for row in served), served

    again = tune(
        mpi,
        folder,
        "allreduce",
        "--sizes",
        "4:64:4",
        "--algorithms",
        "knomial,recursive_doubling,bine_small",
        "--no-verify",
        "-o",
        str(output),
    )
    assert again.returncode == 0
    assert "going on from" in again.stderr
    assert "repetitions" not in again.stderr
    other = tune(mpi, folder, "allreduce", "--sizes", "4", "-o", str(output))
    assert other.returncode == 2
    assert "is of another tuning" in other.stderr
    assert "sizes: -16, -64" in other.stderr
    checked = tune(
        mpi, folder, "allreduce", "--sizes", "4:64:4", "--samples", "12", "--verify", str(output)
    )
    assert checked.returncode in (0, 1), checked.stderr
    assert "3 of 3 size classes verified" in checked.stdout, checked.stderr


def test_a_barrier_has_one_class_and_its_rule_answers(mpi, folder):
    """It has no bytes: a rule for some would answer no call."""
    output = folder / f"{mpi.name}-barrier.json"
    done = tune(
        mpi,
        folder,
        *("barrier", "--sizes", "8:64:8", "--budget", "30s", "--samples", "12"),
        *("-o", str(output), "--format", "csv", "--prune", "0"),
    )
    assert done.returncode == 0, done.stderr
    (row,) = csv.DictReader(io.StringIO(done.stdout))
    assert row["bytes"] == "0"
    (rule,) = file.read(str(output))
    assert (rule.collective, rule.bytes) == ("barrier", (0, 0))


def test_an_interrupt_keeps_the_state_and_leaves_no_ranks(mpi, folder):
    output = folder / f"{mpi.name}-cut.json"
    begun = subprocess.Popen(
        command(mpi, "bcast", "-o", str(output), "--budget", "10min", "--seed", str(os.getpid())),
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        stdin=subprocess.DEVNULL,
        # what is started in the background by a shell ignores interrupts
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    state = folder / f"{mpi.name}-cut.json.state"
    end = time.monotonic() + 240
    while (
        not (state.exists() and '"select"' in state.read_text())
        and time.monotonic() < end
        and begun.poll() is None
    ):
        time.sleep(0.05)
    begun.send_signal(signal.SIGINT)
    _, said = begun.communicate(timeout=120)
    assert begun.returncode == 130
    assert "the same command goes on from there" in said
    assert not output.exists()
    assert json.loads(state.read_text().splitlines()[0])["question"]["ranks"] == N
    left = subprocess.run(
        ["pgrep", "-f", f"hopbine-bench-.* serve {os.getpid()} "], capture_output=True, text=True
    ).stdout
    assert left == ""
