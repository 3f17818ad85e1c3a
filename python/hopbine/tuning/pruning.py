"""Leaving out what the model says is many times too slow."""

from collections.abc import Mapping, Sequence


def prune(
    times: Mapping[str, Sequence[float]], sizes: Sequence[int], factor: float
) -> dict[int, dict[str, float]]:
    """For each size the candidates modelled to be far slower than the best, and how many times.

    Those take more than `factor` times as long; `times`: seconds of each candidate at each size.
    """
    out: dict[int, dict[str, float]] = {}
    for i, size in enumerate(sizes):
        best = min((t[i] for t in times.values()), default=0)
        out[size] = {c: t[i] / best for c, t in times.items() if t[i] > factor * best}
    return out
