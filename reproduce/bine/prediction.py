"""A prediction: Bine against NCCL's PAT and ring allgather on Leonardo, one GPU a node, by packets.

[prediction] of paper.toml says of what; docs/papers/nccl-prediction.md has the tables.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from bine.evaluation import SPEC
from hopbine.bench.sizes import parse_sizes
from hopbine.machines.messages import read_costs
from hopbine.notation.units import show_size
from shared import engines, page, places, results, sweeping
from shared.comparing import EQUAL

TOLD = SPEC["prediction"]
SIZES = parse_sizes(TOLD["sizes"])
KEYS = ["nodes", "source", "groups", "routing", "letter", "algorithm"]
COLUMNS = [*KEYS, *map(str, SIZES)]
PAGE = page.PAGES / "nccl-prediction.md"
BEGIN = "<!-- prediction: written by reproduce/run.py bine prediction -->"
END = "<!-- end of prediction -->"


def jobs(nodes: int, sources: places.Sources) -> dict[str, places.Place]:
    """A real job or run where there is one, and generated ones."""
    machine, least = TOLD["machine"], SPEC["jobs_groups"]
    spec, none = SPEC["machine"][machine], places.Sources()
    real = places.on_machine(machine, spec, nodes, sources, least, SPEC["seed"])
    drawn = {
        f"generated, seed {seed}": places.on_machine(machine, spec, nodes, none, least, seed)
        for seed in TOLD["seeds"]
    }
    return ({real.source: real} if real.source != "generated" else {}) | drawn


def rows(place: places.Place, source: str, routing: str, letter: str, name: str) -> list[dict]:
    """Times of an algorithm with the latencies of NCCL's steps."""
    on = replace(
        engines.setup(place, engines.PACKETS),
        costs=read_costs({"nccl": TOLD["protocol"]}),
        routing=routing,
    )
    seconds = engines.simulated(on, TOLD["collective"], name, SIZES)
    told = [place.nodes, source, place.groups, routing, letter, name]
    values = ["" if t is None else f"{t:.6g}" for t in seconds]
    return [dict(zip(COLUMNS, [*told, *values], strict=True))]


def works(sources: places.Sources, quick: bool) -> Iterator[sweeping.Work]:
    """What the file is made of."""
    if TOLD["machine"] not in SPEC["machine"]:
        return
    for nodes in TOLD["quick" if quick else "nodes"]:
        for source, place in jobs(nodes, sources).items():
            for routing in TOLD["routings"]:
                for letter, names in TOLD["algorithms"].items():
                    for name in names:
                        make = partial(rows, place, source, routing, letter, name)
                        yield f"{nodes} {source} {routing} {name}", make


def write(out: Path, sources: places.Sources, quick: bool) -> None:
    """prediction.csv.xz."""
    sweeping.collect(out / "prediction.csv.xz", works(sources, quick), COLUMNS)


def cell(of: dict[str, float]) -> str:
    """The winner, and the times of ring and PAT over Bine's."""
    best = min(of, key=lambda k: of[k])
    second = min(t for k, t in of.items() if k != best)
    name = "even" if second / of[best] <= EQUAL else TOLD["letters"][best]
    return f"{name}; {of['R'] / of['B']:.2f}, {of['T'] / of['B']:.2f}"


def lines(out: Path) -> list[str]:
    """Markdown: a row for each job and routing."""
    text = ["| nodes | job | groups | routes | " + " | ".join(map(show_size, SIZES)) + " |"]
    text.append("|---" * (4 + len(SIZES)) + "|")
    found: dict[tuple[str, ...], dict[int, dict[str, float]]] = {}
    for row in results.known(out / "prediction.csv.xz"):
        of = found.setdefault(tuple(row[k] for k in KEYS[:4]), {s: {} for s in SIZES})
        for size in SIZES:
            if row[str(size)]:
                seconds, letter = float(row[str(size)]), row["letter"]
                of[size][letter] = min(of[size].get(letter, seconds), seconds)
    for told, of in found.items():
        text.append("| " + " | ".join([*told, *(cell(of[s]) for s in SIZES)]) + " |")
    return text


def write_page(out: Path) -> None:
    """Renews the table of the page."""
    page.check([out / "prediction.csv.xz"])
    PAGE.write_text(page.between(PAGE.read_text(), BEGIN, END, "\n".join(lines(out))))
