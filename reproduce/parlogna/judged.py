"""What was found for the tests of claims.toml, on the paper's machine of which we have costs.

Figs. 6 to 12 by the node model, but batches by packets with finite buffers; others by packets.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from statistics import fmean

from parlogna.claims import of_size, seconds, sizes
from parlogna.evaluation import SPEC, data, linked
from parlogna.figures import cells, family, fastest, of_family, parameter
from parlogna.links_claims import fastest as by_packets
from parlogna.links_claims import in_transit, inside, ranks_of, rounds
from shared.comparing import EQUAL
from shared.described import described

MACHINE = described(SPEC["published"]["machine"]).name
BASELINE = SPEC["figure"]["8"]["baseline"]
THREE = ("ParLogNa", "ParLinNa coalesced", "ParLinNa staggered")
#: With finite buffers, without which no batch has an effect.
BUFFERS = "9-buffers"
NAMES = {"parlogna": THREE[0], "coalesced": THREE[1], "staggered": THREE[2]}


def rows(figure: str, ranks: int) -> list[dict]:
    """A figure's, of the machine that judges."""
    return [r for r in data(figure) if r["ranks"] == ranks and r["machine"] == MACHINE]


def best_radix(of: list[dict], size: str) -> dict:
    """ParLogNa's fastest row."""
    return min(of_family(of_size(of, size), THREE[0]), key=lambda r: r["seconds"])


def radices(of: list[dict]) -> list[int]:
    """ParLogNa's best, size by size."""
    return [parameter(best_radix(of, s), "r") for s in sizes(of)]


def gain(figure: str, ranks: int, size: str, ours: str, over: str = BASELINE) -> float:
    """How many times faster one is."""
    of = rows(figure, ranks)
    return seconds(of, over, size) / seconds(of, ours, size)


def highest(ours: str) -> float:
    """The largest gain of Fig. 12 over the baseline."""
    of = rows("12", 16384)
    return max(seconds(of, BASELINE, s) / seconds(of, ours, s) for s in sizes(of))


def ahead(below: int) -> float:
    """Block sizes to one at which a radix below P is ahead."""
    of = rows("7", 8192)
    return fmean(
        max(g for r, g in cell if r < of[0]["ranks"]) > 1
        for (_, size), cell in cells(of, BASELINE).items()
        if in_bytes(size) <= below
    )


def in_bytes(size: str) -> int:
    """'2 KiB' as a number."""
    number, unit = size.split()
    return int(number) << {"B": 0, "KiB": 10, "MiB": 20}[unit]


def narrows() -> float:
    """Next larger sizes with no more radices that are ahead."""
    of = [sum(g > 1 for _, g in cell) for cell in cells(rows("7", 8192), BASELINE).values()]
    return fmean(b <= a for a, b in pairwise(of))


def inside_radix(size: str) -> int:
    """The best inside a node."""
    of = of_family(of_size(rows("9", 8192), size), THREE[1])
    return parameter(min(of, key=lambda r: r["inside"]), "r")


def batch(size: str, ranks: int) -> int:
    """The least batch of staggered ParLinNa that is as fast as the best, by packets."""
    of = [r for r in linked(BUFFERS) if (r["case"], r["ranks"]) == (size, ranks)]
    of = of_family(of, THREE[2])
    least = min(r["seconds"] for r in of)
    return min(parameter(r, "batch") for r in of if r["seconds"] <= EQUAL * least)


def staggered_longer(size: str) -> float:
    """Time of staggered over coalesced with finite buffers, with the most ranks."""
    of = by_packets(BUFFERS, size, ranks_of(BUFFERS)[-1])
    return of[THREE[2]]["seconds"] / of[THREE[1]]["seconds"]


def longer_between() -> float:
    """Sizes at which staggered takes 5 % longer between nodes."""
    of = rows("9", 8192)
    each = [{family(r): r["between"] for r in fastest(of_size(of, s))} for s in sizes(of)]
    return fmean(b[THREE[2]] >= 1.05 * b[THREE[1]] for b in each)


def straight(what: Callable[[dict[str, float]], bool]) -> float:
    """The smallest and the largest size of Fig. 11 at which seconds by family are so."""
    of = rows("11", 8192)
    ends = (sizes(of)[0], sizes(of)[-1])
    return fmean(what({family(r): r["seconds"] for r in fastest(of_size(of, s))}) for s in ends)


def always(name: str) -> float:
    """Sizes of Fig. 12 at which a family is the best."""
    of = rows("12", 16384)
    best = [min(of_size(of, s), key=lambda r: r["seconds"]) for s in sizes(of)]
    return fmean(family(r) == name for r in best)


def over_pairwise(figure: str, case: str, name: str) -> float:
    """By packets, with the most ranks that the figure has of it."""
    of = [by_packets(figure, case, n) for n in ranks_of(figure)]
    last = [f for f in of if name in f and BASELINE in f][-1]
    return last[BASELINE]["seconds"] / last[name]["seconds"]


def packets_ahead(figure: str, case: str, names: tuple[str, ...], over: str) -> float:
    """Numbers of ranks at which each of these is ahead of another."""
    of = [by_packets(figure, case, n) for n in ranks_of(figure)]
    return fmean(
        f[over]["seconds"] > f[name]["seconds"]
        for f in of
        for name in names
        if {name, over} <= {*f}
    )


def coalesced_best(figure: str) -> float:
    """Cases and numbers of ranks at which coalesced is the best of the three and the baseline."""
    each = []
    for case in SPEC["figure"][figure]["cases"]:
        for ranks in ranks_of(figure):
            of = by_packets(figure, case, ranks)
            told = {k: of[k]["seconds"] for k in (*THREE, BASELINE) if k in of}
            each.append(min(told, key=lambda k: told[k]) == THREE[1])
    return fmean(each)


def within_bound() -> float:
    """Cases of Sec. 3.3."""
    cases = [(8, 2), (8, 3), (8, 4), (64, 8), (512, 2), (512, 8)]
    return fmean(in_transit(p, r) <= p - rounds(p, r) - 1 for p, r in cases)


def blocks_inside(nodes: int, per_node: int) -> bool:
    """Whether messages inside a node have a block for each node or more."""
    told = inside(nodes, per_node).partition(" messages of ")[2].removesuffix(" blocks")
    return min(map(int, told.split(", "))) >= nodes


def _by_the_model() -> Iterator[tuple[str, Callable[[], float | None]]]:
    first, last = "16 B", "16 KiB"
    yield "6.small.best", lambda: parameter(best_radix(rows("6", 2048), first), "r")
    yield (
        "6.middle.between",
        lambda: float(2 < parameter(best_radix(rows("6", 2048), "1 KiB"), "r") < 2048),
    )
    yield "6.large.best", lambda: parameter(best_radix(rows("6", 2048), last), "r")
    yield (
        "7.grows.grows",
        lambda: fmean(b >= a for a, b in pairwise(radices(rows("7", 8192)))),
    )
    yield "7.ahead.ahead", partial(ahead, 2048)
    yield "7.16.gain", partial(gain, "7", 8192, first, THREE[0])
    yield "7.1024.gain", partial(gain, "7", 8192, "1 KiB", THREE[0])
    yield "7.8192.gain", partial(gain, "7", 16384, "8 KiB", THREE[0])
    yield "8.narrows", narrows
    yield "9.radix.larger", lambda: float(inside_radix(last) > inside_radix(first))
    ranks = ranks_of(BUFFERS)
    yield "9.batch.smaller", lambda: float(batch(last, ranks[-1]) < batch(first, ranks[-1]))
    yield (
        "9.512.falls",
        lambda: fmean(b < a for a, b in pairwise(batch("512 B", n) for n in ranks)),
    )
    for size, told in (("16", first), ("16384", last)):
        yield f"10.{size}", partial(staggered_longer, told)
    yield "10.between.longer", longer_between
    yield "11.linear", partial(straight, lambda t: t["linear"] == max(t.values()))
    yield "11.alike", partial(straight, lambda t: abs(t["pairwise"] / t["exclusive_or"] - 1) <= 0.1)
    yield "11.scattered", partial(straight, lambda t: t["scattered"] <= 1.01 * min(t.values()))
    for word, name in NAMES.items():
        yield f"12.{word}.most", partial(highest, name)
    for claim, over in (("12.16384", BASELINE), ("12.scattered", "scattered")):
        for size, told in (("16", first), ("8192", "8 KiB")):
            yield f"{claim}.{size}", partial(gain, "12", 16384, told, THREE[1], over)
    yield "12.best.best", partial(always, THREE[1])


def _others() -> Iterator[tuple[str, Callable[[], float | None]]]:
    yield "3.3.bound", within_bound
    yield "3.blocks", lambda: fmean(blocks_inside(*at) for at in ((3, 3), (16, 32)))
    for word, name in NAMES.items():
        yield f"13c.{word}", partial(over_pairwise, "13-fugaku", "normal", name)
    yield "13d.ahead", partial(packets_ahead, "13-fugaku", "power", THREE[:2], BASELINE)
    yield "13.best.best", partial(coalesced_best, "13-fugaku")
    for case in ("N1", "N2"):
        yield f"14.{case.lower()}.gain", partial(over_pairwise, "14-fugaku", case, THREE[1])
    yield "14.best.best", partial(coalesced_best, "14-fugaku")
    for word in ("parlogna", "coalesced"):
        yield f"15.{word}", partial(over_pairwise, "15-fugaku", "closure", NAMES[word])
    yield "fugaku.16.gain", partial(over_pairwise, "fugaku", "uniform", THREE[1])
    yield "15.best.ahead", partial(packets_ahead, "15-fugaku", "closure", THREE[1:2], THREE[0])


FOUND = dict([*_by_the_model(), *_others()])
