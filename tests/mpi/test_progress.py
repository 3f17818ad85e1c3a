"""What resumes nonblocking and persistent calls: the MPI library's progress, hopbine's own thread.

The programs let ranks be in other calls of MPI while the calls of others are to end.
"""

import json
import subprocess

import pytest
from conftest import PROGRAMS, RANKS, UNDER, by_rank, header, passed, progresses
from test_nonblocking import SERVED
from test_registry import fitting, walked

#: MPICH 4 waits by spinning: few ranks.
SOME = [n for n in RANKS if n in (2, 3)][-1:]
THREAD = (*UNDER, "--progress", "thread")


def rows_of(stats):
    return json.loads(stats.read_text())["rows"]


@pytest.mark.parametrize("arguments", [(), ("threads",)], ids=["single", "multiple"])
@pytest.mark.parametrize("ranks", SOME)
def test_nonblocking_calls(mpi, build, ranks, arguments):
    passed(mpi.run(ranks, *THREAD, SERVED, build(mpi, "nonblocking"), *arguments))


@pytest.mark.parametrize("arguments", [(), ("threads",)], ids=["single", "multiple"])
@pytest.mark.parametrize("ranks", SOME)
def test_persistent_calls(mpi, build, ranks, arguments):
    if "MPI_Bcast_init(" not in header(mpi):
        pytest.skip(f"{mpi.name} has no persistent collectives")
    operations = () if progresses(mpi) else ("predefined",)
    passed(mpi.run(ranks, *THREAD, build(mpi, "restarted"), *arguments, *operations))


@pytest.mark.parametrize("ranks", SOME)
def test_every_algorithm_gives_the_librarys_answers(mpi, build, ranks):
    if progresses(mpi):
        pytest.skip(f"{mpi.name} is tested without the thread")
    names = [walked(a, a["name"], ranks) for a in fitting(ranks)]
    program = build(mpi, "walk", flags=("-DFORM_NONBLOCKING", "-DLIBRARY_OPERATIONS=1"))
    passed(mpi.run(ranks, *THREAD, program, *names))


@pytest.mark.parametrize("ranks", SOME)
@pytest.mark.parametrize("progress", ["auto", "thread"])
def test_statistics_tell_how_long_the_program_waited(mpi, build, ranks, progress, tmp_path):
    stats = tmp_path / "s.json"
    options = ("--progress", progress, "--stats", str(stats), SERVED)
    passed(mpi.run(ranks, *UNDER, *options, build(mpi, "overlap")))
    (row,) = (r for r in rows_of(stats) if r["form"] == "nonblocking")
    assert row["calls"] == 4
    if progress == "auto" and not progresses(mpi):
        assert row["algorithm"] == "mpi"
        assert "--progress thread" in row["reason"]
        assert "wait_seconds" not in row
        return
    assert row["algorithm"] == "recursive_multiplying"
    least = 0 if progress == "thread" else 1e-9  # the thread may end a call before it is waited for
    assert least <= row["wait_seconds"] < row["seconds"]


@pytest.mark.parametrize("ranks", SOME)
def test_a_user_defined_operation_is_not_run_by_the_thread(mpi, build, ranks, tmp_path):
    stats = tmp_path / "s.json"
    options = ("--stats", str(stats), SERVED)
    passed(mpi.run(ranks, *THREAD, *options, build(mpi, "nonblocking")))
    passed_on = [r for r in rows_of(stats) if "user-defined operation" in r["reason"]]
    assert len(passed_on) == (0 if progresses(mpi) else 1)


@pytest.mark.parametrize("ranks", SOME)
def test_calls_among_neighbors_are_counted_as_such(mpi, build, ranks, tmp_path):
    """Where the library serves all nonblocking calls too: a graph has no block for every rank."""
    stats = tmp_path / "s.json"
    passed(mpi.run(ranks, *UNDER, "--stats", str(stats), build(mpi, "neighbors"), "auto"))
    counted = {r["collective"] for r in rows_of(stats) if r["form"] == "nonblocking"}
    assert not counted & {"alltoallv", "alltoall", "allgather"}
    assert progresses(mpi) or counted >= {"neighbor_alltoallv", "neighbor_allgather"}


@pytest.mark.parametrize("level", [(), ("serialized",), ("multiple",)])
def test_the_program_sees_the_level_that_it_asked_for(mpi, build, level):
    done = mpi.run(2, *THREAD, SERVED, build(mpi, "levels"), *level)
    assert "HOPBINE_PROGRESS" not in passed(done).stderr


@pytest.mark.parametrize("level", [(), ("serialized",), ("multiple",)])
def test_behind_a_tool_that_finds_the_librarys_functions_itself(mpi, build, level):
    tool = build(mpi, "next_init", flags=("-shared", "-fPIC", "-ldl"))
    program = build(mpi, "levels", flags=("-Wl,--no-as-needed", tool))
    done = passed(mpi.run(2, *THREAD, SERVED, program, *level))
    assert "HOPBINE_PROGRESS" not in done.stderr
    assert done.stdout.count("next_init") == 2


@pytest.mark.parametrize("where", ['"$R" = 1', '"$R" != x'], ids=["one rank", "all ranks"])
def test_a_library_without_threads(mpi, build, where, tmp_path):
    """A rank that has no thread must not serve by another driver than the others."""
    from hopbine import LIBRARY_FOLDER

    library, stats = tmp_path / "unthreaded.so", tmp_path / "s.json"
    subprocess.run(
        [mpi.mpicc, "-shared", "-fPIC", "-o", str(library), str(PROGRAMS / "unthreaded.c"), "-ldl"],
        check=True,
    )
    script = f'if [ {where} ]; then LD_PRELOAD="$LD_PRELOAD:{library}"; fi'
    settings = (
        f"LD_PRELOAD={LIBRARY_FOLDER}/libhopbine_preload.so",
        "HOPBINE_PROGRESS=thread",
        f"HOPBINE_STATS={stats}",
        f"HOPBINE_ALGORITHM={SERVED.partition('=')[2]}",
    )
    done = passed(mpi.run(2, "env", *settings, *by_rank(script, build(mpi, "overlap"))))
    assert done.stderr.count("HOPBINE_PROGRESS is thread, but") == 1
    (row,) = (r for r in rows_of(stats) if r["form"] == "nonblocking")
    assert (row["algorithm"] != "mpi") == progresses(mpi)


def test_ranks_that_differ(mpi, build):
    from hopbine import LIBRARY_FOLDER

    preload = f"LD_PRELOAD={LIBRARY_FOLDER}/libhopbine_preload.so"
    script = 'if [ "$R" = 1 ]; then export HOPBINE_PROGRESS=thread; fi'
    done = passed(mpi.run(2, "env", preload, *by_rank(script, build(mpi, "overlap"))))
    assert done.stderr.count("settings differ between ranks") == 1
