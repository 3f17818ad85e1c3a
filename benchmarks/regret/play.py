#!/usr/bin/env python3
"""Plays the choice on recorded times, and shows what it costs and gains at every number of calls.

    python benchmarks/regret/play.py REGRET [--policies best,count,turns,selector] [--events 20000]
        [--recordings ompi5-4 ...] [--csv FILE] [--svg FILE] [--format table|markdown]

REGRET is the program of that name (CMake: HOPBINE_BENCHMARKS). It needs nothing else, no MPI
either. Prints time over the MPI library's, mean and worst over drawn programs.
"""

import argparse
import csv
import lzma
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
#: Recording, family, calls; and ratios of each program, by policy.
Cell = tuple[str, str, int]
Ratios = dict[Cell, dict[str, list[float]]]


def unpacked(names: list[str] | None, folder: Path) -> list[Path]:
    """The recordings of these names, or all, as files that the program reads."""
    known = {path.name.removesuffix(".txt.xz"): path for path in (HERE / "data").glob("*.txt.xz")}
    for name in names or []:
        if name not in known:
            raise ValueError(f"--recordings {name}: there are {', '.join(sorted(known))}")
    out = []
    for name in names or sorted(known):
        out.append(folder / f"{name}.txt")
        out[-1].write_bytes(lzma.decompress(known[name].read_bytes()))
    return out


def played(rows: list[dict[str, str]], score: str) -> Ratios:
    """Ratios by cell and policy, as the program printed them."""
    out: Ratios = defaultdict(lambda: defaultdict(list))
    for row in rows:
        cell = row["recording"], row["family"], int(row["calls"])
        out[cell][row["policy"]].append(float(row[score]))
    return out


def table(ratios: Ratios, policies: list[str], separator: str) -> list[str]:
    """A line for each cell: mean, and worst in brackets."""
    lines = [separator.join(["recording", "family", "calls", "programs", *policies])]
    for (recording, family, calls), of in ratios.items():
        programs = len(next(iter(of.values())))
        shown = [f"{statistics.fmean(of[p]):.3f} ({max(of[p]):.3f})" for p in policies]
        lines.append(separator.join([recording, family, f"{calls:,}", str(programs), *shown]))
    return lines


def main() -> None:
    """Plays, prints, writes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("regret", help="the program")
    parser.add_argument("--policies", default="best,count,turns,selector")
    parser.add_argument("--recordings", nargs="+")
    parser.add_argument("--events", type=int, default=20_000, help="calls of a cell, at least")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--score", choices=["expected", "drawn"], default="expected")
    parser.add_argument("--csv", type=Path, help="a row for each program")
    parser.add_argument("--svg", type=Path, help="a picture (needs matplotlib)")
    parser.add_argument("--format", choices=["table", "markdown"], default="table")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = unpacked(args.recordings, Path(folder))
        command = [args.regret, str(args.events), str(args.seed), args.policies, *map(str, files)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"play.py: {args.regret} ended with {done.returncode}")
    if args.csv:
        args.csv.write_text(done.stdout)
    ratios = played(list(csv.DictReader(done.stdout.splitlines())), args.score)
    policies = args.policies.split(",")
    separator = " | " if args.format == "markdown" else "\t"
    print("\n".join(table(ratios, policies, separator)).expandtabs(18))
    if args.svg:
        from draw import draw

        draw(ratios, policies, args.svg)


if __name__ == "__main__":
    main()
