"""What the text of the Bine paper says, beside what was found."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bine import gpus, measured, processes, segments, traffic, variants
from bine.evaluation import SIZES, SPEC
from bine.figures import engines_of, lead, regular, won
from bine.registry import APART, PAPERS, looked_at
from hopbine import _core
from hopbine.notation.units import parse_size, show_size
from shared import experiments, verdicts
from shared.comparing import Cell, tally

SWING = "Swing is the paper's, a message for each run of blocks; in brackets without it"
LINEAR = (
    "by packets, which count a cost per message, `linear` is ahead for large vectors and on few "
    "nodes; step and flow count none and the model none for messages that arrive at once: there it "
    "is ahead for small vectors too"
)
FEW = (
    "by packets with adaptive routes (below) Bruck's is the next on 512 and 1,024 nodes, 9 and 1 % "
    "behind; with minimal ones Bine leads by 1.25x on 256, and by 1.70x for 1 MiB"
)
GPUS = (
    "the phases inside nodes, 3/2 n by NVLink, overlap with those between nodes in rings and trees "
    "only (below)"
)


@dataclass(frozen=True)
class Claim:
    """One sentence of the paper."""

    id: str  #: of claims.toml
    ours: Callable[[Path], str]
    why: str = ""


def within(out: Path, machine: str, engine: str, sizes: tuple[str, str], nodes: str) -> list[Cell]:
    """A machine's cells of the paper's numbers of nodes, or of one, from one size to another."""
    low, high = map(parse_size, sizes)
    every = regular(machine, looked_at(out / f"times-{machine}.csv.xz", engine, SIZES))
    return [c for c in every if low <= c.bytes <= high and nodes in ("", c.nodes)]


def lead_of(
    machine: str, collective: str, low: str = "1", high: str = "512MiB", nodes: str = ""
) -> Callable[[Path], str]:
    """Share and largest lead within sizes, by each engine; beside it that without Swing."""

    def told(out: Path) -> str:
        words = []
        for engine in engines_of(out, machine):
            found = within(out, machine, engine, (low, high), nodes)
            if not any(c.collective == collective for c in found):
                continue  # packets follow no such jobs
            both = [lead(won(found, collective, letters)) for letters in (PAPERS, APART)]
            words.append(f"{engine} {both[0]}" + f" ({both[1]})" * (both[0] != both[1]))
        return "; ".join(words)

    return told


def boundary(algorithm: str) -> float:
    """Vectors between the four switches of Fig. 1."""
    return (
        _core.count(_core.Problem("bcast", algorithm, group=[0, 0, 1, 1, 2, 2, 3, 3]))[
            "global_blocks"
        ]
        / 8
    )


def bound(out: Path) -> str:
    """The largest reduction of Fig. 5, and where there are more bytes, by machine."""
    words, table = [], traffic.table(out, "fig5")
    for machine in dict.fromkeys(r["machine"] for r in table):
        rows = [r for r in table if r["machine"] == machine]
        most = max(float(r["most"]) for r in rows)
        worse = [f"{r['worse']} of {r['jobs']} on {r['nodes']}" for r in rows if int(r["worse"])]
        title = f"{SPEC['machine'][machine]['title']} ({rows[0]['source']})"
        words.append(f"{title}: at most {most:.1f} %; more bytes in {', '.join(worse) or 'none'}")
    return "; ".join(words) or "not run"


def over_binomial(out: Path) -> str:
    """The largest gain on Fugaku over binomial algorithms, by each engine and as measured."""
    series = {}
    for engine in engines_of(out, "fugaku"):
        found = looked_at(out / "times-fugaku.csv.xz", engine, SIZES)
        told = [(c.ratio("B", SPEC["binomial"].get(c.collective, "N")), c) for c in found]
        series[engine] = [(r, c.collective, c.bytes, c.nodes) for r, c in told if r is not None]
    series["measured"] = [
        (r["ratio"], r["collective"], int(r["bytes"]), r["nodes"])
        for r in measured.table(out, "fugaku", "over_binomial")
    ]
    words = []
    for name, ratios in series.items():
        if ratios:
            ratio, collective, size, nodes = max(ratios)
            words.append(f"{name} {ratio:.1f}x ({collective}, {show_size(size)} on {nodes})")
    return "; ".join(words)


def small_bcast(out: Path) -> str:
    """Vectors below 128 KiB on both machines: share of wins over binomial, mean and most gain."""
    words = []
    for machine in ("lumi", "leonardo"):
        for engine in engines_of(out, machine):
            found = within(out, machine, engine, ("1", "127KiB"), "")
            t = tally(c.ratio("B", "N") for c in found if c.collective == "bcast")
            if t:
                title = SPEC["machine"][machine]["title"]
                words.append(
                    f"{title} {engine} {t.win:.0f} %, {t.gain:.0f}/{t.most_gain:.0f}; "
                    f"{t.loss:.0f} %, {t.drop:.0f}/{t.most_drop:.0f}"
                )
    return "; ".join(words)


def allgather_2048(out: Path) -> str:
    """Times of Swing and of sparbit over Bine's, on 2,048 nodes of Leonardo."""
    words = []
    for engine in engines_of(out, "leonardo"):
        found = within(out, "leonardo", engine, ("1", "63MiB"), "2048")
        for letter in "SP":
            ratios = [c.ratio("B", letter) for c in found if c.collective == "allgather"]
            if known := [r for r in ratios if r]:
                name = SPEC["letters"][letter]
                words.append(f"{engine} {name} {min(known):.2f} to {max(known):.2f}")
    return "; ".join(words) or "-"


def permuting(out: Path) -> str:
    """Gains of permuting over the binomial butterfly, on the most nodes, by size."""
    gains, nodes = variants.gains(out), variants.TOLD["nodes"][-1]
    words = [
        f"{show_size(size)} {100 * (1 / of['P'] - 1):+.0f} %"
        for (size, n), of in gains.items()
        if n == nodes and "P" in of
    ]
    if not words:
        raise FileNotFoundError
    return f"model, allgather, {nodes:,} nodes, time over the binomial butterfly's: " + ", ".join(
        words
    )


CLAIMS = [
    Claim(
        "1",
        lambda _: (
            f"{boundary('binomial_doubling'):g} n and {boundary('binomial_halving'):g} n; "
            f"Bine {boundary('bine_small'):g} n"
        ),
    ),
    Claim(
        "5",
        bound,
        "the paper draws no outliers; these counts agree with the published ones job by job "
        "([traffic.md](../traffic.md#agreement-with-published-counts))",
    ),
    Claim(
        "9a.allreduce",
        lead_of("lumi", "allreduce"),
        "ring is ahead for the largest vectors on 16 to 128 nodes, Swing for one or two on 64 and "
        "more; by the model of costs no link between groups is ever the slowest part (below)",
    ),
    Claim("9b.reduce_scatter", lead_of("lumi", "reduce_scatter"), SWING),
    Claim(
        "9b.permuting",
        permuting,
        "an allgather's copies are a reduce_scatter's; at 5 GB/s, which nothing hides "
        "([App. B](#why-they-differ))",
    ),
    Claim(
        "9b.allgather",
        lead_of("lumi", "allgather"),
        "that default is not public, so that neither where it is ahead nor the share that it takes "
        "can be told; Swing as above",
    ),
    Claim(
        "9b.bcast",
        lead_of("lumi", "bcast"),
        "the ring is ahead for the largest vectors; for the smallest Bine and binomial trees take "
        "the same time by packets and in every cell by the model, and by step, where a message "
        "costs nothing, `linear` is ahead",
    ),
    Claim("9b.alltoall", lead_of("lumi", "alltoall"), LINEAR),
    Claim(
        "9b.alltoall.1024",
        lead_of("lumi", "alltoall", "128KiB", "128KiB", "1024"),
        FEW,
    ),
    Claim(
        "9b.alltoall.512",
        lead_of("lumi", "alltoall", "128KiB", "128KiB", "512"),
        FEW,
    ),
    Claim(
        "5.2.1",
        small_bcast,
        "over the trees of MPICH (halving, LUMI) and Open MPI (doubling, Leonardo): wins, mean and "
        "largest gain; losses. On idle links doubling's first steps stay near and take less "
        "latency; that its last ones load links 1.94 times as much on 512 nodes counts from "
        "16 KiB. By packets no rank waits for the longest way of others, and Bine loses nowhere",
    ),
    Claim(
        "10a.allreduce",
        lead_of("leonardo", "allreduce"),
        SWING,
    ),
    Claim(
        "10b.allgather",
        allgather_2048,
        "both send runs of blocks one by one, which step does not count; packets follow 128 nodes "
        "of Leonardo",
    ),
    Claim(
        "10.segments",
        segments.told,
        "times of ring over Bine. Only by packets a segment is sent while another one is reduced "
        "or waits (below); step and model add up the steps of all segments",
    ),
    Claim(
        "10b.reduce_scatter",
        lead_of("leonardo", "reduce_scatter"),
        SWING,
    ),
    Claim(
        "11a.alltoall",
        lead_of("marenostrum5", "alltoall", "1", "1MiB", "64"),
        LINEAR,
    ),
    Claim(
        "11b.binomial",
        over_binomial,
        "those have one port and long ways; on the links of a torus they block each other",
    ),
    Claim(
        "11b.allreduce",
        lead_of("fugaku", "allreduce"),
        SWING + "; by packets recursive doubling is ahead for small vectors, with one message a "
        "step instead of six of 1.17 us each",
    ),
    Claim(
        "11b.allreduce.8192",
        lead_of("fugaku", "allreduce", "128KiB", "64MiB", "32x256"),
        SWING,
    ),
    Claim(
        "11b.reduce_scatter",
        lead_of("fugaku", "reduce_scatter"),
        SWING,
    ),
    Claim(
        "11b.scatter",
        lead_of("fugaku", "scatter"),
        "by packets binomial trees are ahead to 128 KiB on 8x8x8: the root sends 54 messages on "
        "six ports there and 9 by the binomial tree, and each costs 1.17 us",
    ),
    Claim(
        "11b.bcast",
        lead_of("fugaku", "bcast"),
        "by the model Trinaryx is ahead in three dimensions from 16 KiB, by steps only for the "
        "largest: each of its many steps waits for the longest way; by packets in 2 cells, where "
        "each of its segments costs 1.17 us on every rank",
    ),
    Claim(
        "6.1.lumi",
        lambda out: processes.example(out, "lumi"),
        "more processes gain more, as in the paper; by far more over recursive halving, whose "
        "messages between groups all take the few shortest ways here",
    ),
    *(
        Claim(
            f"6.1.{machine}",
            lambda out, machine=machine: processes.example(out, machine),
            "more processes gain more there too, but not with a large allreduce or reduce (below)",
        )
        for machine in ("leonardo", "marenostrum5")
        if machine in SPEC["machine"]
    ),
    Claim(
        "6.2.marenostrum5",
        lambda out: gpus.lead(out, "marenostrum5", "4 MiB", (16, 256)),
        GPUS,
    ),
    Claim(
        "6.2.nccl",
        lambda out: gpus.lead(out, "leonardo", "4 MiB", (512, 512)),
        GPUS,
    ),
    Claim(
        "6.2.mpi",
        lambda out: gpus.lead(out, "leonardo", "4 MiB", (512, 512), "M"),
        "over the better of ring and Rabenseifner's algorithm on all GPUs, which keeps its nearest "
        "two steps inside nodes and so sends as little; reducing takes no time here",
    ),
]


def claims(out: Path) -> str:
    """Markdown, a row per claim."""
    from bine.judged import FOUND

    told = {}
    for c in CLAIMS:
        try:
            told[c.id] = [c.ours(out)]
        except FileNotFoundError:
            told[c.id] = ["not run"]
    reasons = {c.id: c.why for c in CLAIMS}
    tried = experiments.told("bine", out)
    return verdicts.table("bine", ["ours"], told, reasons, verdicts.found(FOUND, out), tried)
