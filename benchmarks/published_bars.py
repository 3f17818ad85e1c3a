"""How far the model was off on published times, as data: the error bar of a choice.

    python benchmarks/published_bars.py PICO [-o python/hopbine/selection/model_errors.csv]

PICO as in published_times.py. A row for each kind of network, collective, class of bytes and class
of ranks, and for all of each, where there are cells enough; costs are those of the descriptions.

off, off_90      modelled over measured time of the first choice, or its inverse where it is less
                 than 1: median, and what nine tenths of the cells do not exceed
lost, lost_90    time of the first choice over that of the fastest of all that was timed: geometric
                 mean, and what nine tenths do not exceed
"""

import argparse
import csv
import math
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean, median

from published_cells import Cell, read
from published_errors import PATIENCE, quantile
from published_fit import choice, described, modelled

from hopbine.selection.model_errors import ALL, COLUMNS, FEWEST, classes, kind


def observed(folder: str) -> Iterator[tuple[Cell, float, float]]:
    """Every cell with how far the modelled time of its first choice is off, and what it loses."""
    cells = read(folder).cells
    for system in sorted({cell.job.system for cell in cells}):
        here = [cell for cell in cells if cell.job.system == system]
        for cell, seconds in zip(here, modelled(here, described(system)), strict=True):
            taken = choice(cell, seconds, PATIENCE)
            measured = list(cell.seconds.values())[taken]
            off = seconds[taken] / measured
            yield cell, max(off, 1 / off), measured / cell.fastest


def table(folder: str) -> Iterator[dict[str, str]]:
    """The rows, the narrowest first."""
    groups: dict[tuple[str, ...], list[tuple[float, float]]] = defaultdict(list)
    for cell, off, lost in observed(folder):
        size, ranks = classes(cell.bytes, len(cell.job.node))
        network = kind(torus=bool(cell.job.shape))
        for key in (
            (network, cell.collective, size, ranks),
            (network, cell.collective, size, ALL),
            (network, ALL, size, ALL),
        ):
            groups[key].append((off, lost))
    for key in sorted(groups, key=lambda k: (k.count(ALL), k)):
        pairs = groups[key]
        if len(pairs) < FEWEST:
            continue
        offs, losts = zip(*pairs, strict=True)
        numbers = (
            median(offs),
            quantile(list(offs), 0.9),
            math.exp(fmean(map(math.log, losts))),
            quantile(list(losts), 0.9),
        )
        values = (*key, str(len(pairs)), *(f"{x:.2f}" for x in numbers))
        yield dict(zip(COLUMNS, values, strict=True))


def main() -> None:
    """Writes the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pico")
    parser.add_argument("-o", "--output", type=Path, help="default: standard output")
    args = parser.parse_args()
    try:
        rows = list(table(args.pico))
        with args.output.open("w", newline="") if args.output else sys.stdout as file:
            out = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            out.writeheader()
            out.writerows(rows)
    except (ValueError, OSError) as error:
        parser.exit(2, f"{parser.prog}: {error}\n")


if __name__ == "__main__":
    main()
