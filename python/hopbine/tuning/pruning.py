"""Leaving out what the model says is many times too slow."""

from collections.abc import Sequence

from ..model.counted import seconds
from ..model.parameters import Parameters


def prune(
    candidates: Sequence[str],
    collective: str,
    p: int,
    sizes: Sequence[int],
    root: int,
    parameters: Parameters | None,
    factor: float,
) -> dict[int, dict[str, float]]:
    """For each size the candidates modelled to be far slower than the best, and how many times.

    Those take more than `factor` times as long. A factor of 0 prunes nothing, and
    needs no parameters.
    """
    if not factor or not candidates or parameters is None:
        return {size: {} for size in sizes}
    times = {c: seconds(parameters, collective, c, p, sizes, root) for c in candidates}
    out = {}
    for i, size in enumerate(sizes):
        best = min(t[i] for t in times.values())
        out[size] = {c: t[i] / best for c, t in times.items() if t[i] > factor * best}
    return out
