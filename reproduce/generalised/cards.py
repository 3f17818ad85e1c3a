"""The best radix by the number of network cards of a node, by packets."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from generalised.evaluation import (
    CARDS,
    COLUMNS,
    SIZES,
    SPEC,
    by_packets,
    message_costs,
    place_of,
    radices,
)
from hopbine.notation.units import parse_bandwidth, show_size
from hopbine.simulation import Setup
from shared import results, sweeping

TOLD = SPEC[CARDS]
COSTS = {"no": dict, "LUMI's": message_costs}


def panel_of(told: dict) -> dict:
    """The panel of a figure whose machine, nodes and collective are taken."""
    panels = SPEC["figure"][told["figure"]]["panels"]
    return next(dict(p) for p in panels if p["name"] == told["name"])


def rows(told: dict, costs: str, cards: int, quick: bool) -> list[dict]:
    """Every radix on nodes of so many cards."""
    panel, kernel = panel_of(told), told["kernel"]
    place, network = place_of(panel, quick), TOLD["networks"][panel["machine"]]
    on = Setup(
        network["topology"].format(
            nodes=cards * network["nodes"], cables=cards * network["cables"]
        ),
        place.at,
        parse_bandwidth(TOLD["bandwidth"]),
        engine="packet",
        cards=cards,
        costs=COSTS[costs](),
        routing=TOLD["routing"],
    )
    known = [
        *(told["figure"] + told["name"], costs, panel["machine"], place.nodes, place.per_node),
        *(place.groups, panel["collective"], kernel),
    ]
    out = []
    for k in radices(kernel, place.ranks, CARDS):
        times = by_packets(on, place.ranks, panel["collective"], f"{kernel}:k={k}")
        shown = ["" if t is None else f"{t:.6g}" for t in times]
        out.append({"cards": cards} | dict(zip(COLUMNS, [*known, k, *shown], strict=True)))
    return out


def works(quick: bool) -> Iterator[sweeping.Work]:
    """What the file is made of."""
    for told in TOLD["panels"]:
        for costs in TOLD["costs"]:
            for cards in TOLD["numbers"]:
                name = f"{told['figure']}{told['name']} {costs} {cards} cards"
                yield name, partial(rows, told, costs, cards, quick)


def write(out: Path, quick: bool) -> None:
    """cards.csv.xz."""
    sweeping.collect(out / "cards.csv.xz", works(quick), ["cards", *COLUMNS])


def best(rows: list[dict], size: int) -> str:
    """The fastest radix at a size, the lowest of equal ones; '-' where none divides it."""
    known = [(float(r[str(size)]), int(r["k"])) for r in rows if r[str(size)]]
    return str(min(known)[1]) if known else "-"


def lines(out: Path) -> list[str]:
    """Markdown: the best radix on nodes of 1, 2, 4 and 8 cards."""
    text = ["| machine | collective | costs | " + " | ".join(map(show_size, SIZES)) + " |"]
    text.append("|---" * (3 + len(SIZES)) + "|")
    every = results.known(out / "cards.csv.xz")
    if not every:
        return [*text, "| not run |" + " |" * (2 + len(SIZES))]
    for key in dict.fromkeys((r["panel"], r["source"]) for r in every):
        of = [r for r in every if (r["panel"], r["source"]) == key]
        by_cards = [[r for r in of if r["cards"] == str(n)] for n in TOLD["numbers"]]
        row = [", ".join(best(rows, size) for rows in by_cards) for size in SIZES]
        machine = SPEC["machine"][of[0]["machine"]]["title"]
        text.append(
            f"| {machine}, {of[0]['nodes']} nodes | {of[0]['collective']} | {key[1]} | "
            + " | ".join(row)
            + " |"
        )
    return text
