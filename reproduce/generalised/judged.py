"""What was found for the tests of claims.toml, by packets on nodes with their network cards."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import fmean, median

from generalised.claims import SAME
from generalised.evaluation import CARDS, SIZES
from generalised.figures import best, by_radix, gains, of_panel, table
from hopbine.model import counted
from hopbine.notation.units import parse_size

Found = dict[str, Callable[[Path], float | None]]


def rows(out: Path, panel: str) -> list[dict]:
    """A panel's."""
    return of_panel(table(out, panel[:-1]), panel, CARDS)


def radices(out: Path, panel: str) -> dict[int, int]:
    """The best k by size."""
    of = rows(out, panel)
    return {s: b[2] for s in SIZES if (b := best(of, s))}


def one_of(out: Path, panel: str, *ks: int) -> float:
    """Sizes whose best k is one of these."""
    return fmean(k in ks for k in radices(out, panel).values())


def at(out: Path, panel: str, size: str) -> float:
    """The best k at a size."""
    return radices(out, panel)[parse_size(size)]


def falls(out: Path, panel: str) -> float:
    """Next larger sizes whose best k is not larger."""
    return fmean(b <= a for a, b in pairwise(radices(out, panel).values()))


def speed_ups(out: Path, panel: str, below: int = 1 << 40) -> list[float]:
    """Speed-ups of the best over its default radix, at sizes below one."""
    return [p.default for p in gains(rows(out, panel)) if p.bytes < below]


def less(out: Path, panel: str) -> float:
    """1 where the gain at the largest size is below that at the smallest."""
    of = speed_ups(out, panel)
    return float(of[-1] < of[0])


def rings(out: Path, panel: str, low: str, what: Callable[[dict[int, float]], bool]) -> float:
    """Sizes from one on at which seconds by k are so."""
    of = by_radix(rows(out, panel), "kring")
    sizes = [s for s in SIZES if s >= parse_size(low) and all(s in t for t in of.values())]
    return fmean(what({k: t[s] for k, t in of.items()}) for s in sizes)


def slower(out: Path, panel: str, kernel: str, pairs: list[tuple[int, int]], below: str) -> float:
    """Sizes and pairs of radices of which the first takes longer."""
    of = by_radix(rows(out, panel), kernel)
    sizes = [s for s in SIZES if s < parse_size(below)]
    return fmean(of[a][s] > of[b][s] for a, b in pairs for s in sizes if s in of[a] and s in of[b])


def same(_: Path) -> float:
    """Kernels whose rounds with the default radix are those of the classic algorithm."""
    return fmean(
        counted.rounds(c, ours, 128) == counted.rounds(c, classic, 128) for c, ours, classic in SAME
    )


def never_rings(out: Path) -> float:
    """Collectives and sizes of Fig. 9 whose best is no k-ring."""
    of = [rows(out, f"9{letter}") for letter in "abcd"]
    return fmean(b[1] != "kring" for each in of for s in SIZES if (b := best(each, s)))


def multiplying_last(out: Path) -> float:
    """1 where recursive multiplying is the best bcast at the largest size."""
    found = best(rows(out, "9b"), SIZES[-1])
    return float(found is not None and found[1] == "recursive_multiplying")


def _found() -> Iterator[tuple[str, Callable[[Path], float | None]]]:
    yield "7.same", same
    yield "8a.small", partial(at, panel="8a", size="64")
    yield "8a.falls", partial(falls, panel="8a")
    yield "8b.near", lambda out: one_of(out, "8b", 3, 4, 5)
    yield (
        "8c.best",
        lambda out: rings(out, "8c", "256KiB", lambda t: t[8] <= 1.01 * min(t.values())),
    )
    yield (
        "8c.significant",
        lambda out: rings(out, "8c", "256KiB", lambda t: t[1] >= 1.05 * min(t.values())),
    )
    yield "9a.small", lambda out: speed_ups(out, "9a")[0]
    yield "9a.less", partial(less, panel="9a")
    yield "9b.small", lambda out: median(speed_ups(out, "9b", parse_size("256KiB")))
    yield "9b.large", multiplying_last
    yield "9c.gain", lambda out: median(speed_ups(out, "9c"))
    yield "9c.multiple", lambda out: fmean(k % 4 == 0 for k in radices(out, "9c").values())
    yield "9d.gain", lambda out: median(speed_ups(out, "9d"))
    yield "9d.k", lambda out: one_of(out, "9d", 4, 5)
    yield "9d.less", lambda out: float((of := speed_ups(out, "9d"))[-1] < median(of))
    yield "9.kring.never", never_rings
    large = "1GiB"
    yield "10a.worse", lambda out: slower(out, "10a", "knomial", [(1024, 128)], large)
    for panel, below in (("10b", large), ("10c", "512KiB")):
        pairs = [(2, 4), (2, 8)]
        yield (
            f"{panel}.ahead",
            partial(slower, panel=panel, kernel="recursive_multiplying", pairs=pairs, below=below),
        )
    yield "11a.small", partial(at, panel="11a", size="8")
    yield "11a.falls", partial(falls, panel="11a")
    yield "11b.k", lambda out: one_of(out, "11b", 4, 8)
    yield (
        "11c.little",
        lambda out: rings(out, "11c", "1", lambda t: max(t.values()) <= 1.15 * min(t.values())),
    )


FOUND: Found = dict(_found())
