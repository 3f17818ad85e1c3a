"""The claims of a paper, PAPER/claims.toml, and how each is judged.

A claim has one or several tests, or says why it was not run. Kinds of tests: `number`, a figure of
the paper; `range`, two figures that ours lies between; `order`, the share of comparisons that have
the published order. Keys of a test: `published`; `none`, the figure of no effect (default 0);
`tolerance` (default TOLERANCE); `least`, share of an order (default 1); `unit`; `read`, how words
were made a figure.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: A figure within this share of the published one is the same.
TOLERANCE = 0.25
HOLDS, OTHER, NOT, UNKNOWN = "holds", "another number", "does not hold", "not run"
STATES = (HOLDS, OTHER, NOT, UNKNOWN)


@dataclass(frozen=True)
class Test:
    """What decides a claim, or a part of it."""

    id: str
    kind: str  #: number, range or order
    published: float | tuple[float, float] | None = None
    none: float = 0
    tolerance: float = TOLERANCE
    least: float = 1
    unit: str = ""
    read: str = ""

    def verdict(self, found: float | None) -> str:
        """One of STATES. `found`: a figure, or the share of an order; None where there is none."""
        if found is None:
            return UNKNOWN
        if self.kind == "order":
            return HOLDS if found >= self.least else NOT
        low, high = self.bounds()
        if low <= found <= high:
            return HOLDS
        middle = (low + high) / 2
        return OTHER if (found - self.none) * (middle - self.none) > 0 else NOT

    def bounds(self) -> tuple[float, float]:
        """What holds: a published range, or a figure with its tolerance."""
        if isinstance(self.published, tuple):
            return self.published
        assert self.published is not None
        ends = [self.published * (1 + sign * self.tolerance) for sign in (-1, 1)]
        return min(ends), max(ends)

    def text(self, found: float | None) -> str:
        """'**holds**: share 56 % (75 to 100 %, 0.64)'."""
        state = f"**{self.verdict(found)}**: {self.id}"
        if found is None:
            return f"**{UNKNOWN}**: {self.id}"
        if self.kind == "order":
            return f"{state} {100 * found:.0f} %"
        theirs = " to ".join(f"{x:g}" for x in self._published())
        ratio = "" if isinstance(self.published, tuple) else self._ratio(found)
        return f"{state} {_shown(found)}{self.unit} ({theirs}{self.unit}{ratio})"

    def _published(self) -> tuple[float, ...]:
        return self.published if isinstance(self.published, tuple) else (self.published or 0,)

    def _ratio(self, found: float) -> str:
        return f", {found / self.published:.2f}" if self.published else ""  # type: ignore[operator]


@dataclass(frozen=True)
class Claim:
    """One sentence of a paper."""

    id: str
    where: str  #: figure or table, section
    paper: str  #: what it says
    tests: tuple[Test, ...] = ()
    not_run: str = ""

    @property
    def row(self) -> tuple[str, str]:
        """Where, and the paper's words."""
        return self.where, self.paper


def _shown(figure: float) -> str:
    """Three digits, or a whole number."""
    return f"{figure:.0f}" if abs(figure) >= 1000 else f"{figure:.3g}"


def _test(told: dict) -> Test:
    published = told.get("published")
    pair = tuple(published) if isinstance(published, list) else published
    return Test(**{**told, "published": pair})


@cache
def claims(paper: str) -> dict[str, Claim]:
    """Claims of a paper's folder by id. KeyError or TypeError where the file is not well formed."""
    told = tomllib.loads((ROOT / paper / "claims.toml").read_text())
    out = [
        Claim(**{**one, "tests": tuple(_test(t) for t in one.get("tests", ()))})
        for one in told["claim"]
    ]
    return {one.id: one for one in out}
