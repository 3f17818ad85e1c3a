"""Sec. 6.1: one and several processes on every node, by packets, on nodes with their cards."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from bine.evaluation import COLUMNS, SIZES, SPEC
from bine.registry import papers
from hopbine import _core
from hopbine.machines import load
from hopbine.notation.units import show_size
from hopbine.simulation import Setup
from hopbine.simulation.on_machine import MachineNetwork
from shared import engines, places, sweeping
from shared.comparing import Cell, cells, tally

TOLD = SPEC["processes"]
ENGINE = engines.PACKETS
#: The paper's example.
EXAMPLE = ("reduce_scatter", 1 << 20)


def setup(machine: str, place: places.Place, costs: dict[str, float] | None = None) -> Setup:
    """The machine's cards and links, with the costs of messages that it or `costs` tells."""
    on = MachineNetwork(load(machine)).setup(place.at, engine=ENGINE)
    return replace(on, costs={**on.costs, **(costs or {})})


def rows(
    place: places.Place,
    on: Setup,
    machine: str,
    collective: str,
    of: dict[str, list[str]],
    least: int = 0,
) -> list[dict]:
    """Times of every algorithm that serves, of vectors of `least` bytes or more, a row each."""
    sizes = [s for s in SIZES if s >= least]
    out = []
    for letter, names in of.items():
        for name in names:
            if engines.fits(place, collective, name):
                seconds = engines.simulated(on, collective, name, sizes)
                seconds = [None] * (len(SIZES) - len(sizes)) + seconds
                told = [
                    *(machine, ENGINE, f"{place.nodes} x {place.per_node}", place.ranks),
                    *(place.source, place.groups, collective, letter, name),
                    *("" if t is None else f"{t:.6g}" for t in seconds),
                ]
                out.append(dict(zip(COLUMNS, told, strict=True)))
    return out


def at(machine: str, nodes: int, sources: places.Sources, each: int) -> places.Place:
    """A job with `each` processes on every node."""
    spec = SPEC["machine"][machine]
    least = min(SPEC["jobs_groups"], nodes // 4)
    return places.on_machine(machine, spec, nodes, sources, least, SPEC["seed"], each)


def works(machine: str, sources: places.Sources, quick: bool) -> Iterator[sweeping.Work]:
    """A machine's file."""
    for each in TOLD["each"]:
        place = at(machine, TOLD["quick" if quick else "nodes"], sources, each)
        on = setup(machine, place)
        for collective in SPEC["collectives"]:
            make = partial(rows, place, on, machine, collective, papers(machine, collective))
            yield f"{machine} {place.source} {each} {collective}", make


def write(out: Path, sources: places.Sources, quick: bool) -> None:
    """processes-*.csv.xz."""
    for machine in TOLD["machines"]:
        if machine in SPEC["machine"]:
            made = works(machine, sources, quick)
            sweeping.collect(out / f"processes-{machine}.csv.xz", made, COLUMNS)


def table(out: Path, machine: str) -> dict[int, list[Cell]]:
    """Cells by processes on each node; nothing before `write`."""
    path = out / f"processes-{machine}.csv.xz"
    every = cells(path, ENGINE, SIZES) if path.exists() else []
    return {each: [c for c in every if c.nodes.endswith(f" x {each}")] for each in TOLD["each"]}


def over(cell: Cell) -> float | None:
    """Time of the binomial algorithm over Bine's."""
    return cell.ratio("B", SPEC["binomial"].get(cell.collective, "N"))


def example(out: Path, machine: str) -> str:
    """Per cent that Bine gains over binomial algorithms and over all but Swing, by processes."""
    (collective, size), words = EXAMPLE, []
    for each, found in table(out, machine).items():
        for c in found:
            if (c.collective, c.bytes) == (collective, size):
                others = [k for k in c.fastest if k not in "Ss"]
                known = [r for r in (over(c), c.ratio("B", others)) if r]
                told = " and ".join(f"{100 * (r - 1):.0f} %" for r in known)
                words.append(f"{each}: {told}")
    if not words:
        raise FileNotFoundError
    return f"{show_size(size)}, over binomial and all but Swing, by processes: {'; '.join(words)}"


def crossing() -> str:
    """Vectors that each rank of a large allreduce sends out of its node, by algorithm."""
    nodes, each = TOLD["nodes"], TOLD["each"][-1]
    node, words = [r // each for r in range(nodes * each)], []
    for name in SPEC["traffic"]["allreduce"]:
        blocks = _core.count(_core.Problem("allreduce", name, group=node))["global_blocks"]
        words.append(f"{name} {blocks / len(node) ** 2:.2f} n")
    return ", ".join(words)


def lines(out: Path) -> list[str]:
    """Markdown: gains over binomial algorithms."""
    each = TOLD["each"]
    text = ["| machine | processes a node | " + " | ".join(SPEC["collectives"]) + " |"]
    text.append("|---" * (2 + len(SPEC["collectives"])) + "|")
    for machine in TOLD["machines"]:
        known = table(out, machine)
        for n in each if any(known.values()) else ():
            row = []
            for collective in SPEC["collectives"]:
                t = tally(over(c) for c in known[n] if c.collective == collective)
                row.append(
                    f"{t.win:.0f} %, {t.gain:.0f}/{t.most_gain:.0f}; {t.loss:.0f} %" if t else "-"
                )
            text.append(f"| {SPEC['machine'][machine]['title']} | {n} | " + " | ".join(row) + " |")
    most = TOLD["each"][-1]
    return [*text, "", f"Sent out of its node by each of {most} processes: {crossing()}."]
