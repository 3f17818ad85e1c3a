#!/usr/bin/env python3
"""Draws what policies cost and gain against the number of calls.

    python benchmarks/regret/draw.py ROWS.csv PICTURE.svg [expected|drawn]

ROWS.csv is what play.py wrote (--csv). A panel for each family of programs and recording: time over
the MPI library's, the mean as a line, and up to the worst program as a shade.
"""

import csv
import statistics
import sys
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

COLOURS = {
    "best": "#888888",
    "count": "#e69f00",
    "turns": "#d55e00",
    "selector": "#0072b2",
    "library": "#000000",
}
#: Ratios above are not shown.
HIGHEST = 2.0

Ratios = dict[tuple[str, str, int], dict[str, list[float]]]


def draw_panel(axes, ratios: Ratios, recording: str, family: str, policies: list[str]) -> None:
    """One recording and family."""
    calls = sorted(n for r, f, n in ratios if (r, f) == (recording, family))
    for policy in policies:
        values = [ratios[recording, family, n][policy] for n in calls]
        mean, worst = [statistics.fmean(v) for v in values], [max(v) for v in values]
        colour = COLOURS.get(policy, "#009e73")
        axes.plot(calls, mean, color=colour, label=policy, linewidth=1.2)
        if policy != "best":
            axes.fill_between(calls, mean, worst, color=colour, alpha=0.15, linewidth=0)
    axes.axhline(1, color="black", linewidth=0.5)
    axes.set_xscale("log")
    axes.set_ylim(0, HIGHEST)


def draw(ratios: Ratios, policies: list[str], path: Path) -> None:
    """Writes the picture."""
    recordings = list(dict.fromkeys(r for r, _, _ in ratios))
    families = list(dict.fromkeys(f for _, f, _ in ratios))
    size = (2.6 * len(families), 2.0 * len(recordings) + 0.6)
    figure, axes = plt.subplots(len(recordings), len(families), figsize=size, squeeze=False)
    for row, recording in zip(axes, recordings, strict=True):
        for one, family in zip(row, families, strict=True):
            draw_panel(one, ratios, recording, family, policies)
            one.tick_params(labelsize=7)
        row[0].set_ylabel(f"{recording}\ntime / library's", fontsize=8)
    for one, family in zip(axes[0], families, strict=True):
        one.set_title(family.replace("_", " "), fontsize=9)
    for one, family in zip(axes[-1], families, strict=True):
        what = "communicators" if family == "short_lived" else "calls of a kind"
        one.set_xlabel(what, fontsize=8)
    axes[0][0].legend(fontsize=7, frameon=False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def main() -> None:
    """Arguments."""
    from play import played

    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    with open(sys.argv[1], newline="") as file:
        rows = list(csv.DictReader(file))
    ratios = played(rows, sys.argv[3] if len(sys.argv) > 3 else "expected")
    draw(ratios, list(dict.fromkeys(row["policy"] for row in rows)), Path(sys.argv[2]))


if __name__ == "__main__":
    main()
