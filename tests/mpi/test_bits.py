"""Floating-point sums are the same on all ranks, to the last bit."""

import pytest
from conftest import RANKS, passed

from hopbine import _core


@pytest.mark.parametrize("ranks", RANKS)
def test_an_allreduce_gives_all_ranks_the_same_bits(mpi, build, ranks):
    names = [
        a["name"]
        for a in _core.algorithms()
        if a["collective"] == "allreduce"
        and a["bitwise_reproducible"]
        and _core.fits("allreduce", a["name"], ranks)
    ]
    radices = [f"recursive_multiplying:k={k}" for k in (2, 3, 8)]
    done = mpi.hopbine(ranks, "--choice", "table", build(mpi, "bits"), "auto", *names, *radices)
    passed(done)


def test_who_asks_for_an_algorithm_that_does_not_is_told(mpi, build):
    done = mpi.hopbine(8, build(mpi, "bits"), "bine_small")
    assert "bine_small: ranks differ in the bits" in done.stdout
    assert done.stderr.count("may differ in the last bits from rank to rank") == 1, done.stderr[
        -2000:
    ]
