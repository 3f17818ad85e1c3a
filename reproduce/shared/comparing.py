"""Which algorithm is the fastest where: cells of nodes and sizes, wins, losses and gains."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import exp, log
from pathlib import Path
from statistics import fmean

from shared import results

#: Two times within this factor are equal (SC'25, 5.1.1).
EQUAL = 1.01


@dataclass
class Cell:
    """The fastest algorithm of each letter, for one job, collective and size."""

    nodes: str
    ranks: int
    collective: str
    bytes: int
    fastest: dict[str, tuple[float, str]] = field(default_factory=dict)

    def add(self, letter: str, algorithm: str, seconds: float) -> None:
        """Takes it where none of the letter is faster."""
        self.fastest[letter] = min(
            self.fastest.get(letter, (seconds, algorithm)), (seconds, algorithm)
        )

    def best(self, letters: Iterable[str]) -> str | None:
        """The letter of the fastest; the first of equal ones."""
        known = [k for k in letters if k in self.fastest]
        return min(known, key=lambda k: self.fastest[k][0]) if known else None

    def ratio(self, letter: str, others: Iterable[str]) -> float | None:
        """How many times as long the fastest of the others takes. None where one is missing."""
        other = self.best(k for k in others if k != letter)
        if other is None or letter not in self.fastest:
            return None
        return self.fastest[other][0] / self.fastest[letter][0]


def cells(
    path: Path,
    engine: str,
    sizes: list[int],
    letter: Callable[[dict[str, str]], str | None] = lambda row: row["letter"],
) -> list[Cell]:
    """All of a machine's file by one engine; without the rows that have no letter."""
    made: dict[tuple, Cell] = {}
    for row in results.read(path):
        own = letter(row) if row["engine"] == engine else None
        for size in sizes if own else ():
            if row[str(size)]:
                key = row["nodes"], int(row["ranks"]), row["collective"], size
                cell = made.setdefault(key, Cell(*key))
                cell.add(own, row["algorithm"], float(row[str(size)]))
    return list(made.values())


@dataclass(frozen=True)
class Tally:
    """Wins and losses over configurations, gains and drops in per cent."""

    count: int
    win: float  #: share of configurations, per cent
    gain: float  #: geometric mean over those that won
    most_gain: float
    loss: float
    drop: float  #: how much longer it takes: geometric mean over those that lost
    most_drop: float


def tally(ratios: Iterable[float | None]) -> Tally | None:
    """The tally of the other's times over ours; None without configurations."""
    known = [r for r in ratios if r is not None]
    if not known:
        return None
    won = [r for r in known if r > EQUAL]
    lost = [1 / r for r in known if r < 1 / EQUAL]

    def mean(values: list[float]) -> float:
        return 100 * (exp(fmean(map(log, values))) - 1) if values else 0.0

    def most(values: list[float]) -> float:
        return 100 * (max(values) - 1) if values else 0.0

    shares = (100 * len(part) / len(known) for part in (won, lost))
    win, loss = shares
    return Tally(len(known), win, mean(won), most(won), loss, mean(lost), most(lost))
