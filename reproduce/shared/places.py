"""Where a paper's collectives run: allocations of machines, real or generated, and tori."""

import importlib
import sys
from collections import Counter, deque
from dataclasses import dataclass, replace
from functools import cache
from math import prod
from pathlib import Path
from types import ModuleType
from typing import Any

from hopbine.allocations import BadJob, generate, read
from hopbine.machines import Machine, load
from hopbine.notation.units import parse_bandwidth

#: More groups than any machine has.
ALL = 1 << 30


@dataclass(frozen=True)
class Place:
    """The ranks of a job."""

    nodes: str  #: '64' or '8x8x8'
    source: str  #: whose allocation it is
    topology: str
    bandwidth: float  #: of a link, bytes/s
    costs: str  #: as HOPBINE_NETWORK
    group: tuple[int, ...]
    at: tuple[int, ...] = ()  #: node of the topology of every rank; empty: in order
    shape: tuple[int, ...] = ()  #: of a torus
    per_node: int = 1  #: consecutive ranks on each node

    @property
    def ranks(self) -> int:
        """Ranks of the job."""
        return len(self.group)

    @property
    def groups(self) -> int:
        """How many groups the job spans."""
        return len(set(self.group))


@dataclass(frozen=True)
class Sources:
    """What real allocations are read from; None: allocations are generated."""

    jobs: Path | None = None  #: a job file of Leonardo
    pico: Path | None = None  #: the authors' measured runs

    def check(self) -> None:
        """ValueError when one cannot be read."""
        if self.jobs and not self.jobs.is_file():
            raise ValueError(f"--jobs '{self.jobs}' is not a file of jobs, as jobs_leonardo.csv")
        if self.jobs and not real_jobs(self.jobs, "leonardo", ALL, ALL):
            raise ValueError(f"--jobs '{self.jobs}' has no job on nodes of Leonardo")
        if self.pico:
            pico = published()
            try:
                deque(pico.rows(self.pico / "measured.csv.gz", pico.MEASURED), 0)
                runs(self.pico)
            except ValueError as error:
                raise ValueError(f"--measured {error}") from None


@cache
def partition(name: str, groups: int, each: int) -> Machine:
    """A machine of the first `each` nodes of the first `groups` groups."""
    machine, seen, hosts = load(name), Counter[int](), {}
    for host, group in machine.hosts.items():
        if group < groups and seen[group] < each:
            hosts[host] = group
        seen[group] += 1
    return replace(machine, hosts=hosts)


@cache
def real_jobs(path: Path, name: str, groups: int, each: int) -> list[tuple[str, list[str]]]:
    """Jobs of a file whose hosts are all of the partition, by name."""
    machine, out = partition(name, groups, each), []
    for job in read(str(path)):
        if not isinstance(job, BadJob):
            try:
                out.append((job.job, [machine.find(h) for h in job.hosts]))
            except ValueError:
                continue  # on nodes of another partition
    return out


def published() -> ModuleType:
    """benchmarks/published_rows.py, which reads the authors' runs."""
    if (folder := str(Path(__file__).parents[2] / "benchmarks")) not in sys.path:
        sys.path.append(folder)
    return importlib.import_module("published_rows")


@cache
def runs(pico: Path) -> list[dict[str, Any]]:
    """The authors' runs, with the nodes of each."""
    pico_rows = published()
    return list(pico_rows.rows(pico / "run_allocations.csv.gz", pico_rows.ALLOCATIONS))


def run_of(name: str, nodes: int, sources: Sources, least: int) -> tuple[str, list[str]] | None:
    """The authors' first run with one rank on each of so many nodes, and its hosts.

    It spans two groups where `least` is more than one.
    """
    for run in runs(sources.pico) if sources.pico else ():
        own = run["system"] == name and run["ranks"] == run["nodes"] == nodes
        if own and run["groups"] >= min(least, 2):
            return run["run"], run["node_of_each"]
    return None


def allocation(
    name: str, spec: dict, nodes: int, sources: Sources, least: int, seed: int
) -> tuple[str, list[str]]:
    """Hosts of a job of `nodes` nodes and what it is.

    A run of the authors, else a real job of `least` groups or more, else a generated one.
    """
    extent = spec["groups"], spec["per_group"]
    machine = partition(name, *extent)
    if run := run_of(name, nodes, sources, least):
        return f"run {run[0]}", [machine.find(h) for h in run[1]]
    real = real_jobs(sources.jobs, name, *extent) if sources.jobs and name == "leonardo" else []
    for job, hosts in real:
        if len(hosts) == nodes and len({machine.hosts[h] for h in hosts}) >= least:
            return f"job {job}", hosts
    return "generated", list(generate(f"fragmented:{nodes}:seed={seed}", machine).hosts)


def on_machine(
    name: str, spec: dict, nodes: int, sources: Sources, least: int, seed: int, per_node: int = 1
) -> Place:
    """A job on a machine with groups."""
    extent = spec["groups"], spec["per_group"]
    machine = partition(name, *extent)
    source, hosts = allocation(name, spec, nodes, sources, least, seed)
    hosts = [h for h in hosts for _ in range(per_node)]
    group = tuple(machine.hosts[h] for h in hosts)
    link = machine.links["node"].bandwidth
    assert link is not None
    number = numbers(name, *extent)
    at = tuple(g * spec["per_group"] + number[h] for g, h in zip(group, hosts, strict=True))
    costs = of_one_card(machine.network())
    return Place(str(nodes), source, spec["topology"], link, costs, group, at, per_node=per_node)


def of_one_card(costs: str) -> str:
    """Costs of the model without a machine's cards: on the pages a node has one link."""
    return ":".join(c for c in costs.split(":") if not c.startswith("cards="))


@cache
def numbers(name: str, groups: int, each: int) -> dict[str, int]:
    """Number of each host within its group."""
    seen: Counter[int] = Counter()
    out = {}
    for host, group in sorted(partition(name, groups, each).hosts.items()):
        out[host] = seen[group]
        seen[group] += 1
    return out


def on_torus(name: str, spec: dict, shape: str) -> Place:
    """A job with a torus of its own."""
    extents = tuple(map(int, shape.split("x")))
    ranks = prod(extents)
    return Place(
        shape,
        "its own torus",
        f"torus:{shape}",
        parse_bandwidth(spec["bandwidth"]),
        of_one_card(load(name).network()),
        (0,) * ranks,
        (),
        extents,
    )
