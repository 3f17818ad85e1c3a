"""Jobs of measuring programs: their environment, and what they print."""

import os
import subprocess

from hopbine.bench.launch import quiet_environment


def environment_of(mpicc: str, ranks: int) -> dict[str, str]:
    """Environment of jobs with the MPI library of a compiler."""
    return os.environ | quiet_environment("openmpi" if "openmpi" in mpicc else "mpich", ranks)


def output_of(job: list[str], environment: dict[str, str]) -> str:
    """Standard output of a job. CalledProcessError when it fails."""
    done = subprocess.run(
        job,
        capture_output=True,
        text=True,
        check=True,
        stdin=subprocess.DEVNULL,
        env=environment,
    )
    return done.stdout


def times_of(job: list[str], environment: dict[str, str]) -> dict[str, float]:
    """What a job prints of each name: lines of a name and a time."""
    rows = [line.split() for line in output_of(job, environment).splitlines()]
    return {name: float(time) for name, time in rows}
