"""benchmarks/learning: jobs with and without hopbine run in turns, and what they tell is paired."""

import csv
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from conftest import COMMAND

DRIVER = Path(__file__).resolve().parents[2] / "benchmarks/learning/learning.py"
#: A program's words for a job of a moment; `skewed` needs a job more, which finds usual times.
SHORT = ("cells=64 221 1", "training=2 64", "many_communicators=20", "memory=20 50")
WAYS = ("stock", "stock again", "default")
#: Times and memory that a job of each program tells, but for cells.
TOLD = {
    "many_kinds": {"communicators", "collectives", "last_arriver"},
    "skewed": {"communicators", "collectives", "last_arriver"},
    "cells": set(),
    "training": {"collectives"},
    "many_communicators": {"loop", "growth"},
    "memory": {"loop", "growth", "resident"},
}
#: Times told by collective, or by phase and cell: 8 collectives of 64 B, and of 8 B the 3 whose
#: vector need not have a block for each of 3 ranks.
CELLS = {"many_kinds": 8, "skewed": 8, "cells": 3 * (8 + 3)}


def drive(mpi, file, *options):
    """The driver's job, and the values that it wrote."""
    library = f"{mpi.name}={mpi.mpicc}={mpi.mpiexec}"
    command = [sys.executable, str(DRIVER), "--mpi", library, "--hopbine", COMMAND]
    done = subprocess.run(
        [*command, "--csv", str(file), "--ranks", "3", "--pairs", "1", *options],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env=os.environ,
        timeout=280,
    )
    with file.open() as f:
        return done, list(csv.DictReader(f))


def test_every_program_runs_in_turns(mpi, tmp_path):
    options = ("--calls", "2", "--learn", "fresh", "--arguments", *SHORT, "skewed=most=64")
    done, values = drive(mpi, tmp_path / "values.csv", *options)
    assert done.returncode == 0, done.stdout + done.stderr
    for program, names in TOLD.items():
        found = [v for v in values if v["program"] == program]
        once = Counter((v["way"], v["what"]) for v in found)
        assert set(once.values()) == {1}
        cells = {v["what"] for v in found if "/" in v["what"]}
        assert {v["what"] for v in found} - cells == names | {"job"}
        assert len(cells) == CELLS.get(program, 0)
        assert all((way, name) in once for way in WAYS for name in names | cells)
        assert all(float(v["value"]) > 0 for v in found if v["what"] not in ("growth",))
        assert {v["ranks"] for v in found} == {"5" if program == "many_communicators" else "3"}
    table = [line for line in done.stdout.splitlines() if line.startswith(f"| {mpi.name} ")]
    gains = [line for line in table if " | gained, told | " in line]
    assert [line.split(" | ")[3] for line in gains[:2]] == ["many_kinds", "skewed"], done.stdout
    assert len(table) - len(gains) == 1 + 1 + 2 + 1 + 3 + 1 + 1 + 1 + 2 + 1 + 2 + 1, done.stdout


def test_jobs_begin_with_copies_of_what_one_has_learned(mpi, tmp_path):
    """The job that fills the file makes calls enough to learn from."""
    short = ("--programs", "training", "--arguments", "training=600 4096")
    done, values = drive(mpi, tmp_path / "values.csv", "--cache", *short)
    assert done.returncode == 0, done.stdout + done.stderr
    assert {v["way"] for v in values} == set(WAYS)
    done, _ = drive(mpi, tmp_path / "none.csv", *short, "--learn", str(tmp_path / "absent"))
    assert done.returncode == 1
    assert "absent" in done.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--arguments", "cells=8 100 1"), "more calls are needed before the warm ones: 100"),
        (("--programs", "skewed", "--arguments", "skewed=order=some"), "not: order=some"),
        (("--programs", "cells", "--limit", "0.01"), "no end within 0.01 s"),
    ],
)
def test_a_job_that_fails_ends_the_benchmark_with_its_words(mpi, tmp_path, options, said):
    done, _ = drive(mpi, tmp_path / "values.csv", "--programs", "cells", *options)
    assert done.returncode == 1
    assert said in done.stderr
