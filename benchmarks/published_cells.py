"""Reads pico's measurements: one cell per run, collective and size, with hopbine's loads."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from published_counterparts import counterparts
from published_names import COPIES, OTHERS, UNKNOWN, Parameters
from published_rows import GROUPS, MEASURED, rows

from hopbine import _core
from hopbine.machines import load
from hopbine.notation.text import one_line


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
    #: In the order of `seconds`.
    models: list["_core.Modelled | OneAfterTheOther"] = field(default_factory=list)

    def add(self, name: tuple, seconds: float) -> None:
        """Another implementation of an algorithm."""
        self.seconds[name] = min(seconds, self.seconds.get(name, seconds))


@dataclass
class Published:
    """All cells with a choice, and how many rows are in none and why."""

    cells: list[Cell]
    skipped: Counter


def read(folder: str, copies: str = "") -> Published:
    """Cells with two algorithms or more. ValueError names the file, and the line.

    `copies`: those of every algorithm, as of _core.Modelled; else of what was measured.
    """
    jobs = _Jobs(Path(folder))
    cells: dict[tuple, Cell] = {}
    skipped: Counter = Counter()
    measured = []
    for row in rows(Path(folder) / "measured.csv.gz", MEASURED):
        if row["gpu"] == "yes":
            skipped["buffers of GPUs"] += 1
        else:
            jobs.of(row)  # complains of its line, if any
            measured.append(row)
    for row, name in counterparts(measured):
        key = (jobs.of(row), row["collective"], row["bytes"])
        cell = cells.setdefault(key, Cell(*key))
        seconds = row["median_us"] * 1e-6
        cell.fastest = min(cell.fastest, seconds)
        if isinstance(name, str):
            skipped[_reason(row, name)] += 1
        else:
            cell.add(name, seconds)
    if not cells:
        raise ValueError(f"{Path(folder) / 'measured.csv.gz'}: has no measurements")
    several = [cell for cell in cells.values() if len(cell.seconds) > 1]
    skipped["alone in their cell"] = sum(len(c.seconds) == 1 for c in cells.values())
    _count(several, copies)
    skipped["pipelines of one segment"] = sum(map(_drop_single_segments, several))
    return Published([cell for cell in several if len(cell.seconds) > 1], skipped)


class OneAfterTheOther:
    """Algorithms of other collectives, one after the other: the model of each, as one."""

    def __init__(self, models: Sequence["_core.Modelled"]):
        self._models = models

    def seconds(self, sizes: list[float], network: str = "") -> list[float]:
        """The sums of their seconds."""
        return list(map(sum, zip(*(m.seconds(sizes, network) for m in self._models), strict=True)))

    def patience(self, given: float) -> float:
        """The patience of the ranks, which are the same."""
        return self._models[0].patience(given)

    @property
    def scarce_blocks(self) -> float:
        """The sum of theirs."""
        return sum(m.scarce_blocks for m in self._models)


def _reason(row: dict[str, Any], name: str) -> str:
    """Why a row has no counterpart; of a name that nobody knows with the name."""
    if name != UNKNOWN:
        return name
    return f"{name}: {row['collective']} '{one_line(row['algorithm'], 60)}' of {row['mpi']}"


def _parts(collective: str, name: tuple) -> list[tuple[str, str, Parameters]]:
    """The collectives and algorithms that a name is of."""
    return list(name[1]) if name[0] == OTHERS else [(collective, *name)]


def _count(cells: list[Cell], every: str) -> None:
    """Counts every algorithm of a job once, for all sizes. Sorts them as the runtime does."""
    known: dict[tuple, _core.Modelled] = {}
    year = {(a["collective"], a["name"]): a["published"] for a in _core.algorithms()}

    def model(job: Job, collective: str, name: str, parameters: Parameters) -> "_core.Modelled":
        key = (job, collective, name, parameters)
        if key not in known:
            given: dict[str, Any] = dict(parameters)
            measured = given.pop(COPIES, "")
            known[key] = _core.Modelled(
                _core.Problem(
                    collective,
                    name,
                    parameters=given,
                    group=job.group,
                    node=job.node,
                    shape=job.shape,
                ),
                every or measured,
            )
        return known[key]

    def published(cell: Cell, name: tuple) -> int:
        return max(year[part[:2]] for part in _parts(cell.collective, name))

    for cell in cells:
        in_order = sorted(cell.seconds, key=lambda name: published(cell, name))
        cell.seconds = {name: cell.seconds[name] for name in in_order}
        for name in cell.seconds:
            models = [model(cell.job, *part) for part in _parts(cell.collective, name)]
            cell.models.append(OneAfterTheOther(models) if name[0] == OTHERS else models[0])


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
