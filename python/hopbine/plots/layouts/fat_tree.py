"""Fat trees: layers above each other."""

from math import prod

from .geometry import straight
from .layout import Layout

_SHIFT, _GAP = 0.06, 0.6


def fat_tree(links: list[tuple[int, int]], extents: list[int], apart: bool) -> Layout:
    """Layout with nodes at the bottom, each switch above the middle of its children."""
    below = extents[::-1]
    count = prod(extents)
    xs = [v + _GAP * sum(v // n for n in (below[0], below[0] * below[1])) for v in range(count)]
    at = [(x, 0.0) for x in xs]
    across = xs[-1]
    height, names = 0.0, [((-0.8, 0.0), "nodes")]
    for layer, children in enumerate(below):
        height += max(1.5, 0.22 * (xs[children - 1] - xs[0]), 0.07 * across)
        xs = [(xs[i] + xs[i + children - 1]) / 2 for i in range(0, len(xs), children)]
        at += [(x, height) for x in xs]
        names.append(((-0.8, height), ("leaves", "spines", "core")[layer]))
    return Layout(
        at,
        [[straight(at[a], at[b], _SHIFT if apart else 0.0)] for a, b in links],
        1.0,
        1.4 * _SHIFT,
        names=names,
        note="dots are nodes, squares switches: s0, s1, ...",
    )
