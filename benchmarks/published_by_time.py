"""What a library takes by itself where its rules are not public: told by its time.

    python benchmarks/published_by_time.py PICO

In a run, a collective and a size the library's own choice has the time of the algorithm that it is,
where that was timed too. Open MPI, whose rules are public, shows how close the two are, and how
often the nearest is the right one: that is printed.
"""

import argparse
import math
from collections import Counter, defaultdict
from pathlib import Path

from published_names import Name, library, of_library
from published_rows import MEASURED, rows

#: Times up to this factor apart are those of one algorithm: nine tenths of Open MPI's choices are
#: within 1.035 of what its rules name.
CLOSE = 1.03


def nearest(seconds: float, named: dict[Name, float]) -> Name | None:
    """The algorithm among `named` (with their seconds) whose time is this one's, or none."""
    if not named:
        return None
    best = min(named, key=lambda name: abs(math.log(named[name] / seconds)))
    return best if abs(math.log(named[best] / seconds)) <= math.log(CLOSE) else None


def verdicts(folder: str) -> Counter[str]:
    """How often a choice of Open MPI's is told rightly by its time."""
    cells: dict[tuple, dict[str, float]] = defaultdict(dict)
    for row in rows(Path(folder) / "measured.csv.gz", MEASURED):
        if row["gpu"] != "yes" and library(row["algorithm"]) == "ompi":
            key = (row["run"], row["collective"], row["nodes"], row["ranks"], row["bytes"])
            cells[key][row["algorithm"]] = row["median_us"]
    out: Counter[str] = Counter()
    for (_, collective, _, ranks, size), seconds in cells.items():
        if "default_ompi" not in seconds:
            continue
        names = {a: of_library(collective, a, ranks, size) for a in seconds}
        truth, named = names["default_ompi"], {}
        for algorithm, name in names.items():
            if algorithm != "default_ompi" and not isinstance(name, str):
                named[name] = seconds[algorithm]
        told = nearest(seconds["default_ompi"], named)
        if told is None:
            out["told by no time"] += 1
        elif told == truth:
            out["told rightly"] += 1
        else:
            out["told wrongly, " + ("" if truth in named else "not ") + "timed by its name"] += 1
    return out


def main() -> None:
    """Prints the verdicts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pico")
    args = parser.parse_args()
    try:
        for verdict, number in sorted(verdicts(args.pico).items()):
            print(f"{number} {verdict}")
    except (ValueError, OSError) as error:
        parser.exit(2, f"{parser.prog}: {error}\n")


if __name__ == "__main__":
    main()
