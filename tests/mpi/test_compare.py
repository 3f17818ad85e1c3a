"""hopbine compare with real jobs: hopbine is in those that it should be in, on all ranks."""

import json
import subprocess

import pytest
from conftest import COMMAND, never_started

N = 2


@pytest.fixture
def compare(mpi, build, tmp_path):
    """compare(options, words between mpiexec -n N and the program) -> job's end, report."""
    program = build(mpi, "summary", flags=("-lpthread",))

    def run(*options, between=(), tries=3):
        job = [mpi.mpiexec, "-n", str(N), *between, program, "1000"]
        done = subprocess.run(
            [COMMAND, "compare", "-o", "report.json", "--pairs", "1", *options, "--", *job],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=300,
            env=mpi.environment(N),
            stdin=subprocess.DEVNULL,
        )
        if tries > 1 and never_started(done.stderr):
            return run(*options, between=between, tries=tries - 1)
        report = tmp_path / "report.json"
        return done, json.loads(report.read_text()) if report.exists() else None

    return run


@pytest.mark.parametrize("between", [(), ("{}",)], ids=["before the launcher", "at the mark"])
def test_real_jobs_with_and_without(compare, between):
    options = ("--algorithm", "allreduce=bine_large", "--fresh")
    done, report = compare(*options, between=between)
    assert done.returncode == 0, done.stderr
    kinds = [job["kind"] for job in report["jobs"]]
    assert sorted(kinds) == ["hopbine", "hopbine", "stock", "stock", "stock again"]
    for job in report["jobs"]:
        served = [line.split(";")[0] for line in job["said"]]
        all_served = ["served 1,000 of 1,000 collective calls"]
        assert served == (all_served if job["kind"] == "hopbine" else [])
        assert job["values"]["job"] > 0
    assert report["ranks"] == N
    assert report["mpi"]
    assert report["launcher"]
    assert {row["served_by"] for row in report["statistics"]["rows"]} == {"hopbine"}
    assert f"{report['mpi']}, {N} ranks; 1 turn of 3 jobs" in done.stdout
    assert "collectives: 1,000 calls" in done.stdout
    assert "too few pairs to tell" in done.stdout


def test_a_job_that_fails_on_a_rank(compare):
    done, report = compare("--timeout", "120", between=("sh", "-c", "echo broken; exit 3", "sh"))
    assert done.returncode == 1
    assert "job 1, without hopbine, ended with exit code 3" in done.stderr
    assert "broken" in done.stderr
    assert report["state"] == "failed"
