"""App. B, Fig. 14: techniques for blocks that are not contiguous, in the model with copies."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from bine.evaluation import COLUMNS, SIZES, SPEC
from hopbine.jobs.counting import split_algorithm
from hopbine.notation.units import show_size
from hopbine.plots.winners import Best, Panel
from shared import engines, places, results, sweeping
from shared.engines import COSTS

TOLD = SPEC["variants"]
TITLES = {
    "B": "block by block",
    "P": "permute",
    "S": "send",
    "T": "two transmissions",
    "M": "derived types",
    "O": "permute, overlapped",
}
#: Letters of the paper's figure.
PAPERS = "BPST"


def rows(place: places.Place) -> list[dict]:
    """Times of every technique and of the binomial butterfly, a row each. Packing takes time."""
    collective = TOLD["collective"]
    on, out = engines.setup(place, COSTS), []
    for letter in ("binomial", *TITLES):
        name = TOLD[letter]
        if not engines.fits(place, collective, name):
            continue
        seconds = engines.times(on, place, COSTS, collective, name, SIZES, copies="own")
        told = [
            *(TOLD["machine"], COSTS, place.nodes, place.ranks, place.source, place.groups),
            *(collective, letter, name),
            *("" if t is None else f"{t:.6g}" for t in seconds),
        ]
        out.append(dict(zip(COLUMNS, told, strict=True)))
    return out


def works(sources: places.Sources, quick: bool) -> Iterator[sweeping.Work]:
    """What the file is made of."""
    machine = TOLD["machine"]
    spec = SPEC["machine"].get(machine)
    for nodes in TOLD["quick" if quick else "nodes"] if spec else ():
        place = places.on_machine(machine, spec, nodes, sources, SPEC["jobs_groups"], SPEC["seed"])
        yield f"{machine} {place.source} {nodes}", partial(rows, place)


def write(out: Path, sources: places.Sources, quick: bool) -> None:
    """variants.csv.xz."""
    sweeping.collect(out / "variants.csv.xz", works(sources, quick), COLUMNS)


def gains(out: Path) -> dict[tuple[int, int], dict[str, float]]:
    """(bytes, nodes) -> gain of each technique over the binomial butterfly."""
    seconds = {
        (size, int(row["ranks"]), row["letter"]): float(row[str(size)] or "nan")
        for row in results.known(out / "variants.csv.xz")
        for size in SIZES
    }
    found: dict[tuple[int, int], dict[str, float]] = {}
    for size in SIZES:
        for nodes in TOLD["nodes"]:
            other = seconds.get((size, nodes, "binomial"), float("nan"))
            known = {t: other / seconds.get((size, nodes, t), float("nan")) for t in TITLES}
            known = {t: g for t, g in known.items() if g == g}
            if known:
                found[size, nodes] = known
    return found


def best(of: dict[str, float], letters: str) -> str:
    """The letter of the best of these techniques, and its gain."""
    letter = max((t for t in letters if t in of), key=lambda t: of[t])
    return f"{letter} {of[letter]:.2f}"


def panel(out: Path, letters: str, title: str) -> Panel:
    """The best of these techniques in each cell, with its gain."""
    cells = {}
    for (size, nodes), of in gains(out).items():
        shown = best(of, letters)
        cells[show_size(size), str(nodes)] = Best(TITLES[shown[0]], shown, 1.5, TOLD[shown[0]])
    columns = [str(n) for n in TOLD["nodes"] if any(c == str(n) for _, c in cells)]
    return Panel(title, [show_size(s) for s in SIZES], columns, cells)


def lines(out: Path) -> list[str]:
    """Markdown: the paper's cell and ours; then those that the paper has not built."""
    found = gains(out)
    text = ["| vector | " + " | ".join(map(str, TOLD["nodes"])) + " |"]
    text.append("|---" * (1 + len(TOLD["nodes"])) + "|")
    for size, told in zip(SIZES, TOLD["paper"], strict=True):
        row = []
        for nodes, theirs in zip(TOLD["nodes"], told, strict=True):
            of = found.get((size, nodes))
            row.append(
                f"{theirs}; {best(of, PAPERS)}; {of['O']:.2f}, {of['M']:.2f}"
                if of
                else f"{theirs}; -"
            )
        text.append(f"| {show_size(size)} | " + " | ".join(row) + " |")
    return text


def counted() -> list[str]:
    """What the techniques differ in on 64 nodes: contiguous pieces, steps and blocks."""
    from hopbine import _core

    text = ["| technique | steps | blocks that a rank sends | contiguous pieces of these, most |"]
    text.append("|---|---|---|---|")
    for letter, title in TITLES.items():
        name, parameters = split_algorithm(TOLD[letter])
        s = _core.schedule(_core.Problem(TOLD["collective"], name, 64, parameters=parameters))
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
