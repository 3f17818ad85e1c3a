"""Reads pico's measurements: one cell per run, collective and size, with hopbine's loads."""

import csv
import gzip
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from published_names import Name, of_library, on_torus

from hopbine import _core


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


@dataclass
class Published:
    """All cells with a choice, and how many rows are in none and why."""

    cells: list[Cell]
    skipped: Counter


def read(folder: str) -> Published:
    """Cells with two algorithms or more."""
    jobs = _Jobs(Path(folder))
    cells: dict[tuple, Cell] = {}
    skipped: Counter = Counter()
    for row in _rows(Path(folder) / "measured.csv.gz"):
        if row["gpu"] == "yes":
            skipped["buffers of GPUs"] += 1
            continue
        job = jobs.of(row)
        key = (job, row["collective"], int(row["bytes"]))
        cell = cells.setdefault(key, Cell(*key))
        seconds = float(row["median_us"]) * 1e-6
        cell.fastest = min(cell.fastest, seconds)
        name = _name(row, job)
        if name is None:
            skipped["no counterpart"] += 1
            continue
        cell.seconds[name] = min(seconds, cell.seconds.get(name, seconds))
    kept = [cell for cell in cells.values() if len(cell.seconds) > 1]
    skipped["alone in their cell"] = sum(len(c.seconds) == 1 for c in cells.values())
    _count(kept)
    return Published(kept, skipped)


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with gzip.open(path, "rt", newline="") as f:
        yield from csv.DictReader(f)


def _name(row: dict[str, str], job: Job) -> Name:
    if job.shape:
        return on_torus(row["collective"], row["algorithm"], job.shape)
    # These libraries were built with another algorithm under this name (pico's README).
    if row["mpi"].startswith("custom") and row["algorithm"] == "rabenseifner_ompi":
        return None
    return of_library(row["collective"], row["algorithm"])


def _count(cells: list[Cell]) -> None:
    """Counts every algorithm of a job once, for all sizes."""
    known: dict[tuple, _core.Modelled] = {}
    for cell in cells:
        for name, parameters in cell.seconds:
            key = (cell.job, cell.collective, name, parameters)
            if key not in known:
                known[key] = _core.Modelled(
                    cell.collective,
                    name,
                    list(cell.job.group),
                    list(cell.job.node),
                    parameters=dict(parameters),
                    shape=list(cell.job.shape),
                )
            cell.models.append(known[key])


class _Jobs:
    """Placements of the runs: real ones, or the shape of a torus."""

    def __init__(self, folder: Path):
        self._groups = {
            (row["system"], row["run"]): _expanded(row["group_of_each"])
            for row in _rows(folder / "run_allocations.csv.gz")
        }
        self._known: dict[tuple, Job] = defaultdict()

    def of(self, row: dict[str, str]) -> Job:
        """The job of a row: `tasks_per_node` consecutive ranks on each of the first nodes."""
        system, run, each = row["system"], row["run"], int(row["tasks_per_node"])
        key = (system, run, row["nodes"], each)
        if key not in self._known:
            ranks = int(row["ranks"])
            node = tuple(rank // each for rank in range(ranks))
            if (system, run) in self._groups:
                names = self._groups[system, run]
                numbers = {name: i for i, name in enumerate(dict.fromkeys(names))}
                self._known[key] = Job(
                    system, run, tuple(numbers[names[n]] for n in node), node, ()
                )
            else:
                shape = tuple(map(int, row["nodes"].split("x")))
                self._known[key] = Job(system, run, (0,) * ranks, node, shape)
        return self._known[key]


def _expanded(text: str) -> list[str]:
    """'1 4*2' -> ['1', '4', '4']."""
    out = []
    for part in text.split():
        value, _, times = part.partition("*")
        out += [value] * int(times or 1)
    return out
