"""Bytes of the blocks of the ParLogNa/ParLinNa paper's applications (HPDC'25, Sec. 6).

A matrix has a row for each rank that sends and a column for each that receives.
"""

from collections.abc import Mapping
from functools import cache
from math import ceil, log2
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from hopbine import _core

Matrix = NDArray[np.int64]
#: Bytes of an FP64 value.
FP64 = 8


def few(ranks: int) -> Matrix:
    """N1 of the FFT: the first ranks fill the first blocks with 8 values, all others nothing."""
    out = np.zeros((ranks, ranks), np.int64)
    out[: ceil(0.625 * ranks), : ceil(0.78125 * ranks)] = 8 * FP64
    return out


def near(ranks: int) -> Matrix:
    """N2 of the FFT: blocks of 64 values, 16 of the last rank."""
    out = np.full((ranks, ranks), 64 * FP64, np.int64)
    out[-1] = 16 * FP64
    return out


@cache
def chains(edges: int, longest: int, seed: int) -> NDArray[np.int64]:
    """Lengths of disjoint chains with so many edges together, the first the longest.

    The others are drawn from 1 to `longest` with density 1 / length; the last is cut off.
    """
    draw, out = np.random.default_rng(seed), [longest]
    while (left := edges - sum(out)) > 0:
        out.append(min(left, int(longest ** draw.random())))
    return np.array(out)


def closure(lengths: NDArray[np.int64], seed: int, iteration: int, ranks: int, each: int) -> Matrix:
    """What the closure's iteration shuffles: `each` bytes a path of `iteration` + 1 edges.

    A path is found where its last but one vertex is and stored where its last one is. Vertices are
    on ranks drawn by the seed.
    """
    places = np.random.default_rng([seed, ranks])
    out = np.zeros((ranks, ranks), np.int64)
    for length in lengths:
        at = places.integers(ranks, size=length + 1)
        np.add.at(out, (at[iteration:-1], at[iteration + 1 :]), each)
    return out


def of_graph(graph: Mapping[str, int], iteration: int, ranks: int) -> Matrix:
    """What an iteration of the closure of chains shuffles; `graph` has what `chains` takes.

    `tuple`: bytes of a path.
    """
    seed = graph["seed"]
    lengths = chains(graph["edges"], graph["longest"], seed)
    return closure(lengths, seed, iteration, ranks, graph["tuple"])


def transform(blocks: Matrix) -> float:
    """Floating-point operations of the busiest rank beside each of an FFT's three transposes.

    5 N log2 N of all N complex values, a third at a time, by those that have them.
    """
    values = blocks.sum(axis=1) / (2 * FP64)
    return float(5 * values.max() * log2(values.sum()) / 3)


def joined(blocks: Matrix) -> float:
    """Bytes of paths that the busiest rank gets in an iteration, and looks for."""
    return float(blocks.sum(axis=0).max())


def drawn(blocks: str, ranks: int, low: int, high: int) -> float:
    """Per cent of the blocks that rank 0 sends of `low` bytes or more, and below `high`."""
    found = [_core.draw(blocks, 0, to, 0, FP64) for to in range(ranks)]
    return 100 * fmean(low <= size < high for size in found)


def whole(seconds: dict[int, float]) -> float:
    """All iterations, of the times of some: straight lines between them."""
    return float(sum(np.interp(range(1, max(seconds) + 1), [*seconds], [*seconds.values()])))
