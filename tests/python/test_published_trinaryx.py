"""benchmarks/published_trinaryx.py, from made-up measurements."""

import csv
import gzip
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks/published_trinaryx.py"
#: Bytes a second of the made-up broadcast, in links, and what a step takes besides.
LINKS, STEP = 2.5, 2e-6


def seconds(collective, nodes, size):
    """A broadcast down `nodes`' steps in segments of 6.8 KB; a reduction takes twice as long."""
    further = 18 * (nodes == "8x8x8")
    cut = 1e-6 * (size >= 1 << 17)
    bcast = size / (LINKS * 6.8e9) + further * (STEP + cut)
    return {"bcast": bcast, "reduce": 2 * bcast, "allreduce": 3 * bcast}[collective]


@pytest.fixture
def folder(tmp_path):
    """Both shapes, from 256 bytes to 64 MiB."""
    with gzip.open(tmp_path / "measured.csv.gz", "wt", newline="") as f:
        out = csv.writer(f)
        head = ["system", "run", "collective", "nodes", "tasks_per_node", "ranks", "bytes"]
        out.writerow([*head, "algorithm", "median_us", "mpi", "gpu"])
        for nodes, ranks in (("2x2x2", 8), ("8x8x8", 512)):
            for collective in ("bcast", "reduce", "allreduce"):
                for size in (256, 1 << 17, 1 << 26):
                    us = 1e6 * seconds(collective, nodes, size)
                    told = ("fugaku", "a", collective, nodes, 1, ranks, size)
                    for trees in "36":
                        name = "trix" if collective == "allreduce" else "trinaryx"
                        out.writerow([*told, f"default-{name}{trees}", us, "fujitsu", "no"])
    return tmp_path


def run(folder):
    """What the script does."""
    command = [sys.executable, SCRIPT, folder]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_links_sums_and_segments_are_those_of_the_times(folder):
    done = run(folder)
    assert done.returncode == 0, done.stderr
    rows = [line.split(" | ") for line in done.stdout.splitlines() if line.startswith("| ")]
    large = next(r for r in rows if r[:2] == ["| 2x2x2", "67,108,864"])
    assert large[2] == "2.50, 1.25"
    assert large[-1] == "1.00 |"
    steps = {r[0]: r[1:3] for r in rows if len(r) == 4}
    assert steps["| 256"] == ["2.00", "-"]
    assert steps["| 67,108,864"] == ["3.00", "6,800"]


def test_a_folder_without_measurements_is_refused_in_one_line(tmp_path):
    done = run(tmp_path)
    assert (done.returncode, done.stdout.count("|"), done.stderr.count("\n")) == (2, 0, 1)
    assert "has no measured.csv.gz" in done.stderr
