"""The pictures of the generalised page, from its files."""

from pathlib import Path
from typing import TYPE_CHECKING

from generalised import speedups
from generalised.evaluation import SIZES, SPEC, USUAL
from hopbine.plots import model
from hopbine.plots.files import save
from shared import results

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Seconds by size of each radix.
Radices = dict[int, dict[int, float]]


def table(out: Path, number: str) -> list[dict]:
    """Rows of a figure, with `times`: seconds by size."""
    rows: list[dict] = [*results.read(out / f"fig{number}.csv.xz")]
    for row in rows:
        row["times"] = {s: float(row[str(s)]) for s in SIZES if row[str(s)]}
    return rows


def numbers(out: Path) -> list[str]:
    """Figures that have a file."""
    return [n for n in SPEC["figure"] if (out / f"fig{n}.csv.xz").exists()]


def sources(rows: list[dict]) -> dict[str, str]:
    """Titles of the sources that rows have."""
    known = dict.fromkeys(r["source"] for r in rows)
    return {s: SPEC["sources"].get(s, f"{s} (links only)") for s in known}


def of_panel(rows: list[dict], panel: str, source: str) -> list[dict]:
    """Rows of one source."""
    return [r for r in rows if r["panel"] == panel and r["source"] == source]


def by_radix(rows: list[dict], kernel: str) -> Radices:
    """Times of a kernel."""
    return {int(r["k"]): r["times"] for r in rows if r["kernel"] == kernel}


def usual(rows: list[dict]) -> dict[int, float]:
    """Times of what a library usually takes."""
    return next(r["times"] for r in rows if r["kernel"] == USUAL)


def best(rows: list[dict], size: int) -> tuple[float, str, int] | None:
    """Seconds, kernel and radix of the fastest generalised algorithm."""
    found = [
        (r["times"][size], r["kernel"], int(r["k"]))
        for r in rows
        if r["kernel"] != USUAL and size in r["times"]
    ]
    return min(found) if found else None


def gains(rows: list[dict]) -> list[speedups.Point]:
    """Speed-up of the best at each size, over its default radix and over the usual choice."""
    points = []
    for size in SIZES:
        fastest = best(rows, size)
        if fastest and size in usual(rows):
            seconds, kernel, k = fastest
            plain = by_radix(rows, kernel)[SPEC["default"][kernel]][size]
            name = SPEC["letters"][kernel]
            points.append(
                speedups.Point(size, plain / seconds, usual(rows)[size] / seconds, name, k)
            )
    return points


def panels_of(number: str, rows: list[dict]) -> dict[str, tuple[str, list[dict]]]:
    """By title the first kernel and the rows of each of the figure's panels, of one source."""
    out = {}
    for panel in SPEC["figure"][number]["panels"]:
        own, kernel = of_panel(rows, number + panel["name"], SPEC["drawn"]), panel["kernels"][0]
        if own:
            name = f", {SPEC['letters'][kernel]}" if len(panel["kernels"]) == 1 else ""
            each = f", {panel['per_node']} ranks a node" if panel["per_node"] > 1 else ""
            each += ", bytes of a rank" * (panel["collective"] in SPEC["per_rank"])
            out[f"({panel['name']}) {panel['collective']}{name}{each}"] = kernel, own
    return out


def radix(panels: dict[str, tuple[str, list[dict]]], title: str) -> "Figure":
    """Time by radix, a line per size (Fig. 8 and 11)."""
    lines: dict[tuple[int, int], dict] = {}
    for name, (kernel, rows) in panels.items():
        for k, times in by_radix(rows, kernel).items():
            for size, seconds in times.items():
                lines.setdefault((k, size), {"k": k, "bytes": size})[name] = seconds
    return model.curves(list(lines.values()), {name: name for name in panels}, title)


def by_size(panels: dict[str, tuple[str, list[dict]]], title: str, shown: list[int]) -> "Figure":
    """Time by size, a line per radix (Fig. 10)."""
    lines = {}
    for name, (kernel, rows) in panels.items():
        told = by_radix(rows, kernel)
        of = {f"k = {k}": told[k] for k in shown if k in told}
        lines[name] = of | {"usual choice": usual(rows)}
    return speedups.times(lines, title)


def draw(out: Path) -> None:
    """All of them: a panel for each of the paper's."""
    for number in numbers(out):
        figure = SPEC["figure"][number]
        panels = panels_of(number, table(out, number))
        title = f"{figure['title']}: {SPEC['sources'][SPEC['drawn']]}"
        if figure["kind"] == "radix":
            picture = radix(panels, title)
        elif figure["kind"] == "size":
            picture = by_size(panels, title, figure["shown"])
        else:
            of = {name: gains(rows) for name, (_, rows) in panels.items()}
            picture = speedups.speedups(of, title)
        save(picture, out / f"fig{number}.svg")
