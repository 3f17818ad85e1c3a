"""Bytes between groups: the traffic columns of Tables 3 to 5, and Fig. 5."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from statistics import fmean, median, quantiles
from zlib import crc32

from bine.evaluation import HERE, SPEC, places_of, regular
from hopbine import _core
from hopbine.jobs.counting import change
from hopbine.machines import Machine
from hopbine.simulation import Setup
from shared import engines, places, results, sweeping

#: Generated allocations of each number of nodes.
DRAWN = {False: 20, True: 3}
COLUMNS = ["machine", "nodes", "collective", "source", "jobs", "least", "low", "q1", "median", "q3"]
COLUMNS += ["high", "most", "mean", "worse"]
LOADS = ["machine", "nodes", "collective", "bine", "binomial", "of_bine", "of_binomial"]


def reductions(collective: str, groups: list[list[int]]) -> list[float]:
    """Per cent that Bine saves, the paper's sign, on each placement that spans several groups."""
    bine, classic = SPEC["traffic"].get(collective) or SPEC["order"][collective]
    return [
        0.0
        - change(
            *(
                _core.count(_core.Problem(collective, a, group=g))["global_blocks"]
                for a in (bine, classic)
            )
        )
        for g in groups
        if len(set(g)) > 1
    ]


@dataclass(frozen=True)
class Jobs:
    """Placements of so many nodes of a machine."""

    source: str  #: runs, jobs or generated
    groups: list[list[int]]  #: of each, that of every node

    @property
    def told(self) -> str:
        """The source, and which of its jobs these are."""
        return f"{self.source} {len(self.groups)} {crc32(repr(self.groups).encode()):08x}"


def placements(
    machine: str, nodes: int, sources: places.Sources, least: int, drawn: int, own: bool = True
) -> Jobs:
    """The authors' run if `own`, else the real jobs of so many nodes and `least` groups.

    Else generated ones.
    """
    spec = SPEC["machine"][machine]
    part = places.partition(machine, spec["groups"], spec["per_group"])
    if run := places.run_of(machine, nodes, sources, least) if own else None:
        return Jobs("runs", [[part.hosts[part.find(h)] for h in run[1]]])
    if sources.jobs and machine == "leonardo":
        whole = places.partition(machine, places.ALL, places.ALL)
        real = [
            [whole.hosts[h] for h in hosts]
            for _, hosts in places.real_jobs(sources.jobs, machine, places.ALL, places.ALL)
            if len(hosts) == nodes
        ]
        real = [g for g in real if len(set(g)) >= least]
        if real:
            return Jobs("jobs", real)
    return Jobs("generated", generated(part, f"fragmented:{nodes}", drawn))


def generated(part: Machine, what: str, drawn: int) -> list[list[int]]:
    """Groups of the nodes of generated allocations, each of a seed of its own."""
    every = (places.generate(f"{what}:seed={seed}", part) for seed in range(drawn))
    return [[part.hosts[h] for h in one.hosts] for one in every]


def middle(machine: str, what: str) -> float:
    """The median reduction of an allreduce on allocations of a kind, per cent."""
    spec = SPEC["machine"][machine]
    part = places.partition(machine, spec["groups"], spec["per_group"])
    return median(reductions("allreduce", generated(part, what, 5 * DRAWN[False])))


def row(machine: str, nodes: int, collective: str, jobs: Jobs) -> list[dict]:
    """Quartiles over the placements. Per cent; `worse` counts placements with more bytes."""
    found = reductions(collective, jobs.groups)
    if not found:
        return []
    q1, middle, q3 = quantiles(found, n=4, method="inclusive") if found[1:] else found * 3
    reach = 1.5 * (q3 - q1)  # of the whiskers
    low, high = min(x for x in found if x >= q1 - reach), max(x for x in found if x <= q3 + reach)
    told = (min(found), low, q1, middle, q3, high, max(found), fmean(found))
    values = [machine, nodes, collective, jobs.source, len(found), *(f"{x:.2f}" for x in told)]
    return [dict(zip(COLUMNS, [*values, sum(x < 0 for x in found)], strict=True))]


def works(sources: places.Sources, quick: bool) -> Iterator[sweeping.Work]:
    """Tables: jobs that span as many groups as the paper's. Fig. 5: `figure 5`, all jobs."""
    drawn = DRAWN[quick]
    for machine, spec in SPEC["machine"].items():
        for nodes in spec["quick" if quick else "nodes"] if "groups" in spec else ():
            least = min(SPEC["jobs_groups"], nodes // 4)
            jobs = placements(machine, nodes, sources, least, drawn)
            for collective in spec.get("only", {}).get(str(nodes), SPEC["collectives"]):
                make = partial(row, machine, nodes, collective, jobs)
                yield f"{machine} {nodes} {collective} {jobs.told}", make


def figure_5(sources: places.Sources, quick: bool) -> Iterator[sweeping.Work]:
    """All jobs of two groups or more, by powers of two."""
    for machine, most in (("leonardo", 256), ("lumi", 2048)):
        for nodes in (4 << i for i in range((most // 4).bit_length())):
            if not (quick and nodes > 64):
                jobs = placements(machine, nodes, sources, 1, 5 * DRAWN[quick], own=False)
                make = partial(row, machine, nodes, "allreduce", jobs)
                yield f"{machine} {nodes} {jobs.told}", make


def loads(machine: str, largest: places.Place, collective: str) -> list[dict]:
    """Load of the busiest link over that of the busiest port, on a job of a machine."""
    torus = "shapes" in SPEC["machine"][machine]
    pairs = SPEC["torus_pairs"] if torus else SPEC["traffic"] | SPEC["order"]
    told, on = [machine, largest.nodes, collective, *pairs[collective]], setup(largest)
    for name in pairs[collective]:
        told.append(f"{on.simulation(collective, name).deficiencies()['congestion']:.3f}")
    return [dict(zip(LOADS, told, strict=True))]


@cache
def setup(place: places.Place) -> Setup:
    """The place's network, for all collectives."""
    return engines.setup(place, "step")


def congested(sources: places.Sources, quick: bool) -> Iterator[sweeping.Work]:
    """The largest job of the paper on each machine."""
    for machine, spec in SPEC["machine"].items():
        at = -1 if quick else len(regular(machine)) - 1
        largest = places_of(machine, sources, quick)[at]
        for collective in spec.get("only", {}).get(largest.nodes, SPEC["collectives"]):
            name = f"{machine} {largest.nodes} {largest.source} {collective}"
            yield name, partial(loads, machine, largest, collective)


def write(out: Path, sources: places.Sources, quick: bool) -> None:
    """traffic.csv.xz, fig5.csv.xz and congestion.csv.xz."""
    sweeping.collect(out / "congestion.csv.xz", congested(sources, quick), LOADS)
    sweeping.collect(out / "traffic.csv.xz", works(sources, quick), COLUMNS)
    sweeping.collect(out / "fig5.csv.xz", figure_5(sources, quick), COLUMNS)


def spared(machine: str, column: str) -> float:
    """Per cent of the numbers of nodes from 64 on of Fig. 5 where Bine sends no more bytes.

    `column`: the jobs that count, `least` all, `low` those within the whiskers, `q1` the boxes.
    """
    rows = [r for r in table(HERE / "data", "fig5") if r["machine"] == machine]
    return 100 * fmean(float(r[column]) >= 0 for r in rows if int(r["nodes"]) >= 64)


def table(out: Path, name: str = "traffic") -> list[dict[str, str]]:
    """What `write` wrote; nothing before."""
    return results.known(out / f"{name}.csv.xz")
