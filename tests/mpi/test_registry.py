"""Every algorithm of the registry, run over MPI, has the MPI library's own results."""

import os
import re

import pytest
from conftest import RANKS, known, passed

from hopbine import _core


def variants(algorithm, ranks):
    """Yields the algorithm with its defaults, then radices, batches and flags for few ranks.

    Flags of algorithms that follow a placement or a torus matter where there is one.

    On 1 and 2 ranks these equal the defaults. 7 ranks stand for 5.
    """
    yield algorithm["name"]
    for q in algorithm["parameters"] if ranks not in (1, 2, 5) else ():
        if q["kind"] in ("radix", "batch", "segments"):
            yield from (f"{algorithm['name']}:{q['name']}={value}" for value in (2, 3))
        elif q["kind"] == "published" and q["name"] == "ports":
            continue  # an alltoall moves whole blocks over MPI
        elif q["kind"] in ("flag", "published") and not algorithm["follows_placement"]:
            yield f"{algorithm['name']}:{q['name']}={1 - q['default']}"


def fitting(ranks):
    """The algorithms that serve so many ranks."""
    return [a for a in _core.algorithms() if _core.fits(a["collective"], a["name"], ranks)]


def copied_in_flight(ranks):
    """Arguments of the program `walk`: blocks are copied while messages are in flight."""
    return [
        walked(a, f"{a['name']}:overlap=1", ranks)
        for a in fitting(ranks)
        if any(q["name"] == "overlap" for q in a["parameters"])
    ]


def walked(algorithm, called, ranks, shape=()):
    """Formats an argument of the program `walk`."""
    parts = (
        _core.schedule(
            _core.Problem(algorithm["collective"], algorithm["name"], ranks, shape=list(shape))
        ).parts
        > 1
    )
    return (
        f"{algorithm['collective']}:{called.replace(':', '/')}:{int(algorithm['commutes'])}:"
        f"{int(parts)}"
    )


@pytest.mark.parametrize("ranks", RANKS)
def test_every_algorithm_gives_the_librarys_answers(mpi, build, ranks):
    # MPICH waits by spinning, so that more ranks than cores take minutes: 7 of its ranks have the
    # variants, and 8 of Open MPI's.
    both = len(known()) > 1 and not os.environ.get("HOPBINE_TEST_ALL")
    without = 8 if not mpi.is_openmpi else 7 if both else None
    some = 5 if ranks == without else ranks
    tried = [(a, called) for a in fitting(ranks) for called in variants(a, some)]
    names = [walked(a, called, ranks) for a, called in tried]
    done = mpi.hopbine(ranks, build(mpi, "walk"), *names)
    passed(done)
    ran = {
        tuple(line.split()[:2])
        for line in done.stdout.splitlines()
        if re.fullmatch(r"\w+ \S+ [1-9]\d*", line)
    }
    assert ran == {(a["collective"], called) for a, called in tried}


@pytest.mark.parametrize("ranks", RANKS)
def test_no_rank_leaves_a_barrier_before_all_have_come(mpi, build, ranks):
    chosen = [
        called
        for a in _core.algorithms()
        if a["collective"] == "barrier"
        for called in variants(a, ranks)
    ]
    done = mpi.hopbine(ranks, build(mpi, "barrier"), "mpi", *chosen)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    assert f"{ranks * (1 + len(chosen))} passed, 0 failed" in done.stdout


@pytest.mark.parametrize("ranks", RANKS)
def test_edges(mpi, build, ranks):
    checks_arguments = mpi.run(1, build(mpi, "wrong_arguments")).returncode == 0
    done = mpi.hopbine(ranks, build(mpi, "edges"), *(["errors"] if checks_arguments else []))
    passed(done)
