"""Persistent alltoallv's.

hopbine_alltoallv_init in a program that is linked with hopbine, MPI_Alltoallv_init in one that is
not.
"""

import json
import re
import subprocess

import pytest
from conftest import LINKED, RANKS
from test_alltoallv import SEVERAL, called, passed


@pytest.mark.parametrize("ranks", RANKS)
def test_a_program_that_calls_hopbine(mpi, build, ranks):
    """Works without hopbine run: linking is enough."""
    passed(mpi.run(ranks, build(mpi, "persistent", flags=LINKED), "auto", *called(ranks)))


@pytest.mark.parametrize("ranks", SEVERAL)
def test_counts_that_disagree_are_seen_before_anything_is_sent(mpi, build, ranks):
    passed(mpi.run(ranks, build(mpi, "persistent", flags=LINKED), "mismatch"))


def has_init(mpi):
    return (
        subprocess.run(
            [mpi.mpicc, "-E", "-include", "mpi.h", "-x", "c", "/dev/null"],
            capture_output=True,
            text=True,
        ).stdout.count("MPI_Alltoallv_init(")
        > 0
    )


@pytest.mark.parametrize("asked", [True, False])
@pytest.mark.parametrize("ranks", [n for n in RANKS if n > 2])
def test_the_standards_own_function(mpi, build, ranks, asked, tmp_path):
    """hopbine serves it where --persistent asks for it.

    Otherwise the MPI library does, and the statistics have no row for it.
    """
    if not has_init(mpi):
        pytest.skip(f"{mpi.name} has no MPI_Alltoallv_init")
    stats = tmp_path / "s.json"
    options = ["--stats", str(stats), *(["--persistent"] if asked else [])]
    passed(
        mpi.hopbine(
            ranks,
            *options,
            build(mpi, "persistent", flags=LINKED),
            "init" if asked else "plain",
            "parlogna:r=2",
        )
    )
    rows = [
        row for row in json.loads(stats.read_text())["rows"] if row["collective"] == "alltoallv"
    ]
    assert bool(rows) == asked
    assert all(
        row["algorithm"] == "parlogna" and row["calls"] > 10 and row["extra_bytes"] > 0
        for row in rows
    )


def test_a_setting_that_is_none_is_refused(mpi, build):
    done = mpi.hopbine(
        2, build(mpi, "persistent", flags=LINKED), "auto", env={"HOPBINE_PERSISTENT": "yes"}
    )
    assert re.search(r"HOPBINE_PERSISTENT is 'yes', not 0 or 1", done.stderr)
