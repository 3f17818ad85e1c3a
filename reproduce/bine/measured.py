"""What the authors measured, in the cells of this page (pico; benchmarks/published_cells.py)."""

from functools import partial
from pathlib import Path

from bine.evaluation import SIZES, SPEC
from bine.registry import papers
from shared import places, results, sweeping
from shared.comparing import Cell

COLUMNS = ["machine", "nodes", "collective", "bytes", "over_binomial", "over_all"]


def letters(machine: str, collective: str) -> dict[str, str]:
    """Letter of each algorithm."""
    told = papers(machine, collective)
    return {name.partition(":")[0]: k for k, names in told.items() for name in names}


def measured(pico: Path) -> dict[tuple, Cell]:
    """One rank on each node, of the nine sizes, algorithms that have a counterpart, run by run."""
    places.published()
    from published_cells import read

    made: dict[tuple, Cell] = {}
    for cell in read(str(pico)).cells:
        job = cell.job
        if len(set(job.node)) < len(job.node) or job.system not in SPEC["machine"]:
            continue
        known = letters(job.system, cell.collective) if cell.bytes in SIZES else {}
        nodes = "x".join(map(str, job.shape)) or str(len(job.node))
        for (name, _), seconds in cell.seconds.items():
            if name in known:
                key = nodes, len(job.node), cell.collective, cell.bytes
                mine = made.setdefault((job.system, job.run, *key), Cell(*key))
                mine.add(known[name], name, seconds)
    return made


def ratios(pico: Path) -> list[dict]:
    """Times of the fastest others over Bine's: of binomial ones, and of all but Swing."""
    out = []
    for (machine, *_), cell in measured(pico).items():
        binomial = cell.ratio("B", SPEC["binomial"].get(cell.collective, "N"))
        both = [binomial, cell.ratio("B", [k for k in cell.fastest if k != "S"])]
        if any(both):
            told = [machine, cell.nodes, cell.collective, cell.bytes]
            shown = [f"{r:.4g}" if r else "" for r in both]
            out.append(dict(zip(COLUMNS, [*told, *shown], strict=True)))
    return out


def write(out: Path, sources: places.Sources) -> None:
    """measured.csv.xz; the one that is there stays where no folder is given."""
    if sources.pico:
        made = [(f"measured {sources.pico.resolve()}", partial(ratios, sources.pico))]
        sweeping.collect(out / "measured.csv.xz", made, COLUMNS)


def table(out: Path, machine: str, column: str) -> list[dict]:
    """A machine's rows that have `column`, there as a number `ratio`."""
    rows = results.known(out / "measured.csv.xz")
    return [r | {"ratio": float(r[column])} for r in rows if r["machine"] == machine and r[column]]


def of(out: Path, machine: str, collective: str, column: str) -> list[float]:
    """The ratios of a collective."""
    rows = table(out, machine, column)
    return [r["ratio"] for r in rows if r["collective"] == collective]
