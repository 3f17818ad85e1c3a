"""Time against radix and size.

By the paper's equation, counted, measured on local ranks, simulated.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import UsageError
from ..output.progress import watched
from ..simulation import Setup
from .counted import seconds
from .parameters import Parameters
from .table import Entry

#: Columns of seconds in a row, and what they are; "equation" is named by its number.
SOURCES = {
    "equation": "eq. {}",
    "counted": "counted",
    "measured": "measured",
    "simulated": "simulated",
}
#: A line of a figure has no use for more radices; hopbine-bench takes at most MOST_MEASURED
#: algorithms in a run.
MOST_RADICES, MOST_MEASURED = 256, 64
#: (k, bytes) -> median and quartiles in seconds.
Measured = dict[tuple[int, int], tuple[float, float, float]]


def parse_radices(text: str) -> list[int]:
    """'4', '2:32' (doubling), '2..8' (every one); commas join.

    Ascending, no repeats. UsageError.
    """
    out: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d{1,9})(?:(:|\.\.)(\d{1,9}))?\s*", part)
        low, high = (int(match[1]), int(match[3] or match[1])) if match else (1, 0)
        if not match or high < low or (low == 0 and match[2] == ":"):
            raise UsageError(f"--k '{part}' is not like 4, 2:32 (doubling) or 2..8 (every one)")
        if match[2] == "..":
            if high - low >= MOST_RADICES:
                raise UsageError(
                    f"--k {part} names {high - low + 1} radices; at most {MOST_RADICES} are shown"
                )
            out.update(range(low, high + 1))
        else:
            out.add(low)
            while 0 < low <= high:
                out.add(low)
                low *= 2
    return sorted(out)


def predict(
    parameters: Parameters, e: Entry, p: int, ks: Sequence[int], sizes: Sequence[int]
) -> list[dict[str, Any]]:
    """A row per size and k: seconds by the equation and counted.

    UsageError when the algorithm does not serve p ranks.
    """
    times = {
        k: (seconds(parameters, e.collective, e.named(k), p, sizes), e.printed(p, k)) for k in ks
    }
    return [
        {
            "collective": e.collective,
            "algorithm": e.algorithm,
            "ranks": p,
            "k": k,
            "bytes": size,
            "equation": times[k][1].seconds(parameters, size),
            "counted": times[k][0][i],
        }
        for i, size in enumerate(sizes)
        for k in ks
    ]


@dataclass(frozen=True)
class Runs:
    """How a run is measured."""

    mpiexec: str | None  #: None: found
    repetitions: int
    timeout: float


def measure(
    e: Entry,
    p: int,
    ks: Sequence[int],
    sizes: Sequence[int],
    runs: Runs,
) -> Measured:
    """Times on p local ranks, all radices in one shuffled run.

    Bytes are those that could be sent: sizes are rounded to whole elements for every rank.
    UsageError, BenchError.
    """
    from ..bench import launch
    from ..bench.compare import spread

    if len(ks) > MOST_MEASURED:
        raise UsageError(f"--measure takes at most {MOST_MEASURED} radices, not {len(ks)}")
    if runs.repetitions < 2:
        raise UsageError(f"--repetitions {runs.repetitions}: needs at least 2, for the spread")
    launcher = launch.find_launcher(runs.mpiexec)
    radix = {e.named(k): k for k in ks}
    arguments = [
        e.collective,
        ",".join(radix),
        ",".join(map(str, sizes)),
        str(runs.repetitions),
        "1",
        "0",
        "float32",
    ]
    times: dict[tuple[int, int], list[float]] = defaultdict(list)
    for sample in launch.run(launcher, launch.family_of(launcher), p, arguments, {}, runs.timeout):
        times[radix[sample.algorithm], sample.bytes].append(sample.seconds)
    return {key: spread(all_of) for key, all_of in times.items()}


def add_measured(rows: Sequence[dict[str, Any]], measured: Measured) -> None:
    """Puts measured times into the rows, which are of the measured sizes."""
    for row in rows:
        row["measured"], row["measured_low"], row["measured_high"] = measured[
            row["k"], row["bytes"]
        ]


def add_simulated(rows: Sequence[dict[str, Any]], e: Entry, setup: Setup) -> None:
    """Puts simulated times into the rows."""
    for row in watched(rows, len(rows), "times", lambda one: f"k = {one['k']}, {one['bytes']} B"):
        row["simulated"] = setup.seconds(e.collective, e.named(row["k"]), row["bytes"])


def best(rows: Sequence[dict[str, Any]], source: str) -> dict[int, dict[str, Any]]:
    """The fastest row of every size by one of SOURCES; of equals (but for rounding) the first."""
    out: dict[int, dict[str, Any]] = {}
    for row in rows:
        if row["bytes"] not in out or row[source] < out[row["bytes"]][source] * (1 - 1e-9):
            out[row["bytes"]] = row
    return out
