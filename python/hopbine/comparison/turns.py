"""The order of the jobs: each turn has one of each kind."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import permutations

from .commands import AGAIN, HOPBINE, STOCK

KINDS = (STOCK, HOPBINE, AGAIN)


def orders(turns: int, seed: int) -> Iterator[tuple[str, ...]]:
    """The kinds in an order for each turn.

    The orders are dealt as cards are: in six turns each of the six comes once. So a machine that
    slows down, or a job that leaves something behind for the next, favours no kind.
    """
    drawn, cards = random.Random(seed), list[tuple[str, ...]]()
    for _ in range(turns):
        if not cards:
            cards = list(permutations(KINDS))
            drawn.shuffle(cards)
        yield cards.pop()
