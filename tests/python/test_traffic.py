"""Traffic of jobs: answers worked out by hand, bounds, the choice by counting."""

import json
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

import hopbine
from hopbine import _core
from hopbine.jobs.counting import Asked, counts
from hopbine.jobs.job import Job, explain
from hopbine.machines import Machine, load

LEAVES = load("fat_tree:groups=4,nodes=2,taper=2")

GROUPS = st.lists(st.integers(1, 40), min_size=2, max_size=10)


def placed(sizes):
    return [g for g, n in enumerate(sizes) for _ in range(n)]


def test_figure_1_of_the_paper():
    """Eight nodes, two to a leaf.

    The distance-doubling broadcast moves 6 n between leaves, the distance-halving one 3 n, and
    nothing can less.
    """
    table = hopbine.traffic(
        [f"node{i}" for i in range(8)],
        LEAVES,
        "bcast",
        ["binomial_doubling", "binomial_halving"],
        [1000],
    )
    assert table["global_bytes"].to_list() == [6000, 3000]
    assert table["lower_bound"].to_list() == [
        3000,
        3000,
    ]
    assert table["change_pct"].to_list() == [100, 0]
    assert table["global_messages"].to_list() == [
        6,
        3,
    ]
    assert table["node_bytes"].to_list() == [1000, 4000]


def test_several_ranks_on_a_node_by_hand():
    """Four ranks on two nodes, dealt round.

    A ring crosses at every hop, grouped by node at two of four.
    """
    table = hopbine.traffic(
        ["a", "b", "a", "b"], None, "allgather", ["ring"], [4], numberings=["given", "by group"]
    )
    assert dict(zip(table["numbering"], table["global_bytes"], strict=True)) == {
        "given": 12,
        "by group": 6,
    }
    assert dict(zip(table["numbering"], table["inside_bytes"], strict=True)) == {
        "given": 0,
        "by group": 6,
    }


def test_torus_hops_by_hand():
    """A ring on a ring goes one hop with every message.

    Round one way for the sums and back the other for the results; recursive doubling on 4 nodes
    goes 1 and 2, the latter half each way round.
    """
    table = hopbine.traffic(
        [f"node{i}" for i in range(4)], "torus:4", "allreduce", ["ring", "recursive_doubling"], [4]
    )
    assert table["hop_bytes"].to_list() == [6 * 4, 4 * 4 + 4 * 4 * 2]
    assert table["worst_hop_bytes"].to_list() == [3, 4 + 4]
    hyper = hopbine.traffic(
        [f"node{i}" for i in range(4)], "hyperx:4", "allreduce", ["recursive_doubling"], [4]
    )
    assert hyper["hop_bytes"].to_list() == [32]
    assert hyper["worst_hop_bytes"].to_list() == [4]


def test_a_job_that_has_a_torus_to_itself_follows_its_shape():
    """Swing's dimensions take turns: 2 (1 + 2) steps on 3 x 4.

    A job on a part of the torus is in one dimension.
    """
    whole = hopbine.traffic(
        [f"node{i}" for i in range(12)], "torus:3x4", "allreduce", ["swing"], [12]
    )
    part = hopbine.traffic([f"node{i}" for i in range(8)], "torus:3x4", "allreduce", ["swing"], [8])
    assert whole["steps"].to_list() == [6]
    assert part["steps"].to_list() == [6]
    assert (
        whole["hop_bytes"][0]
        < hopbine.traffic(
            [f"node{i}" for i in range(12)], "torus:3x4", "allreduce", ["bine_large"], [12]
        )["hop_bytes"][0]
    )


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 7), st.data())
def test_bine_saves_at_most_a_third_of_an_allreduce(log, data):
    """A Bine butterfly saves at most a third of the bytes of one of the same shape (Sec. 2.4.1).

    On allocations whose groups are ranges of ranks. The bound is one on distances: named exceptions
    are trees of one root, which meet few of the cuts (a Bine bcast saves 48 % of the binomial one's
    bytes with group sizes 21, 61, 4, 79, 49, 15, 12, 15), and algorithms that send their large
    messages far (recursive halving).
    """
    p = 1 << log
    cuts = sorted(data.draw(st.sets(st.integers(1, p - 1), min_size=1, max_size=min(p - 1, 12))))
    group = placed([b - a for a, b in pairwise([0, *cuts, p])])
    for bine, binomial in (("bine_large", "rabenseifner"), ("bine_small", "recursive_doubling")):
        assert (
            3 * _core.count(_core.Problem("allreduce", bine, group=group))["global_blocks"]
            >= 2 * _core.count(_core.Problem("allreduce", binomial, group=group))["global_blocks"]
        )


def test_the_exception_to_the_bound():
    group = placed([21, 61, 4, 79, 49, 15, 12, 15])
    bine, binomial = (
        _core.count(_core.Problem("bcast", a, group=group))["global_blocks"]
        for a in ("bine_small", "binomial_halving")
    )
    assert (bine / 256, binomial / 256) == (14, 27)


@settings(max_examples=40, deadline=None)
@given(GROUPS)
def test_nothing_moves_less_than_the_lower_bound(sizes):
    group = placed(sizes)
    for a in _core.algorithms():
        if a["collective"] in ("allreduce", "bcast", "reduce_scatter", "alltoall") and _core.fits(
            a["collective"], a["name"], len(group)
        ):
            t = _core.count(_core.Problem(a["collective"], a["name"], group=group))
            assert t["global_blocks"] >= t["lower_bound"], a["name"]


@settings(max_examples=30, deadline=None)
@given(GROUPS, st.sampled_from(["allreduce", "bcast", "allgather", "reduce"]))
def test_the_choice_is_among_the_fast_and_spares_the_scarce(sizes, collective):
    machine = Machine(
        "m",
        "groups",
        [str(g) for g in range(len(sizes))],
        {f"h{r}": g for r, g in enumerate(placed(sizes))},
    )
    job = Job("", tuple(machine.hosts), machine)
    told = explain(job, _core.Calls(collective), [64, 1 << 20])
    for i, chosen in enumerate(told["chosen"]):
        one, fastest = told["candidates"][chosen], min(c["seconds"][i] for c in told["candidates"])
        near = min(
            c["global_blocks"] for c in told["candidates"] if c["seconds"][i] <= fastest * 1.1
        )
        assert one["global_blocks"] == near
        assert one["seconds"][i] <= fastest * 1.1
        name, _, settings = one["algorithm"].partition(":")
        order = dict(told["numberings"])[one["numbering"]]
        parameters = {k: int(v) for k, v in (s.split("=") for s in settings.split(":") if s)}
        problem = _core.Problem(collective, name, parameters=parameters, group=job.places.group)
        assert _core.count(problem, order)["global_blocks"] == one["global_blocks"]


def test_operations_in_order_keep_the_given_numbering():
    told = _core.explain(_core.Calls("reduce", commutes=False), [8, 1 << 20], placed([3, 4, 2]))
    for chosen in told["chosen"]:
        assert told["candidates"][chosen]["numbering"] == "given"
        assert not told["candidates"][chosen]["commutes"]


def test_rows_of_a_user_of_the_api():
    hosts = [f"node{i}" for i in (0, 1, 20, 21, 40)]
    rows = hopbine.traffic(
        hosts, "dragonfly:groups=4,nodes=16", ["allreduce", "bcast"], sizes=[8, 1 << 20], job="j"
    )
    assert set(rows["collective"]) == {"allreduce", "bcast"}
    assert set(rows["bytes"]) == {8, 1 << 20}
    assert set(rows["job"]) == {"j"}
    assert rows.filter(rows["algorithm"].str.starts_with("auto")).height == 4
    assert (
        rows["global_bytes"] + rows["node_bytes"] + rows["inside_bytes"] - rows["total_bytes"]
    ).abs().max() < 1e-6


def test_a_root_stays_the_root_in_every_numbering():
    job = Job(
        "", ("a", "b", "a", "b", "c"), Machine("m", "groups", ["g", "h"], {"a": 0, "b": 1, "c": 1})
    )
    for numbering in job.orders:
        sent = job.count("bcast", "linear", 2, numbering)["group_out"]
        assert [blocks for g, blocks, _ in sent if g == 1] == [0]
        assert [blocks for g, blocks, _ in sent if g == 0] == [15]


def test_counts_of_an_algorithm_with_parameters():
    job = Job("", tuple(f"node{i}" for i in range(20)), load("dragonfly:groups=4,nodes=5"))
    ((row, _),) = counts(job, Asked(["allreduce"], ["hierarchical_large:at_once=1"], [20]))
    assert row["global_bytes"] == row["lower_bound"] == 2 * 3 * 20
    assert json.dumps(row)
