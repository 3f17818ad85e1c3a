"""Counterparts of the algorithms that pico measured."""

import math
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

import published_by_time as by_time
import published_defaults as defaults
import published_names as names
from published_counterparts import counterparts as counterparts_of
from published_names import (
    COPIES,
    NOT_PUBLIC,
    OF_TWO,
    OTHERS,
    OWN_CHOICE,
    UNKNOWN,
    library,
    of_library,
    on_torus,
)
from published_runs import ALLOCATED, MODIFIED, NOT_FORCED, ONE_BY_ONE, renamed

from hopbine import _core
from hopbine.bench.library import OPENMPI
from hopbine.selection.pico import LIBRARY, TORUS


def counterparts():
    """(collective, algorithm, parameters) of every table."""
    for table in (LIBRARY, names._FUJITSU):
        for collective, known in table.items():
            for found in known.values():
                name, parameters = (found, ()) if isinstance(found, str) else found
                yield collective, name, [one for one in parameters if one[0] != COPIES]
    for (collective, _), found in (TORUS | names._OPENMPI).items():
        yield collective, found, ()


def test_every_counterpart_is_an_algorithm_with_these_parameters():
    for collective, algorithm, parameters in counterparts():
        problem = _core.Problem(
            collective, algorithm, 64, parameters=dict(parameters), shape=[4, 4, 4]
        )
        assert _core.check(problem)["ok"], (collective, algorithm, parameters)


@pytest.mark.parametrize("collective", defaults._RULES)
def test_open_mpis_rules_ascend_to_all_ranks_and_bytes(collective):
    lines = [line.split() for line in defaults._RULES[collective].strip().splitlines()]
    below = [float(words[0]) for words in lines]
    assert below == sorted(below)
    assert below[-1] == float("inf")
    for words in lines:
        sizes = [float(word) for word in words[1::2]]
        assert sizes == sorted(sizes)
        assert sizes[-1] == float("inf")
        assert {int(word) for word in words[2::2]} <= set(OPENMPI[collective].values())


@pytest.mark.parametrize(
    ("collective", "ranks", "size", "taken"),
    [
        ("allreduce", 2048, 2047, "nonoverlapping"),
        ("allreduce", 2048, 2048, "segmented_ring"),
        ("allreduce", 512, 1 << 20, "rabenseifner"),
        ("allgather", 512, 512 * 1024, "recursive_doubling"),  # 1024 bytes a rank
        ("allgather", 512, 512 * 2048, "neighbor"),
        ("reduce_scatter", 254, 1 << 20, "butterfly"),
        ("bcast", 31, 1 << 20, "scatter_allgather"),
        ("scatter", 64, 64 * 512, "linear_nb"),
    ],
)
def test_open_mpi_takes_by_ranks_and_bytes(collective, ranks, size, taken):
    assert defaults.of_openmpi(collective, ranks, size) == f"{taken}_ompi"


def test_a_default_has_the_counterpart_of_what_is_taken():
    assert of_library("allreduce", "default_ompi", 512, 1 << 20) == ("rabenseifner", ())
    assert of_library("allreduce", "default_ompi", 512, 32) == OF_TWO
    assert of_library("allreduce", "default_mpich", 16, 32) == OWN_CHOICE
    assert on_torus("bcast", "default-default", (8, 8, 8)) == OWN_CHOICE


def test_what_a_library_takes_of_a_collective_without_rules_is_its_own_choice():
    for system, nodes in (("leonardo", (16,)), ("lumi", (16,)), ("fugaku", (4, 4))):
        for algorithm in ("default_ompi", "default_mpich", "default-default"):
            if (system == "fugaku") != algorithm.startswith("default-"):
                continue
            told = found(row_of(algorithm, 1.0, "scan", system, nodes))
            assert told["scan", algorithm] == OWN_CHOICE


def test_names_of_who_implements_an_algorithm_do_not_matter():
    for ending in ("_ompi", "_over", "_mpich", "_any_even", "_over_1048576", "_ompi_over"):
        assert of_library("alltoall", f"pairwise{ending}", 8, 8) == ("pairwise", ())
    assert of_library("bcast", "binomial_ompi", 8, 8) == ("binomial_doubling", ())
    assert of_library("bcast", "binomial_mpich", 8, 8) == ("binomial_halving", ())
    assert of_library("bcast", "colour_ompi", 8, 8) == UNKNOWN


def test_names_of_collectives_that_no_shared_run_has_are_known():
    """Pico has a list of its algorithms (config/algorithms)."""
    known = {
        ("bcast", "binomial_doubling_over"): ("binomial_doubling", ()),
        ("bcast", "tree_mpich"): ("kary", (("k", 2), ("segments", 1))),
        ("reduce", "bine_mpich_bdw"): ("bine_large", ()),
        ("reduce_scatter", "recursive_distance_doubling_over"): ("butterfly", ()),
        ("allreduce", "k_rabenseifner_mpich"): ("rabenseifner", ()),
        ("allgather", "bine_two_blocks_mpich"): ("bine_two_transmissions", ()),
    }
    for (collective, measured), name in known.items():
        assert of_library(collective, measured, 16, 1 << 20) == name, measured
    for collective, name in names._MADE_BY_OPENMPI:
        assert of_library(collective, f"{name}_ompi", 16, 1 << 20) == OF_TWO
    for part, name in names.made_of("reduce_scatter", "ompi"):
        assert not isinstance(of_library(part, name, 16, 1 << 20), str)


def test_ports_of_a_torus_are_one_all_or_a_number():
    def ports(measured, shape):
        return on_torus("allreduce", f"BINE-B_CONT-UTOFU-{measured}", shape)[1]

    assert ports("0-1", (8, 8, 8)) == (("ports", 0),)
    assert ports("65536-6", (8, 8, 8)) == (("ports", 1),)
    assert ports("0-3", (8, 8, 8)) == (("ports", 3),)
    assert ports("0-6", (32, 256)) == (("ports", 6),)
    several = on_torus("allgather", "BINE-VEC_DOUBLING_CONT_PERMUTE-UTOFU-0-3", (8, 8, 8))
    assert several == ("torus_bine", (("ports", 3), (COPIES, "vector")))


def test_what_an_implementation_copies_is_what_its_row_is_charged():
    rings = "RING-VEC_{}_CONT_PERMUTE-UTOFU-0-6"
    copied = {
        ("allgather", rings.format("DOUBLING")): "none",
        ("allgather", "default-3dtorus"): "none",
        ("reduce_scatter", rings.format("HALVING")): "vector",
        ("scatter", "BINE-BINOMIAL_TREE_CONT_PERMUTE-INC-UTOFU-0-1"): "vector",
        ("allgather", "BINE-VEC_DOUBLING_BLOCKS-UTOFU-0-6"): None,
        ("allreduce", "BINE-B_CONT-UTOFU-0-6"): None,
    }
    for (collective, measured), copies in copied.items():
        _, parameters = on_torus(collective, measured, (8, 8, 8))
        assert dict(parameters).get(COPIES) == copies, measured
    job = _core.Problem(
        "allgather",
        "torus_bine",
        parameters={"ports": 0},
        group=[0] * 64,
        node=list(range(64)),
        shape=[8, 8],
    )
    cost = "pack=1:memory_bandwidth=1e18"  # a second for each block that is copied
    own, none, vector = (
        _core.Modelled(job, copies).seconds([64], cost)[0] for copies in ("", "none", "vector")
    )
    assert none < 1
    assert vector == pytest.approx(64, rel=1e-3)
    assert own > 2 * none
    assert _core.Modelled(job, "own").seconds([64], cost)[0] == own
    with pytest.raises(ValueError, match="copies is 'some', not 'own', 'none' or 'vector'"):
        _core.Modelled(job, "some")


def test_the_authors_scatter_of_a_large_broadcast_is_a_message_for_each_block():
    name, parameters = on_torus("bcast", "BINE-SCATTER_ALLGATHER-UTOFU-0-1", (8, 8, 8))
    assert (name, dict(parameters)) == ("torus_bine_large", {"ports": 0, "blocks": 1})
    whole, blocks = (
        _core.count(
            _core.Problem("bcast", name, parameters={"blocks": b}, group=[0] * 64, shape=[8, 8])
        )
        for b in (0, 1)
    )
    assert whole["messages"] < blocks["messages"]
    assert all(whole[key] == blocks[key] for key in ("steps", "blocks"))


def test_a_ring_of_fewer_elements_than_ranks_is_recursive_doubling():
    for system, nodes, algorithm in (
        ("leonardo", (16,), "ring_ompi"),
        ("leonardo", (16,), "segmented_ring_ompi"),
        ("fugaku", (4, 4), "default-ring"),
    ):
        for size, name in ((60, "recursive_doubling"), (64, "ring")):
            told = found(row_of(algorithm, 1.0, system=system, nodes=nodes, size=size))
            assert told["allreduce", algorithm] == (name, ())
    authors = found(row_of("ring_over", 1.0, system="leonardo", size=32))
    assert authors["allreduce", "ring_over"] == ("ring", ())


def test_blocks_one_by_one_are_a_message_for_each_run():
    name, parameters = on_torus("allgather", "BINE-VEC_DOUBLING_BLOCKS-UTOFU-0-3", (8, 8, 8))
    assert (name, dict(parameters)) == ("torus_bine", {"ports": 3, "runs": 1})
    cost = "overhead=1:local_latency=1e-9:rendezvous=1e-9"  # a second for each further message
    packed, runs = (
        _core.Modelled(
            _core.Problem(
                "allgather",
                name,
                parameters={"ports": 0, "runs": r},
                group=[0] * 64,
                node=list(range(64)),
                shape=[8, 8],
            )
        ).seconds([64], cost)[0]
        for r in (0, 1)
    )
    assert packed < 1 < runs


def test_an_algorithm_is_a_librarys_own_or_the_authors():
    owners = {
        "ring_ompi": "ompi",
        "default_mpich": "mpich",
        "default-trix3": "fujitsu",
        "ring_over": None,
        "BINE-L-UTOFU-0-1": None,
    }
    assert {measured: library(measured) for measured in owners} == owners


def test_a_choice_is_the_nearest_in_time_if_it_is_near():
    named = [(("ring", ()), 1.0), (("bruck", ()), 1.04), (("bruck", ()), 2.0)]
    assert by_time.nearest(1.015, named) == ("ring", ())
    assert by_time.nearest(1.03, named) == ("bruck", ())
    assert by_time.nearest(2.01, named) == ("bruck", ())
    assert by_time.nearest(1.1, named) is None
    assert by_time.nearest(0.9, named) is None
    assert by_time.nearest(1.0, []) is None


def test_a_decision_takes_a_microsecond_if_it_is_for_one_algorithm_alone():
    assert by_time.decided(8.0, [(("ring", ()), 7.0), (("bruck", ()), 9.0)]) == ("ring", ())
    assert by_time.decided(8.0, [(("ring", ()), 7.0), (("bruck", ()), 7.1)]) is None
    assert by_time.decided(8.0, [(("ring", ()), 7.0), (("ring", ()), 7.1)]) == ("ring", ())
    assert by_time.decided(8.0, [(("ring", ()), 8.0)]) is None


@pytest.mark.parametrize(
    ("collective", "ranks", "size", "taken"),
    [
        ("allreduce", 16, 2048, "recursive_doubling"),
        ("allreduce", 16, 2049, "rabenseifner"),
        ("allgather", 16, 524287, "recursive_doubling"),
        ("allgather", 100, 81919, "brucks"),
        ("allgather", 100, 81920, "ring"),
        ("reduce_scatter", 100, 1 << 20, "pairwise"),
        ("bcast", 7, 1 << 20, "binomial"),
        ("bcast", 8, 1 << 16, "scatter_recursive_doubling_allgather"),
        ("bcast", 9, 1 << 16, "scatter_ring_allgather"),
        ("alltoall", 8, 8 * 256, "brucks"),
        ("alltoall", 7, 7 * 256, "scattered"),
        ("alltoall", 7, 7 * 32769, "pairwise"),
    ],
)
def test_mpich_takes_by_ranks_and_bytes(collective, ranks, size, taken):
    assert defaults.of_mpich(collective, ranks, size) == f"{taken}_mpich"


@pytest.mark.parametrize("collective", defaults._MPICH)
@pytest.mark.parametrize("ranks", [2, 7, 8, 9, 64])
def test_what_mpich_takes_has_a_counterpart_for_every_size(collective, ranks):
    for size in (8, 1 << 11, 1 << 14, 1 << 19, 1 << 24):
        taken = defaults.of_mpich(collective, ranks, size)
        assert not isinstance(of_library(collective, taken, ranks, size), str), taken


def row_of(algorithm, micros, collective="allreduce", system="lumi", nodes=(16,), size=4096):
    """A row of measurements."""
    ranks = math.prod(nodes)
    where = {"system": system, "run": "a", "nodes": nodes, "tasks_per_node": 1, "ranks": ranks}
    what = {"collective": collective, "bytes": size, "algorithm": algorithm}
    return where | what | {"median_us": micros, "mpi": "some"}


def found(*rows):
    """Counterparts by the names of the algorithms."""
    return {(row["collective"], row["algorithm"]): name for row, name in counterparts_of(rows)}


def test_a_rule_of_mpichs_counts_where_a_time_confirms_it():
    default = row_of("default_mpich", 10.0)
    key, rule = ("allreduce", "default_mpich"), ("rabenseifner", ())
    assert found(default)[key] == OWN_CHOICE
    for confirming in ("rabenseifner_mpich", "rabenseifner_over"):
        assert found(default, row_of(confirming, 9.2))[key] == rule
        assert found(default, row_of(confirming, 8.0))[key] == OWN_CHOICE
    both = [default, row_of("rabenseifner_over", 9.2)]
    nearer = row_of("recursive_doubling_mpich", 10.1)
    assert found(*both, nearer)[key] == ("recursive_doubling", ())
    others = row_of("recursive_doubling_over", 10.1)  # the authors', which the library has not
    assert found(*both, others)[key] == rule


def test_an_algorithm_of_equal_steps_and_bytes_confirms_a_rule():
    """The fastest implementation of it does, not one that cuts messages in many segments."""
    default, segments = row_of("default_mpich", 10.0), row_of("bine_bdw_remap_segmented_over", 9.8)
    key = ("allreduce", "default_mpich")
    assert found(default, row_of("bine_bdw_remap_over", 9.2), segments)[key] == ("rabenseifner", ())
    assert found(default, row_of("bine_bdw_remap_over", 8.0), segments)[key] == OWN_CHOICE


def test_a_time_that_was_told_tells_others():
    def gathered(algorithm, micros, collective="allgather"):
        return row_of(algorithm, micros, collective, "fugaku", (8, 8, 8), 1 << 20)

    rows = [
        gathered("default-default", 101.0),
        gathered("default-gtbc", 100.0),
        gathered("default-default", 60.0, "gather"),
        gathered("default-simple", 60.5, "gather"),
        gathered("default-default", 40.0, "bcast"),
        gathered("default-trinaryx3", 40.5, "bcast"),
    ]
    parts = (OTHERS, (("gather", "linear", ()), ("bcast", "trinaryx", ())))
    assert found(*rows)["allgather", "default-default"] == parts
    assert found(*rows[:-1])["allgather", "default-default"] == OWN_CHOICE


def test_parts_are_told_by_a_scatter_and_an_allgather_that_are_made_of_them():
    def fugaku(algorithm, micros, collective, nodes=(32, 256)):
        return row_of(algorithm, micros, collective, "fugaku", nodes, 1 << 20)

    rows = [
        fugaku("default-use-bcast", 1000.0, "scatter"),
        fugaku("default-binomial", 200.0, "scatter"),
        fugaku("default-gtbc", 1202.0, "allgather"),
        fugaku("default-3dtorus-sm", 1203.0, "allgather"),
        fugaku("default-default", 300.0, "bcast", (8, 8, 8)),
        fugaku("default-trinaryx6", 301.0, "bcast", (8, 8, 8)),
    ]
    bcast = ("bcast", "trinaryx", (("both", 1),))
    both = (OTHERS, (("gather", "binomial_halving", ()), bcast))
    told = found(*rows)
    assert told["scatter", "default-use-bcast"] == (OTHERS, (bcast,))
    assert told["allgather", "default-gtbc"] == told["allgather", "default-3dtorus-sm"] == both
    rows[2] = fugaku("default-gtbc", 1300.0, "allgather")
    assert found(*rows)["allgather", "default-gtbc"] == OF_TWO
    small = [*rows[:4], *(row | {"nodes": (2, 2, 2), "ranks": 8} for row in rows[4:])]
    assert found(*small)["scatter", "default-use-bcast"] == OF_TWO


def test_what_a_library_makes_of_two_collectives_is_what_it_takes_for_each():
    def fugaku(algorithm, micros, collective):
        return row_of(algorithm, micros, collective, "fugaku", (8, 8, 8), 1 << 20)

    rows = [
        fugaku("default-rdbc", 100.0, "allreduce"),
        fugaku("default-default", 60.0, "reduce"),
        fugaku("default-binomial", 60.5, "reduce"),
        fugaku("default-default", 40.0, "bcast"),
        fugaku("default-trinaryx3", 40.5, "bcast"),
    ]
    parts = (("reduce", "binomial_halving", ()), ("bcast", "trinaryx", ()))
    assert found(*rows)["allreduce", "default-rdbc"] == (OTHERS, parts)
    assert found(*rows[:-1])["allreduce", "default-rdbc"] == OF_TWO
    scattered = [
        fugaku("default-non-overlapping", 200.0, "reduce_scatter"),
        *rows[1:3],
        fugaku("default-default", 20.0, "scatter"),  # another part than the one that is taken
    ]
    parts = (("reduce", "binomial_halving", ()), ("scatter", "linear", ()))
    assert found(*scattered)["reduce_scatter", "default-non-overlapping"] == (OTHERS, parts)
    ompi = found(row_of("default_ompi", 1.0, size=256, system="leonardo", nodes=(512,)))
    parts = (("reduce", "binomial_halving", ()), ("bcast", "knomial", ()))
    assert ompi["allreduce", "default_ompi"] == (OTHERS, parts)


def test_a_name_that_tells_nothing_is_told_by_its_time():
    rows = [
        row_of("default-crp", 10.0, "alltoall", "fugaku", (8, 8, 8)),
        row_of("default-blacc3d", 20.0, "alltoall", "fugaku", (8, 8, 8)),
        row_of("default-modified-bruck", 10.1, "alltoall", "fugaku", (8, 8, 8)),
    ]
    names = found(*rows)
    assert names["alltoall", "default-crp"] == ("bruck", ())
    assert names["alltoall", "default-blacc3d"] == NOT_PUBLIC


def test_runs_whose_names_stand_for_something_else_are_known():
    def row(run, algorithm, mpi="OMPI 4.1.6", size=4096):
        return {"run": run, "algorithm": algorithm, "mpi": mpi, "bytes": size}

    cray = "recursive_doubling_mpich"
    assert renamed(row("2025_03_16___14_58_59", cray)) == (cray, NOT_FORCED)
    assert renamed(row("2025_04_07___16_33_47", cray)) == (cray, None)
    bine = "bine_block_by_block_over_any_even"
    assert renamed(row("2025_04_06___20_44_58", bine))[1] == ONE_BY_ONE
    assert renamed(row("2025_06_04___15_12_34", bine))[1] is None
    rings = "RING-VEC_HALVING_CONT_PERMUTE-UTOFU-0-6"
    for size, why in ((1 << 26, None), (1 << 29, ALLOCATED)):
        assert renamed(row("2025_03_27___04_01_47", rings, size=size)) == (rings, why)
    custom = "customOMPI 5.0.7"
    assert renamed(row("a", "rabenseifner_ompi", custom))[1] == MODIFIED
    assert renamed(row("a", "allgather_reduce_ompi", custom)) == ("rabenseifner_ompi", None)
    assert renamed(row("a", "ring_ompi", custom)) == ("ring_ompi", None)
