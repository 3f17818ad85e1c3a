"""How far the model of the choice was off on published times of similar calls: error bars.

The data are in model_errors.csv, which benchmarks/published_bars.py writes; docs/choice-errors.
"""

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

COLUMNS = (
    *("network", "collective", "bytes", "ranks", "cells"),
    *("off", "off_90", "lost", "lost_90"),
)
#: In a row of data: of every collective, or of any number of ranks.
ALL = "all"
#: Cells that a row of data rests on at least.
FEWEST = 5
#: Upper ends of classes: latencies, both, and bandwidths decide.
_BYTES = ((16 << 10, "up to 16 KiB"), (1 << 20, "up to 1 MiB"))
_RANKS = ((64, "up to 64"),)


def kind(torus: bool) -> str:
    """The kind of a network."""
    return "torus" if torus else "groups"


def classes(size: float, ranks: int) -> tuple[str, str]:
    """The classes of bytes and of ranks of a call."""
    return (
        next((name for most, name in _BYTES if size <= most), "more"),
        next((name for most, name in _RANKS if ranks <= most), "more"),
    )


@dataclass(frozen=True)
class ErrorBar:
    """What published times of `cells` calls such as this one have shown.

    `off`: the factor by which the modelled time of the first choice was off, either way: median,
    and what nine tenths do not exceed. `lost`: its time over that of the fastest of all that was
    timed: geometric mean, and what nine tenths do not exceed. `like`: which calls these are.
    """

    cells: int
    off: float
    off_90: float
    lost: float
    lost_90: float
    like: str


@cache
def _table() -> dict[tuple[str, ...], dict[str, str]]:
    with files("hopbine.selection").joinpath("model_errors.csv").open() as file:
        return {tuple(row[key] for key in COLUMNS[:4]): row for row in csv.DictReader(file)}


def error_bar(collective: str, size: float, ranks: int, torus: bool) -> ErrorBar | None:
    """The error bar of a call: of its collective and number of ranks, else of all; None without.

    `size`: bytes of the vector.
    """
    of_size, of_ranks = classes(size, ranks)
    network = kind(torus)
    for key in (
        (network, collective, of_size, of_ranks),
        (network, collective, of_size, ALL),
        (network, ALL, of_size, ALL),
    ):
        row = _table().get(key)
        if row is not None:
            off, off_90, lost, lost_90 = (float(row[name]) for name in COLUMNS[5:])
            return ErrorBar(int(row["cells"]), off, off_90, lost, lost_90, _told(key))
    return None


def _told(key: tuple[str, ...]) -> str:
    """'allreduce, up to 16 KiB, up to 64 ranks, networks of groups'."""
    network, collective, size, ranks = key
    return ", ".join(
        (
            "all collectives" if collective == ALL else collective,
            "more than 1 MiB" if size == "more" else size,
            *([] if ranks == ALL else [f"{'more than 64' if ranks == 'more' else ranks} ranks"]),
            "tori" if network == "torus" else "networks of groups",
        )
    )
