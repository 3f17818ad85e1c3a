"""Which algorithms the Bine page compares: the paper's by their letters, and all of the registry.

What the paper compares is listed in paper.toml. All others are derived: an algorithm that the
list lacks has the small letter of its family, so that a new one needs no line here.
"""

import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path

from hopbine import _core
from hopbine.notation.quantities import split_algorithm
from hopbine.plots.colours import family_of
from shared.comparing import Cell, cells

SPEC = tomllib.loads(Path(__file__).with_name("paper.toml").read_text())
#: What the paper compares.
PAPERS = "BNRSKXPWLTUV"
#: Without Swing, whose partners are Bine's.
APART = PAPERS.replace("S", "")
#: All letters. The small ones of Bine's families are Bine where all of the registry is compared.
EVERY = "".join(k for k in SPEC["letters"] if k != "=")
BINE = ("Bine", "torus Bine")


@cache
def by_family() -> dict[str, str]:
    """Small letter of each family."""
    return {name: k for k, name in SPEC["letters"].items() if k.islower()}


def papers(machine: str, collective: str) -> dict[str, list[str]]:
    """The paper's algorithms by letter."""
    spec = SPEC["machine"][machine]
    told = SPEC["families"]["torus" if "shapes" in spec else "groups"][collective]
    return {k: [a.format(tree=spec.get("tree", "")) for a in v] for k, v in told.items()}


def further(machine: str, collective: str) -> dict[str, list[str]]:
    """All others of the registry by letter."""
    known = {split_algorithm(a)[0] for v in papers(machine, collective).values() for a in v}
    out: dict[str, list[str]] = {}
    for a in _core.algorithms():
        if a["collective"] == collective and a["name"] not in known:
            letter = by_family()[family_of(a["name"]) or ""]
            out.setdefault(letter, []).append(SPEC["further"].get(a["name"], a["name"]))
    return out


def families(machine: str, collective: str) -> dict[str, list[str]]:
    """All of the registry by letter."""
    return papers(machine, collective) | further(machine, collective)


def of_the_machine(machine: str, collective: str, algorithm: str) -> bool:
    """Whether the algorithm is made for a network such as the machine's.

    On a torus: it follows the dimensions. Elsewhere: it follows nodes or groups.
    """
    name, _ = split_algorithm(algorithm)
    follows = "follows_shape" if "shapes" in SPEC["machine"][machine] else "follows_placement"
    return any(
        a[follows]  # type: ignore[literal-required]
        for a in _core.algorithms()
        if (a["collective"], a["name"]) == (collective, name)
    )


def told(row: dict[str, str]) -> str | None:
    """Letter where the paper's are compared; none of others."""
    return row["letter"] if row["letter"] in PAPERS else None


def every(row: dict[str, str]) -> str | None:
    """Letter where all of the registry is compared; none of jobs for which it was not."""
    letter = row["letter"]
    if int(row["ranks"]) > SPEC["machine"][row["machine"]]["packets"]:
        return None
    return "B" if SPEC["letters"][letter] in BINE else letter


def general(row: dict[str, str]) -> str | None:
    """Letter where the registry without the machine's own is compared; none of others."""
    own = of_the_machine(row["machine"], row["collective"], row["algorithm"])
    return None if own else every(row)


#: How the cells of a file can be looked at: letters that count, and the letter of a row.
VIEWS: dict[str, tuple[str, Callable[[dict[str, str]], str | None]]] = {
    "": (PAPERS, told),
    "without Swing": (APART, told),
    "every algorithm of the registry": (EVERY, every),
    "every one but the machine's own": (EVERY, general),
}


def looked_at(path: Path, engine: str, sizes: list[int], view: str = "") -> list[Cell]:
    """Cells of a file in a view."""
    return cells(path, engine, sizes, VIEWS[view][1])
