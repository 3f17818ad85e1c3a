"""What the Swing paper says without a figure: Eqs. 1 and 3, Table 2, Sec. 3.2 and 6.

Counted, or simulated by packets on networks of about 256 nodes. `run.py swing counts` writes
what comes out to data/counts.csv.xz, which the table of claims reads.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial
from math import log2
from pathlib import Path
from statistics import fmean

from hopbine import _core
from hopbine.notation.quantities import split_algorithm
from hopbine.notation.units import parse_size
from hopbine.simulation import Setup
from shared import judging, results, sweeping

#: Tori of 4,096 nodes, by dimensions.
TORI = {2: "64x64", 3: "16x16x16", 4: "8x8x8x8"}
NODES = 4096
COLUMNS = ["where", "paper", "ours"]
CLAIMS = judging.claims("swing")
SIZES = ("32B", "32KiB", "2MiB", "32MiB")


@cache
def counted(shape: str, algorithm: str) -> dict[str, float]:
    """Lambda, Psi and Xi of an allreduce. ValueError where it does not fit."""
    return dict(Setup(f"torus:{shape}").simulation("allreduce", algorithm).deficiencies())


@cache
def packets(topology: str, routing: str = "minimal") -> Setup:
    """A network by packets."""
    return Setup(topology, engine="packet", routing=routing)


def sums(ranks: int, algorithm: str) -> Iterator[tuple[int, int, set[int], set[int]]]:
    """Step, rank, whose contributions it had before and whose it has after, where it adds some."""
    name, parameters = split_algorithm(algorithm)
    schedule = _core.schedule(_core.Problem("allreduce", name, ranks, parameters=parameters))
    summed = [{rank} for rank in range(ranks)]
    for step in range(schedule.steps):
        before = [set(one) for one in summed]
        for rank in range(ranks):
            for direction, _, _, peer, _ in schedule.moves(rank, step):
                if direction == "recv":
                    summed[rank] |= before[peer]
            if summed[rank] != before[rank]:
                yield step, rank, before[rank], set(summed[rank])


def gaps(found: set[int], ranks: int, around: bool) -> int:
    """Ranks of a sum whose next one is missing, but the last; `around`: rank 0 is after the last.

    With operators that do not commute there can be none.
    """
    ends = {rank for rank in found if rank + 1 not in found}
    if around and 0 in found:
        ends.discard(ranks - 1)
    return max(0, len(ends) - 1)


def in_order(ranks: int, algorithm: str, around: bool) -> float:
    """Per cent of the sums that are of ranks that follow one another."""
    return 100 * fmean(not gaps(found, ranks, around) for *_, found in sums(ranks, algorithm))


def out_of_order(ranks: int) -> str:
    """The first step of Swing after which a rank has a sum with a gap, and that sum."""
    for step, rank, had, found in sums(ranks, "swing_small:ports=0"):
        if gaps(found, ranks, around=False):
            added, to = _listed(found - had), _listed(had)
            return f"no: on {ranks} ranks in step {step} rank {rank} adds {added} to {to}"
    return f"on {ranks} ranks: yes"


def _listed(ranks: set[int]) -> str:
    return " + ".join(map(str, sorted(ranks)))


def row(
    algorithm: str, latency: Callable[[int], float], bytes_: Callable[[int], float]
) -> Callable[[], str]:
    """Lambda and Psi of a row of Table 2, the formula's behind."""

    def told() -> str:
        out = []
        for dimensions, shape in TORI.items():
            try:
                found = counted(shape, algorithm)
            except ValueError:
                continue  # rings on tori of two dimensions only
            pairs = (("latency", latency), ("bandwidth", bytes_))
            each = [f"{found[key]:.4g} ({formula(dimensions):.4g})" for key, formula in pairs]
            out.append(f"{shape} {' and '.join(each)}")
        return "; ".join(out)

    return told


def congestion(algorithm: str, formula: Callable[[int], float]) -> Callable[[], str]:
    """Xi of a row of Table 2, the formula's behind."""
    return lambda: "; ".join(
        f"{shape} {counted(shape, algorithm)['congestion']:.4f} ({formula(d):.4f})"
        for d, shape in TORI.items()
    )


def summed(algorithm: str, formula: Callable[[int, int], float]) -> Callable[[], str]:
    """Xi of latency-optimal algorithms: the paper sums over the steps, counts are their mean."""
    return lambda: "; ".join(
        f"{shape} {counted(shape, algorithm)['congestion'] * log2(NODES):.4g} "
        f"({formula(d, int(shape.partition('x')[0])):.4g})"
        for d, shape in TORI.items()
    )


def rectangular() -> str:
    """Eq. 3 added to the square's count, and with 2 D times as much, beside the count."""
    out = []
    for high, low in ((64, 16), (32, 8), (128, 8), (256, 4)):
        square = counted(f"{low}x{low}", "swing")["congestion"]
        more = log2(high / low) / (6 * low)
        here = counted(f"{high}x{low}", "swing")["congestion"]
        out.append(f"{high}x{low} {here:.3f} ({square + more:.3f}, {square + 4 * more:.3f})")
    return "; ".join(out)


def equation(*sizes: str) -> Callable[[], str]:
    """Time by packets over Eq. 1, whose latency is the time of 4 KiB."""

    def told() -> str:
        on = packets("torus:16x16")
        found = counted("16x16", "swing")
        least = on.seconds("allreduce", "swing", parse_size("4KiB"))
        each = []
        for size in sizes:
            n = parse_size(size)
            sent = n / (2 * on.bandwidth) * found["bandwidth"] * found["congestion"]
            each.append(f"{size} {on.seconds('allreduce', 'swing', n) / (least + sent):.3f}")
        return "16x16, time over Eq. 1: " + ", ".join(each)

    return told


def extents() -> str:
    """Swing on tori of odd and even extents: Lambda, Psi, Xi, and the time over bucket's."""
    out = []
    for shape in ("16x16", "12x12", "16x15", "15x15", "7x7"):
        found, on = counted(shape, "swing"), packets(f"torus:{shape}")
        told = ", ".join(f"{found[k]:.2f}" for k in ("latency", "bandwidth", "congestion"))
        ours = {s: min(over(on, s, a, "bucket") for a in ("swing", "swing_small")) for s in SIZES}
        times = ", ".join(f"{s} {t:.2f}" for s, t in list(ours.items())[1:])
        out.append(f"{shape}: {told}; over bucket {times}")
    return "; ".join(out)


def over(on: Setup, size: str, one: str, other: str, collective: str = "allreduce") -> float:
    """How many times as long one takes as another."""
    first, second = (on.seconds(collective, a, parse_size(size)) for a in (one, other))
    return first / second


def versus(topology: str, one: str, other: str, collective: str = "allreduce") -> str:
    """One over another at all sizes."""
    on = packets(topology)
    return ", ".join(f"{s} {over(on, s, one, other, collective):.2f}" for s in SIZES)


def routed(*networks: str) -> Callable[[], str]:
    """Swing with detours over Swing without."""

    def told() -> str:
        out = []
        for topology in networks:
            for routing in ("valiant", "ugal"):
                times = []
                for size in SIZES:
                    both = [
                        packets(topology, r).seconds("allreduce", "swing", parse_size(size))
                        for r in (routing, "minimal")
                    ]
                    times.append(f"{size} {both[0] / both[1]:.2f}")
                out.append(f"{topology} {routing} {', '.join(times)}")
        return "; ".join(out)

    return told


def steps(dimensions: int) -> float:
    """D log2 p."""
    return dimensions * log2(NODES)


#: Claim, ours, why they differ.
FOUND: list[tuple[str, Callable[[], str], str]] = [
    (
        "2.ring",
        row("hamiltonian", lambda _: 2 * NODES / log2(NODES), lambda _: 1),
        "2 (p - 1) steps",
    ),
    (
        "2.doubling_small",
        row("torus_doubling_small", lambda _: 1, steps),
        "",
    ),
    (
        "2.doubling_small.xi",
        summed("torus_doubling_small", lambda d, n: 2 * d * n),
        "a bound (Sec. 2.3.2: <=): the sum it bounds is D (d - 1) on extents d, and the last "
        "message of each dimension goes half left and half right",
    ),
    (
        "2.doubling",
        row("torus_doubling", lambda _: 2, lambda d: 2 * d),
        "",
    ),
    (
        "2.doubling.xi",
        congestion("torus_doubling", lambda d: (2**d - 1) / (2**d - 2)),
        "finite tori; the last message of each dimension goes both ways",
    ),
    (
        "2.bucket",
        row("bucket", lambda d: 2 * d * NODES ** (1 / d) / log2(NODES), lambda _: 1),
        "an extent d takes d - 1 steps",
    ),
    (
        "2.swing_small",
        row("swing_small", lambda _: 1, steps),
        "each of the 2 D ports sends parts of n / 2 D log2 p times: (log2 p) / 2; D log2 p is one "
        "port's",
    ),
    (
        "2.swing_small.xi",
        summed("swing_small", lambda d, n: 4 / 3 * d * n),
        "a bound (Sec. 4.1: <=) of twice the sum of distances, as for recursive doubling",
    ),
    ("2.swing", row("swing", lambda _: 2, lambda _: 1), ""),
    (
        "3.1.1",
        lambda: out_of_order(8),
        "what lies together in memory is not what is added together: no order of operands gives "
        "the sum of two ranges with others between them. Swing is not chosen for such operators "
        "(tests/verify/check_test.cpp)",
    ),
    (
        "eq1",
        equation("32KiB", "2MiB", "32MiB", "512MiB"),
        "by packets, with the time of 4 KiB for the first term: Swing's channels drift apart, so "
        "that not all wait for the most loaded link of each step",
    ),
    (
        "eq3",
        rectangular,
        "Eq. 3 looks too small by 2 D: with that factor (the second) the sum is within 3 %",
    ),
    (
        "3.2",
        extents,
        "Lambda, Psi, Xi of Swing. Even extents cost little. With odd ones the extra node's blocks "
        "go to half the others in one step and meet on its links: Xi 3",
    ),
    (
        "6.full",
        lambda: (
            f"over it: (B) {versus('fattree:16x16', 'swing', 'rabenseifner')}; (L) "
            f"{versus('fattree:16x16', 'swing_small', 'recursive_doubling')}"
        ),
        "small vectors: recursive doubling keeps the first steps below one switch, two hops "
        "instead of four; Swing leaves it earlier",
    ),
    (
        "6.routing",
        routed("hyperx:16x16", "dragonfly:8x8x4"),
        "judged on HyperX: the paper speaks of networks where nodes send along rows and columns. "
        "On a dragonfly detours relieve the one link between two groups",
    ),
    (
        "6.others",
        lambda: "; ".join(
            f"{c} over {o}: {versus('torus:16x16', 'swing', o, c)}"
            for c in ("bcast", "reduce")
            for o in ("binomial_doubling", "binomial_halving")
        ),
        "one tree on one port: nothing is divided",
    ),
]


def found(nth: int) -> list[sweeping.Row]:
    """The row of the nth of them."""
    claim, ours, _ = FOUND[nth]
    return [dict(zip(COLUMNS, (*CLAIMS[claim].row, ours()), strict=True))]


def works() -> list[sweeping.Work]:
    """What the file is made of."""
    each = enumerate(FOUND)
    return [(", ".join(CLAIMS[claim].row), partial(found, nth)) for nth, (claim, *_) in each]


def write(path: Path) -> None:
    """Counts and simulates all."""
    sweeping.collect(path, works(), COLUMNS)


def read(path: Path) -> dict[tuple[str, str], str]:
    """What came out, by where and the paper's words."""
    return {(r["where"], r["paper"]): r["ours"] for r in results.read(path)}
