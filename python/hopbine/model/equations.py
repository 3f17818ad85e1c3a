"""Equations (1) to (14) of the generalised collectives, as they are printed.

Wilkins et al., "Generalized Collective Algorithms for the Exascale Era" (CLUSTER'23).

n: bytes of the whole vector; p: ranks; k: the radix, or for k-ring the ranks of a group. Where the
text leaves a case out, the docstring says what stands here. What schedules really do is in `table`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import UsageError

if TYPE_CHECKING:
    from .parameters import Parameters


@dataclass(frozen=True)
class Terms:
    """A cost by its parts.

    They are start-ups, and how many times n bytes the busiest rank moves (beta) and reduces
    (gamma).
    """

    alpha: float = 0.0
    beta: float = 0.0
    gamma: float = 0.0

    def __add__(self, other: Terms) -> Terms:
        return Terms(self.alpha + other.alpha, self.beta + other.beta, self.gamma + other.gamma)

    def __rmul__(self, times: float) -> Terms:
        return Terms(times * self.alpha, times * self.beta, times * self.gamma)

    def seconds(self, parameters: Parameters, n: float) -> float:
        """Time for n bytes, a number or a numpy array of them."""
        return self.alpha * parameters.alpha + n * (
            self.beta * parameters.beta + self.gamma * parameters.gamma
        )


def log(k: int, p: int) -> float:
    """log_k p; exact where p is a power of k."""
    steps, reach = 0, 1
    while reach < p:
        steps, reach = steps + 1, reach * k
    return float(steps) if reach == p else math.log(p) / math.log(k)


def _case(equation: str, collective: str, cases: dict[str, Terms]) -> Terms:
    if collective not in cases:
        raise UsageError(f"eq. {equation} is about {', '.join(cases)}, not {collective}")
    return cases[collective]


def T_binomial(collective: str, p: int) -> Terms:
    """(1): a binomial tree. Scatter is gather reversed."""
    depth, most = log(2, p), (p - 1) / p
    return _case(
        "(1)",
        collective,
        {
            "bcast": Terms(depth, depth),
            "reduce": Terms(depth, depth, depth),
            "gather": Terms(depth, most),
            "scatter": Terms(depth, most),
        },
    )


def T_binomial_twice(collective: str, p: int) -> Terms:
    """(2): gather or reduce up a binomial tree, then bcast down."""
    depth, most = log(2, p), (p - 1) / p
    return _case(
        "(2)",
        collective,
        {"allgather": Terms(depth, depth + most), "allreduce": Terms(depth, depth + most, depth)},
    )


def T_knomial(collective: str, p: int, k: int) -> Terms:
    """(3): k-nomial trees.

    It has no gather: that of (1) with radix k stands for it, whose root still receives every block
    once; scatter is gather reversed. Nor has it a reduce_scatter: that is a reduce, then a scatter.
    """
    depth, most = log(k, p), (p - 1) / p
    return _case(
        "(3)",
        collective,
        {
            "bcast": Terms(depth, (k - 1) * depth),
            "reduce": Terms(depth, (k - 1) * depth, (k - 1) * depth),
            "gather": Terms(depth, most),
            "scatter": Terms(depth, most),
            "reduce_scatter": Terms(2 * depth, (k - 1) * depth + most, (k - 1) * depth),
            "allgather": Terms(depth, (k - 1) * (depth + most)),
            "allreduce": Terms(depth, (k - 1) * (depth + most), (k - 1) * depth),
        },
    )


def T_recursive_doubling(collective: str, p: int) -> Terms:
    """(4): recursive doubling."""
    return T_recursive_multiplying(collective, p, 2)


def T_i_recursive_doubling(collective: str, p: int, i: int) -> Terms:
    """(5): its round i, from 1."""
    return T_i_recursive_multiplying(collective, p, 2, i)


def T_recursive_multiplying(collective: str, p: int, k: int) -> Terms:
    """(6): recursive multiplying.

    It has no reduce_scatter: allgather reversed stands for it, which reduces what it moves.
    """
    rounds, most = log(k, p), (p - 1) / p
    return _case(
        "(6)",
        collective,
        {
            "allgather": Terms(rounds, most),
            "bcast": Terms(rounds, most),
            "reduce_scatter": Terms(rounds, most, most),
            "allreduce": rounds * Terms(1, k - 1, k - 1),
        },
    )


def T_i_recursive_multiplying(collective: str, p: int, k: int, i: int) -> Terms:
    """(7): its round i, from 1."""
    part = (k - 1) * k ** (i - 1) / p
    return _case(
        "(7)",
        collective,
        {
            "allgather": Terms(1, part),
            "bcast": Terms(1, part),
            "reduce_scatter": Terms(1, part, part),
            "allreduce": Terms(1, k - 1, k - 1),
        },
    )


def T_ring(collective: str, p: int) -> Terms:
    """(8): p - 1 rounds of a ring."""
    return (p - 1) * T_i_ring(collective, p)


def T_i_ring(collective: str, p: int) -> Terms:
    """(9): a round of a ring. Reduce_scatter is the half of an allreduce that reduces."""
    reducing = Terms(1, 1 / p, 1 / p)
    return _case(
        "(9)",
        collective,
        {
            "allgather": Terms(1, 1 / p),
            "bcast": Terms(1, 1 / p),
            "allreduce": reducing,
            "reduce_scatter": reducing,
        },
    )


def T_ring_large(collective: str) -> Terms:
    """(10): a ring of many ranks on large vectors."""
    return _case(
        "(10)",
        collective,
        {
            "allgather": Terms(0, 1),
            "bcast": Terms(0, 1),
            "allreduce": Terms(0, 1, 1),
            "reduce_scatter": Terms(0, 1, 1),
        },
    )


def T_intra(collective: str, p: int, k: int) -> Terms:
    """(11): the rounds of a k-ring inside groups; g = p / k groups."""
    return p / k * (k - 1) * T_i_ring(collective, p)


def T_inter(collective: str, p: int, k: int) -> Terms:
    """(11): its rounds between groups."""
    return (p / k - 1) * T_i_ring(collective, p)


def T_kring(collective: str, p: int, k: int) -> Terms:
    """(12): both, together (p - 1) T_i."""
    return T_intra(collective, p, k) + T_inter(collective, p, k)


def D_kring(n: float, p: int, k: int, k_next: int | None = None) -> float:
    """(13): bytes that a group of k ranks sends and receives in a k-ring allgather.

    It receives all blocks but its own, and sends all but those of the group that follows it, of
    `k_next` ranks: as many, as printed, unless k does not divide p.
    """
    return n * ((p - k) + (p - (k if k_next is None else k_next))) / p


def D_ring(n: float, p: int) -> float:
    """(14): the same for the classic ring.

    A group's first rank receives and its last one sends p - 1 blocks, however large the group is.
    """
    return D_kring(n, p, 1)
