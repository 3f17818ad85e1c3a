"""Jobs as large as the paper's, and algorithms as published, by packets: what the sweeps leave out.

[scale] of paper.toml says which. A row is of one algorithm; `engine` has the routing behind it.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median

from bine.evaluation import COLUMNS, SIZES, SPEC
from bine.registry import PAPERS, papers
from hopbine.notation.units import parse_size, show_size
from hopbine.simulation import Setup
from shared import engines, places, sweeping
from shared.comparing import EQUAL, Cell, cells

TOLD = SPEC["scale"]


def place_of(machine: str, nodes: str, sources: places.Sources) -> places.Place:
    """Where a job of so many nodes runs, as in the machine's own sweep."""
    spec = SPEC["machine"][machine]
    if "shapes" in spec:
        return places.on_torus(machine, spec, nodes)
    return places.on_machine(machine, spec, int(nodes), sources, SPEC["jobs_groups"], SPEC["seed"])


def named(part: dict) -> str:
    """The engine, the routing and the threads, as the column has them."""
    threads = [f"{part['threads']} threads"] if "threads" in part else []
    return " ".join([engines.PACKETS, *part.get("routing", "").split(), *threads])


def setup(part: dict, place: places.Place) -> Setup:
    """The place's network. Threads, one for each port, send and receive beside each other."""
    on = engines.by_packets(part["machine"], place)
    costs = dict(on.costs)
    for key in ("send", "receive"):
        costs[key] /= part.get("threads", 1)
    return replace(on, routing=part.get("routing", on.routing), costs=costs)


def rows(part: dict, place: places.Place, letter: str, name: str) -> list[dict]:
    """Times of an algorithm; none where it does not fit."""
    machine, collective = part["machine"], part["collective"]
    if not engines.fits(place, collective, name):
        return []
    least, most = (parse_size(part.get(k, d)) for k, d in (("least", "1"), ("most", "1GiB")))
    sizes = [s for s in SIZES if least <= s <= most]
    on = setup(part, place)
    known = dict(zip(sizes, engines.simulated(on, collective, name, sizes), strict=True))
    seconds = [known.get(s) for s in SIZES]
    told = [
        *(machine, named(part), place.nodes, place.ranks, place.source, place.groups),
        *(collective, letter, name),
        *("" if t is None else f"{t:.6g}" for t in seconds),
    ]
    return [dict(zip(COLUMNS, told, strict=True))]


def works(sources: places.Sources, quick: bool) -> Iterator[sweeping.Work]:
    """What the file is made of."""
    for part in TOLD["parts"]:
        machine, collective = part["machine"], part["collective"]
        if machine not in SPEC["machine"]:
            continue
        of = part.get("algorithms") or papers(machine, collective)
        for nodes in SPEC["machine"][machine]["quick"][:1] if quick else part["nodes"]:
            place = place_of(machine, str(nodes), sources)
            for letter, names in of.items():
                for name in names:
                    work = f"{machine} {nodes} {place.source} {named(part)} {collective} {name}"
                    yield work, partial(rows, part, place, letter, name)


def write(out: Path, sources: places.Sources, quick: bool) -> None:
    """scale.csv.xz."""
    sweeping.collect(out / "scale.csv.xz", works(sources, quick), COLUMNS)


def table(out: Path, machine: str, collective: str, threads: bool = False) -> list[Cell]:
    """Cells of a machine and a collective, of parts with `threads` or without.

    Nothing before `write`.
    """
    path = out / "scale.csv.xz"
    if not path.exists():
        return []

    def letter(row: dict[str, str]) -> str | None:
        return row["letter"] if row["machine"] == machine else None

    told = dict.fromkeys(named(part) for part in TOLD["parts"] if ("threads" in part) == threads)
    every = [c for engine in told for c in cells(path, engine, SIZES, letter)]
    return [c for c in every if c.collective == collective]


def lines(out: Path) -> list[str]:
    """Markdown: the next best and its time over Bine's, where Bine is the best, and by how much."""
    text = ["| machine, nodes | engine | collective | " + " | ".join(map(show_size, SIZES))]
    text[0] += " | best, median lead | over binomial |"
    text.append("|---" * (5 + len(SIZES)) + "|")
    for part in TOLD["parts"]:
        machine, collective = part["machine"], part["collective"]
        found = table(out, machine, collective, "threads" in part)
        for nodes in dict.fromkeys(c.nodes for c in found):
            of = {c.bytes: c for c in found if c.nodes == nodes}
            row = [f"{SPEC['machine'][machine]['title']}, {nodes}", named(part), collective]
            row += [_cell(of[s]) if s in of else "-" for s in SIZES]
            text.append("| " + " | ".join([*row, *_summary([*of.values()])]) + " |")
    return text


def _cell(cell: Cell) -> str:
    """'ring 1.07'."""
    others = [k for k in cell.fastest if k in PAPERS and k != "B"]
    best, ratio = cell.best(others), cell.ratio("B", others)
    return f"{SPEC['letters'][best]} {ratio:.2f}" if best and ratio else "-"


def _summary(found: list[Cell]) -> list[str]:
    """'7 of 9, 3.4 %' over all, and over binomial algorithms."""
    told = []
    for letters in (PAPERS, "N"):
        known = [r for c in found if (r := c.ratio("B", letters)) is not None]
        won = [r for r in known if r > EQUAL]
        lead = f", {100 * (median(won) - 1):.1f} %" if won else ""
        told.append(f"{len(won)} of {len(known)}{lead}" if known else "-")
    return told
