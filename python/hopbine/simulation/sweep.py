"""Many sizes, several algorithms: times, goodputs, who is best where and by how much."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from .. import _core, progress
from .setup import Setup

#: What is simulated, and what is told of it.
Item = TypeVar("Item")
Size = TypeVar("Size")
Told = TypeVar("Told")


@dataclass(frozen=True)
class Curve:
    """One line of a figure: the best of some algorithms at every size."""

    label: str
    variants: tuple[str, ...]


def curve(text: str) -> Curve:
    """'bucket', 'swing+swing_small' (the better one at every size), 'Swing=swing+swing_small'.

    ValueError.
    """
    label, equals, variants = text.partition("=") if "=" in text.split(":")[0] else ("", "", text)
    names = tuple(v.strip() for v in variants.split("+"))
    if not all(names) or (equals and not label.strip()):
        raise ValueError(
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
        except ValueError:
            continue  # it does not fit the shape
        found.append(Curve(a["name"], (a["name"],)))
    return found


def sweep(
    setup: Setup,
    collective: str,
    curves: Sequence[Curve],
    sizes: Sequence[int],
    root: int = 0,
    element: int = 4,
    pad: bool = False,
    watched: bool = False,
) -> list[dict[str, Any]]:
    """A row per curve and size.

    Seconds, goodput (bytes/s), share of the peak, and the variant that was best.

    Where a vector has fewer elements (of `element` bytes) than an algorithm divides it into, there
    is no row for it, or with `pad` the time of the smallest vector that can. ValueError when no
    size is large enough for a curve. `watched`: how far it is goes to standard error, and Ctrl-C
    leaves the rows that are done; KeyboardInterrupt when none is.
    """
    work = list(
        dict.fromkeys((v, size) for c in curves for size in sizes for v in c.variants)
    )  # a variant may be in several curves
    needs = {v: setup.simulation(collective, v, root).divides * element for v, _ in work}
    for c in curves:
        least = min(needs[v] for v in c.variants)
        if not pad and max(sizes) < least:
            raise ValueError(
                f"{c.label} divides the vector into {least // element} parts of at least one "
                f"element ({element} B): sizes from {least} B on, "
                f"not {max(sizes)} B (or pad smaller vectors: --pad)"
            )

    def time(item: tuple[str, int]) -> dict[str, float] | None:
        variant, size = item
        if size < needs[variant] and not pad:
            return None
        return setup.reached(collective, variant, max(size, needs[variant]), root)

    times = timed(work, time, "times", lambda one: f"{one[0]}, {one[1]} B", watched)
    rows = []
    for c, size in finished(curves, sizes, times):
        found = [(told["seconds"], v, told) for v in c.variants if (told := times[v, size])]
        if found:
            _, variant, told = min(found, key=lambda f: f[:2])
            rows.append(_row(setup, collective, c, size, told, variant))
    if not rows:
        raise KeyboardInterrupt
    return rows


def timed(
    work: Sequence[Item],
    time: Callable[[Item], Told],
    things: str,
    name: Callable[[Item], str],
    watched: bool,
) -> dict[Item, Told]:
    """What is told of each of these `things`, two at a time.

    `watched`: how far it is goes to standard error, and Ctrl-C leaves what is done.
    """
    pool = ThreadPoolExecutor(2)
    try:
        taken = zip(work, pool.map(time, work), strict=True)
        return dict(
            progress.watched(
                taken, len(work), things, lambda one: name(one[0]), told=watched, keep=True
            )
        )
    finally:
        pool.shutdown(cancel_futures=True)


def finished(
    curves: Sequence[Curve], sizes: Sequence[Size], times: Mapping[tuple[str, Size], object]
) -> Iterator[tuple[Curve, Size]]:
    """The curves and sizes for which all variants are timed: all, but after Ctrl-C."""
    for c in curves:
        yield from ((c, size) for size in sizes if all((v, size) in times for v in c.variants))


def sweep_blocks(
    setup: Setup,
    curves: Sequence[Curve],
    blocks: Sequence[str],
    element: int = 4,
    watched: bool = False,
) -> list[dict[str, Any]]:
    """A row per curve and distribution of an alltoallv's blocks (bench.sizes.parse_blocks).

    As those of `sweep`, and `watched` as there; `bytes` are those of a rank's mean vector,
    `distribution` is named.
    """

    def taken(work: tuple[str, str]) -> dict[str, float]:
        return setup.taken(setup.of_blocks(*work, element), 1)

    work = [(v, text) for c in curves for text in blocks for v in c.variants]
    times = timed(work, taken, "times", ", ".join, watched)
    rows = []
    for c, text in finished(curves, blocks, times):
        variant = min(c.variants, key=lambda v: times[v, text]["seconds"])
        drawn = _core.distribution(text, element)
        size = round(drawn["mean"] * len(setup.nodes))
        row = _row(setup, "alltoallv", c, size, times[variant, text], variant)
        rows.append(row | {"distribution": drawn["text"]})
    if not rows:
        raise KeyboardInterrupt
    return rows


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
    }


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

    Size by size; curves in `aside` do not count. ValueError.
    """
    labels = list(dict.fromkeys(r["algorithm"] for r in rows))
    if focus not in labels:
        raise ValueError(f"'{focus}' is not one of {', '.join(labels)}")
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
