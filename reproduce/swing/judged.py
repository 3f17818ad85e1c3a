"""What was found for the tests of claims.toml: by packets, and in the counts' words."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise
from statistics import fmean, median

from hopbine.notation.units import parse_size
from hopbine.simulation import Setup
from swing import counts
from swing.claims import gain, ratio, row, slower
from swing.evaluation import COUNTS, SPEC, data, gained, reading

ENGINE = "packet"
FOCUS = SPEC["focus"]
MOST = "512MiB"


def percents(figure: str, network: str, low: str = "1", high: str = MOST) -> list[float]:
    """Gains within sizes, per cent."""
    inside = (parse_size(low), parse_size(high))
    return [g["gain_pct"] for g in gained(figure)[network] if inside[0] <= g["bytes"] <= inside[1]]


def networks(figure: str) -> list[str]:
    """Networks of a figure, in its order."""
    return list(data(figure))


def ahead(figure: str, of: Iterable[str] = (), low: str = "1", high: str = MOST) -> float:
    """Networks and sizes where Swing is ahead."""
    return fmean(
        g > 0 for name in of or networks(figure) for g in percents(figure, name, low, high)
    )


def rising(values: Iterable[float]) -> float:
    """Next ones that are higher."""
    return fmean(b > a for a, b in pairwise(values))


def falling(values: Iterable[float]) -> float:
    """Next ones that are lower."""
    return fmean(b < a for a, b in pairwise(values))


def factor(figure: str, network: str) -> float:
    """The highest gain as a factor."""
    return 1 + max(percents(figure, network)) / 100


def numbers(claim: str) -> list[list[float]]:
    """The figures of each part of what was counted: those that stand apart from names."""
    found = counts.read(COUNTS)[counts.CLAIMS[claim].row]
    return [
        [float(x) for x in re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])", part)]
        for part in found.split(";")
    ]


def formula(claim: str, within: float) -> float:
    """Figures that are within a share of the formula's."""
    return fmean(abs(a / b - 1) <= within for a, b in beside(claim))


def beside(claim: str) -> list[tuple[float, float]]:
    """What was counted, and the formula's, which is in brackets behind each."""
    found = counts.read(COUNTS)[counts.CLAIMS[claim].row]
    return [(float(a), float(b)) for a, b in re.findall(r"([\d.]+) \(([\d.]+)\)", found)]


def bounded(claim: str) -> float:
    """Figures that are not above the formula's."""
    return fmean(a <= b for a, b in beside(claim))


def at(claim: str, *sizes: str, on: str = "") -> list[float]:
    """Figures behind these sizes, of networks whose part of the words begins so."""
    parts = counts.read(COUNTS)[counts.CLAIMS[claim].row].split("; ")
    found = "; ".join(part for part in parts if part.startswith(on))
    return [float(x) for s in sizes for x in re.findall(rf"(?<!\w){s} ([\d.]+)", found)]


def bandwidths(claim: str) -> list[float]:
    """Psi of each torus: the second figure behind its name."""
    found = counts.read(COUNTS)[counts.CLAIMS[claim].row]
    return [float(x) for x in re.findall(r"\d+x\d+: [\d.]+, ([\d.]+)", found)]


def congestion(topology: str) -> float:
    """Xi of Swing, counted."""
    return Setup(topology).simulation("allreduce", "swing").deficiencies()["congestion"]


def fastest(figure: str, network: str, size: str) -> str:
    """Who takes the least time."""
    of = [r for r in data(figure)[network] if r["bytes"] == parse_size(size)]
    return min(of, key=lambda r: r["seconds"])["algorithm"]


def faster_than_torus() -> float:
    """Algorithms that take less time for 32 B on Hx2Mesh than on the torus."""
    mesh, torus = "hammingmesh:2x2:32x32", "torus:64x64"
    names = {r["algorithm"] for r in data("12")[mesh]} & {r["algorithm"] for r in data("6")[torus]}
    return fmean(
        row("12", mesh, "32B", a)["seconds"] < row("6", torus, "32B", a)["seconds"] for a in names
    )


def summary() -> dict[str, list[float]]:
    """Gains of all networks of Fig. 15."""
    return {
        f"{n} {name}": percents(n, name) for n in SPEC["figure"]["15"]["of"] for name in networks(n)
    }


def _tables() -> Iterator[tuple[str, Callable[[], float]]]:
    yield "2.congestion.2d", partial(congestion, "torus:128x128")
    yield "2.congestion.3d", partial(congestion, "torus:16x16x16")
    yield "2.congestion.4d", partial(congestion, "torus:8x8x8x8")
    for claim, within in (
        ("2.ring", 0.01),
        ("2.doubling_small", 0.01),
        ("2.doubling", 0.01),
        ("2.doubling.xi", 0.03),
        ("2.bucket", 0.15),
        ("2.swing_small", 0.01),
        ("2.swing", 0.01),
    ):
        yield f"{claim}.formula", partial(formula, claim, within)
    for claim in ("2.doubling_small.xi", "2.swing_small.xi"):
        yield f"{claim}.bound", partial(bounded, claim)
    yield (
        "3.1.1.order",
        lambda: float(not counts.read(COUNTS)[counts.CLAIMS["3.1.1"].row].startswith("no")),
    )
    yield "eq1.within", lambda: fmean(abs(x - 1) <= 0.1 for x in at("eq1", *EQ1))
    yield "eq3.within", lambda: fmean(abs(a / b - 1) <= 0.03 for a, b, _ in numbers("eq3"))
    yield "3.2.psi", lambda: fmean(abs(x - 1) <= 0.03 for x in bandwidths("3.2"))
    yield "6.full.equal", lambda: fmean(abs(x - 1) <= 0.05 for x in at("6.full", *counts.SIZES))
    # The paper's sentence is of networks where nodes send along rows and columns only.
    yield (
        "6.routing.slower",
        lambda: fmean(x >= 1 for x in at("6.routing", *counts.SIZES, on="hyperx")),
    )
    yield "6.others.faster", lambda: fmean(x < 1 for x in at("6.others", *counts.SIZES))


def _figure_6() -> Iterator[tuple[str, Callable[[], float]]]:
    torus = "torus:64x64"
    yield "6.ahead.ahead", lambda: ahead("6", high="32MiB")
    yield "6.ahead.behind", lambda: 1 - ahead("6", low="128MiB")
    yield "6.2mib.ratio", lambda: ratio("6", torus, "2MiB", "RecDoub")
    yield "6.highest.gain", lambda: max(percents("6", torus))
    yield (
        "6.highest.at",
        lambda: max(gained("6")[torus], key=lambda g: g["gain_pct"])["bytes"] / (1 << 20),
    )
    yield "6.small.gain", lambda: max(percents("6", torus, high="8KiB"))
    yield "6.peak.share", lambda: 100 * row("6", torus, MOST, FOCUS)["share_of_peak"]
    sizes = ("32B", "32KiB", "2MiB", MOST)
    yield "6.mirrored.ahead", lambda: fmean(ratio("6", torus, s, "Mirrored") > 1 for s in sizes)


def _tori() -> Iterator[tuple[str, Callable[[], float]]]:
    yield "7.ahead.ahead", lambda: ahead("7", high="32MiB")
    yield "7.grows.grows", lambda: rising(factor("7", n) for n in networks("7"))
    yield "7.behind.most", lambda: min(min(percents("7", n)) for n in networks("7"))
    yield "15.grows.grows", lambda: rising(median(percents("7", n)) for n in networks("7"))
    yield "8.low.falls", lambda: falling(gain("8", n, "32KiB") for n in networks("8"))
    yield "15.bandwidth.low", lambda: min(median(percents("8", n)) for n in networks("8"))
    yield "15.bandwidth.high", lambda: max(median(percents("8", n)) for n in networks("8"))
    yield "8.high.ahead", lambda: ahead("8", ["torus:8x8, 3.2Tb/s"])
    yield "8.falls.falls", lambda: falling(factor("8", n) for n in networks("8"))
    yield "10.ahead.ahead", lambda: ahead("10", high="32MiB")
    for shape in ("128x8", "256x4"):
        yield f"10.most.{shape}", partial(factor, "10", f"torus:{shape}")
    ends = ("torus:64x16", "torus:256x4")
    yield "15.shapes.median", lambda: rising(median(percents("10", n)) for n in ends)
    yield "15.shapes.highest", lambda: rising(factor("10", n) for n in ends)
    yield (
        "10.ring.best",
        lambda: fmean(fastest("10", n, "2GiB") == "Ring" for n in networks("10")),
    )
    yield (
        "15.256x4.behind",
        lambda: 100 * (slower("10", "torus:256x4", MOST, "Ring", FOCUS) - 1),
    )
    yield "11.ahead.ahead", lambda: ahead("11", ["torus:8x8x8", "torus:8x8x8x8"], high="2GiB")
    yield "11.most.most", lambda: max(factor("11", n) for n in networks("11"))


def _others() -> Iterator[tuple[str, Callable[[], float]]]:
    torus, mesh = "torus:64x64", "hammingmesh:2x2:32x32"
    mesh4, hyperx = "hammingmesh:4x4:16x16", "hyperx:64x64"
    yield "12.ahead.ahead", partial(ahead, "12")
    yield "12.most.most", partial(factor, "12", mesh)
    yield "12.most.2mib", lambda: 1 + gain("12", mesh, "2MiB") / 100
    yield (
        "12.peak.higher",
        lambda: float(
            row("12", mesh, MOST, FOCUS)["share_of_peak"]
            > row("6", torus, MOST, FOCUS)["share_of_peak"]
        ),
    )
    yield "12.small.faster", faster_than_torus
    yield "13.most.most", partial(factor, "13", mesh4)
    yield (
        "13.behind.behind",
        lambda: fmean(
            (g["gain_pct"] < 0) == (g["bytes"] >= parse_size("128MiB")) for g in gained("13")[mesh4]
        ),
    )
    yield "14.ahead.ahead", partial(ahead, "14")
    yield "14.most.most", partial(factor, "14", hyperx)
    yield (
        "15.overall.median",
        lambda: fmean(20 <= median(of) <= 50 for of in summary().values()),
    )
    yield "15.overall.most", lambda: 1 + max(map(max, summary().values())) / 100


EQ1 = ("32KiB", "2MiB", "32MiB", MOST)


def by_packets(what: Callable[[], float]) -> float:
    """What is found in the files by packets."""
    token = reading.set(ENGINE)
    try:
        return what()
    finally:
        reading.reset(token)


EVERY = (*_tables(), *_figure_6(), *_tori(), *_others())
FOUND = {name: partial(by_packets, what) for name, what in EVERY}
