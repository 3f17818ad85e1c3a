"""Small calls of ranks on one node, whose messages go through memory that they share."""

import json

import pytest
from conftest import FEW, RANKS, UNDER, by_rank, header, passed

REDUCTIONS = {"allreduce", "reduce", "reduce_scatter", "scan", "exscan"}
REASON = "small, on one node: messages through shared memory"
#: Every call of these is served from the first on.
ASKED = (
    "--algorithm=allreduce=recursive_multiplying:k=3,reduce=bine_small,scan=recursive_doubling,"
    "exscan=recursive_doubling"
)


@pytest.mark.parametrize("ranks", [r for r in RANKS if r > 1])
@pytest.mark.parametrize("asked", [(), (ASKED,)], ids=["by default", "asked for"])
def test_many_calls_at_once(mpi, build, ranks, asked):
    program = build(mpi, "shared_memory", flags=("-ldl",))
    done = mpi.run(ranks, *UNDER, *asked, program)
    passed(done)
    assert "the last sum: recursive_multiplying" in done.stdout


@pytest.mark.parametrize("without", ["no_files", "no_growth"])
@pytest.mark.parametrize("ranks", FEW)
def test_a_rank_that_cannot_share_memory_is_sent_messages_by_the_library(
    mpi, build, ranks, without
):
    program = build(mpi, "shared_memory", flags=("-ldl",))
    done = mpi.run(ranks, *UNDER, program, without)
    passed(done)
    assert "the last sum: recursive_multiplying" in done.stdout


@pytest.mark.parametrize(
    ("option", "placed"),
    [(("--no-shared-memory",), "true"), ((), "export HOPBINE_NODE=n$R")],
    ids=["switched off", "a rank on each node"],
)
def test_the_library_serves_where_no_memory_is_shared(mpi, build, option, placed):
    program = build(mpi, "shared_memory", flags=("-ldl",))
    done = mpi.run(3, *by_rank(placed, *UNDER, *option, program))
    passed(done)
    assert "the last sum: mpi" in done.stdout


def served_rows(stats, form):
    """Rows of calls of the form that hopbine serves; the reason is checked."""
    rows = [r for r in json.loads(stats.read_text())["rows"] if r["form"] == form]
    served = [r for r in rows if r["algorithm"] != "mpi"]
    assert all(REASON in r["reason"] for r in served)
    return {r["collective"] for r in served}


def test_calls_are_served_for_which_the_library_takes_longer(mpi, build, tmp_path):
    stats = tmp_path / "stats.json"
    passed(mpi.run(3, *UNDER, "--stats", str(stats), build(mpi, "nonblocking"), "library"))
    served = served_rows(stats, "nonblocking")
    assert served & REDUCTIONS
    assert not mpi.is_openmpi or served <= REDUCTIONS


def test_persistent_calls_are_served_for_which_the_library_takes_longer(mpi, build, tmp_path):
    if "MPI_Bcast_init(" not in header(mpi):
        pytest.skip(f"{mpi.name} has no persistent collectives")
    stats = tmp_path / "stats.json"
    passed(mpi.run(3, *UNDER, "--stats", str(stats), build(mpi, "restarted"), "library"))
    served = served_rows(stats, "persistent")
    assert served & REDUCTIONS
    assert not mpi.is_openmpi or served <= REDUCTIONS
