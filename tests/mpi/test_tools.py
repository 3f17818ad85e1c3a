"""Tools between the program and the MPI library that use PMPI.

They see every call, also those that hopbine serves.
"""

import json
import sys

SERVED = "bcast=bine_small,allreduce=recursive_doubling,allgather=ring"


def made(mpi, build):
    """Builds the tool as a library, the program, and the program linked with the tool."""
    tool = build(mpi, "tool", flags=("-shared", "-fPIC"))
    return tool, build(mpi, "tooled"), build(mpi, "tooled", flags=("-Wl,--no-as-needed", tool))


def check(done, stats):
    """The tool counted every call once, hopbine served all, the results are right."""
    assert done.returncode == 0, done.stderr
    assert "sum 8 last 4" in done.stdout, done.stderr
    assert "tool: bcast 3 allreduce 2 allgather 1" in done.stdout
    rows = {
        r["collective"]: (r["served_by"], r["calls"]) for r in json.loads(stats.read_text())["rows"]
    }
    assert rows == {
        "bcast": ("hopbine", 3),
        "allreduce": ("hopbine", 2),
        "allgather": ("hopbine", 1),
    }


def test_a_tool_that_is_preloaded_sees_every_call(mpi, build, tmp_path):
    tool, plain, _ = made(mpi, build)
    stats = tmp_path / "s.json"
    done = mpi.run(
        2,
        "env",
        f"LD_PRELOAD={tool}",
        sys.executable,
        "-m",
        "hopbine",
        "run",
        "--algorithm",
        SERVED,
        "--stats",
        str(stats),
        plain,
    )
    check(done, stats)


def test_a_tool_that_is_linked_sees_every_call(mpi, build, tmp_path):
    """It comes behind the preload library in the search for MPI_X.

    The call is forwarded to it before anything is served.
    """
    *_, linked = made(mpi, build)
    stats = tmp_path / "s.json"
    check(mpi.hopbine(2, "--algorithm", SERVED, "--stats", str(stats), linked), stats)
