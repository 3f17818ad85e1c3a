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
from shared.comparing import Cell, tally

SWING = "Swing has Bine's partners, and so nearly the same times; in brackets without it"
LINEAR = (
    "by packets, which count a cost per message, `linear` is ahead for large vectors and on few "
    "nodes; step and flow count none and the model none for messages that arrive at once: there it "
    "is ahead for small vectors too"
)
FEW = "packets follow 256 nodes: 1.25x there, and 1.70x for 1 MiB; otherwise as above"
GPUS = (
    "the phases inside nodes, 3/2 n by NVLink, overlap with those between nodes in rings and trees "
    "only (below)"
)


@dataclass(frozen=True)
class Claim:
    """One sentence of the paper."""

    where: str
    paper: str
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
        "Fig. 1",
        "6 n between switches by distance doubling, 3 n by halving",
        lambda _: (
            f"{boundary('binomial_doubling'):g} n and {boundary('binomial_halving'):g} n; "
            f"Bine {boundary('bine_small'):g} n"
        ),
    ),
    Claim(
        "Fig. 5",
        "no reduction above 33 %; more bytes in a few cases, all on less than 64 nodes",
        bound,
        "the paper draws no outliers; these counts agree with the published ones job by job "
        "([traffic.md](../traffic.md#agreement-with-published-counts))",
    ),
    Claim(
        "Fig. 9a, 5.1.2",
        "LUMI, allreduce: best in almost all cells, up to 1.62x",
        lead_of("lumi", "allreduce"),
        "ring is ahead for the largest, and by step equal for the smallest vectors; Swing on 16 "
        "nodes; by the model of costs no link between groups is ever the slowest part (below)",
    ),
    Claim("5.1.2", "LUMI, reduce_scatter: up to 1.65x", lead_of("lumi", "reduce_scatter"), SWING),
    Claim(
        "5.1.2",
        "LUMI, reduce_scatter at large numbers of nodes: permuting takes 20 % longer than binomial",
        permuting,
        "an allgather's copies are a reduce_scatter's; at 5 GB/s, which nothing hides "
        "([App. B](#why-they-differ))",
    ),
    Claim(
        "5.1.2",
        "LUMI, allgather without Cray MPICH's own optimisations: best in a further 18 %, up to "
        "1.89x; its default is ahead in 17 %",
        lead_of("lumi", "allgather"),
        "that default is not public, so that neither where it is ahead nor the share that it takes "
        "can be told; Swing as above",
    ),
    Claim(
        "5.1.2",
        "LUMI, bcast without these optimisations: best in 63 %",
        lead_of("lumi", "bcast"),
        "the ring is ahead for the largest vectors; for the smallest Bine and binomial trees take "
        "the same time by packets and in every cell by the model, and by step, where a message "
        "costs nothing, `linear` is ahead",
    ),
    Claim("5.1.2", "LUMI, alltoall: best in 21 %", lead_of("lumi", "alltoall"), LINEAR),
    Claim(
        "5.1.2",
        "LUMI, alltoall of 128 KiB on 1,024 nodes: 1.78x",
        lead_of("lumi", "alltoall", "128KiB", "128KiB", "1024"),
        FEW,
    ),
    Claim(
        "5.1.2",
        "LUMI, alltoall of 128 KiB on 512 nodes: up to 1.78x",
        lead_of("lumi", "alltoall", "128KiB", "128KiB", "512"),
        FEW,
    ),
    Claim(
        "5.2.1",
        "bcast below 128 KiB: gains 4 % on LUMI, 42 % on Leonardo",
        small_bcast,
        "over the trees of MPICH (halving, LUMI) and Open MPI (doubling, Leonardo): wins, mean and "
        "largest gain; losses. On idle links doubling's first steps stay near and take less "
        "latency; that its last ones load links 1.94 times as much on 512 nodes counts from "
        "16 KiB. By packets no rank waits for the longest way of others, and Bine loses nowhere",
    ),
    Claim(
        "Fig. 10a, 5.2.2",
        "Leonardo, allreduce: best in 67 %, up to 1.45x",
        lead_of("leonardo", "allreduce"),
        SWING,
    ),
    Claim(
        "5.2.2",
        "Leonardo, allgather below 64 MiB on 2,048 nodes: 2x over Swing and sparbit",
        allgather_2048,
        "hopbine's sparbit sends its blocks one by one, and only the model counts that: most at "
        "16 KiB; hopbine's Swing puts them into one message",
    ),
    Claim(
        "5.2.2",
        "without segments the ring is ahead at 512 MiB on 256 and 512 nodes",
        segments.told,
        "times of ring over Bine. Only by packets a segment is sent while another one is reduced "
        "or waits (below); step and model add up the steps of all segments",
    ),
    Claim(
        "Fig. 10b, 5.2.2",
        "Leonardo, reduce_scatter: best in 63 %",
        lead_of("leonardo", "reduce_scatter"),
        SWING,
    ),
    Claim(
        "Fig. 11a, 5.3.2",
        "MareNostrum 5, below 1 MiB on 64 nodes: alltoall up to 2x",
        lead_of("marenostrum5", "alltoall", "1", "1MiB", "64"),
        LINEAR,
    ),
    Claim(
        "5.4.2",
        "Fugaku: up to 40x over binomial algorithms",
        over_binomial,
        "those have one port and long ways; on the links of a torus they block each other",
    ),
    Claim(
        "Fig. 11b, 5.4.3",
        "Fugaku, allreduce: best in 62 %",
        lead_of("fugaku", "allreduce"),
        SWING + "; by packets recursive doubling is ahead for small vectors, with one message a "
        "step instead of six of 1.17 us each",
    ),
    Claim(
        "5.4.3",
        "Fugaku, allreduce of 128 KiB to 64 MiB on 32x256: up to 4.12x",
        lead_of("fugaku", "allreduce", "128KiB", "64MiB", "32x256"),
        SWING,
    ),
    Claim(
        "5.4.3",
        "Fugaku, reduce_scatter: best in over 60 %, up to 5x",
        lead_of("fugaku", "reduce_scatter"),
        SWING,
    ),
    Claim(
        "5.4.3",
        "Fugaku, scatter: best in over 60 %",
        lead_of("fugaku", "scatter"),
        "by packets binomial trees are ahead to 128 KiB on 8x8x8: the root sends 54 messages on "
        "six ports there and 9 by the binomial tree, and each costs 1.17 us",
    ),
    Claim(
        "5.4.3",
        "Fugaku, bcast: little room beside the vendor's",
        lead_of("fugaku", "bcast"),
        "by the model Trinaryx is ahead in three dimensions from 16 KiB, by steps only for the "
        "largest: each of its many steps waits for the longest way; by packets in 2 cells, where "
        "each of its segments costs 1.17 us on every rank",
    ),
    Claim(
        "6.1",
        "LUMI, 64 nodes, reduce_scatter of 1 MiB: 59 % ahead with one process per node, 84 % with "
        "four",
        lambda out: processes.example(out, "lumi"),
        "more processes gain more, as in the paper; by far more over recursive halving, whose "
        "messages between groups all take the few shortest ways here",
    ),
    *(
        Claim(
            "6.1",
            f"{SPEC['machine'][machine]['title']}: similar trends",
            lambda out, machine=machine: processes.example(out, machine),
            "more processes gain more there too, but not with a large allreduce or reduce (below)",
        )
        for machine in ("leonardo", "marenostrum5")
        if machine in SPEC["machine"]
    ),
    Claim(
        "6.2",
        "MareNostrum 5, 16 to 256 GPUs, more than 4 MiB: always ahead of NCCL, by 5 %, up to 24 %",
        lambda out: gpus.lead(out, "marenostrum5", "4 MiB", (16, 256)),
        GPUS,
    ),
    Claim(
        "6.2",
        "Leonardo, 512 GPUs: within 7 % of NCCL",
        lambda out: gpus.lead(out, "leonardo", "4 MiB", (512, 512)),
        GPUS,
    ),
    Claim(
        "6.2",
        "Leonardo, 512 GPUs: 15 % over MPI",
        lambda out: gpus.lead(out, "leonardo", "4 MiB", (512, 512), "M"),
        "over the better of ring and Rabenseifner's algorithm on all GPUs, which keeps its nearest "
        "two steps inside nodes and so sends as little; reducing takes no time here",
    ),
]


def claims(out: Path) -> str:
    """Markdown, a row per claim whose machine was run."""
    text = ["| where | the paper | ours | why they differ |", "|---|---|---|---|"]
    for c in CLAIMS:
        try:
            told = c.ours(out)
        except FileNotFoundError:
            told = "not run"
        text.append(f"| {c.where} | {c.paper} | {told} | {c.why} |")
    return "\n".join(text)
