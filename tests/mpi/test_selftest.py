"""hopbine selftest on every MPI library that tests have."""

import csv
import io
import subprocess
import sys

from conftest import known


def test_the_selftest_passes_on_every_library():
    launchers = [word for mpi in known() for word in ("--mpiexec", mpi.mpiexec)]
    done = subprocess.run(
        [sys.executable, "-m", "hopbine", "selftest", *launchers, "--format", "csv"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert done.returncode == 0, done.stdout + done.stderr
    jobs = [row for row in rows if row["step"] == "job"]
    assert len(jobs) >= len(known())
    assert {row["state"] for row in rows} == {"ok"}, rows
    assert all("calls served" in row["told"] for row in jobs)
    assert sum(float(row["seconds"]) for row in rows) < 120
    assert "selftest: passed" in done.stderr
