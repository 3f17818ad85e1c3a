"""Exact sums: every element is the rounded fraction of its addends, whatever serves the call."""

import os
import re
from pathlib import Path
from random import Random

import pytest
from conftest import RANKS, UNDER, by_rank, progresses
from sums import is_wide, packed, total, vectors

from hopbine import _core

EXAMPLES = Path(__file__).parents[2] / "examples"
NOT_EXACT = 87
LINKED = ("-I", str(EXAMPLES.parent / "include"))
#: How many jobs are drawn, the numbers of each, their most ranks, and the first seed.
#: scripts/release-checks has more of all.
JOBS, NUMBERS, MOST_RANKS, SEED = map(int, os.environ.get("HOPBINE_TEST_SUMS", "3 400 8 0").split())
KINDS = ("allreduce", "reduce", "reduce_scatter", "scan", "exscan")


def sums_of(given, type_name):
    """sums_of(...)(ranks, element): the sum over the first ranks, computed once."""
    known = {}

    def one(ranks, element):
        if (ranks, element) not in known:
            known[ranks, element] = total([v[element] for v in given[:ranks]], type_name)
        return known[ranks, element]

    return one


def blocks(ranks, n):
    """The counts of a reduce_scatter, as exact_sums.c has them."""
    left, out = n, []
    for r in range(ranks):
        out.append(left if r == ranks - 1 else 0 if r % 3 == 1 else left // 2)
        left -= out[-1]
    return out


def expected(name, rank, ranks, parts, one, n):
    """The numbers of a result."""
    if name in ("allreduce", "reduce"):
        return [one(ranks, i) for i in range(n)]
    if name in ("scan", "exscan"):
        return [one(rank + (name == "scan"), i) for i in range(n)]
    counts = [n // ranks] * ranks if name == "reduce_scatter_block" else blocks(ranks, n // parts)
    if name == "reduce_scatter":
        counts = [c * parts for c in counts]
    return [one(ranks, sum(counts[:rank]) + i) for i in range(counts[rank])]


def check(
    tmp_path, mpi, build, ranks, type_name, n, *options, seed=1, select=(), place="true", env=None
):
    """Runs exact_sums.c, and compares the bits of all its results with those of Python.

    `place`: a script that each rank runs before.
    """
    parts = 2 if type_name.endswith("complex") else 1
    given = vectors(seed, ranks, n * parts, type_name)
    numbers = tmp_path / "numbers"
    numbers.write_bytes(b"".join(packed(v, type_name) for v in given))
    command = (build(mpi, "exact_sums"), type_name, str(n), str(numbers), str(tmp_path / "results"))
    under = (*UNDER, "--sums", "exact", *options)
    done = mpi.run(ranks, *by_rank(place, *under, *command, *select), env=env)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    one = sums_of(given, type_name)
    lines = 0
    for rank in range(ranks):
        for line in (tmp_path / f"results.{rank}").read_text().splitlines():
            name, _, bits = line.partition(" ")
            if not bits:
                continue
            lines += 1
            right = packed(expected(name, rank, ranks, parts, one, n * parts), type_name)
            assert bytes.fromhex(bits) == right, (name, rank, lines)
    assert lines > ranks
    return done


@pytest.mark.dealt
@pytest.mark.parametrize(
    "type_name", ["double", "float", "complex", "longdouble", "longcomplex", "quad"]
)
@pytest.mark.parametrize("ranks", RANKS)
def test_sums_are_those_of_fractions(mpi, build, tmp_path, ranks, type_name):
    if not progresses(mpi):
        pytest.skip("nonblocking sums are refused where the library's progress calls nobody")
    check(tmp_path, mpi, build, ranks, type_name, 13 * ranks, seed=ranks)


def test_long_vectors_are_too(mpi, build, tmp_path):
    """Long enough for windows, and for sums that each rank rounds a part of."""
    if not progresses(mpi):
        pytest.skip("nonblocking sums are refused where the library's progress calls nobody")
    check(tmp_path, mpi, build, 3, "double", 900, seed=8)


def algorithms(kind, ranks):
    """What hopbine run --algorithm takes for a collective."""
    return [
        f"{kind}={a['name']}"
        for a in _core.algorithms()
        if a["collective"] == kind and _core.fits(kind, a["name"], ranks)
    ]


@pytest.mark.parametrize("seed", range(SEED, SEED + JOBS))
def test_drawn_jobs(mpi, build, tmp_path, seed):
    """Ranks, their numbering and placement, the algorithms and what serves them are drawn."""
    if not progresses(mpi):
        pytest.skip("nonblocking sums are refused where the library's progress calls nobody")
    draw = Random(f"{seed} {mpi.name}")
    ranks = draw.randint(1, MOST_RANKS)
    nodes = draw.choice(("$((R %% %d))", "$((R / %d))")) % draw.randint(1, ranks)
    options = [
        *draw.choice(((), ("--renumber",))),
        *draw.choice(((), ("--progress", "thread"), ("--no-shared-memory",))),
        *draw.choice(((), ("--choice", "count"), ("--choice", "table"))),
    ]
    if ranks > 1:
        asked = [draw.choice([f"{kind}=mpi", *algorithms(kind, ranks)]) for kind in KINDS]
        options += draw.choice(((), ("--algorithm", ",".join(asked))))
    type_name = draw.choice(("double", "float", "complex", "longdouble"))
    # All values of a long double take 4 KiB of words in nonblocking calls.
    numbers = NUMBERS // 16 if is_wide(type_name) else NUMBERS
    n = max(1, numbers // ranks) * ranks
    place = f"export HOPBINE_GROUP=g{nodes} HOPBINE_NODE=n{nodes}"
    check(tmp_path, mpi, build, ranks, type_name, n, *options, seed=seed, place=place)


def test_every_algorithm_gives_the_same_bits(mpi, build, tmp_path):
    if not progresses(mpi):
        pytest.skip("nonblocking sums are refused where the library's progress calls nobody")
    ranks = 5
    names = {kind: algorithms(kind, ranks) for kind in KINDS}
    longest = max(map(len, names.values()))
    rounds = [
        ",".join(all_of[k % len(all_of)] for all_of in names.values()) for k in range(longest)
    ]
    assert longest > 10
    check(tmp_path, mpi, build, ranks, "double", 40, select=rounds)


def test_measuring_never_changes_a_bit(mpi, build, tmp_path):
    """One algorithm after another is tried while the same call is made again and again."""
    ranks, n = 3, 60
    given = vectors(4, ranks, n, "double")
    numbers = tmp_path / "numbers"
    numbers.write_bytes(b"".join(packed(v, "double") for v in given))
    program = build(mpi, "repeated_sums")
    done = mpi.hopbine(
        ranks, "--sums", "exact", "--budget", "1", "--learn", "none", program, str(n), str(numbers)
    )
    assert done.returncode == 0, done.stdout + done.stderr
    right = packed([total([v[i] for v in given], "double") for i in range(n)], "double")
    assert done.stdout.split() == ["2000", "calls,", "1", "result:", right.hex()]


@pytest.mark.parametrize(
    ("what", "named"),
    [
        ("f90real", r"MPI_Allreduce of .+ \(elements of this type\)"),
        ("between", r"MPI_Allreduce of MPI_DOUBLE \(an intercommunicator\)"),
        ("accumulate", r"MPI_Accumulate of MPI_DOUBLE \(one-sided\)"),
    ],
)
def test_what_is_not_exact_is_named(mpi, build, what, named):
    done = mpi.hopbine(2, "--sums", "exact", build(mpi, "rounded_sums"), what)
    assert done.returncode == NOT_EXACT, done.stderr
    assert re.search(f"hopbine: sums are not exact: {named}, 2 calls of all ranks", done.stderr)
    assert mpi.hopbine(2, build(mpi, "rounded_sums"), what).returncode == 0


@pytest.mark.parametrize("what", ["integers", "products", "refused"])
def test_what_needs_no_exact_sums_changes_nothing(mpi, build, what):
    done = mpi.hopbine(2, "--sums", "exact", build(mpi, "rounded_sums"), what)
    assert done.returncode == 0, done.stderr
    assert "exact" not in done.stderr


def residuals(mpi, build, ranks, *words):
    library = Path(_core.__file__).parent / "lib"
    flags = (*LINKED, "-L", str(library), f"-Wl,-rpath,{library}", "-lhopbine_preload")
    done = mpi.hopbine(ranks, build(mpi, "cg", folder=EXAMPLES, flags=flags), *words)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 12
    return done.stdout


def test_conjugate_gradients_have_the_same_residuals_on_any_ranks(mpi, build):
    assert len({residuals(mpi, build, ranks) for ranks in (1, 3, 4, 7, 8)}) == 1
    assert len({residuals(mpi, build, ranks, "mpi") for ranks in (1, 3, 4, 7, 8)}) > 1
