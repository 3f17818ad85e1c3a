"""How good the choice by counting is on times that others measured.

    python benchmarks/published_times.py PICO [--fit] [--costs MACHINE] [--patience F]

PICO has measured.csv.gz and run_allocations.csv.gz, facts from the Bine authors' public artefact
(HLC-Lab/pico). In every run, collective and size the choice is among the measured algorithms that
hopbine has too. Printed is its time over that of the best of them, as geometric means: with the
machines' descriptions, or (--fit) with costs fitted on all runs, and on all others than the one
that is judged. --costs takes another machine's costs, as for a machine without measurements.
--copies own charges every row what hopbine copies, as a job does: else what the measured one does.
"""

import argparse
import math
from collections import defaultdict
from statistics import fmean

from published_cells import Cell, read
from published_fit import choice, described, fit, log_ratios, modelled, network

#: To which the default of the runtime is compared.
PATIENCES = (1.0, 1.05, 1.1, 1.2, 4 / 3, 2.0)


def by(cells: list[Cell], ratios: list[float]) -> str:
    """'1.080 (84): allgather 1.160 (36), ...'."""
    parts = defaultdict(list)
    for cell, ratio in zip(cells, ratios, strict=True):
        parts[cell.collective].append(ratio)
    all_of = ", ".join(f"{k} {math.exp(fmean(v)):.3f} ({len(v)})" for k, v in sorted(parts.items()))
    return f"{math.exp(fmean(ratios)):.3f} ({len(ratios)}): {all_of}"


def show_fit(cells: list[Cell], given: dict[str, float], patience: float) -> None:
    """Fitted on all runs, and every run judged by the costs fitted on the others."""
    costs = fit(cells, given, patience)
    print(f"  fitted on all   {by(cells, log_ratios(cells, costs, patience))}")
    judged: list[Cell] = []
    ratios: list[float] = []
    for run in sorted({cell.job.run for cell in cells}):
        here = [cell for cell in cells if cell.job.run == run]
        others = [cell for cell in cells if cell.job.run != run]
        judged += here
        ratios += log_ratios(here, fit(others, given, patience), patience)
    print(f"  on others       {by(judged, ratios)}")
    print(f"  costs           {network(costs)}")


def show_patience(cells: list[Cell], costs: dict[str, float]) -> None:
    """Time over the best, and bytes between groups over those of the fastest by the model."""
    print("  patience   time   bytes between groups")
    rows = modelled(cells, costs)
    for patience in PATIENCES:
        moved = []
        for cell, seconds in zip(cells, rows, strict=True):
            here, fastest = (
                cell.models[choice(cell, seconds, f)].scarce_blocks for f in (patience, 1.0)
            )
            if fastest > 0:
                moved.append(math.log(here / fastest))
        time = math.exp(fmean(log_ratios(cells, costs, patience)))
        print(f"  {patience:8.3g}  {time:.3f}   {math.exp(fmean(moved)):.3f}")


def show(system: str, cells: list[Cell], args: argparse.Namespace) -> None:
    """A machine."""
    costs = described(system)
    if args.costs:
        own = {k: v for k, v in costs.items() if k in ("node_bandwidth", "taper")}
        costs = {k: v for k, v in described(args.costs).items() if k != "taper"} | own
    ratios = log_ratios(cells, costs, args.patience)
    print(f"{system}, {len({c.job.run for c in cells})} runs")
    print(f"  described       {by(cells, ratios)}")
    taken = [
        math.log(list(c.seconds.values())[choice(c, s, args.patience)] / c.fastest)
        for c, s in zip(cells, modelled(cells, costs), strict=True)
    ]
    print(f"  over any timed  {by(cells, taken)}")
    if args.fit:
        show_fit(cells, costs, args.patience)
    show_patience(cells, costs)


def main() -> None:
    """Reads the measurements, prints each machine."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pico")
    parser.add_argument("--fit", action="store_true", help="fit, and judge by other runs")
    parser.add_argument("--costs", metavar="MACHINE", help="another machine's fitted costs")
    parser.add_argument("--copies", default="", choices=["own"], help="hopbine's for every row")
    parser.add_argument("--machine", help="this one only")
    parser.add_argument("--patience", type=float, default=1.1)
    args = parser.parse_args()
    try:
        published = read(args.pico, args.copies)
    except (ValueError, OSError) as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    print(", ".join(f"{n} rows: {why}" for why, n in sorted(published.skipped.items())))
    for system in sorted({cell.job.system for cell in published.cells}):
        if args.machine not in (None, system):
            continue
        show(system, [cell for cell in published.cells if cell.job.system == system], args)


if __name__ == "__main__":
    main()
