"""Programs of the MPI-5 ABI.

The runtime `abi` serves them, with either name of the library and however it was loaded.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PROGRAMS, known, passed
from test_python import PROGRAM

from hopbine.bench import launch

LOADER = """
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
    void *program = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    int (*run)(int, char **) = NULL;
    if (program) *(void **)&run = dlsym(program, "run");
    else fprintf(stderr, "%s\\n", dlerror());
    return run ? run(1, argv) : 1;
}
"""


@pytest.fixture(scope="session")
def abi():
    """The MPI library with the standard ABI."""
    for mpi in known():
        if mpi.name == "abi":
            return mpi
    pytest.skip(
        "HOPBINE_TEST_MPIS names no library 'abi': scripts/mpis abi prints it where MPICH has "
        "mpicc_abi"
    )


def library_folder(abi) -> Path:
    return Path(abi.mpiexec).resolve().parent.parent / "lib"


def served(stats: Path) -> set[str]:
    """What served the calls that hopbine could have served."""
    return {row["served_by"] for row in json.loads(stats.read_text())["rows"]}


@pytest.mark.parametrize("private", [False, True], ids=["linked", "dlopen"])
@pytest.mark.parametrize("name", ["libmpi_abi.so.0", "libmpi_abi.so.1"])
def test_both_names_of_the_library(abi, name, private, tmp_path):
    """Both the program and a copy of the library are patched to contain `name`."""
    own = next(library_folder(abi).glob("libmpi_abi.so.[0-9]")).name.encode()
    flags = ["-shared", "-fPIC", "-Dmain=run"] if private else []
    program, stats = tmp_path / "program", tmp_path / "s.json"
    subprocess.run(
        [abi.mpicc, *flags, "-o", str(program), str(PROGRAMS / "types.c"), "-ldl"], check=True
    )
    for beside in library_folder(abi).iterdir():  # files that the library finds in its own folder
        if not beside.name.startswith("libmpi_abi"):
            (tmp_path / beside.name).symlink_to(beside)
    for source, copy in ((program, program), (library_folder(abi) / own.decode(), tmp_path / name)):
        copy.write_bytes(source.read_bytes().replace(own + b"\0", name.encode() + b"\0"))
    command = [str(program)]
    if private:
        (tmp_path / "loader.c").write_text(LOADER)
        subprocess.run(
            ["cc", "-o", str(tmp_path / "loader"), str(tmp_path / "loader.c"), "-ldl"], check=True
        )
        command.insert(0, str(tmp_path / "loader"))
    before = os.environ.get("LD_LIBRARY_PATH", "")
    env = {"LD_LIBRARY_PATH": f"{tmp_path}:{library_folder(abi)}:{before}"}
    done = abi.hopbine(
        3,
        "--algorithm",
        "allreduce=bine_small,bcast=bine_small",
        "--stats",
        str(stats),
        *command,
        env=env,
    )
    passed(done)
    assert "hopbine" in served(stats)


def test_hopbine_bench(abi):
    """A wrong result ends the run."""
    samples = launch.run(
        abi.mpiexec,
        "abi",
        2,
        ["allreduce", "recursive_doubling,mpi", "8,65536", "3", "1", "0", "float"],
        {},
        60,
    )
    assert {(s.algorithm, s.bytes) for s in samples} == {
        (name, size) for name in ("recursive_doubling", "mpi") for size in (8, 65536)
    }


def test_mpi4py(abi, tmp_path):
    """Its wheels have no ABI build; its source has one."""
    mpi4py = pytest.importorskip("mpi4py")
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "-q",
        "--disable-pip-version-check",
        "--no-deps",
        "--no-binary",
        "mpi4py",
    ]
    made = subprocess.run(
        [*install, "--target", str(tmp_path), f"mpi4py=={mpi4py.__version__}"],
        capture_output=True,
        text=True,
        env=os.environ | {"MPICC": abi.mpicc, "CFLAGS": "-O0"},
    )
    if made.returncode and re.search(
        r"No matching distribution|Could not fetch|Connection", made.stderr
    ):
        pytest.skip(
            f"the source of mpi4py cannot be had: {made.stderr.strip().splitlines()[-1][:100]}"
        )
    assert made.returncode == 0, made.stderr[-3000:]
    (tmp_path / "p.py").write_text(PROGRAM)
    env = {
        "PYTHONPATH": f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}",
        "LD_LIBRARY_PATH": f"{library_folder(abi)}:{os.environ.get('LD_LIBRARY_PATH', '')}",
    }
    program = (sys.executable, str(tmp_path / "p.py"))
    plain = abi.run(3, *program, env=env)
    done = abi.hopbine(
        3, *("--choice", "table", "--stats", str(tmp_path / "s.json")), *program, env=env
    )
    assert plain.returncode == done.returncode == 0, plain.stderr + done.stderr
    assert plain.stdout == done.stdout != ""
    assert "hopbine" in served(tmp_path / "s.json")
