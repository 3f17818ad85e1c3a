#!/usr/bin/env python3
"""How candidates compare with an MPI library on one node, before a job tries one.

    python benchmarks/learning/known_ratios.py [--jobs 5] [--ranks 4 2]
        [-o src/select/known_ratios.inc] NAME=MPICC=MPIEXEC ...

Jobs of many kinds of calls learn with a budget that lets them try every candidate. A row is made of
the times of the fastest candidates of kinds over the library's: for a library, cores for each rank,
a collective and a class of bytes. src/select/known_ratios.hpp says what the numbers are.
"""

import argparse
import json
import math
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from learning import library_of
from learning_jobs import Jobs
from learning_programs import build
from published_errors import quantile
from rivals_library import Library
from rivals_network import Network

from hopbine import _core
from hopbine.notation.units import parse_time

#: Parts of a normal distribution that lie below its mean less a deviation, and plus one.
ONE_DEVIATION = 0.16, 0.84
#: Ratios that a row rests on at least.
FEWEST = 10
#: Part of the time in collectives that jobs may spend on learning here, and calls of each kind.
BUDGET, CALLS = 0.5, 300
#: Library, whether ranks share cores, collective, class of bytes.
Key = tuple[str, bool, str, str]


def best_ratio(measured: str, algorithm: str) -> float | None:
    """The least time of a candidate over the library's, in one text of a lesson.

    Such a text: 13.4 us; mpi 16.2 us; ring 20 us. None where one of the two was not measured.
    """
    first, *others = measured.split("; ")
    times = {algorithm: parse_time(first)}
    for other in others:
        name, time = other.split(" ", 1)
        times[name] = parse_time(time)
    library = times.pop("mpi", None)
    return min(times.values()) / library if library and times else None


def learned(file: Path) -> Iterator[tuple[Key, float]]:
    """The ratios of a file of lessons; none where a short job has kept nothing."""
    if not file.exists():
        return
    for rule in json.loads(file.read_text())["rules"]:
        library = rule["mpi"].split(".")[0] + "."
        for size, text in rule["measured"].items():
            size_class = _core.error_classes(float(size), rule["ranks"][1], False)[1]
            key = library, "/" in rule["cores"], rule["collective"], size_class
            if ratio := best_ratio(text, rule["algorithm"]):
                yield key, ratio


def observed(
    libraries: list[Library], ranks: list[int], jobs: int, hopbine: str
) -> dict[Key, list[float]]:
    """Runs the jobs, and gathers the logarithms of their ratios."""
    out: dict[Key, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for p in ranks:
            with Network(f"node:{p}", 1, folder) as network:
                for library in libraries:
                    command = [str(build(library, "many_kinds", folder)), str(CALLS)]
                    for job in range(jobs):
                        file = folder / f"{library.name}-{p}-{job}.json"
                        own = {"HOPBINE_LEARN": str(file), "HOPBINE_BUDGET": str(BUDGET)}
                        Jobs(network, library, hopbine, 600).run(command, own)
                        for key, ratio in learned(file):
                            out[key].append(math.log(ratio))
    return out


def row(key: Key, logs: list[float]) -> str:
    """A row of the table. Late calls are in few of the ratios, and count little in quantiles."""
    library, shares, collective, size = key
    low, high = (quantile(logs, share) for share in ONE_DEVIATION)
    return (
        f'{{"{library}", {str(shares).lower()}, "{collective}", "{size}", {len(logs)}, '
        f"{math.exp(median(logs)):.2f}, {math.exp((high - low) / 2):.2f}}},"
    )


def main() -> None:
    """Arguments, jobs, the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("mpi", nargs="+", type=library_of, metavar="NAME=MPICC=MPIEXEC")
    parser.add_argument("--ranks", nargs="+", type=int, default=[4, 2])
    parser.add_argument("--jobs", type=int, default=5)
    parser.add_argument("--hopbine", default=str(Path(sys.executable).with_name("hopbine")))
    parser.add_argument("-o", "--output", type=Path)
    args = parser.parse_args()
    try:
        rows = observed(args.mpi, args.ranks, args.jobs, args.hopbine)
    except (RuntimeError, OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"known_ratios: {error}")
    lines = [row(*one) for one in sorted(rows.items()) if len(one[1]) >= FEWEST]
    text = "// Rows of select::KnownRatio, written by benchmarks/learning/known_ratios.py.\n"
    text += "".join(line + "\n" for line in lines)
    if args.output:
        args.output.write_text(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
