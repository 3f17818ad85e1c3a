"""Files of hopbine select export, loaded by the installed MPI libraries.

The libraries must then send what the algorithm's schedule sends. Their release builds do not report
the algorithm in use: the messages are counted (sends.py).
"""

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from sends import by_rank, scheduled, sent

from hopbine.selection.coordinates import coordinates
from hopbine.selection.counterparts import SAME, WITH_PARAMETERS
from hopbine.selection.export import export
from hopbine.selection.file import Rule, write

LIMIT = 8192  # bytes: one algorithm below, another from here on
COLLECTIVES = (
    "bcast",
    "reduce",
    "allreduce",
    "reduce_scatter",
    "reduce_scatter_block",
    "gather",
    "scatter",
    "allgather",
    "alltoall",
)


@pytest.fixture
def told(build, tmp_path):
    """told(mpi, rules, calls, ranks) -> messages that the library sends in these calls.

    It loads these rules.
    """

    def run(mpi, rules, calls, ranks):
        write(tmp_path / "rules.json", rules, "test")
        program = build(mpi, "calls")
        made = export(
            str(tmp_path / "rules.json"),
            *(("openmpi",) if mpi.is_openmpi else ("mpich", library_of(program))),
        )
        file = tmp_path / "peer.rules"
        file.write_text(made.text)
        env = {"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE": str(file)}
        if mpi.is_openmpi:
            mca = {
                "coll_tuned_use_dynamic_rules": 1,
                "coll_tuned_dynamic_rules_filename": file,
            } | made.settings
            env = {f"OMPI_MCA_{key}": str(value) for key, value in mca.items()}
        return sent(mpi, program, ranks, calls, env, tmp_path)

    return run


def library_of(program: str) -> str:
    """The MPICH library that a program loads."""
    listed = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    return re.search(r"libmpi\S*\.so\.12 => (\S+)", listed)[1]


def parted(text: str) -> tuple[str, dict[str, int]]:
    """'knomial:k=2' -> ('knomial', {'k': 2})."""
    name, _, parameter = text.partition(":")
    key, _, value = parameter.partition("=")
    return name, {key: int(value)} if key else {}


def expected(mpi, collective, asked, ranks, size) -> Counter:
    """Messages that must be counted; receivers are known only with Open MPI."""
    name, parameters = parted(asked)
    pairs = scheduled(collective, name, ranks, size, parameters)
    if mpi.is_openmpi and (collective, name) == ("alltoall", "linear"):
        return Counter()  # persistent requests, which pml_monitoring does not see
    return pairs if mpi.is_openmpi else by_rank(pairs)


def to_itself(ranks, size) -> Counter:
    """MPICH 4's scattered alltoall also sends a rank's own block through the network."""
    return Counter(
        {
            (r, None, what): n
            for r in range(ranks)
            for what, n in (("messages", 1), ("bytes", size // ranks))
        }
    )


@pytest.mark.dealt
@pytest.mark.parametrize("collective", COLLECTIVES)
def test_each_algorithm_is_taken_on_its_side_of_a_limit(mpi, told, collective):
    """Every counterpart serves below a limit in one file and above it in another.

    Another algorithm serves on the other side of the limit.
    """
    family, ranks = ("openmpi" if mpi.is_openmpi else "mpich"), 4
    rules_of, known = collective.removesuffix("_block"), list(SAME[family][collective])
    if len(set(SAME[family][collective].values())) == 1 and family == "mpich":
        assert set(SAME[family][collective].values()) == {
            "binomial"
        }  # no choice: the file has no rule for them
        return
    for small, large in zip(known, known[1:] + known[:1], strict=True):
        sides = {LIMIT // 2: (small, (0, LIMIT - 1)), LIMIT: (large, (LIMIT, None))}
        rules = [Rule(rules_of, *parted(asked), bytes=span) for asked, span in sides.values()]
        counted = told(mpi, rules, [f"{collective}:{size}" for size in sides], ranks)
        wanted = sum(
            (expected(mpi, rules_of, asked, ranks, size) for size, (asked, _) in sides.items()),
            Counter(),
        )
        allowed = [wanted]
        if family == "mpich" and collective == "alltoall" and "linear" in (small, large):
            allowed.append(wanted + to_itself(ranks, LIMIT // 2 if small == "linear" else LIMIT))
        if family == "openmpi" and "ring" in (small, large):  # Open MPI's rings turn the other way
            counted, allowed = by_rank(counted), [by_rank(wanted)]
        assert counted in allowed, (small, large)


def test_a_barriers_algorithm_is_told(mpi, told):
    """It has no size: one rule holds for all calls. Open MPI's dissemination goes upwards."""
    if not mpi.is_openmpi:
        pytest.skip("MPICH's rules are exported for collectives with a choice")
    ranks = 8
    for asked in SAME["openmpi"]["barrier"]:
        wanted = expected(mpi, "barrier", asked, ranks, 0)
        if asked.startswith("dissemination"):
            turned = {(a, (2 * a - b) % ranks, what): n for (a, b, what), n in wanted.items()}
            wanted = Counter(turned)
        assert told(mpi, [Rule("barrier", *parted(asked))], ["barrier:0"], ranks) == wanted


def test_numbers_of_ranks_are_obeyed(mpi, told):
    """Ranks up to 3, ranks from 4 on, and the library's own decision in between the sizes."""
    tree = "binomial_doubling" if mpi.is_openmpi else "binomial_halving"
    rules = [
        Rule("bcast", tree, ranks=(2, 3)),
        Rule("bcast", "mpi", bytes=(1, 11)),
        Rule("bcast", "scatter_ring", ranks=(4, None)),
    ]
    for ranks, name in ((3, tree), (4, "scatter_ring")):
        assert told(mpi, rules, ["bcast:12288"], ranks) == expected(
            mpi, "bcast", name, ranks, 12288
        )


@pytest.mark.parametrize("ranks", [3, 4])
def test_algorithms_for_powers_of_two_leave_other_numbers_to_the_library(mpi, told, ranks):
    counted = told(mpi, [Rule("allgather", "recursive_doubling")], ["allgather:12288"], ranks)
    assert counted
    assert ranks == 3 or counted == expected(mpi, "allgather", "recursive_doubling", ranks, 12288)


def test_a_radix_is_told_beside_the_file(mpi, told):
    """Open MPI's file has a column for the radix, which its tree does not read."""
    if not mpi.is_openmpi:
        pytest.skip("MPICH's file has radixes: the test below")
    assert told(mpi, [Rule("bcast", "knomial", {"k": 3})], ["bcast:4096"], 8) == expected(
        mpi, "bcast", "knomial:k=3", 8, 4096
    )


@pytest.mark.parametrize(
    ("collective", "asked"),
    [
        ("bcast", "knomial:k=3"),
        ("allreduce", "recursive_multiplying:k=3"),
        ("allreduce", "recursive_multiplying_large:k=3"),
        ("allgather", "bruck:k=3"),
        ("allgather", "recursive_multiplying:k=3"),
        ("alltoall", "bruck:k=3"),
    ],
)
def test_a_radix_is_told_in_mpichs_file(mpi, build, told, collective, asked):
    """MPICH 4 has no such algorithms, and decides by itself."""
    if mpi.is_openmpi:
        pytest.skip("the radix of Open MPI's tree is told beside the file: the test above")
    ranks, size = 9, 9 * 1024
    (symbol, *_) = WITH_PARAMETERS[collective][parted(asked)[0]]
    library = Path(library_of(build(mpi, "calls"))).read_bytes()
    calls = [f"{collective}:{size}"]
    counted = told(mpi, [Rule(collective, *parted(asked))], calls, ranks)
    if f"MPIR_{collective.capitalize()}_intra_{symbol}".encode() in library:
        assert counted == expected(mpi, collective, asked, ranks, size)
    else:
        assert counted == told(mpi, [Rule(collective, "mpi")], calls, ranks)


def test_mpich_reads_the_places_of_the_ranks(mpi, build, tmp_path, monkeypatch):
    """MPICH 5 prints the coordinates that it has read, and its topology-aware tree broadcasts."""
    program = build(mpi, "calls")
    if (
        mpi.is_openmpi
        or b"MPIR_CVAR_COORDINATES_DUMP" not in Path(library_of(program)).read_bytes()
    ):
        pytest.skip("only MPICH 5 has coordinates")
    write(tmp_path / "rules.json", [Rule("bcast", "hierarchical_small")], "test")
    file, places = tmp_path / "mpich.json", tmp_path / "places"
    places.write_text(coordinates([0, 0, 0, 1, 1], [0, 0, 1, 2, 3]))
    made = export(str(tmp_path / "rules.json"), "mpich", library_of(program), str(places))
    assert "tree_type=topology_aware" in made.text
    assert f"MPIR_CVAR_COORDINATES_FILE={places}" in made.usage(str(file))
    file.write_text(made.text)
    env = {
        "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE": str(file),
        "MPIR_CVAR_COORDINATES_FILE": str(places),
        "MPIR_CVAR_COORDINATES_DUMP": "1",
        "MPIR_CVAR_DEVICE_COLLECTIVES": "none",
    }
    monkeypatch.chdir(tmp_path)
    done = mpi.run(5, program, "bcast:4096", env=env, timeout=60)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "coords").read_text().split() == places.read_text().split("\n", 1)[1].split()
