"""MPI libraries by other names than usual, and of ABIs that hopbine does not know."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from conftest import PROGRAMS, UNDER

from hopbine import LIBRARY_FOLDER

ASKED = ("--algorithm", "allreduce=recursive_doubling", "--summary", "always")
#: The names of the libraries, and one that is as long.
USUAL, OTHER = (b"libmpi.so.12\0", b"libmpi.so.40\0"), b"libmpi_gnu.1\0"


def compiled(*arguments: str | Path) -> None:
    """Runs the C compiler."""
    subprocess.run(["cc", "-Wl,--allow-shlib-undefined", *map(str, arguments)], check=True)


def test_a_library_of_another_name_in_a_module(mpi, tmp_path):
    """Cray's are libmpi_gnu_123.so.12 and the like, which Python's imports load for themselves."""
    prefix = Path(mpi.mpiexec).resolve().parent.parent
    usual = [name for name in USUAL if (prefix / "lib" / name.decode()[:-1]).exists()]
    if not usual:
        pytest.skip(f"{prefix}/lib has neither libmpi.so.12 nor libmpi.so.40")
    library, module = tmp_path / OTHER.decode()[:-1], tmp_path / "module.so"
    original = (prefix / "lib" / usual[0].decode()[:-1]).read_bytes()
    library.write_bytes(original.replace(usual[0], OTHER))
    source = PROGRAMS / "private_module.c"
    compiled(
        *("-shared", "-fPIC", "-DMODULE", f"-I{prefix / 'include'}", "-o", module),
        *(source, library, f"-Wl,-rpath,{tmp_path}"),
    )
    compiled("-o", tmp_path / "program", source, "-ldl")
    folders = [prefix / "lib", prefix / "lib/openmpi", prefix / "lib/mpich"]
    env = {"LD_LIBRARY_PATH": ":".join(map(str, [*folders, os.environ.get("LD_LIBRARY_PATH", "")]))}
    done = mpi.hopbine(3, *ASKED, str(tmp_path / "program"), str(module), env=env, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "sum 3\n"
    assert "served 1 of 1 collective calls" in done.stderr


def test_a_library_of_another_abi(tmp_path):
    """MPItrampoline's handles are its own: its calls are passed on, and a line says why."""
    source, library = PROGRAMS / "other_abi.c", tmp_path / "libmpiother.so"
    compiled("-shared", "-fPIC", "-DLIBRARY", "-o", library, source)
    compiled("-o", tmp_path / "program", source, library, f"-Wl,-rpath,{tmp_path}")
    done = subprocess.run(
        [*UNDER, *ASKED, tmp_path / "program"], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (0, "error 0 sum 42\n")
    assert f"{library} has neither the ABI of Open MPI, nor that of MPICH" in done.stderr


def test_a_runtime_of_another_version(mpi, build, tmp_path):
    """In a folder that HOPBINE_LIB names: a table of functions of another size is not used."""
    (tmp_path / "libhopbine_preload.so").symlink_to(f"{LIBRARY_FOLDER}/libhopbine_preload.so")
    source = tmp_path / "runtime.c"
    source.write_text("const struct { unsigned long size; } hopbine_functions = {24};\n")
    names = [tmp_path / f"libhopbine_{family}.so" for family in ("openmpi", "mpich", "abi")]
    for name in names:
        compiled("-shared", "-fPIC", "-o", name, source)
    done = mpi.hopbine(2, build(mpi, "sums"), env={"HOPBINE_LIB": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    line = r"hopbine: the MPI library serves all calls: (\S+) is of another version of hopbine\n"
    (library,) = re.findall(line, done.stderr)
    assert Path(library) in names
