"""When ranks came to their collectives: what a statistics file has of it, by node and rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median, median_low
from typing import Any

from ..errors import UsageError
from .communicators import ranks_of

#: What a communicator has for each of its ranks: calls in which the rank came last, and seconds of
#: a compared call: that the others waited for it when it was last, that it waited for the last one,
#: inside of the call, outside before it.
BY_RANK = ("last", "waited_for", "waited", "inside", "outside")
#: What it has for each part of the job: in most of its calls, who came latest, and who was the
#: longest outside of collectives before: the first rank of the node, or the rank. None: several
#: were so in as many calls.
FIRST = {"node": ("latest_node", "longest_node"), "rank": ("latest_rank", "longest_rank")}
#: Other numbers, each of them as long as a job may last.
_MOST = 1e18


@dataclass(frozen=True)
class Unit:
    """Ranks that are compared as one: those of a node, or a single one."""

    node: str | None
    #: Ranks in MPI_COMM_WORLD, and their places in the communicator.
    ranks: tuple[int, ...]
    places: tuple[int, ...]

    def mean(self, of_ranks: Sequence[float]) -> float:
        """The mean of what a communicator has for each rank."""
        return fmean(of_ranks[place] for place in self.places)

    def middle(self, of_ranks: Sequence[float]) -> float:
        """The lower median: of a node that is late, more than half of the ranks are."""
        return median_low(of_ranks[place] for place in self.places)


def compared(data: dict[str, Any]) -> list[dict[str, Any]]:
    """The communicators whose calls were compared, those with most ranks first."""
    listed = (data.get("arrivals") or {}).get("communicators", ())
    return sorted(listed, key=lambda one: (-one["comm_size"], -one["calls"]))


def units(data: dict[str, Any], communicator: dict[str, Any]) -> tuple[list[Unit], list[Unit]]:
    """Nodes of a communicator, where it has several that are not single ranks; and its ranks."""
    members = ranks_of(communicator["ranks"], communicator["comm_size"], data["ranks"])
    names = data.get("nodes") or [None] * data["ranks"]
    ranks = [Unit(names[rank], (rank,), (place,)) for place, rank in enumerate(members)]
    by_node: dict[str | None, list[int]] = {}
    for place, rank in enumerate(members):
        by_node.setdefault(names[rank], []).append(place)
    nodes = [
        Unit(name, tuple(members[place] for place in places), tuple(places))
        for name, places in by_node.items()
    ]
    return (nodes if communicator["latest_node"] else []), ranks


def rows(path: str, data: dict[str, Any], one: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """Rows of the nodes of a communicator and of its ranks, the longest waited for first."""
    return [
        sorted(
            (_row(path, one, unit, of) for unit in of), key=lambda row: -row["waited_for_seconds"]
        )
        for of in units(data, one)
        if of
    ]


def late_rows(
    path: str, data: dict[str, Any]
) -> tuple[list[list[float]], list[float], list[tuple[str | None, int]], str]:
    """What plots.arrivals.late_map draws of a file, the ranks of a node together. UsageError."""
    found = [one for one in compared(data) if one["begun"]]
    if not found:
        raise UsageError(f"{path} has no compared calls to draw")
    one = found[0]
    _, ranks = units(data, one)
    nodes = list(dict.fromkeys(unit.node for unit in ranks))
    ranks.sort(key=lambda unit: (nodes.index(unit.node), unit.ranks))
    late = [[part[unit.places[0]] for unit in ranks] for part in one["late_in_parts"]]
    title = f"{one['compared']:,} of {one['calls']:,} calls of ranks {one['ranks']}"
    return late, one["begun"], [(unit.node, unit.ranks[0]) for unit in ranks], title


def _row(path: str, one: dict[str, Any], unit: Unit, of: Sequence[Unit]) -> dict[str, Any]:
    outside, others = unit.middle(one["outside"]), others_median(one["outside"], unit, of)
    return {
        "file": path,
        "communicator": one["ranks"],
        "calls": one["calls"],
        "compared": one["compared"],
        "node": unit.node,
        "rank": unit.ranks[0] if len(unit.ranks) == 1 else None,
        "last": sum(one["last"][place] for place in unit.places),
        "waited_for_seconds": sum(one["waited_for"][place] for place in unit.places),
        "waited_seconds": unit.mean(one["waited"]),
        "inside_seconds": unit.mean(one["inside"]),
        "outside_seconds": unit.mean(one["outside"]),
        "outside_longer_pct": 100 * (outside / others - 1) if others > 0 else None,
    }


def others_median(of_ranks: Sequence[float], unit: Unit, of: Sequence[Unit]) -> float:
    """The median of the other units' medians."""
    return median(other.middle(of_ranks) for other in of if other is not unit)


def check_arrivals(arrivals: object, ranks: int, where: str) -> None:
    """UsageError when they are none, of a job of `ranks` ranks. Older files have none."""
    if arrivals is None:
        return
    if not isinstance(arrivals, dict) or not isinstance(arrivals.get("communicators"), list):
        raise UsageError(f"{where} is none")
    left_out = arrivals.get("not_compared")
    if not isinstance(left_out, dict) or not all(_is_number(n, int) for n in left_out.values()):
        raise UsageError(f"{where}: not_compared is missing or wrong")
    for n, one in enumerate(arrivals["communicators"], 1):
        if not isinstance(one, dict):
            raise UsageError(f"{where}: communicator {n} is none")
        wrong = _wrong(one, ranks)
        if wrong:
            raise UsageError(f"{where}: communicator {n}: {wrong} is missing or wrong")


def _wrong(one: dict[str, Any], ranks: int) -> str | None:
    """The first key of a communicator that is missing or wrong."""
    for name in ("comm_size", "calls", "compared"):
        if not _is_number(one.get(name), int):
            return name
    if not 1 < one["comm_size"] <= ranks or one["compared"] > one["calls"]:
        return "comm_size" if one["compared"] <= one["calls"] else "compared"
    try:
        ranks_of(str(one.get("ranks")), one["comm_size"], ranks)
    except UsageError:
        return "ranks"
    for name in BY_RANK:
        if not _are_numbers(one.get(name), one["comm_size"], int if name == "last" else float):
            return name
    return _wrong_part(one)


def _wrong_part(one: dict[str, Any]) -> str | None:
    """The first key of what it has for each part that is missing or wrong."""
    begun, late = one.get("begun"), one.get("late_in_parts")
    parts = len(begun) if isinstance(begun, list) else 0
    if not _are_numbers(begun, parts, float) or bool(parts) != bool(one["compared"]):
        return "begun"
    for name in (*FIRST["node"], *FIRST["rank"]):
        told = name in FIRST["rank"] or one.get("latest_node")
        if not _are_places(one.get(name), parts if told else 0, one["comm_size"]):
            return name
    if not isinstance(late, list) or len(late) != parts:
        return "late_in_parts"
    if not all(_are_numbers(part, one["comm_size"], float, -_MOST) for part in late):
        return "late_in_parts"
    return None


def _are_places(found: object, parts: int, ranks: int) -> bool:
    """Are they a rank or None for each part?"""
    return (
        isinstance(found, list)
        and len(found) == parts
        and all(one is None or (_is_number(one, int) and one < ranks) for one in found)
    )


def _are_numbers(found: object, n: int, kind: type, least: float = 0) -> bool:
    """Are they a list of n numbers?"""
    return (
        isinstance(found, list)
        and len(found) == n
        and all(_is_number(one, kind, least) for one in found)
    )


def _is_number(found: object, kind: type, least: float = 0) -> bool:
    """Is it a number from `least`? A float may be whole."""
    kinds = (int,) if kind is int else (int, float)
    return isinstance(found, kinds) and not isinstance(found, bool) and least <= found <= _MOST
