"""The pictures of the generalised page, from its files."""

import csv
from pathlib import Path

from generalised import SIZES, SPEC, USUAL

from hopbine.plots import model, speedups
from hopbine.plots.files import save

#: Seconds by size of each radix.
Radices = dict[int, dict[int, float]]


def table(out: Path, number: str) -> list[dict]:
    """Rows of a figure, with `times`: seconds by size."""
    with (out / f"fig{number}.csv").open(newline="") as f:
        rows: list[dict] = list(csv.DictReader(f))
    for row in rows:
        row["times"] = {s: float(row[str(s)]) for s in SIZES if row[str(s)]}
    return rows


def numbers(out: Path) -> list[str]:
    """Figures that have a file."""
    return [n for n in SPEC["figure"] if (out / f"fig{n}.csv").exists()]


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


def heading(row: dict) -> str:
    """'reduce k-nomial, Frontier, 128 nodes x 1'."""
    machine = SPEC["machine"][row["machine"]]["title"]
    kernel = SPEC["letters"][row["kernel"]]
    return f"{row['collective']}, {kernel}: {machine}, {row['nodes']} nodes x {row['per_node']}"


def radix(out: Path, number: str, rows: list[dict], panel: str, kernel: str) -> None:
    """Time by radix, a line per size (Fig. 8 and 11)."""
    here = [r for r in rows if r["panel"] == panel]
    titles = sources(here)
    told = {s: by_radix(of_panel(here, panel, s), kernel) for s in titles}
    lines = [
        {"k": k, "bytes": size} | {s: told[s][k][size] for s in titles}
        for k in next(iter(told.values()))
        for size in SIZES
        if all(size in told[s][k] for s in titles)
    ]
    first = next(r for r in here if r["kernel"] == kernel)
    save(model.curves(lines, titles, heading(first)), out / f"fig{panel}.svg")


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


def speed_up(out: Path, rows: list[dict], panel: str) -> None:
    """Fig. 9."""
    titles = sources(rows)
    panels = {title: gains(of_panel(rows, panel, s)) for s, title in titles.items()}
    first = next(r for r in rows if r["panel"] == panel)
    machine = SPEC["machine"][first["machine"]]["title"]
    title = f"{first['collective']}: {machine}, {first['nodes']} nodes x {first['per_node']}"
    save(speedups.speedups(panels, title), out / f"fig{panel}.svg")


def by_size(out: Path, number: str, rows: list[dict], panel: str, kernel: str) -> None:
    """Time by size, a line per radix (Fig. 10)."""
    here = [r for r in rows if r["panel"] == panel]
    panels = {}
    for s, title in sources(here).items():
        of = of_panel(here, panel, s)
        told = by_radix(of, kernel)
        lines = {f"k = {k}": told[k] for k in SPEC["figure"][number]["shown"] if k in told}
        panels[title] = lines | {"usual choice": usual(of)}
    first = next(r for r in here if r["kernel"] == kernel)
    save(speedups.times(panels, heading(first)), out / f"fig{panel}.svg")


def draw(out: Path) -> None:
    """All of them."""
    for number in numbers(out):
        figure, rows = SPEC["figure"][number], table(out, number)
        for panel in figure["panels"]:
            name, kernel = number + panel["name"], panel["kernels"][0]
            if not any(r["panel"] == name for r in rows):
                continue
            if figure["kind"] == "radix":
                radix(out, number, rows, name, kernel)
            elif figure["kind"] == "size":
                by_size(out, number, rows, name, kernel)
            else:
                speed_up(out, rows, name)
