"""Tables and figures of the comparison with rivals."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import geometric_mean, median
from typing import Any

from rivals_cells import AUTO, DEFAULT, Measured, cells

from hopbine.notation.units import show_size
from hopbine.plots import style
from hopbine.plots.files import save

Table = list[list[str]]
#: Medians this close to each other are a tie.
TIE = 1.02


def _markdown(titles: list[str], rows: Table) -> str:
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def _by(of: Iterable[Measured], key: Callable[[Measured], Any]) -> dict[Any, list[Measured]]:
    found: dict[Any, list[Measured]] = defaultdict(list)
    for cell in of:
        found[key(cell)].append(cell)
    return found


def _where(cell: Measured) -> tuple[str, int, str]:
    return cell.network, cell.ranks, cell.library


def _named(where: tuple[str, int, str]) -> str:
    return f"{where[0]}, {where[1]} ranks, {where[2]}"


def means(found: list[Measured]) -> Table:
    """Geometric means of hopbine's choice, and of its best single algorithm to the best forced."""
    rows = []
    for where, group in _by(found, _where).items():
        auto = [(c, c.arms[AUTO]) for c in group]
        best = [c.to_best()[0] for c in group]
        own = [c.ratio(a, c.arms[DEFAULT])[0] for c, a in auto if DEFAULT in c.arms]
        singles = [(c, a, s) for c, a in auto if (s := c.best("hopbine"))]
        single = [c.ratio(a, s)[0] for c, a, s in singles]
        able = [c.ratio(s, b)[0] for c, _, s in singles if (b := c.best("library"))]
        rows.append(
            [
                _named(where),
                str(len(group)),
                *(f"{geometric_mean(r):.2f}" if r else "-" for r in (best, own, single, able)),
                f"{max(best):.2f}",
            ]
        )
    return rows


def wins(found: list[Measured]) -> Table:
    """The Bine paper's table of wins and losses, against the best rival.

    A win or loss has both quartiles on its side of 1, and its median by more than a tie.
    """
    rows = []
    for (where, collective), group in _by(found, lambda c: (_where(c), c.collective)).items():
        ratios = [c.to_best() for c in group]
        won = [1 / r for r, _, high in ratios if high < 1 and 1 / r > TIE]
        lost = [r for r, low, _ in ratios if low > 1 and r > TIE]

        def change(factors: list[float]) -> list[str]:
            if not factors:
                return ["-", "-"]
            return [f"{100 * (f - 1):.0f}%" for f in (median(factors), max(factors))]

        rows.append(
            [
                _named(where),
                collective,
                f"{100 * len(won) / len(group):.0f}%",
                *change(won),
                f"{100 * len(lost) / len(group):.0f}%",
                *change(lost),
            ]
        )
    return rows


def losses(found: list[Measured]) -> Table:
    """Cells where hopbine's choice is slower than the best rival, the worst first."""
    rows = []
    for cell in sorted(found, key=lambda c: -c.to_best()[0]):
        ratio, low, high = cell.to_best()
        best, own = cell.best("library"), cell.best("hopbine")
        if low <= 1 or ratio <= TIE or not best:
            continue
        rows.append(
            [
                _named(_where(cell)),
                f"{cell.collective} {show_size(cell.bytes)}",
                f"{ratio:.2f} ({low:.2f}..{high:.2f})",
                cell.served,
                best.label,
                f"{own.label.removeprefix('hopbine:')} {cell.ratio(own, best)[0]:.2f}"
                if own
                else "-",
                cell.fault(),
            ]
        )
    return rows


def refusals(found: list[Measured]) -> Table:
    """Algorithms that could not be measured, from which size on, and why."""
    why: dict[tuple[str, str, str], dict[str, int]] = defaultdict(dict)
    for cell in found:
        for label, note in cell.notes.items():
            if label != AUTO:
                first = why[_named(_where(cell)), cell.collective, note]
                first[label] = min(cell.bytes, first.get(label, cell.bytes))
    return [
        [
            where,
            collective,
            ", ".join(f"{label} ({show_size(size)})" for label, size in first.items()),
            note[:100],
        ]
        for (where, collective, note), first in why.items()
    ]


def everything(found: list[Measured]) -> Table:
    """A line for each cell."""
    rows = []
    for c in found:
        best, own, auto = c.best("library"), c.best("hopbine"), c.arms[AUTO]
        assert best
        rows.append(
            [
                _named(_where(c)),
                f"{c.collective} {show_size(c.bytes)}",
                f"{1e3 * auto.seconds:.3g}",
                c.served,
                f"{own.label.removeprefix('hopbine:')} {1e3 * own.seconds:.3g}" if own else "-",
                f"{1e3 * c.arms[DEFAULT].seconds:.3g}" if DEFAULT in c.arms else "-",
                f"{best.label} {1e3 * best.seconds:.3g}",
                f"{c.to_best()[0]:.2f}",
            ]
        )
    return rows


def letter(cell: Measured) -> str:
    """Who is fastest, and by what factor the other side is slower.

    H: hopbine's choice, h: one of its algorithms, M: the MPI library's choice, m: a forced one.
    """
    best, own = cell.best("library"), cell.best("hopbine")
    assert best
    auto = cell.arms[AUTO]
    mine = own if own and own.seconds < auto.seconds else auto
    if mine.seconds < best.seconds:
        return f"{'H' if mine is auto else 'h'} {best.seconds / mine.seconds:.2f}"
    return f"{'M' if best.label == DEFAULT else 'm'} {mine.seconds / best.seconds:.2f}"


def heat_map(title: str, found: list[Measured]) -> Any:
    """hopbine's choice to the best rival: blue is faster, red slower, with `letter` written in."""
    collectives = list(dict.fromkeys(c.collective for c in found))
    sizes = sorted({c.bytes for c in found})
    figure = style.figure(1.6 + 0.95 * len(collectives), 1.2 + 0.36 * len(sizes))
    axes = figure.subplots()
    table = [[float("nan")] * len(collectives) for _ in sizes]
    for c in found:
        table[sizes.index(c.bytes)][collectives.index(c.collective)] = c.to_best()[0]
    from matplotlib.colors import LogNorm

    shown = axes.imshow(table, cmap="RdBu_r", norm=LogNorm(0.33, 3.0), aspect="auto")
    bar = figure.colorbar(shown, ax=axes, label="hopbine / best rival")
    bar.set_ticks([1 / 3, 1 / 2, 1, 2, 3], labels=["1/3", "1/2", "1", "2", "3"])
    bar.minorticks_off()
    for c in found:
        axes.text(
            collectives.index(c.collective),
            sizes.index(c.bytes),
            letter(c),
            ha="center",
            va="center",
            fontsize=style.FONT_VALUE,
        )
    axes.set_xticks(range(len(collectives)), collectives, fontsize=style.FONT_TEXT)
    axes.set_yticks(range(len(sizes)), [show_size(n) for n in sizes], fontsize=style.FONT_TEXT)
    style.title(axes, title)
    return figure


def box_plot(found: list[Measured]) -> Any:
    """Per collective: times to that of hopbine's choice, which is faster above 1."""
    groups = _by(found, lambda c: c.collective)
    figure = style.figure(1.5 + 1.1 * len(groups), 3.2)
    axes = figure.subplots()
    series = {
        "best forced algorithm": lambda c: 1 / c.to_best()[0],
        "library's own choice": lambda c: (
            1 / c.ratio(c.arms[AUTO], c.arms[DEFAULT])[0] if DEFAULT in c.arms else None
        ),
        "hopbine's best single": lambda c: (
            1 / c.ratio(c.arms[AUTO], s)[0] if (s := c.best("hopbine")) else None
        ),
    }
    for i, (name, value) in enumerate(series.items()):
        drawn = axes.boxplot(
            [[v for c in group if (v := value(c))] for group in groups.values()],
            positions=[x + 0.27 * (i - 1) for x in range(len(groups))],
            widths=0.22,
            patch_artist=True,
            whis=(0, 100),
            medianprops={"color": style.INK},
        )
        style.fill_boxes(axes, drawn["boxes"], name, style.neutral(i))
    axes.axhline(1, color=style.REFERENCE, linewidth=0.8)
    axes.set(yscale="log", ylabel="time / hopbine's choice")
    axes.set_yticks([0.25, 0.5, 1, 2, 4, 8], ["0.25", "0.5", "1", "2", "4", "8"])
    axes.set_yticks([], minor=True)
    axes.set_xticks(range(len(groups)), list(groups), fontsize=style.FONT_TEXT)
    axes.legend(fontsize=style.FONT_TICK)
    style.grid(axes, "y")
    return figure


def report(folder: Path) -> None:
    """Writes tables.md, a heat map for each network and library, and the box plot."""
    known = cells(folder / "results.csv")
    found = [c for c in known if c.complete]
    if not found:
        return
    for where, group in _by(found, _where).items():
        name = "-".join(map(str, where)).replace(",", "_").replace(":", "").replace("+", "_")
        save(heat_map(_named(where), group), folder / f"heat-{name}.svg")
    save(box_plot(found), folder / "boxes.svg")
    parts = [
        "<!-- Written by benchmarks/rivals.py; changes by hand are lost. -->\n# Tables\n",
        "## Geometric means\n",
        "Time of hopbine's choice to the library's best forced algorithm, to its own choice, to "
        "hopbine's best single\nalgorithm; and of that to the best forced.\n",
        _markdown(
            [
                *("where", "cells", "choice to best forced", "to own choice", "to best single"),
                *("best single to best forced", "worst of the choice"),
            ],
            means(found),
        ),
        "## Wins and losses against the best forced algorithm\n",
        _markdown(
            ["where", "collective", "wins", "median", "most", "losses", "median", "most"],
            wins(found),
        ),
        "## Where hopbine's choice is slower\n",
        _markdown(
            ["where", "cell", "ratio", "served by", "best rival", "best own, to it", "fault"],
            losses(found),
        ),
        "## What could not be measured\n",
        "With the size from which on.\n",
        _markdown(["where", "collective", "algorithms", "why"], refusals(known)),
        "## All cells\n",
        "Milliseconds of a call.\n",
        _markdown(
            ["where", "cell", "hopbine", "served by", "best single", "library", "best forced", ""],
            everything(found),
        ),
    ]
    (folder / "tables.md").write_text("\n".join(parts))
