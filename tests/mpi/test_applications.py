"""The applications among the examples: fft.c and reach.c by MPI_Alltoallv, pipecg.c with overlap.

Their results are right: the same whatever serves them and on any number of ranks.
"""

import json
import random
import re

import pytest
from conftest import EXAMPLES, RANKS

from hopbine import _core

MOST = max(RANKS)
FEW = min(2, MOST)
ALGORITHMS = [
    a["name"]
    for a in _core.algorithms()
    if a["collective"] == "alltoallv" and _core.fits("alltoallv", a["name"], MOST)
]
PACKAGES = EXAMPLES / "data/debian-r.mtx"
#: A prime, one below a power, different factors: some ranks have no blocks, or blocks of unequal
#: size.
SIZES = ("N1", "N2", "1", "61", "1023", "2310")


@pytest.fixture(scope="session")
def answer(build):
    """answer(mpi, ranks, name, *arguments) -> output without hopbine, run once for all tests."""
    known: dict[tuple, str] = {}

    def run(mpi, ranks, name, *arguments):
        if (mpi.name, ranks, name, arguments) not in known:
            done = mpi.run(ranks, build(mpi, name, EXAMPLES), *arguments)
            assert done.returncode == 0, done.stderr
            assert done.stdout, done.stderr
            known[mpi.name, ranks, name, arguments] = done.stdout
        return known[mpi.name, ranks, name, arguments]

    return run


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize(
    ("name", "arguments"),
    [("fft", ("-i", "2", *SIZES)), ("reach", (str(PACKAGES),))],
    ids=["fft", "reach"],
)
def test_every_algorithm_gives_the_librarys_answers(
    mpi, build, answer, name, arguments, algorithm, tmp_path
):
    stats = tmp_path / "stats.json"
    done = mpi.hopbine(
        MOST,
        "--algorithm",
        f"alltoallv={algorithm}",
        "--stats",
        str(stats),
        build(mpi, name, EXAMPLES),
        *arguments,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == answer(mpi, MOST, name, *arguments)
    served = [
        row for row in json.loads(stats.read_text())["rows"] if row["collective"] == "alltoallv"
    ]
    assert {row["algorithm"] for row in served} == {algorithm}
    assert sum(row["calls"] for row in served) >= 12


@pytest.mark.parametrize("ranks", RANKS)
def test_a_transform_is_right_on_any_number_of_ranks(mpi, answer, ranks):
    """The program's own checks pass; sizes that do not depend on the ranks have one checksum."""
    lines = answer(mpi, ranks, "fft", "-i", "2", *SIZES).splitlines()
    assert [line.split(":")[0] for line in lines] == list(SIZES)
    assert all(": right, " in line for line in lines)
    assert lines[2:] == answer(mpi, MOST, "fft", "-i", "2", *SIZES).splitlines()[2:]


@pytest.mark.parametrize("ranks", RANKS)
def test_both_conjugate_gradients_find_the_solution_on_any_number_of_ranks(mpi, answer, ranks):
    """The program's own checks pass; the iterations and the residual do not depend on the ranks."""
    lines = answer(mpi, ranks, "pipecg", "40").splitlines()
    assert [line.split(":")[0] for line in lines] == ["plain", "pipelined"]
    assert all(line.endswith(": right") for line in lines)
    assert len({line.split(":")[1] for line in lines}) == 1
    assert lines == answer(mpi, MOST, "pipecg", "40").splitlines()


@pytest.mark.parametrize("algorithm", ["recursive_multiplying", "bine_large", "ring"])
def test_a_sum_beside_the_matrix_product_is_served(mpi, build, answer, algorithm, tmp_path):
    stats = tmp_path / "stats.json"
    under = ("--algorithm", f"allreduce={algorithm}", "--stats", str(stats))
    done = mpi.hopbine(MOST, *under, build(mpi, "pipecg", EXAMPLES), "40")
    assert done.returncode == 0, done.stderr
    assert done.stdout == answer(mpi, MOST, "pipecg", "40")
    rows = json.loads(stats.read_text())["rows"]
    served = [row for row in rows if row["reason"].startswith("nonblocking")]
    iterations = int(re.search(r"pipelined: .* (\d+) iterations", done.stdout)[1])
    assert {(row["algorithm"], row["calls"]) for row in served} == {(algorithm, iterations + 1)}


def closure(edges):
    """Pairs of nodes with a path, and the longest shortest path: breadth-first from each node."""
    after: dict[int, set[int]] = {}
    for a, b in edges:
        after.setdefault(a, set()).add(b)
    paths, deepest = 0, 0
    for start in after:
        known, last, depth = set(), {start}, 0
        while last := set().union(*(after.get(node, ()) for node in last)) - known:
            known |= last
            depth += 1
        paths, deepest = paths + len(known), max(deepest, depth)
    return paths, deepest


def market(symmetry, field, nodes, edges, values=""):
    """A Matrix Market file."""
    return (
        f"%%MatrixMarket matrix coordinate {field} {symmetry}\n% a comment\n"
        f"{nodes} {nodes} {len(edges)}\n"
    ) + "".join(f"{a} {b}{values}\n" for a, b in edges)


def graphs():
    """Yields (name, text of a file, its edges).

    Both formats, loops, repeated edges, cycles, nodes without edges, no edges at all.
    """
    draw = random.Random(4711)
    some = [(draw.randint(1, 40), draw.randint(1, 40)) for _ in range(60)]
    lower = sorted({(max(e), min(e)) for e in some})
    yield (
        "list",
        "# Nodes: 40\n# FromNodeId\tToNodeId\n" + "".join(f"{a - 1}\t{b - 1}\r\n" for a, b in some),
        [(a - 1, b - 1) for a, b in some],
    )
    yield (
        "list with weights",
        "% weighed\n\n" + "".join(f"{a * 10**8} {b * 10**8} 0.5\n" for a, b in some),
        some,
    )
    yield "market", market("general", "pattern", 40, some), some
    yield (
        "symmetric market",
        market("symmetric", "real", 40, lower, " -1.5e3"),
        lower + [(b, a) for a, b in lower],
    )
    yield (
        "ring",
        "".join(f"{k} {(k + 1) % 30}\n" for k in range(30)),
        [(k, (k + 1) % 30) for k in range(30)],
    )
    yield "no edges", "# nothing\n", []
    yield (
        "packages",
        PACKAGES.read_text(),
        [
            tuple(map(int, line.split()))
            for line in PACKAGES.read_text().splitlines()
            if re.fullmatch(r"\d+ \d+", line)
        ],
    )


GRAPHS = {name: (text, edges) for name, text, edges in graphs()}


@pytest.mark.dealt
@pytest.mark.parametrize("name", GRAPHS)
def test_paths_are_those_of_a_search_from_every_node(mpi, answer, name, tmp_path_factory):
    text, edges = GRAPHS[name]
    path = tmp_path_factory.mktemp("graph") / "graph"
    path.write_bytes(text.encode())
    paths, deepest = closure(edges)
    said = {answer(mpi, ranks, "reach", str(path)) for ranks in {1, RANKS[len(RANKS) // 2], MOST}}
    assert len(said) == 1
    assert re.fullmatch(
        rf"{len(set(edges))} edges, {paths} paths, {deepest} iterations, checksum [0-9a-f]{{16}}\n",
        said.pop(),
    )


#: Contents of a file, or None for no file, and the error message.
BAD = {
    "missing": (None, "missing: No such file"),
    "array": (
        "%%MatrixMarket matrix array real general\n2 2\n1\n0\n0\n1\n",
        "line 1: a graph's file is a 'matrix coordinate'",
    ),
    "oblong": (
        "%%MatrixMarket matrix coordinate pattern general\n3 4 1\n1 2\n",
        "line 2: expected 'ROWS COLUMNS ENTRIES' of a square matrix, not '3 4 1'",
    ),
    "outside": (
        market("general", "pattern", 3, [(1, 4)]),
        "line 4: expected 'ROW COLUMN' within the matrix, not '1 4'",
    ),
    "nothing": (
        market("general", "pattern", 3, [(0, 1)]),
        "line 4: expected 'ROW COLUMN' within the matrix, not '0 1'",
    ),
    "short": (
        market("general", "pattern", 3, [(1, 2)]).replace("3 3 1", "3 3 2"),
        "the file has 1 entries, its head says 2",
    ),
    "long": (
        market("general", "pattern", 3, [(1, 2), (2, 3)]).replace("3 3 2", "3 3 1"),
        "the file has 2 entries, its head says 1",
    ),
    "headless": (
        "%%MatrixMarket matrix coordinate pattern general\n",
        "the file has no 'ROWS COLUMNS ENTRIES'",
    ),
    "words": (
        "1 2\nfrom to\n",
        "line 2: expected 'FROM TO', numbers below 2^32 - 1, not 'from to'",
    ),
    "negative": ("1 2\n3 -4\n", "line 2: expected 'FROM TO', numbers below 2^32 - 1, not '3 -4'"),
    "huge": ("1 4294967295\n", "line 1: expected 'FROM TO', numbers below 2^32 - 1"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_graph_ends_the_job_with_words(mpi, build, name, tmp_path):
    text, words = BAD[name]
    if text is not None:
        (tmp_path / name).write_text(text)
    done = mpi.run(FEW, build(mpi, "reach", EXAMPLES), str(tmp_path / name), timeout=60)
    assert done.returncode, done.stdout
    assert not done.stdout, done.stdout
    assert f"reach: {tmp_path / name}" in done.stderr
    assert words in done.stderr


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("fft", ["0"], "cannot transform size '0'"),
        ("fft", ["N1", "12x"], "cannot transform size '12x'"),
        ("fft", ["2147483648"], "cannot transform size '2147483648'"),
        ("fft", ["-i", "0"], "so many times: '0'"),
        ("fft", ["-q"], "cannot read option '-q'"),
        ("pipecg", ["1"], "cannot solve for '1'"),
        ("pipecg", ["-t", "12x"], "cannot solve for '12x'"),
        ("reach", [], "give one graph"),
        ("reach", ["-i", "0", "x"], "not 0"),
    ],
)
def test_a_wrong_argument_ends_the_job_with_words(mpi, build, name, arguments, words):
    done = mpi.run(FEW, build(mpi, name, EXAMPLES), *arguments, timeout=60)
    assert done.returncode, done.stderr
    assert not done.stdout, done.stderr
    assert words in done.stderr, done.stderr
