"""The wheel of scripts/wheel, in an environment that has nothing but it and what it names.

HOPBINE_TEST_WHEEL is a wheel to test; by default one is made.
"""

import csv
import json
import os
import re
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
#: What the wheel depends on, and mpi4py for the job, as packaging/requirements/run.txt pins them.
PINNED = (
    *("polars", "polars-runtime-32", "numpy", "clustershell", "pyyaml", "mpi4py"),
    *("rich", "markdown-it-py", "mdurl", "pygments"),
)
JOB = """
import sys
import numpy as np
from mpi4py import MPI
c = MPI.COMM_WORLD
out = np.empty(1000)
for _ in range(5):
    c.Allreduce(np.arange(1000.) + c.rank, out)
words = c.bcast({"root": "x" * 100} if c.rank == 0 else None)
if c.rank == 0:
    print(out[0], out[-1], len(words["root"]), sys.prefix)
"""


def call(*command, **how) -> str:
    """Standard output of a command that succeeds."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **how)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="session")
def wheel(tmp_path_factory) -> Path:
    if given := os.environ.get("HOPBINE_TEST_WHEEL"):
        return Path(given)
    return Path(call(ROOT / "scripts/wheel", tmp_path_factory.mktemp("wheel")).strip())


@pytest.fixture(scope="session")
def installed(wheel, tmp_path_factory) -> Path:
    """bin of the environment."""
    folder = tmp_path_factory.mktemp("empty")
    venv.create(folder / "env", with_pip=True)
    pins = re.split(r"\n(?=\S)", (ROOT / "packaging/requirements/run.txt").read_text())
    (folder / "pins").write_text("\n".join(p for p in pins if p.split("==")[0] in PINNED))
    pip = [folder / "env/bin/python", "-m", "pip", "--disable-pip-version-check"]
    call(*pip, "install", "-q", "--no-compile", "--require-hashes", "-r", folder / "pins")
    call(*pip, "install", "-q", "--no-compile", "--no-deps", "--no-index", wheel)
    assert call(*pip, "check") == "No broken requirements found.\n"
    return folder / "env/bin"


def outside() -> dict[str, str]:
    """The environment without what leads into this project's own installation."""
    own = str(Path(sys.executable).parent)
    path = [d for d in os.environ["PATH"].split(":") if d != own]
    return {"PATH": ":".join(path), "PYTHONPATH": "", "HOPBINE_LIB": ""}


def test_it_has_the_runtimes_and_no_mpi_library(wheel):
    assert re.search(r"-cp3\d+-cp3\d+-manylinux_2_\d+_\w+\.whl$", wheel.name)
    with zipfile.ZipFile(wheel) as file:
        major = (ROOT / "VERSION").read_text().partition(".")[0]
        libraries = {Path(n).name for n in file.namelist() if ".so" in n}
        assert {"libhopbine_preload.so", f"libhopbine.so.{major}"} < libraries
        assert [name for name in libraries if not re.match(r"libhopbine|_core\.", name)] == []


def test_an_empty_environment_runs_the_main_job(mpi, build, installed, tmp_path):
    stats = tmp_path / "stats.json"
    options = [str(installed / "hopbine"), "run", "--algorithm", "allreduce=bine_small"]
    (tmp_path / "job.py").write_text(JOB)
    env = outside() | {
        "LD_LIBRARY_PATH": str(Path(mpi.mpiexec).resolve().parent.parent / "lib"),
        "MPI4PY_MPIABI": "openmpi" if mpi.is_openmpi else "mpich",
    }
    program = [str(installed / "python"), str(tmp_path / "job.py")]
    answer = f"6.0 4002.0 100 {installed.parent}\n"
    if "ImportError" in mpi.run(1, *program, env=env).stderr:
        pytest.skip("mpi4py's wheel does not find this MPI library, with or without hopbine")
    done = mpi.run(4, *options, "--stats", str(stats), *program, env=env)
    assert (done.returncode, done.stdout) == (0, answer), done.stderr
    rows = json.loads(stats.read_text())["rows"]
    assert ("allreduce", "bine_small", 5) in {
        (r["collective"], r["algorithm"], r["calls"]) for r in rows
    }
    table = call(installed / "hopbine", "stats", stats, env=os.environ | outside())
    assert re.search(r"^allreduce .* bine_small", table, re.M)


def test_its_programs_search_no_folder_of_this_machine(installed):
    (folder,) = (installed.parent / "lib").glob("python*/site-packages/hopbine/lib")
    programs = list(folder.glob("hopbine-*"))
    assert {p.name.split("-")[1] for p in programs} == {
        *("bench", "calibrate", "delayd", "enter", "gpu_probe", "watch")
    }
    for program in programs:
        assert "PATH" not in call("readelf", "-d", program)


def test_its_benchmark_finds_the_library_of_the_launcher(mpi, installed):
    command = ["bench", "allreduce", "--algorithms", "ring", "--sizes", "64", "--repetitions", "2"]
    env = os.environ | outside() | {"LD_LIBRARY_PATH": ""}
    command += ["--mpiexec", mpi.mpiexec, "--format", "csv"]
    rows = list(csv.DictReader(call(installed / "hopbine", *command, env=env).splitlines()))
    assert {row["algorithm"] for row in rows} >= {"ring"}


def test_its_manual_is_beside_the_command(installed):
    assert (installed.parent / "share/man/man1/hopbine-run.1").exists()
    assert (installed.parent / "share/bash-completion/completions/hopbine").exists()
