"""Sec. 6.2: an allreduce between the GPUs of nodes, by packets, against NCCL's algorithms."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from bine import processes
from bine.evaluation import COLUMNS, SIZES, SPEC
from hopbine.notation.units import parse_bandwidth, parse_size, show_size
from shared import places, sweeping
from shared.comparing import Cell, cells, tally

TOLD = SPEC["gpus"]
COLLECTIVE = "allreduce"


def works(machine: str, sources: places.Sources, quick: bool) -> Iterator[sweeping.Work]:
    """A machine's file."""
    inside = {"inside_bandwidth": parse_bandwidth(TOLD["machines"][machine])}
    least = parse_size(TOLD["least"])
    for nodes in TOLD["quick" if quick else "nodes"]:
        place = processes.at(machine, nodes, sources, TOLD["each"])
        on = processes.setup(machine, place, inside)
        for letter, names in TOLD["algorithms"].items():
            for name in names:
                of = {letter: [name]}
                make = partial(processes.rows, place, on, machine, COLLECTIVE, of, least)
                yield f"{machine} {place.source} {nodes} {name}", make


def write(out: Path, sources: places.Sources, quick: bool) -> None:
    """gpus-*.csv.xz."""
    for machine in TOLD["machines"]:
        if machine in SPEC["machine"]:
            sweeping.collect(
                out / f"gpus-{machine}.csv.xz", works(machine, sources, quick), COLUMNS
            )


def table(out: Path, machine: str) -> list[Cell]:
    """Cells of its file; nothing before `write`."""
    path = out / f"gpus-{machine}.csv.xz"
    return cells(path, processes.ENGINE, SIZES) if path.exists() else []


def lines(out: Path) -> list[str]:
    """Markdown: time of NCCL's ring and trees, and of MPI's, over that of Bine."""
    sizes = [s for s in SIZES if s >= parse_size(TOLD["least"])]
    text = ["| machine | GPUs | " + " | ".join(map(show_size, sizes)) + " |"]
    text.append("|---" * (2 + len(sizes)) + "|")
    for machine in TOLD["machines"]:
        found = table(out, machine)
        for ranks in dict.fromkeys(c.ranks for c in found):
            of = {c.bytes: c for c in found if c.ranks == ranks}
            row = [", ".join(f"{of[s].ratio('B', k):.2f}" for k in "RTM") for s in sizes]
            title = SPEC["machine"][machine]["title"]
            text.append(f"| {title} | {ranks} | " + " | ".join(row) + " |")
    return text


def lead(out: Path, machine: str, low: str, gpus: tuple[int, int], others: str = "RT") -> str:
    """Bine against the better of others, for vectors of more than `low` on so many GPUs."""
    least, most = gpus
    found = [
        c for c in table(out, machine) if c.bytes > parse_size(low) and least <= c.ranks <= most
    ]
    t = tally(c.ratio("B", others) for c in found)
    if t is None:
        raise FileNotFoundError
    return (
        f"faster in {t.win:.0f} % of {t.count}, by {t.most_gain:.0f} % at most; slower in "
        f"{t.loss:.0f} %, by {t.drop:.0f} %, at most {t.most_drop:.0f} %"
    )
