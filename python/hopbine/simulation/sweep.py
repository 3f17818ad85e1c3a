"""Many sizes, several algorithms: times, goodputs, who is best where and by how much."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, TypeVar

from .. import _core
from ..errors import UsageError
from ..notation.quantities import check_blocks
from ..output import progress
from .ranks import POOL, at_once
from .setup import Setup, check_ranks

#: What is simulated, and what is told of it.
Item = TypeVar("Item")
Told = TypeVar("Told")
#: A size, or a distribution.
Kind = TypeVar("Kind")


#: With drawn blocks, as src/simulation/drawn_blocks.hpp has it.
MOST_DRAWN = 16384


def check_size(setup: Setup, collective: str, drawn: bool = False) -> None:
    """UsageError for more ranks than are simulated; `drawn`: blocks of given sizes."""
    ranks = len(setup.nodes)
    check_ranks(ranks, setup.topology)
    if drawn and ranks > MOST_DRAWN:
        raise UsageError(
            f"{ranks:,} ranks on {setup.topology}: up to {MOST_DRAWN:,} are simulated with drawn "
            "blocks; fewer with -n"
        )
    check_blocks(collective, ranks, "simulated", f" on {setup.topology}", "; fewer with -n")


@dataclass(frozen=True)
class Curve:
    """One line of a figure: the best of some algorithms at every size."""

    label: str
    variants: tuple[str, ...]


def curve(text: str) -> Curve:
    """'bucket', 'swing+swing_small' (the better one at every size), 'Swing=swing+swing_small'.

    UsageError.
    """
    label, equals, variants = text.partition("=") if "=" in text.split(":")[0] else ("", "", text)
    names = tuple(v.strip() for v in variants.split("+"))
    if not all(names) or (equals and not label.strip()):
        raise UsageError(
            f"'{text}' is not like swing, swing+swing_small or Swing=swing+swing_small"
        )
    return Curve(label.strip() or variants.strip(), names)


def default_curves(setup: Setup, collective: str) -> list[Curve]:
    """Where ranks are on a grid the algorithms that follow it.

    Else all others but those that serve no large system.
    """
    ranks = len(setup.nodes)
    found = []
    for a in _core.algorithms():
        if (
            a["collective"] != collective
            or not _core.fits(collective, a["name"], ranks)
            or a["follows_placement"]
            or a["name"] == "linear"
        ):
            continue
        if a["follows_shape"] != (len(setup.shape) > 1):
            continue
        try:
            setup.simulation(collective, a["name"])
        except UsageError:
            continue  # it does not fit the shape
        found.append(Curve(a["name"], (a["name"],)))
    return found


@dataclass(frozen=True)
class Vectors:
    """What is simulated of every size: vectors of elements of so many bytes."""

    root: int = 0
    element: int = 4
    pad: bool = False  #: shorter ones are as long as an algorithm divides them


def sweep(
    setup: Setup,
    collective: str,
    curves: Sequence[Curve],
    sizes: Sequence[int],
    of: Vectors = Vectors(),
    watched: bool = False,
) -> list[dict[str, Any]]:
    """A row per curve and size.

    Seconds, goodput (bytes/s), share of the peak, and the variant that was best.

    Where a vector has fewer elements than an algorithm divides it into, there is no row for it, or
    if it is to `pad` the time of the smallest vector that can. UsageError when no
    size is large enough for a curve. `watched`: how far it is goes to standard error, and Ctrl-C
    leaves the rows that are done; KeyboardInterrupt when none is.
    """
    needs = _needs(setup, collective, curves, of)
    if not of.pad:
        _check(curves, needs, max(sizes), of.element)

    def padded(variant: str, size: int) -> tuple[str, int]:
        return variant, max(size, needs[variant])

    wanted = [
        (c, size, [padded(v, size) for v in c.variants if of.pad or size >= needs[v]])
        for c in curves
        for size in sizes
    ]
    rows = []
    for c, size, times in _timed_rows(
        wanted, _Reached(setup, collective, of.root), lambda one: f"{one[0]}, {one[1]} B", watched
    ):
        found = [(told["seconds"], variant, told) for (variant, _), told in times.items()]
        if found:
            _, variant, told = min(found, key=lambda f: f[:2])
            rows.append(_row(setup, collective, c, size, told, variant))
    return rows


def _needs(setup: Setup, collective: str, curves: Sequence[Curve], of: Vectors) -> dict[str, int]:
    """Bytes of the smallest vector that each variant can divide."""
    variants = dict.fromkeys(v for c in curves for v in c.variants)
    return {v: setup.simulation(collective, v, of.root).divides * of.element for v in variants}


def _check(curves: Sequence[Curve], needs: Mapping[str, int], largest: int, element: int) -> None:
    """UsageError for a curve that no size is large enough for."""
    for c in curves:
        least = min(needs[v] for v in c.variants)
        if largest < least:
            raise UsageError(
                f"{c.label} divides the vector into {least // element} parts of at least one "
                f"element ({element} B): sizes from {least} B on, "
                f"not {largest} B (or pad smaller vectors: --pad)"
            )


@dataclass(frozen=True)
class _Reached:
    """What `reached` tells of (variant, bytes); no closure, since other ranks get it by pickle."""

    setup: Setup
    collective: str
    root: int

    def __call__(self, item: tuple[str, int]) -> dict[str, float]:
        return self.setup.reached(self.collective, *item, self.root)


def _timed_rows(
    wanted: Sequence[tuple[Curve, Kind, Sequence[Item]]],
    time: Callable[[Item], Told],
    name: Callable[[Item], str],
    watched: bool,
) -> Iterator[tuple[Curve, Kind, dict[Item, Told]]]:
    """Rows with what is told of their items, of which several may need the same.

    Ctrl-C leaves those that are done; KeyboardInterrupt when none is.
    """
    work = list(dict.fromkeys(item for *_, items in wanted for item in items))
    coming, known = timed(work, time, "times", name, watched, keep=True), dict[Item, Told]()
    done, ended = 0, False
    for c, kind, items in wanted:
        while not ended and any(item not in known for item in items):
            one = next(coming, None)
            ended = one is None
            known.update([one] if one else [])
        if all(item in known for item in items):
            done += len(items)
            yield c, kind, {item: known[item] for item in items}
    if ended and not done:
        raise KeyboardInterrupt
    for _ in coming:  # nothing more: takes the line of its progress away
        pass


def timed(
    work: Sequence[Item],
    time: Callable[[Item], Told],
    things: str,
    name: Callable[[Item], str],
    watched: bool,
    keep: bool = False,
) -> Iterator[tuple[Item, Told]]:
    """Each of these `things` with what is told of it, in this order, as they are done.

    At a time as many as there are cores, or by the other ranks of an MPI job (ranks.shared).
    `watched`: and how far it is. `keep`: as that of progress.watched.
    """

    def told_by(told: Iterator[Told]) -> Iterator[tuple[Item, Told]]:
        pairs = zip(work, told, strict=True)
        return progress.watched(
            pairs, len(work), things, lambda one: name(one[0]), told=watched, keep=keep
        )

    others = POOL.get()
    if others is not None:
        yield from told_by(others.map(partial(_elsewhere, time), work))
        return
    pool = ThreadPoolExecutor(at_once())
    try:
        yield from told_by(pool.map(time, work))
    finally:
        pool.shutdown(cancel_futures=True)


def _elsewhere(time: Callable[[Item], Told], item: Item) -> Told:
    """On another rank, by the first callable that came: it has made network and schedules."""
    return _kept(time)(item)  # type: ignore[no-any-return]


@lru_cache(maxsize=1)
def _kept(time: Any) -> Any:
    return time


def sweep_blocks(
    setup: Setup,
    curves: Sequence[Curve],
    blocks: Sequence[str],
    element: int = 4,
    watched: bool = False,
) -> list[dict[str, Any]]:
    """A row per curve and distribution of an alltoallv's blocks (bench.sizes.parse_blocks).

    As those of `sweep`; `bytes` are those of a rank's mean vector, `distribution` is named.
    """
    wanted = [(c, text, [(v, text) for v in c.variants]) for c in curves for text in blocks]
    rows = []
    for c, text, times in _timed_rows(wanted, _Blocks(setup, element), ", ".join, watched):
        best = min(times, key=lambda item: times[item]["seconds"])
        drawn = _core.distribution(text, element)
        size = round(drawn["mean"] * len(setup.nodes))
        row = _row(setup, "alltoallv", c, size, times[best], best[0])
        rows.append(row | {"distribution": drawn["text"]})
    return rows


@dataclass(frozen=True)
class _Blocks:
    """What `taken` tells of (variant, distribution); as _Reached."""

    setup: Setup
    element: int

    def __call__(self, item: tuple[str, str]) -> dict[str, float]:
        return self.setup.taken(self.setup.of_blocks(*item, self.element), 1)


def _row(
    setup: Setup, collective: str, c: Curve, size: int, told: Mapping[str, float], variant: str
) -> dict[str, Any]:
    seconds = told["seconds"]
    goodput = size / seconds if seconds > 0 else float("inf")
    return {
        "collective": collective,
        "topology": setup.topology,
        "ranks": len(setup.nodes),
        "engine": setup.engine,
        "bandwidth": setup.bandwidth,
        "cable": setup.cable,
        "router": setup.router,
        "algorithm": c.label,
        "variant": variant,
        "bytes": size,
        "seconds": seconds,
        "goodput": goodput,
        "share_of_peak": goodput / setup.peak(collective),
        **{f"{kind}_reached": told[kind] for kind in ("background", "aggressor") if kind in told},
        **{kind: told[kind] for kind in told if kind.startswith("aggressor_")},
        **({"calls": setup.calls} if setup.calls > 1 else {}),
        **({"buffers": setup.buffers} if setup.buffers < math.inf else {}),
        **_beside(setup),
    }


def _beside(setup: Setup) -> dict[str, int]:
    """How many other jobs there are, where they were told, and their nodes."""
    jobs = setup.background.jobs
    nodes = sum(map(len, jobs))
    return {"background_jobs": len(jobs), "background_nodes": nodes} if jobs else {}


def best_by_size(rows: Sequence[dict[str, Any]]) -> dict[int, list[dict[str, Any]]]:
    """The rows of every size, fastest first."""
    out: dict[int, list[dict[str, Any]]] = {}
    for row in sorted(rows, key=lambda r: (r["bytes"], r["seconds"])):
        out.setdefault(row["bytes"], []).append(row)
    return out


def gains(
    rows: Sequence[dict[str, Any]], focus: str, aside: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """How much higher the goodput of `focus` is than that of the best other one, in per cent.

    Size by size; curves in `aside` do not count. UsageError.
    """
    labels = list(dict.fromkeys(r["algorithm"] for r in rows))
    if focus not in labels:
        raise UsageError(f"'{focus}' is not one of {', '.join(labels)}")
    out = []
    for size, ranked in best_by_size(rows).items():
        mine = next((r for r in ranked if r["algorithm"] == focus), None)
        other = next(
            (r for r in ranked if r["algorithm"] != focus and r["algorithm"] not in aside), None
        )
        if mine and other:
            out.append(
                {
                    "bytes": size,
                    "gain_pct": 100 * (other["seconds"] / mine["seconds"] - 1),
                    "best_other": other["algorithm"],
                }
            )
    return out
