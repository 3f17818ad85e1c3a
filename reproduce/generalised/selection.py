"""A selection file for MPICH (Sec. VI.G): the fastest of what it has, by machine and size.

`run.py generalised selection` writes hopbine's rules, `hopbine select export --for mpich` makes
MPICH's file of them.
"""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from statistics import geometric_mean

from generalised.evaluation import CARDS, HERE, SIZES, USUAL, files, vector
from hopbine.core.classic import classic
from hopbine.notation.quantities import split_algorithm
from hopbine.selection.counterparts import counterpart
from hopbine.selection.file import Range, Rule, write
from shared import results


def named(row: dict[str, str], size: int) -> str:
    """The algorithm of a row at a size: 'knomial:k=4'."""
    if row["kernel"] == USUAL:
        bytes_ = vector(row["collective"], ranks(row), size)
        return classic(row["collective"], ranks(row), bytes_)
    return f"{row['kernel']}:k={row['k']}"


def ranks(row: dict[str, str]) -> int:
    """Ranks that a row was simulated for."""
    return int(row["nodes"]) * int(row["per_node"])


def best(rows: list[dict[str, str]], size: int) -> tuple[float, str] | None:
    """Seconds and name of the fastest at a size that MPICH has; none where it has none of them."""
    known = [
        (float(row[str(size)]), name)
        for row in rows
        if row[str(size)]
        and counterpart("mpich", row["collective"], *split_algorithm(name := named(row, size)))
    ]
    return min(known, default=None)


def fastest(rows: list[dict[str, str]], size: int) -> str | None:
    """The name of the best."""
    one = best(rows, size)
    return one and one[1]


def gained(panel: str) -> float:
    """How many times faster the file's choice is than the classic one: the mean of the sizes."""
    every = (row for path in files(HERE / "data") for row in results.read(path))
    rows = [row for row in every if (row["source"], row["panel"]) == (CARDS, panel)]
    [usual] = (row for row in rows if row["kernel"] == USUAL)
    found = {size: best(rows, size) for size in SIZES}
    return geometric_mean(float(usual[str(s)]) / one[0] for s, one in found.items() if one)


def pieces(of: list[int], found: list[str | None]) -> Iterator[tuple[Range, str | None]]:
    """Ranges of bytes with the same algorithm; each size stands for those up to the next."""
    for name, same in groupby(zip(of, found, strict=True), key=lambda one: one[1]):
        sizes = [size for size, _ in same]
        first, last = of.index(sizes[0]), of.index(sizes[-1])
        low = 0 if first == 0 else sizes[0]
        yield (low, None if last + 1 == len(of) else of[last + 1] - 1), name


def rules(out: Path, machine: str) -> list[Rule]:
    """A machine's, from the figures by packets. Fewer ranks than a figure has: as that figure."""
    rows = [
        row
        for path in files(out)
        for row in results.read(path)
        if row["source"] == CARDS and row["machine"] == machine
    ]
    return [
        rule
        for collective in sorted({row["collective"] for row in rows})
        for rule in of_collective([row for row in rows if row["collective"] == collective])
    ]


def of_collective(rows: list[dict[str, str]]) -> Iterator[Rule]:
    """The rules of one collective."""
    low = 2
    for high in sorted({ranks(row) for row in rows}):
        here = [row for row in rows if ranks(row) == high]
        collective = rows[0]["collective"]
        vectors = [vector(collective, high, size) for size in SIZES]
        for span, name in pieces(vectors, [fastest(here, size) for size in SIZES]):
            if name:
                yield Rule(collective, *split_algorithm(name), (low, high), span)
        low = high + 1


def write_all(out: Path, machines: list[str]) -> list[Path]:
    """A rules file for each machine, in the folder where the command runs."""
    paths = []
    for machine in machines:
        paths.append(Path(f"rules-{machine}.json"))
        write(paths[-1], rules(out, machine), f"Wilkins et al., Sec. VI.G, simulated on {machine}")
    return paths
