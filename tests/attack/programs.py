"""Builds and runs the programs of tests/attack/programs."""

import os
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

from mpi_conftest import UNDER, never_started

from hopbine import _core

FOLDER = Path(__file__).parent / "programs"
FUNCTIONS_H = Path(__file__).parents[2] / "src" / "preload"
SOURCES = {
    "attack": [
        "attack",
        "algorithms",
        "arguments",
        "around",
        "barriers",
        "buffers",
        "calls",
        "case",
        "completion",
        "kinds",
        "layouts",
        "operation",
        "program",
        "report",
        "test_comms",
        "users",
    ],
    "wrong_calls": ["wrong_calls"],
    "communicators": ["communicators"],
}


@dataclass(frozen=True)
class Outcome:
    """Result of a job. `ended`: its exit code, or None when it was killed after its timeout."""

    ended: int | None
    output: str


def build(mpi, name: str, folder: Path) -> str:
    """Compiles a program with an MPI's compiler."""
    out = str(folder / name)
    sources = [str(FOLDER / f"{s}.c") for s in SOURCES[name]]
    flags = [
        "-std=gnu17",
        "-O1",
        "-g",
        "-Wall",
        "-Wextra",
        "-Wno-deprecated-declarations",
        "-rdynamic",  # operation.c sees the requests that hopbine makes
        f"-I{FUNCTIONS_H}",
    ]
    done = subprocess.run(
        [mpi.mpicc, *flags, "-o", out, *sources, "-ldl", "-lpthread", "-lrt", "-lm"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return out


def write_algorithms(path: Path) -> str:
    """Writes the algorithms, one line each: COLLECTIVE ALGORITHM [PARAMETER LOW HIGH]..."""
    lines = (
        " ".join(
            [
                a["collective"],
                a["name"],
                *(f"{q['name']} {q['low']} {q['high']}" for q in a["parameters"]),
            ]
        )
        for a in _core.algorithms()
    )
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def run(
    mpi,
    ranks: int,
    command: list[str],
    preloaded: bool = True,
    env: dict[str, str] | None = None,
    timeout: float = 300,
    tries: int = 3,
) -> Outcome:
    """Runs a job in its own process group, which is killed as a whole after the timeout."""
    under = UNDER if preloaded else ()
    job = subprocess.Popen(
        [mpi.mpiexec, "-n", str(ranks), *under, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env=mpi.environment(ranks) | (env or {}),
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        output, _ = job.communicate(timeout=timeout)
        if tries > 1 and never_started(output):
            return run(mpi, ranks, command, preloaded, env, timeout, tries - 1)
        return Outcome(job.returncode, output)
    except subprocess.TimeoutExpired:
        os.killpg(job.pid, signal.SIGTERM)  # launchers end their ranks
        try:
            output, _ = job.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(job.pid, signal.SIGKILL)
            output, _ = job.communicate()
        return Outcome(None, output)
