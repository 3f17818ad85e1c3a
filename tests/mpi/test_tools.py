"""Tools that stand between the program and the MPI library by PMPI: they see every call, also those that hopbine serves."""

import json
import subprocess
import sys

import pytest
from conftest import PROGRAMS

SERVED = "bcast=bine_small,allreduce=recursive_doubling,allgather=ring"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """made(mpi) -> (tool as a library, program, program that is linked with the tool)."""
    known = {}

    def compile_all(mpi):
        if mpi.name not in known:
            folder = tmp_path_factory.mktemp("tool" + mpi.name)
            tool, plain, linked = folder / "libtool.so", folder / "plain", folder / "linked"
            for command in (["-shared", "-fPIC", "-o", tool, PROGRAMS / "tool.c"], ["-o", plain, PROGRAMS / "tooled.c"],
                            ["-o", linked, PROGRAMS / "tooled.c", "-Wl,--no-as-needed", f"-L{folder}", f"-Wl,-rpath,{folder}", "-ltool"]):
                subprocess.run([mpi.mpicc, "-Wall", "-Wextra", *map(str, command)], check=True)
            known[mpi.name] = tuple(map(str, (tool, plain, linked)))
        return known[mpi.name]

    return compile_all


def check(done, stats):
    """The tool counted every call of the program once, hopbine served all, the results are right."""
    assert done.returncode == 0 and "sum 8 last 4" in done.stdout, done.stderr
    assert "tool: bcast 3 allreduce 2 allgather 1" in done.stdout
    rows = {r["collective"]: (r["served_by"], r["calls"]) for r in json.loads(stats.read_text())["rows"]}
    assert rows == {"bcast": ("hopbine", 3), "allreduce": ("hopbine", 2), "allgather": ("hopbine", 1)}


def test_a_tool_that_is_preloaded_sees_every_call(mpi, made, tmp_path):
    tool, plain, _ = made(mpi)
    stats = tmp_path / "s.json"
    done = mpi.run(2, "env", f"LD_PRELOAD={tool}", sys.executable, "-m", "hopbine", "run", "--algorithm", SERVED, "--stats", str(stats), plain)
    check(done, stats)


def test_a_tool_that_is_linked_sees_every_call(mpi, made, tmp_path):
    """It comes behind the preload library in the search for MPI_X, whose call goes on to it before anything is served."""
    *_, linked = made(mpi)
    stats = tmp_path / "s.json"
    check(mpi.hopbine(2, "--algorithm", SERVED, "--stats", str(stats), linked), stats)
