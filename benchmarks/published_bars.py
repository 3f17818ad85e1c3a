"""How far the model was off on published times: the error bars of a choice, compiled in.

    python benchmarks/published_bars.py PICO [-o src/select/model_errors.inc]

PICO as in published_times.py. A row for each kind of network, collective, class of bytes and class
of ranks, and for all of each, where there are cells enough; costs are those of the descriptions.
src/select/model_errors.hpp says what the numbers are.
"""

import argparse
import math
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median

from published_cells import Cell, read
from published_errors import PATIENCE, quantile
from published_fit import choice, described, modelled

from hopbine import _core

#: Cells that a row rests on at least.
FEWEST = 5
ALL = _core.all_calls


@dataclass(frozen=True)
class Seen:
    """A cell: how far its first choice's time and ratios were off, and what the choice loses."""

    off: float
    apart: list[float]  #: against every other algorithm
    lost: float


def either_way(ratio: float) -> float:
    """A factor, or its inverse where that is more than 1."""
    return max(ratio, 1 / ratio)


def seen(cell: Cell, seconds: list[float]) -> Seen:
    """What a cell with these modelled seconds shows."""
    taken = choice(cell, seconds, PATIENCE)
    offs = [s / t for s, t in zip(seconds, cell.seconds.values(), strict=True)]
    return Seen(
        either_way(offs[taken]),
        [either_way(off / offs[taken]) for i, off in enumerate(offs) if i != taken],
        list(cell.seconds.values())[taken] / cell.fastest,
    )


def observed(folder: str) -> Iterator[tuple[Cell, Seen]]:
    """Every cell, and what it shows."""
    cells = read(folder).cells
    for system in sorted({cell.job.system for cell in cells}):
        here = [cell for cell in cells if cell.job.system == system]
        for cell, seconds in zip(here, modelled(here, described(system)), strict=True):
            yield cell, seen(cell, seconds)


def numbers(cells: list[Seen]) -> tuple[float, ...]:
    """off, off_90, lost, lost_90 and apart of select::ErrorBar."""
    offs, losts = [c.off for c in cells], [c.lost for c in cells]
    return (
        median(offs),
        quantile(offs, 0.9),
        math.exp(fmean(map(math.log, losts))),
        quantile(losts, 0.9),
        quantile([x for c in cells for x in c.apart], 2 / 3),
    )


def table(folder: str) -> Iterator[tuple[tuple[str, ...], int, tuple[float, ...]]]:
    """Class, cells and numbers of the rows, the narrowest first."""
    groups: dict[tuple[str, ...], list[Seen]] = defaultdict(list)
    for cell, shown in observed(folder):
        network, size, ranks = _core.error_classes(
            cell.bytes, len(cell.job.node), bool(cell.job.shape)
        )
        for key in (
            (network, cell.collective, size, ranks),
            (network, cell.collective, size, ALL),
            (network, ALL, size, ALL),
        ):
            groups[key].append(shown)
    for key in sorted(groups, key=lambda k: (k.count(ALL), k)):
        if len(groups[key]) >= FEWEST:
            yield key, len(groups[key]), numbers(groups[key])


def lines(folder: str) -> Iterator[str]:
    """The file: a comment, and an initializer of select::ErrorBar on each line."""
    yield "// Rows of select::ErrorBar, written by benchmarks/published_bars.py."
    for key, cells, told in table(folder):
        words = ", ".join(f'"{word}"' for word in key)
        yield f"{{{words}, {cells}, {', '.join(f'{x:.2f}' for x in told)}}},"


def main() -> None:
    """Writes the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pico")
    parser.add_argument("-o", "--output", type=Path, help="default: standard output")
    args = parser.parse_args()
    try:
        text = "\n".join(lines(args.pico)) + "\n"
        if args.output:
            args.output.write_text(text)
        else:
            sys.stdout.write(text)
    except (ValueError, OSError) as error:
        parser.exit(2, f"{parser.prog}: {error}\n")


if __name__ == "__main__":
    main()
