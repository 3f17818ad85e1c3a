"""Bine and binomial algorithms beside other jobs' traffic, by packets."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from statistics import median

from bine import processes
from bine.evaluation import SPEC
from hopbine import machines
from hopbine.notation.units import parse_size, show_size
from hopbine.simulation import Setup, other_jobs
from hopbine.simulation.on_machine import MachineNetwork
from hopbine.simulation.setup import Background
from shared import places, results, sweeping

TOLD = SPEC["congestion"]
KEYS = ["machine", "nodes", "source", "groups", "collective", "bytes", "load", "seed"]
COLUMNS = [*KEYS, "bine", "binomial", "reached"]
#: Other jobs, by what tables call them.
LOADS = {
    name: Background(**{key: value for key, value in told.items() if key != "jobs"})
    for name, told in TOLD["loads"].items()
}
#: Loads whose nodes are those of real jobs, on the machine that these are of.
OF_JOBS = {name for name, told in TOLD["loads"].items() if told.get("jobs")}
JOBS_MACHINE = "leonardo"
PAIRS = SPEC["traffic"] | SPEC["order"]


def others(on: Setup, load: str, jobs: Path | None, seed: int) -> Background:
    """The other jobs; `jobs`: the file of those of which some are drawn."""
    if load not in OF_JOBS:
        return LOADS[load]
    placed = other_jobs.of_file(_network(JOBS_MACHINE), str(jobs), on.at, seed)
    return replace(LOADS[load], jobs=placed.nodes)


@cache
def _network(machine: str) -> MachineNetwork:
    return MachineNetwork(machines.load(machine))


def rows(
    on: Setup, known: list, collective: str, load: str, jobs: Path | None, seeds: list[int]
) -> list[dict]:
    """Times of both algorithms, and what share of its bandwidth a sender reached beside Bine."""
    out = []
    for size in map(parse_size, TOLD["sizes"]):
        for seed in seeds:
            beside = replace(on, background=others(on, load, jobs, seed), seed=seed, _kept={})
            both = [beside.reached(collective, name, size) for name in PAIRS[collective]]
            reached = [f"{v:.4g}" for k, v in both[0].items() if k != "seconds"]
            told = [*known, collective, size, load, seed]
            told += [*(f"{one['seconds']:.6g}" for one in both), *(reached or [""])]
            out.append(dict(zip(COLUMNS, told, strict=True)))
    return out


def works(sources: places.Sources, quick: bool) -> Iterator[sweeping.Work]:
    """What the file is made of."""
    for machine, told in TOLD["machines"].items():
        if machine not in SPEC["machine"] or (quick and "quick" not in told):
            continue
        place = processes.at(machine, told["quick" if quick else "nodes"], sources, 1)
        on = processes.setup(machine, place)
        known = [machine, place.nodes, place.source, place.groups]
        for collective in told["collectives"][: 2 if quick else None]:
            for load in LOADS:
                if load in OF_JOBS and (machine != JOBS_MACHINE or not sources.jobs):
                    continue
                seeds = told["seeds"][: 1 if quick else None]
                name = f"{machine} {place.source} {collective} {load}"
                yield name, partial(rows, on, known, collective, load, sources.jobs, seeds)


def write(out: Path, sources: places.Sources, quick: bool) -> None:
    """other-jobs.csv.xz."""
    sweeping.collect(out / "other-jobs.csv.xz", works(sources, quick), COLUMNS)


def table(out: Path) -> list[dict[str, str]]:
    """What `write` wrote; nothing before."""
    return results.known(out / "other-jobs.csv.xz")


def cell(rows: list[dict[str, str]]) -> str:
    """'94 us, 1.01': time of Bine, and the binomial algorithm's over it; medians over seeds."""
    if not rows:
        return "-"
    bine = median(float(r["bine"]) for r in rows)
    ratio = median(float(r["binomial"]) / float(r["bine"]) for r in rows)
    return f"{1e6 * bine:.3g} us, {ratio:.2f}"


def lines(out: Path) -> list[str]:
    """Markdown: a row per collective and size."""
    every = table(out)
    text = ["| machine, nodes | collective | bytes | " + " | ".join(LOADS) + " |"]
    text.append("|---" * (3 + len(LOADS)) + "|")
    for key in dict.fromkeys((r["machine"], r["collective"], r["bytes"]) for r in every):
        of = [r for r in every if (r["machine"], r["collective"], r["bytes"]) == key]
        row = [cell([r for r in of if r["load"] == load]) for load in LOADS]
        title = f"{SPEC['machine'][key[0]]['title']}, {of[0]['nodes']}"
        shown = " | ".join(row)
        text.append(f"| {title} | {key[1]} | {show_size(int(key[2]))} | {shown} |")
    return text
