"""One colour for each algorithm, the same in every picture and report.

A family has a colour, and its members have shades of it. A name belongs to the first family with a
pattern that fits, so that a new algorithm needs no line here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from colorsys import hls_to_rgb, rgb_to_hls
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

from . import style

#: Patterns of the names of a family's algorithms.
PATTERNS = {
    "Swing": ("swing*",),
    "torus Bine": ("torus_bine*",),
    "Bine": ("bine*",),
    "torus doubling": ("torus_doubling*",),
    "torus": ("torus*", "hamiltonian"),
    "binomial": (
        *("binomial*", "recursive_doubling", "recursive_halving"),
        *("rabenseifner", "butterfly"),
    ),
    "bucket": ("bucket*",),
    "k-ring": ("kring*",),
    "scatter": ("scatter_*",),
    "ring": ("ring*",),
    "Bruck": ("*bruck*", "parlogna*"),
    "neighbour exchange": ("neighbor_exchange*",),
    "sparbit": ("sparbit*",),
    "pairwise": ("pairwise*", "exclusive_or", "spread_out", "scattered", "parlinna*"),
    "linear": ("linear*",),
    "Trinaryx": ("trinaryx*",),
    "k-nomial": ("knomial*",),
    "recursive multiplying": ("recursive_multiplying*",),
    "hierarchical": ("hierarchical*",),
    "trees": ("chain*", "*binary", "binary*", "kary", "balanced*", "two_trees*"),
    "circulant": ("circulant*", "dissemination*", "pat"),
}
#: What the MPI library takes by itself.
LIBRARY = "mpi"
#: Shades go from so much darker to so much paler than the colour of the family, and turn its hue.
_DARK, _PALE, _TURN = 0.5, 0.6, 0.1


def family_of(algorithm: str) -> str | None:
    """The family of an algorithm; None for names of no family."""
    fit = (f for f, known in PATTERNS.items() if any(fnmatchcase(algorithm, p) for p in known))
    return next(fit, None)


@cache
def _members() -> dict[str | None, list[str]]:
    """The registry's algorithms by family: first the one with its name, then the short ones."""
    from .. import _core

    out: dict[str | None, list[str]] = {}
    names = {a["name"] for a in _core.algorithms()}
    for name in sorted(names, key=lambda n: (n != family_of(n), len(n), n)):
        out.setdefault(family_of(name), []).append(name)
    return out


def colour(label: str) -> str | None:
    """The colour of the algorithm that a label begins with: 'bine_large:segment=4096 (by_group)'.

    'auto: NAME' is NAME, 'A+B' is A, 'ParLogNa' is parlogna. None for what is neither an algorithm
    nor the library ('mpi', 'MPI_Alltoallv').
    """
    name = re.split("[:+ ,]", label.removeprefix("auto: "), maxsplit=1)[0].lower()
    if name == LIBRARY or name.startswith("mpi_"):
        return style.INK
    family = family_of(name)
    members = _members().get(family, [])
    if family is None or name not in members:
        return None
    return _shade(style.FAMILIES[family], members.index(name), len(members))


def _shade(base: str, i: int, of: int) -> str:
    """The first of a family has its colour; the others are darker and paler in turn."""
    if i == 0:
        return base
    share = (i + 1) // 2 / (of // 2)
    towards, most, turn = (0, _DARK, _TURN) if i % 2 else (1, _PALE, -_TURN)
    hue, light, full = rgb_to_hls(*(int(base[at : at + 2], 16) / 255 for at in (1, 3, 5)))
    full *= 1 - most * share * towards  # what is pale shines otherwise
    parts = hls_to_rgb((hue + turn * share) % 1, light + (towards - light) * most * share, full)
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)


def looks(labels: Sequence[str], names: Sequence[str] | None = None) -> list[tuple[str, int]]:
    """(colour, how many before have the same) of the series of a picture.

    `names`: of their algorithms, where labels begin otherwise. What is no algorithm has a colour of
    style.SERIES that no other series of the picture has, as long as there are some.
    """
    found = [colour(name) for name in names or labels]
    free = (s for s in style.SERIES if s not in found)
    chosen = [
        known or next(free, style.SERIES[i % len(style.SERIES)]) for i, known in enumerate(found)
    ]
    return [(one, chosen[:i].count(one)) for i, one in enumerate(chosen)]


def look(name: str, i: int) -> dict[str, Any]:
    """Marker of series `i`, and its colour unless the algorithm or family of that name has one."""
    known = style.FAMILIES.get(style.SHORT.get(name, name)) or colour(name)
    return style.series(i) | ({"color": known} if known else {})
