"""How good the first choice by model is on published times: an error table.

    python benchmarks/published_errors.py PICO [-o docs/choice-errors/tables.md]

PICO has measured.csv.gz and run_allocations.csv.gz (see published_times.py). A cell is a run, a
collective and a size; the choice is among its measured algorithms that hopbine has too. By machine
and collective:

best     cells whose first choice is the measured best; chance: of a choice at random
ratio    time of the first choice over that of the best, median and 90 %
rank     Spearman's correlation of modelled and measured times, mean of the cells with three
         algorithms or more
error    of modelled times, median and 90 %, after two factors a machine: one for what remains of
         the modelled time at infinite bandwidths, one for the rest. Every second run is for the
         fit, the others for the test, and the other way round.
"""

import argparse
import math
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean, median

import numpy as np
from published_cells import Cell, read
from published_fit import Costs, choice, described, modelled
from published_names import OTHERS

from hopbine import _core

PATIENCE = 1.1  #: of the runtime
_WORST = 6  #: rows of a machine's table of wrong choices


def ranks_of(values: list[float]) -> list[float]:
    """Ranks from 0; equal values share the mean of theirs."""
    order = sorted(values)
    return [(order.index(v) + len(order) - 1 - order[::-1].index(v)) / 2 for v in values]


def spearman(a: list[float], b: list[float]) -> float:
    """Rank correlation; 0 where all of one are equal."""
    x, y = ranks_of(a), ranks_of(b)
    mx, my = fmean(x), fmean(y)
    spread = math.sqrt(sum((i - mx) ** 2 for i in x) * sum((j - my) ** 2 for j in y))
    return sum((i - mx) * (j - my) for i, j in zip(x, y, strict=True)) / spread if spread else 0.0


def quantile(values: list[float], q: float) -> float:
    """The least value that a share q of the values does not exceed."""
    return sorted(values)[max(0, math.ceil(q * len(values)) - 1)]


def faster(costs: Costs, factor: float) -> Costs:
    """The costs with all bandwidths times a factor, up to the highest that is allowed."""
    every = _core.network_defaults | costs
    wide = {k: min(v * factor, 1e18) for k, v in every.items() if k.endswith("_bandwidth")}
    return costs | wide


def parts(cells: list[Cell], costs: Costs) -> list[list[tuple[float, float]]]:
    """Seconds of every algorithm of a cell at infinite bandwidths, and the rest.

    At these a pipeline would not cut the vector, and has no time: of it, what remains of a
    bandwidth a little higher, which leaves the number of segments.
    """
    little = 1e-4
    told = [modelled(cells, faster(costs, f)) for f in (1, math.inf, 1 + little)]
    out = []
    for all_of, none, near in zip(*told, strict=True):
        fixed = [
            f if math.isfinite(f) else s - (s - n) * (1 + 1 / little)
            for s, f, n in zip(all_of, none, near, strict=True)
        ]
        out.append([(f, s - f) for s, f in zip(all_of, fixed, strict=True)])
    return out


def two_factors(cells: list[Cell], seconds: list[list[tuple[float, float]]]) -> tuple[float, float]:
    """The factors of both parts with the least mean logarithm of measured over modelled times."""
    both = np.array([p for row in seconds for p in row])
    measured = np.array([t for c in cells for t in c.seconds.values()])

    def wrong(a: float, b: float) -> float:
        return float(np.mean(np.abs(np.log((a * both[:, 0] + b * both[:, 1]) / measured))))

    best = (1.0, 1.0)
    for width in (8.0, 2.0, 1.2, 1.05):
        factors = [width ** (i / 4) for i in range(-4, 5)]
        a, b = best
        best = min(((a * f, b * g) for f in factors for g in factors), key=lambda x: wrong(*x))
    return best


def errors_of(cells: list[Cell], costs: Costs) -> tuple[dict[str, list[float]], list[str]]:
    """Relative errors by collective, of each half of the runs by the other's factors."""
    runs = sorted({c.job.run for c in cells})
    errors: dict[str, list[float]] = defaultdict(list)
    factors = []
    if len(runs) < 2:
        return errors, factors
    for half in (0, 1):
        fitted = [c for c in cells if runs.index(c.job.run) % 2 == half]
        others = [c for c in cells if runs.index(c.job.run) % 2 != half]
        a, b = two_factors(fitted, parts(fitted, costs))
        factors.append(f"{a:.2f} and {b:.2f}")
        for cell, row in zip(others, parts(others, costs), strict=True):
            errors[cell.collective] += [
                abs((a * x + b * y) / t - 1)
                for (x, y), t in zip(row, cell.seconds.values(), strict=True)
            ]
    return errors, factors


def _row(name: str, cells: list[Cell], rows: list[list[float]], errors: list[float]) -> list[str]:
    ratios, hits, chances, order = [], 0, [], []
    for cell, seconds in zip(cells, rows, strict=True):
        measured = list(cell.seconds.values())
        taken = measured[choice(cell, seconds, PATIENCE)]
        ratios.append(taken / min(measured))
        hits += taken == min(measured)
        chances.append(1 / len(measured))
        if len(measured) > 2:
            order.append(spearman(seconds, measured))
    return [
        name,
        str(len(cells)),
        f"{100 * hits / len(cells):.0f} %",
        f"{100 * fmean(chances):.0f} %",
        f"{median(ratios):.2f}",
        f"{quantile(ratios, 0.9):.2f}",
        f"{fmean(order):.2f} ({len(order)})" if order else "-",
        f"{100 * median(errors):.0f} %" if errors else "-",
        f"{100 * quantile(errors, 0.9):.0f} %" if errors else "-",
    ]


def _errors(cells: list[Cell], rows: list[list[float]], costs: Costs) -> Iterator[str]:
    errors, factors = errors_of(cells, costs)
    table = []
    for collective in sorted({c.collective for c in cells}):
        at = [i for i, c in enumerate(cells) if c.collective == collective]
        table.append(
            _row(collective, [cells[i] for i in at], [rows[i] for i in at], errors[collective])
        )
    table.append(_row("all", cells, rows, [e for v in errors.values() for e in v]))
    yield from _table(
        ["", "cells", "best", "chance", "ratio", "90 %", "rank (cells)", "error", "90 %"], table
    )
    if factors:
        yield f"\nFactors of latencies and of bytes, by half: {'; '.join(factors)}."


def _wrong(cells: list[Cell], rows: list[list[float]]) -> Iterator[str]:
    """The pairs of a choice and the best that lose most, by the sum of their logarithms."""
    lost: dict[tuple[str, str, str], list[tuple[float, int]]] = defaultdict(list)
    for cell, seconds in zip(cells, rows, strict=True):
        measured = list(cell.seconds.values())
        taken, best = choice(cell, seconds, PATIENCE), measured.index(min(measured))
        if taken != best:
            names = list(cell.seconds)
            lost[cell.collective, _text(names[taken]), _text(names[best])].append(
                (math.log(measured[taken] / measured[best]), cell.bytes)
            )
    all_lost = sum(x for v in lost.values() for x, _ in v)
    worst = sorted(lost.items(), key=lambda item: -sum(x for x, _ in item[1]))[:_WORST]
    yield from _table(
        ["collective", "first choice", "measured best", "cells", "ratio", "bytes", "of all lost"],
        [
            [
                *key,
                str(len(v)),
                f"{math.exp(fmean(x for x, _ in v)):.2f}",
                f"{min(b for _, b in v):,}..{max(b for _, b in v):,}",
                f"{100 * sum(x for x, _ in v) / all_lost:.0f} %",
            ]
            for key, v in worst
        ],
    )


def _text(name: tuple) -> str:
    if name[0] == OTHERS:
        return ", then ".join(f"{collective} {_text(part)}" for collective, *part in name[1])
    return f"`{name[0]}`" + "".join(f" {k}={v}" for k, v in name[1])


def _table(head: list[str], rows: list[list[str]]) -> Iterator[str]:
    yield ""
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def page(folder: str) -> Iterator[str]:
    """Lines of the page."""
    published = read(folder)
    yield "# Errors of the first choice by model"
    yield "\nWritten by `benchmarks/published_errors.py`. [What the columns mean](README.md)."
    yield "\nLeft out:\n"
    for why, n in sorted(published.skipped.items()):
        yield f"- {n} rows: {why}"
    for system in sorted({cell.job.system for cell in published.cells}):
        cells = [cell for cell in published.cells if cell.job.system == system]
        costs = described(system)
        rows = modelled(cells, costs)
        yield f"\n## {system}, {len({c.job.run for c in cells})} runs"
        yield from _errors(cells, rows, costs)
        yield "\nWhere most is lost:"
        yield from _wrong(cells, rows)


def main() -> None:
    """Reads the measurements, writes the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pico", help="folder of measured.csv.gz and run_allocations.csv.gz")
    parser.add_argument("-o", metavar="FILE", help="default: standard output")
    args = parser.parse_args()
    try:
        text = "\n".join(page(args.pico)) + "\n"
    except (ValueError, OSError) as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    if args.o:
        Path(args.o).write_text(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
