"""Reads pico's measurements: one cell per run, collective and size, with hopbine's loads."""

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from published_by_time import nearest
from published_names import OWN_CHOICE, Name, library, of_library, on_torus
from published_rows import GROUPS, MEASURED, rows
from published_runs import renamed

from hopbine import _core
from hopbine.machines import load


@dataclass(frozen=True)
class Job:
    """The ranks of a run, as far as the model sees them."""

    system: str
    run: str
    group: tuple[int, ...]
    node: tuple[int, ...]
    shape: tuple[int, ...]  #: of a torus; else none


@dataclass
class Cell:
    """The algorithms that one run timed for one collective and size."""

    job: Job
    collective: str
    bytes: int
    seconds: dict[tuple, float] = field(default_factory=dict)  #: of the fastest implementation
    fastest: float = float("inf")  #: of all that was timed, with or without a counterpart
    models: list["_core.Modelled"] = field(default_factory=list)  #: in the order of `seconds`

    def add(self, name: tuple, seconds: float) -> None:
        """Another implementation of an algorithm."""
        self.seconds[name] = min(seconds, self.seconds.get(name, seconds))


@dataclass
class Published:
    """All cells with a choice, and how many rows are in none and why."""

    cells: list[Cell]
    skipped: Counter


def read(folder: str) -> Published:
    """Cells with two algorithms or more. ValueError names the file, and the line."""
    jobs = _Jobs(Path(folder))
    cells: dict[tuple, Cell] = {}
    skipped: Counter = Counter()
    own: dict[tuple, dict[Name, float]] = defaultdict(dict)  # by cell and library
    choices: list[tuple[Cell, tuple, float]] = []
    for row in rows(Path(folder) / "measured.csv.gz", MEASURED):
        if row["gpu"] == "yes":
            skipped["buffers of GPUs"] += 1
            continue
        job = jobs.of(row)
        key = (job, row["collective"], row["bytes"])
        cell = cells.setdefault(key, Cell(*key))
        seconds = row["median_us"] * 1e-6
        cell.fastest = min(cell.fastest, seconds)
        name, of = _name(row, job), (*key, library(row["algorithm"]))
        if name == OWN_CHOICE:
            choices.append((cell, of, seconds))
        elif isinstance(name, str):
            skipped[name] += 1
        else:
            cell.add(name, seconds)
            own[of][name] = seconds
    if not cells:
        raise ValueError(f"{Path(folder) / 'measured.csv.gz'}: has no measurements")
    for cell, of, seconds in choices:
        told = nearest(seconds, own[of])
        if told:
            cell.add(told, seconds)
        else:
            skipped[OWN_CHOICE] += 1
    several = [cell for cell in cells.values() if len(cell.seconds) > 1]
    skipped["alone in their cell"] = sum(len(c.seconds) == 1 for c in cells.values())
    _count(several)
    skipped["pipelines of one segment"] = sum(map(_drop_single_segments, several))
    return Published([cell for cell in several if len(cell.seconds) > 1], skipped)


def _name(row: dict[str, Any], job: Job) -> Name:
    algorithm, why = renamed(row)
    if why:
        return why
    if job.shape:
        return on_torus(row["collective"], algorithm, job.shape)
    return of_library(row["collective"], algorithm, row["ranks"], row["bytes"])


def _count(cells: list[Cell]) -> None:
    """Counts every algorithm of a job once, for all sizes. Sorts them as the runtime does."""
    known: dict[tuple, _core.Modelled] = {}
    year = {(a["collective"], a["name"]): a["published"] for a in _core.algorithms()}
    for cell in cells:
        in_order = sorted(cell.seconds, key=lambda name: year[cell.collective, name[0]])
        cell.seconds = {name: cell.seconds[name] for name in in_order}
        for name, parameters in cell.seconds:
            key = (cell.job, cell.collective, name, parameters)
            if key not in known:
                known[key] = _core.Modelled(
                    _core.Problem(
                        cell.collective,
                        name,
                        parameters=dict(parameters),
                        group=cell.job.group,
                        node=cell.job.node,
                        shape=cell.job.shape,
                    )
                )
            cell.models.append(known[key])


def _drop_single_segments(cell: Cell) -> int:
    """Takes out pipelines for vectors that the model does not cut: it has no time. How many."""
    network = load(cell.job.system).network()
    there = [math.isfinite(m.seconds([cell.bytes], network)[0]) for m in cell.models]
    names = list(cell.seconds)
    for name, finite in zip(names, there, strict=True):
        if not finite:
            del cell.seconds[name]
    cell.models = [m for m, finite in zip(cell.models, there, strict=True) if finite]
    return len(names) - len(cell.models)


class _Jobs:
    """Placements of the runs: real ones, or the shape of a torus."""

    def __init__(self, folder: Path):
        self._path = folder / "run_allocations.csv.gz"
        self._groups = {
            (row["system"], row["run"]): row["group_of_each"] for row in rows(self._path, GROUPS)
        }
        self._known: dict[tuple, Job] = defaultdict()

    def of(self, row: dict[str, Any]) -> Job:
        """The job of a row: `tasks_per_node` consecutive ranks on each of the first nodes."""
        system, run, each = row["system"], row["run"], row["tasks_per_node"]
        key = (system, run, row["nodes"], each)
        if key not in self._known:
            node = tuple(rank // each for rank in range(row["ranks"]))
            if (system, run) in self._groups:
                names = self._groups[system, run]
                if node[-1] >= len(names):
                    raise ValueError(
                        f"{self._path}: run {run} of {system} has the groups of {len(names)} "
                        f"nodes, measured are {node[-1] + 1}"
                    )
                numbers = {name: i for i, name in enumerate(dict.fromkeys(names))}
                groups = tuple(numbers[names[n]] for n in node)
                self._known[key] = Job(system, run, groups, node, ())
            elif load(system).kind == "torus":
                self._known[key] = Job(system, run, (0,) * len(node), node, row["nodes"])
            else:
                raise ValueError(f"{self._path}: has no groups of run {run} of {system}")
        return self._known[key]
