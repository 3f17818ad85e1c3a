"""Who stands out: a node or rank that the others wait for, of a statistics file.

A job is divided into parts. In each, a node may be the latest in most calls, and in most the
longest outside of collectives. N nodes that are alike are so equally often; how often one is by
chance in many more parts is a binomial tail. One that stands out is so in both. Nothing has to be
known of how times are distributed, and a rank that is interrupted for long counts once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb, log
from statistics import fmean
from typing import Any

from ..notation.text import many, one_line
from ..notation.units import show_time
from .arrivals import FIRST, Unit, compared, others_median, units

#: Jobs in which nothing stands out, and that name something by chance.
BY_CHANCE = 1e-3
#: The share of the time from call to call that is worth a line.
WORTH = 0.01
#: Lines of a file.
MOST_LINES = 3


@dataclass(frozen=True)
class Found:
    """A unit that stands out on a communicator."""

    unit: Unit
    communicator: dict[str, Any]
    #: Seconds of a call that its ranks come later than the others.
    late: float
    #: How much longer than the others they are outside of collectives, as a share.
    longer: float
    #: How many jobs in which it is like the others have it so often the latest.
    chance: float

    @property
    def cost(self) -> float:
        """Seconds of the job."""
        return float(self.late * self.communicator["calls"])


def lines(data: dict[str, Any]) -> list[str]:
    """Who is waited for, in a line each; or that nobody is, or that it cannot be told.

    Nothing for files that do not tell of arrivals, and jobs of one rank.
    """
    if "arrivals" not in data or data["ranks"] == 1:
        return []
    asked = list(_questions(data))
    tests = sum(len(of) for _, of in asked)
    found = _by_unit([x for one, of in asked for x in _stand_out(one, of, tests)])
    if found:
        more = len(found) - MOST_LINES
        rest = [f"Who is waited for: {more:,} more (--waits)."] if more > 0 else []
        return [_line(one) for one in found[:MOST_LINES]] + rest
    if not asked or len(asked[0][0]["begun"]) < _needed(len(asked[0][1]), tests):
        return [_nothing_told(data, asked, tests)]
    return [f"Who is waited for: no node and no rank stands out ({_calls(asked[0][0])})."]


def _questions(data: dict[str, Any]) -> Iterator[tuple[dict[str, Any], list[Unit]]]:
    """Units that are compared with one another: nodes before ranks."""
    for one in compared(data):
        for of in units(data, one):
            if of:
                yield one, of


def _needed(of: int, tests: int) -> int:
    """Parts in which one of so many units must be the latest to stand out."""
    return int(log(tests / BY_CHANCE) / log(of)) + 1


def chance_of(hits: int, parts: int, of: int) -> float:
    """How likely one of `of` equal units is the first in `hits` of `parts` draws, or in more."""
    return sum(
        comb(parts, k) * (1 / of) ** k * (1 - 1 / of) ** (parts - k) for k in range(hits, parts + 1)
    )


def _stand_out(one: dict[str, Any], of: Sequence[Unit], tests: int) -> Iterator[Found]:
    names = FIRST["node" if any(len(unit.ranks) > 1 for unit in of) else "rank"]
    first = [[place for place in one[name] if place is not None] for name in names]
    period = fmean(one["inside"]) + fmean(one["outside"])
    for unit in of:
        chance = tests * max(
            chance_of(places.count(unit.places[0]), len(places), len(of)) for places in first
        )
        if chance >= BY_CHANCE:
            continue
        late = fmean(
            unit.middle(part) - others_median(part, unit, of) for part in one["late_in_parts"]
        )
        others = others_median(one["outside"], unit, of)
        longer = unit.middle(one["outside"]) - others
        if min(late, longer) >= WORTH * period:
            yield Found(unit, one, late, longer / others if others else 0.0, chance)


def _by_unit(found: Sequence[Found]) -> list[Found]:
    """Each rank once: by its node where that stands out, where it costs most; the dearest first."""
    out: list[Found] = []
    for one in sorted(found, key=lambda x: (-len(x.unit.ranks), -x.cost)):
        if not any(set(one.unit.ranks) <= set(other.unit.ranks) for other in out):
            out.append(one)
    return sorted(out, key=lambda x: -x.cost)


def _calls(one: dict[str, Any]) -> str:
    return f"{one['compared']:,} of {one['calls']:,} calls of ranks {one['ranks']} compared"


def _named(unit: Unit) -> str:
    ranks = ", ".join(str(rank) for rank in unit.ranks[:8]) + (", ..." if unit.ranks[8:] else "")
    if len(unit.ranks) > 1:
        return f"node {unit.node} (ranks {ranks})"
    return f"rank {ranks} on {unit.node}" if unit.node else f"rank {ranks}"


def _line(found: Found) -> str:
    one = found.communicator
    return one_line(
        f"Who is waited for: {_named(found.unit)}: {show_time(found.late)} later than the others "
        f"in a call, {100 * found.longer:.1f} % longer outside of collectives ({_calls(one)}; by "
        f"chance in less than {_odds(found.chance)} jobs)."
    )


def _odds(chance: float) -> str:
    """'1 of 1,000'."""
    digits = min(9, int(-log(chance, 10))) if chance > 0 else 9
    return f"1 of {10**digits:,}"


def left_out(data: dict[str, Any]) -> str:
    """Why communicators were not compared, and how many; empty: all were."""
    return one_line(
        "; ".join(
            f"{why} ({many(n, 'communicator')})"
            for why, n in data["arrivals"]["not_compared"].items()
        )
    )


def _nothing_told(
    data: dict[str, Any], asked: Sequence[tuple[dict[str, Any], list[Unit]]], tests: int
) -> str:
    """Why nothing can be told."""
    if asked:
        one, of = asked[0]
        needed = _needed(len(of), tests)
        why = f"{many(one['compared'], 'call')} could be compared, {needed} are needed"
    else:
        why = left_out(data) or "no blocking call that all ranks leave together was made"
    return one_line(f"Who is waited for: that cannot be told: {why}.")
