"""The results of the comparison with rivals, cell by cell."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rivals_job import Row

from hopbine.bench.compare import spread

KEY = ["network", "ranks", "library", "job", "collective", "bytes"]
COLUMNS = [*KEY, "label", "kind", "round", "calls", "seconds", "note"]
AUTO, DEFAULT = "auto", "default"
#: An own algorithm that takes at most so many times a rival's time is as good.
AS_GOOD = 1.05


def read_results(path: Path) -> Iterator[tuple[tuple[str, ...], Row]]:
    """Key and row of every line; nothing where there is no file."""
    if not path.exists():
        return
    with path.open(newline="") as f:
        for line in csv.DictReader(f):
            yield (
                tuple(line[k] for k in KEY),
                Row(
                    line["label"],
                    line["kind"],
                    int(line["round"]),
                    int(line["calls"]),
                    float(line["seconds"] or 0),
                    line["note"],
                ),
            )


@dataclass
class Arm:
    """Times of one algorithm: of its rounds, and of its trial."""

    label: str
    kind: str
    job: str
    rounds: dict[int, float] = field(default_factory=dict)
    trial: float = 0.0

    @property
    def seconds(self) -> float:
        """Median of the rounds, else the trial's."""
        return spread(list(self.rounds.values()))[0] if self.rounds else self.trial


@dataclass
class Measured:
    """A network, library, collective and size, with all arms of its jobs."""

    network: str
    ranks: int
    library: str
    collective: str
    bytes: int
    arms: dict[str, Arm] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)

    def add(self, job: str, row: Row) -> None:
        """One line of the results."""
        if row.note:
            self.notes[row.label] = row.note
            return
        arm = self.arms.setdefault(row.label, Arm(row.label, row.kind, job))
        if row.round:
            arm.rounds[row.round] = row.seconds
        else:
            arm.trial = row.seconds

    def best(self, kind: str) -> Arm | None:
        """The fastest single algorithm of hopbine, or the fastest way of the library."""
        arms = [a for a in self.arms.values() if a.kind == kind and a.label != AUTO and a.seconds]
        often = [a for a in arms if a.rounds]
        return min(often or arms, key=lambda a: a.seconds) if arms else None

    def ratio(self, arm: Arm, to: Arm) -> tuple[float, float, float]:
        """Median and quartiles of arm to another, paired by round where they shared a job."""
        paired = [t / to.rounds[k] for k, t in arm.rounds.items() if k in to.rounds]
        if arm.job == to.job and paired:
            return spread(paired)
        one = arm.seconds / to.seconds
        return one, one, one

    @property
    def complete(self) -> bool:
        """Whether hopbine's choice and a way of the library were measured."""
        return AUTO in self.arms and self.best("library") is not None

    def to_best(self) -> tuple[float, float, float]:
        """hopbine's choice to the library's fastest."""
        best = self.best("library")
        assert best
        return self.ratio(self.arms[AUTO], best)

    @property
    def served(self) -> str:
        """What hopbine's choice had learned to take."""
        return self.notes.get(AUTO, "learned 0 ?").split(" ")[-1]

    def fault(self) -> str:
        """Why hopbine's choice is slower than the best rival."""
        own, best = self.best("hopbine"), self.best("library")
        assert best
        if own and self.ratio(own, best)[0] <= AS_GOOD:
            return f"the choice: {own.label.removeprefix('hopbine:')} is as good"
        return "no own algorithm is as good"


def cells(path: Path) -> list[Measured]:
    """All cells, jobs of a cell put together."""
    found: dict[tuple[str, ...], Measured] = {}
    for (network, ranks, library, job, collective, size), row in read_results(path):
        cell = found.setdefault(
            (network, ranks, library, collective, size),
            Measured(network, int(ranks), library, collective, int(size)),
        )
        cell.add(job, row)
    return list(found.values())


def outcome(rows: list[Row]) -> str:
    """One line about a cell that has just been measured."""
    cell = Measured("", 0, "", "", 0)
    for row in rows:
        cell.add("", row)
    best = cell.best("library")
    if not best:
        return "nothing could be measured"
    if AUTO not in cell.arms:
        return f"{best.label} {1e3 * best.seconds:.3g} ms"
    auto = cell.arms[AUTO]
    return (
        f"hopbine {1e3 * auto.seconds:.3g} ms ({cell.served}), best rival {best.label} "
        f"{1e3 * best.seconds:.3g} ms, ratio {cell.to_best()[0]:.2f}"
    )
