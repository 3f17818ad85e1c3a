"""What a library takes by itself where its rules are not public: told by its time.

    python benchmarks/published_by_time.py PICO

In a run, a collective and a size the library's own choice has the time of the algorithm that it is,
where that was timed too. Open MPI, whose rules are public, shows how close the two are, and how
often the nearest is the right one: that is printed.
"""

import argparse
from collections import Counter, defaultdict
from pathlib import Path

from published_names import Name, library, of_library
from published_rows import MEASURED, rows

#: Times up to this factor apart are those of one algorithm: nine tenths of Open MPI's choices are
#: so near to what its rules name.
CLOSE = 1.035
#: And up to this one where a rule says so: a call that does not block takes a little longer.
NEAR = 1.1
#: Microseconds that Fujitsu MPI takes longer by itself than if it is asked for an algorithm: on
#: 2x2x2 0.7 to 1.2 above recursive doubling (allgather, allreduce, reduce_scatter) and the binomial
#: tree (gather, scatter) from 32 B to 16 KiB, where it takes no barrier network.
DECISION = (0.7, 1.2)

#: Algorithms that were timed, each with the time of one implementation.
Timed = list[tuple[Name, float]]


def _apart(a: float, b: float) -> float:
    return max(a / b, b / a)


def confirmed(seconds: float, named: Timed, name: Name) -> bool:
    """Whether an implementation of the algorithm `name` took about this time."""
    return any(one == name and _apart(seconds, other) <= NEAR for one, other in named)


def nearest(seconds: float, named: Timed) -> Name | None:
    """The algorithm among `named` whose time is this one's, or none."""
    if not named:
        return None
    best, time = min(named, key=lambda of: _apart(seconds, of[1]))
    return best if _apart(seconds, time) <= CLOSE else None


def decided(micros: float, named: Timed) -> Name | None:
    """The only algorithm among `named` whose time and Fujitsu MPI's decision are this time."""
    least, most = DECISION
    found = {name for name, other in named if least <= micros - other <= most}
    return found.pop() if len(found) == 1 else None


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
        truth, named = names["default_ompi"], []
        for algorithm, name in names.items():
            if algorithm != "default_ompi" and not isinstance(name, str):
                named.append((name, seconds[algorithm]))
        told = nearest(seconds["default_ompi"], named)
        if told is None:
            out["told by no time"] += 1
        elif told == truth:
            out["told rightly"] += 1
        else:
            timed = any(name == truth for name, _ in named)
            out["told wrongly, " + ("" if timed else "not ") + "timed by its name"] += 1
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
