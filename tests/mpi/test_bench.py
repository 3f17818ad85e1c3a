"""hopbine-bench on real ranks.

Sizes of an alltoallv's blocks, the number of calls in a sample and how their counts differ.
"""

import csv
import subprocess
import sys
from itertools import pairwise

import pytest
from conftest import PROGRAMS, RANKS

from hopbine import _core
from hopbine.bench.launch import family_of, measuring_program

N = max(n for n in RANKS if n < 5)
DRAWN = ("dist:uniform:256", "dist:normal:1000:240", "dist:power:1024:0.95")


def bench(mpi, *options: str) -> list[dict[str, str]]:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "hopbine",
            "bench",
            "alltoallv",
            "--ranks",
            str(N),
            "--mpiexec",
            mpi.mpiexec,
            "--format",
            "csv",
            *options,
        ],
        capture_output=True,
        text=True,
        timeout=300,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stderr
    return list(csv.DictReader(done.stdout.splitlines()))


@pytest.mark.parametrize("counts", ["new", "same"])
def test_every_distribution_is_served_right_and_told(mpi, counts, tmp_path):
    """A wrong result ends the run."""
    rows = bench(
        mpi,
        "--sizes",
        ",".join(["16", *DRAWN]),
        "--algorithms",
        "auto,parlogna:r=2,two_phase_bruck,spread_out",
        "--repetitions",
        "3",
        "--calls",
        "3",
        "--counts",
        counts,
        "--samples",
        str(tmp_path / "s.csv"),
    )
    assert {r["distribution"]: int(r["bytes"]) for r in rows} == {
        d: round(_core.distribution(d, 4)["mean"]) for d in ("dist:uniform:32", *DRAWN)
    }
    assert len(rows) == 5 * 4
    assert all(float(r["ratio"]) > 0 for r in rows)
    samples = list(csv.DictReader((tmp_path / "s.csv").read_text().splitlines()))
    assert len(samples) == 3 * len(rows)
    assert all(int(s["calls"]) >= 3 for s in samples)


@pytest.mark.parametrize("drawn", DRAWN)
def test_counts_are_new_or_the_same(mpi, drawn, tmp_path):
    seen = str(tmp_path / "counts.so")
    subprocess.run(
        [mpi.mpicc, "-shared", "-fPIC", "-o", seen, str(PROGRAMS / "counts_of_calls.c")], check=True
    )
    calls = {}
    for counts in ("new", "same"):
        done = mpi.run(
            N,
            str(measuring_program(family_of(mpi.mpiexec))),
            "alltoallv",
            "mpi",
            drawn,
            "3",
            "1",
            "0",
            "float32",
            "4",
            counts,
            env={"LD_PRELOAD": seen},
        )
        assert done.returncode == 0, done.stderr
        calls[counts] = [
            tuple(map(int, line.split()[1:]))
            for line in done.stderr.splitlines()
            if line.startswith("counts")
        ]
    drawn_first = tuple(_core.draw(drawn, 0, r, 0, 4) // 4 for r in range(N))
    assert len(calls["same"]) > 10
    assert set(calls["same"]) == {drawn_first}
    assert len(calls["new"]) > 10
    assert all(one != next_one for one, next_one in pairwise(calls["new"]))
