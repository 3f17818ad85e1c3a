"""App. B, Fig. 14: techniques for blocks that are not contiguous, in the model with copies."""

import csv
from pathlib import Path

from bine import SIZES, SPEC
from engines import COSTS

from hopbine.plots.winners import Best, Panel
from hopbine.units import show_size

TOLD = SPEC["variants"]
TITLES = {"B": "block by block", "P": "permute", "S": "send", "T": "two transmissions"}


def gains(out: Path) -> dict[tuple[int, int], dict[str, float]]:
    """(bytes, nodes) -> gain of each technique over the binomial butterfly."""
    path, seconds = out / f"times-{TOLD['machine']}.csv", {}
    if path.exists():
        with path.open(newline="") as f:
            for row in csv.DictReader(f):
                if (row["engine"], row["collective"]) == (COSTS, TOLD["collective"]):
                    for size in SIZES:
                        key = size, int(row["ranks"]), row["algorithm"]
                        seconds[key] = float(row[str(size)] or "nan")
    found: dict[tuple[int, int], dict[str, float]] = {}
    for size in SIZES:
        for nodes in TOLD["nodes"]:
            other = seconds.get((size, nodes, TOLD["binomial"]), float("nan"))
            known = {t: other / seconds.get((size, nodes, TOLD[t]), float("nan")) for t in TITLES}
            known = {t: g for t, g in known.items() if g == g}
            if known:
                found[size, nodes] = known
    return found


def panel(out: Path) -> Panel:
    """The best technique of each cell, with its gain."""
    cells = {}
    for (size, nodes), of in gains(out).items():
        letter = max(of, key=lambda t: of[t])
        name = TITLES[letter]
        cells[show_size(size), str(nodes)] = Best(name, f"{letter} {of[letter]:.2f}", 1.5)
    columns = [str(n) for n in TOLD["nodes"] if any(c == str(n) for _, c in cells)]
    return Panel("gain over recursive doubling", [show_size(s) for s in SIZES], columns, cells)


def lines(out: Path) -> list[str]:
    """Markdown: the paper's cell and ours."""
    found = gains(out)
    text = ["| vector | " + " | ".join(map(str, TOLD["nodes"])) + " |"]
    text.append("|---" * (1 + len(TOLD["nodes"])) + "|")
    for size, told in zip(SIZES, TOLD["paper"], strict=True):
        row = []
        for nodes, theirs in zip(TOLD["nodes"], told, strict=True):
            of = found.get((size, nodes))
            ours = "-"
            if of:
                letter = max(of, key=lambda t: of[t])
                ours = f"{letter} {of[letter]:.2f}"
            row.append(f"{theirs}; {ours}")
        text.append(f"| {show_size(size)} | " + " | ".join(row) + " |")
    return text


def counted() -> list[str]:
    """What the techniques differ in on 64 nodes: contiguous pieces, steps and blocks."""
    from hopbine import _core

    text = ["| technique | steps | blocks that a rank sends | contiguous pieces of these, most |"]
    text.append("|---|---|---|---|")
    for letter, title in TITLES.items():
        s = _core.schedule(TOLD["collective"], TOLD[letter], 64)
        pieces, blocks = [], []
        for rank in range(64):
            sent = [
                ranges
                for step in range(s.steps)
                for kind, _, _, _, ranges in s.moves(rank, step)
                if kind == "send"
            ]
            pieces.append(sum(map(len, sent)))
            blocks.append(sum(b - a for ranges in sent for a, b in ranges))
        text.append(f"| {title} | {s.steps} | {max(blocks)} | {max(pieces)} |")
    return text
