"""The time of any schedule of the registry, counted step by step."""

from collections.abc import Sequence
from functools import lru_cache

from .. import _core
from ..notation.quantities import split_algorithm
from .equations import Terms
from .parameters import Parameters


@lru_cache(maxsize=4096)
def _peaks(
    collective: str, algorithm: str, p: int, root: int
) -> tuple[tuple[Terms, int, int], ...]:
    name, given = split_algorithm(algorithm)
    told = _core.peaks(_core.Problem(collective, name, p, root=root, parameters=given))
    block = 1 / p
    return tuple(
        (Terms(1, s["blocks"] * block, s["reduced"] * block), max(0, s["messages"] - 1), s["times"])
        for s in told["steps"]
    )


def rounds(collective: str, algorithm: str, p: int, root: int = 0) -> list[Terms]:
    """Step by step what its busiest ranks do. UsageError as `terms`."""
    return [one for one, _, times in _peaks(collective, algorithm, p, root) for _ in range(times)]


def terms(collective: str, algorithm: str, p: int, root: int = 0) -> Terms:
    """Steps, and vectors moved and reduced by the busiest rank of every step.

    `algorithm` is 'NAME[:PARAMETER=VALUE...]'. UsageError when it is unknown or does not serve p
    ranks.
    """
    return sum((times * one for one, _, times in _peaks(collective, algorithm, p, root)), Terms())


def seconds(
    parameters: Parameters,
    collective: str,
    algorithm: str,
    p: int,
    sizes: Sequence[float],
    root: int = 0,
) -> list[float]:
    """Time for each vector size in bytes (of one block times p where a collective has blocks).

    Every step takes alpha, the overhead of each further message of its busiest rank, and beta and
    gamma for the bytes that its busiest ranks move and reduce. UsageError as `terms`.
    """
    steps = _peaks(collective, algorithm, p, root)
    further = sum(times * more for _, more, times in steps) * parameters.overhead
    whole = terms(collective, algorithm, p, root)
    return [further + whole.seconds(parameters, size) for size in sizes]
