"""Equations (1) to (14) of the generalised collectives against counts of the schedules.

And what is counted against a walk of them.
"""

import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopbine import _core
from hopbine.model import Parameters, counted, seconds
from hopbine.model import equations as eq
from hopbine.model.equations import Terms
from hopbine.model.table import (
    KERNELS,
    KRING,
    RECURSIVE_DOUBLING,
    RECURSIVE_MULTIPLYING,
    TABLE,
    Entry,
)

RANKS = range(1, 65)
RADICES = (2, 3, 4, 5, 8, 16, 64)
REGISTRY = {(a["collective"], a["name"]) for a in _core.algorithms()}


def label(e: Entry) -> str:
    return f"{e.collective}-{e.algorithm}-{e.kernel.equation}"


def radices(e: Entry, p: int) -> list[int]:
    """Radices to try: one where the kernel has none; every size of equal groups for a k-ring."""
    some = [k for k in RADICES if k < 2 * p or k == 2]
    divisors = [k for k in range(1, p + 1) if p % k == 0]
    return (
        [2]
        if e.kernel.parameter is None
        else sorted({*divisors, *(k for k in some if k <= p)})
        if e.kernel is KRING
        else some
    )


def close(a: Terms, b: Terms) -> bool:
    return all(
        math.isclose(x, y, abs_tol=1e-9)
        for x, y in zip((a.alpha, a.beta, a.gamma), (b.alpha, b.beta, b.gamma), strict=True)
    )


def whole(t: Terms) -> Terms:
    """Steps are whole: those of a tree over p ranks are the next power's."""
    return Terms(math.ceil(round(t.alpha, 9)), t.beta, t.gamma)


@pytest.mark.parametrize("e", TABLE, ids=label)
def test_every_entry_is_in_the_registry(e):
    assert (e.collective, e.algorithm.partition(":")[0]) in REGISTRY


def test_no_generalised_algorithm_is_left_out():
    """All of those that move data are there: equations have a size, a barrier's signals none."""
    assert {key for key in REGISTRY if key[1] in KERNELS and key[0] != "barrier"} <= {
        (e.collective, e.algorithm) for e in TABLE
    }


@pytest.mark.parametrize("e", TABLE, ids=label)
def test_counts_are_those_of_the_equation(e):
    """Steps, bytes and reduced bytes of the busiest rank.

    Equal where the equation is exact (p a power of k, k a divisor of p, any p for rings).
    """
    tried = 0
    for p in RANKS:
        for k in radices(e, p):
            if e.kernel.exact(p, k):
                tried += 1
                assert close(counted.terms(e.collective, e.named(k), p), whole(e.counted(p, k))), (
                    p,
                    k,
                )
    assert tried >= 6


@pytest.mark.parametrize("e", [e for e in TABLE if e.parts], ids=label)
def test_the_count_differs_from_print_only_where_the_table_says_so(e):
    assert e.why
    assert not close(e.printed(16, 4), e.counted(16, 4))


@pytest.mark.parametrize("e", TABLE, ids=label)
def test_counts_are_bounded_by_the_equation_for_any_p(e):
    """p that is no power of k: no more than the next power takes.

    Recursive doubling may add a step before and one after in which whole vectors move, and in
    recursive multiplying a rank may serve two where parts differ in size. No fewer steps than
    ceil(log_k p), nor bytes than a rank must receive (or, in bcast and scatter, the root must
    send).
    """
    for p in RANKS:
        for k in radices(e, p):
            if e.kernel.exact(p, k) or not _core.fits(
                e.collective, e.algorithm.partition(":")[0], p
            ):
                continue
            found = counted.terms(e.collective, e.named(k), p)
            assert found.beta >= (p - 1) / p - 1e-9, (p, k)
            if e.kernel is KRING:  # as many rounds inside groups as the largest has
                assert (
                    e.printed(p, k).alpha - 1e-9
                    <= found.alpha
                    <= whole(e.counted(math.ceil(p / k) * k, k)).alpha
                ), (p, k)
                continue
            depth = math.ceil(eq.log(k, p))
            assert found.alpha >= depth, (p, k)
            extra, served = (
                2 if e.kernel is RECURSIVE_DOUBLING else 0,
                2 if e.kernel is RECURSIVE_MULTIPLYING else 1,
            )
            most = e.counted(k**depth, k)
            assert found.alpha <= most.alpha + extra, (p, k)
            assert found.beta <= served * most.beta + extra + 1e-9, (p, k)
            assert found.gamma <= served * most.gamma + extra + 1e-9, (p, k)


@pytest.mark.parametrize(
    "e",
    [e for e in TABLE if e.kernel in (RECURSIVE_DOUBLING, RECURSIVE_MULTIPLYING) and not e.parts],
    ids=label,
)
def test_rounds_are_those_of_equations_5_and_7(e):
    for k in [2] if e.kernel is RECURSIVE_DOUBLING else (2, 3, 4, 8):
        for rounds in range(1, 7):
            if (p := k**rounds) > 64:
                break
            expected = [
                eq.T_i_recursive_multiplying(e.collective, p, k, i) for i in range(1, rounds + 1)
            ]
            found = sorted(
                counted.rounds(e.collective, e.named(k), p), key=lambda t: t.beta
            )  # a reduce_scatter runs them backwards
            assert len(found) == rounds, p
            assert all(map(close, found, expected)), p


def test_equations_agree_with_each_other():
    for p in range(2, 65):
        for c in ("allgather", "bcast", "allreduce"):
            assert close(eq.T_ring(c, p), (p - 1) * eq.T_i_ring(c, p))  # (8), (9)
            assert math.isclose(
                eq.T_ring(c, p).beta, eq.T_ring_large(c).beta * (p - 1) / p
            )  # (10): the limit
            assert math.isclose(eq.T_ring(c, p).gamma, eq.T_ring_large(c).gamma * (p - 1) / p)
            assert all(
                close(eq.T_kring(c, p, k), eq.T_ring(c, p)) for k in range(1, p + 1)
            )  # (11), (12)
        for c in ("bcast", "reduce", "gather"):
            assert close(eq.T_knomial(c, p, 2), eq.T_binomial(c, p))  # (3), (1)
        for c in ("allgather", "allreduce"):
            assert close(eq.T_knomial(c, p, 2), eq.T_binomial_twice(c, p))  # (3), (2)
        assert eq.D_kring(100, p, 1) == eq.D_ring(100, p) == 200 * (p - 1) / p  # (13), (14)
    for k, rounds in ((2, 6), (3, 4), (4, 3), (16, 2)):
        for c in ("allgather", "bcast", "allreduce", "reduce_scatter"):
            one_by_one = sum(
                (eq.T_i_recursive_multiplying(c, k**rounds, k, i) for i in range(1, rounds + 1)),
                Terms(),
            )
            assert close(one_by_one, eq.T_recursive_multiplying(c, k**rounds, k))  # (6), (7)
            if k == 2:
                assert close(one_by_one, eq.T_recursive_doubling(c, k**rounds))  # (4), (5)
                assert eq.T_i_recursive_doubling(c, 64, 3) == eq.T_i_recursive_multiplying(
                    c, 64, 2, 3
                )


def test_equations_name_their_collectives():
    with pytest.raises(
        ValueError, match=r"eq. \(1\) is about bcast, reduce, gather, scatter, not alltoall"
    ):
        eq.T_binomial("alltoall", 4)


def groups_of(p: int, k: int) -> list[int]:
    """Group of every rank: k neighbours each, the last has the rest."""
    return [r // k for r in range(p)]


def test_kring_rounds_between_groups_are_those_of_equation_11():
    for p in range(2, 41):
        for k in (k for k in range(1, p + 1) if p % k == 0):
            problem = _core.Problem(
                "allgather", "kring", group=groups_of(p, k), parameters={"k": k}
            )
            steps = _core.count(problem)["by_step"]
            between = sum(times for _, times, blocks, *_ in steps if blocks)
            inside = sum(times for _, times, blocks, *_ in steps if not blocks)
            assert (inside, between) == (
                round(eq.T_intra("allgather", p, k).alpha),
                round(eq.T_inter("allgather", p, k).alpha),
            ), (p, k)


def exchanged(algorithm: str, p: int, k: int) -> list[int]:
    """Blocks that each group of k ranks sends and receives in an allgather."""
    told = _core.count(
        _core.Problem(
            "allgather",
            algorithm,
            group=groups_of(p, k),
            parameters={"k": k} if algorithm == "kring" else {},
        )
    )
    return [out[1] + into[1] for out, into in zip(told["group_out"], told["group_in"], strict=True)]


def test_data_between_groups_is_that_of_equations_13_and_14():
    """For any p and k; n is p blocks of one byte, so that bytes are blocks.

    Figure 6: 6 blocks against 10.
    """
    assert exchanged("kring", 6, 3) == [6, 6]
    assert exchanged("ring", 6, 3) == [10, 10]
    for p in range(2, 41):
        for k in range(1, p):
            sizes = [min(k, p - first) for first in range(0, p, k)]
            following = sizes[1:] + sizes[:1]
            assert exchanged("kring", p, k) == [
                eq.D_kring(p, p, mine, after) for mine, after in zip(sizes, following, strict=True)
            ], (p, k)
            assert exchanged("ring", p, k) == [eq.D_ring(p, p)] * len(sizes), (p, k)
            if p % k == 0:
                assert exchanged("kring", p, k) == [eq.D_kring(p, p, k)] * len(sizes), (p, k)


def walked(collective: str, name: str, p: int) -> list[tuple[int, int, int, int]]:
    """Step by step, from every move of every rank.

    Fewest and most messages, blocks and reduced blocks of the busiest rank. A move is one message,
    or one per run.
    """
    s = _core.schedule(_core.Problem(collective, name, p))
    out = []
    for step in range(s.steps):
        least = most = blocks = reduced = 0
        for rank in range(p):
            moves = s.moves(rank, step)
            for way in ("send", "recv"):
                runs = [m[4] for m in moves if m[0] == way]
                least, most = max(least, len(runs)), max(most, sum(map(len, runs)))
                blocks = max(blocks, sum(hi - lo for r in runs for lo, hi in r))
            reduced = max(
                reduced,
                sum(hi - lo for m in moves if m[:2] == ("recv", "reduce") for lo, hi in m[4]),
            )
        out.append((least, most, blocks, reduced))
    return out


@pytest.mark.parametrize("p", [1, 6, 7, 8, 9, 16])
def test_peaks_are_those_of_a_whole_walk(p):
    for a in _core.algorithms():
        if not _core.fits(a["collective"], a["name"], p):
            continue
        told = [
            s
            for s in _core.peaks(_core.Problem(a["collective"], a["name"], p))["steps"]
            for _ in range(s["times"])
        ]
        found = walked(a["collective"], a["name"], p)
        parts = _core.schedule(_core.Problem(a["collective"], a["name"], p)).parts
        blocks = sorted((x[2] / parts, x[3] / parts) for x in found)
        assert sorted((s["blocks"], s["reduced"]) for s in told) == blocks, a
        assert (
            sum(x[0] for x in found) <= sum(s["messages"] for s in told) <= sum(x[1] for x in found)
        ), a


def test_seconds_add_up_step_by_step():
    """k-nomial bcast of 16 ranks, k = 4: 2 steps, 3 messages of n from the busiest rank in each."""
    of = Parameters(1e-6, 1e-9, 1e-10, 1e-7)
    assert seconds(of, "bcast", "knomial:k=4", 16, [0, 1000]) == pytest.approx(
        [2e-6 + 4e-7, 2e-6 + 4e-7 + 6000e-9]
    )
    assert seconds(of, "reduce", "knomial:k=4", 16, [1000], root=5) == pytest.approx(
        [2e-6 + 4e-7 + 6000e-9 + 6000e-10]
    )
    assert seconds(of, "allreduce", "ring", 1, [1000]) == [0]


def test_seconds_refuse_what_the_registry_refuses():
    of = Parameters(1e-6, 1e-9)
    for algorithm, p, said in (
        ("knomial:k=1", 4, "outside 2..1048576"),
        ("rong", 4, "unknown algorithm"),
        ("knomial", 0, "0"),
        ("knomial:k", 4, "PARAMETER=INTEGER"),
    ):
        with pytest.raises(ValueError, match=said):
            seconds(of, "bcast", algorithm, p, [8])


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 300), st.integers(2, 64), st.floats(0, 1e-3), st.floats(0, 1e-6))
def test_without_overhead_a_larger_radix_never_adds_start_ups(p, k, alpha, overhead):
    """What the radix is for; overhead only ever adds."""
    free, paid = Parameters(alpha, 0), Parameters(alpha, 0, 0, overhead)
    now, more = (seconds(free, "bcast", f"knomial:k={r}", p, [8])[0] for r in (k, k + 1))
    assert more <= now * (1 + 1e-12)
    assert seconds(paid, "bcast", f"knomial:k={k}", p, [8])[0] >= now


def test_the_docs_tell_where_the_count_differs():
    told = (Path(__file__).parents[2] / "docs" / "model.md").read_text()
    for e in TABLE:
        assert f"`{e.algorithm}`" in told, label(e)
        assert e.why in told, label(e)
