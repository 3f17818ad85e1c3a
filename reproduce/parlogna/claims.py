"""What the text of the ParLogNa/ParLinNa paper says of its figures, beside what was found.

evaluation.py simulated and measured it. `write_page` renews docs/papers/parlogna-hpdc25.md.
"""

from collections.abc import Callable
from dataclasses import dataclass

from hopbine.plots.nonuniform import largest
from parlogna.evaluation import FOLDER, PAPER, SPEC, data, measured
from parlogna.figures import cells, family, fastest, of_family, parameter, split
from shared import page

NOT_MEASURED = "-"


@dataclass(frozen=True)
class Claim:
    """One sentence of the paper."""

    where: str  #: figure, section
    paper: str  #: what it says
    figure: str  #: where our rows of it are
    ranks: int  #: simulated; measured is with the most ranks there are
    found: Callable[
        [list[dict], str], str
    ]  #: what we found, of rows of one machine and one number of ranks, against this baseline
    why: str = ""  #: where the two differ

    def simulated(self) -> str:
        """Machine by machine."""
        rows = [r for r in data(self.figure) if r["ranks"] == self.ranks]
        told = [
            self.found(of, SPEC["figure"]["8"]["baseline"])
            for of in split(rows, lambda r: r["machine"]).values()
        ]
        return "; ".join(
            f"{name}: {what}" for name, what in zip(SPEC["machines"], told, strict=False)
        )

    def here(self) -> str:
        """What is found in the measured rows, where there are any."""
        rows = measured()
        try:
            return (
                self.found(
                    [r for r in rows if r["ranks"] == max(r["ranks"] for r in rows)],
                    "MPI_Alltoallv",
                )
                if rows
                else NOT_MEASURED
            )
        except LookupError:
            return NOT_MEASURED


def of_size(rows: list[dict], size: str) -> list[dict]:
    """Rows of blocks up to this size. LookupError when there are none."""
    found = [r for r in rows if largest(r) == size]
    if not found:
        raise LookupError(f"no blocks to {size}")
    return found


def seconds(rows: list[dict], name: str, size: str) -> float:
    """Seconds of the best of a family."""
    return next(r["seconds"] for r in fastest(of_size(rows, size)) if family(r) == name)


def sizes(rows: list[dict]) -> list[str]:
    """From the smallest."""
    return list(dict.fromkeys(largest(r) for r in sorted(rows, key=lambda r: r["bytes"])))


def times(value: float) -> str:
    """'2.35x'."""
    return f"{value:.3g}x"


def by_radix(size: str) -> Callable[[list[dict], str], str]:
    """Time with the smallest, the best and the largest radix."""

    def found(rows: list[dict], _baseline: str) -> str:
        line = sorted(of_family(of_size(rows, size), "ParLogNa"), key=lambda r: parameter(r, "r"))
        best = min(line, key=lambda r: r["seconds"])
        slower = [
            f"r = {parameter(r, 'r')} {times(r['seconds'] / best['seconds'])}"
            for r in (line[0], line[-1])
        ]
        return f"best r {parameter(best, 'r')}; {', '.join(slower)} its time"

    return found


def best_radices(rows: list[dict], _baseline: str) -> str:
    """Size by size."""
    best = {
        s: min(of_family(of_size(rows, s), "ParLogNa"), key=lambda r: r["seconds"])
        for s in sizes(rows)
    }
    return ", ".join(f"{s} {parameter(r, 'r')}" for s, r in best.items())


def gain(*of: str, over: str = "") -> Callable[[list[dict], str], str]:
    """How many times faster ParLogNa is than the baseline, or the named one, at these sizes."""
    return lambda rows, baseline: ", ".join(
        f"{s} {times(seconds(rows, over or baseline, s) / seconds(rows, 'ParLogNa', s))}"
        for s in of
    )


def ahead_to(rows: list[dict], baseline: str) -> str:
    """Where radices below the number of ranks are ahead: with as many, ParLogNa is spread_out."""
    ahead = [
        s
        for (_, s), cell in cells(rows, baseline).items()
        if max(g for r, g in cell if r < rows[0]["ranks"]) > 1
    ]
    return f"with r below the ranks ahead at {', '.join(ahead) or 'no size'}"


def share_ahead(rows: list[dict], baseline: str) -> str:
    """Radices that are ahead, of all that were tried, size by size."""
    return ", ".join(
        f"{s} {sum(g > 1 for _, g in cell)} of {len(cell)}"
        for (_, s), cell in cells(rows, baseline).items()
    )


def inside_radices(rows: list[dict], _baseline: str) -> str:
    """Best radix of ParLinNa inside nodes. LookupError for measured rows, which tell no parts."""
    if "inside" not in rows[0]:
        raise LookupError("measured as a whole")
    told = []
    for s in sizes(rows):
        best = min(of_family(of_size(rows, s), "ParLinNa coalesced"), key=lambda r: r["inside"])
        told.append(f"{s} {parameter(best, 'r')}")
    return ", ".join(told)


def batches(rows: list[dict], _baseline: str) -> str:
    """Best batch of staggered ParLinNa."""
    key = "between" if "between" in rows[0] else "seconds"
    told = []
    for s in sizes(rows):
        best = min(of_family(of_size(rows, s), "ParLinNa staggered"), key=lambda r: r[key])
        told.append(f"{s} {parameter(best, 'batch')}")
    return ", ".join(told)


def against(ours: str, other: str, *of: str) -> Callable[[list[dict], str], str]:
    """How many times faster one is than another; 'baseline' is the baseline."""

    def told(rows: list[dict], baseline: str) -> str:
        than = baseline if other == "baseline" else other
        return ", ".join(
            f"{s} {times(seconds(rows, than, s) / seconds(rows, ours, s))}" for s in of
        )

    return told


def spent_between(rows: list[dict], _baseline: str) -> str:
    """Time between nodes, staggered over coalesced."""
    if "between" not in rows[0]:
        raise LookupError("measured as a whole")
    best = {s: {family(r): r["between"] for r in fastest(of_size(rows, s))} for s in sizes(rows)}
    return ", ".join(
        f"{s} {times(of['ParLinNa staggered'] / of['ParLinNa coalesced'])}"
        for s, of in best.items()
    )


def ranking(*names: str) -> Callable[[list[dict], str], str]:
    """The order at the smallest and the largest size, times over the best's."""

    def found(rows: list[dict], baseline: str) -> str:
        told = []
        for s in (sizes(rows)[0], sizes(rows)[-1]):
            best = sorted(
                of_family(fastest(of_size(rows, s)), *names, baseline), key=lambda r: r["seconds"]
            )
            told.append(
                f"{s}: "
                + ", ".join(f"{family(r)} {r['seconds'] / best[0]['seconds']:.2f}" for r in best)
            )
        return "; ".join(told)

    return found


def highest(name: str) -> Callable[[list[dict], str], str]:
    """The largest gain over the baseline, and where."""

    def found(rows: list[dict], baseline: str) -> str:
        gained = {s: seconds(rows, baseline, s) / seconds(rows, name, s) for s in sizes(rows)}
        s = max(gained, key=gained.get)
        return f"{times(gained[s])} at {s}"

    return found


def always_first(rows: list[dict], _baseline: str) -> str:
    """Who is best at every size."""
    return ", ".join(
        f"{s} {family(min(of_size(rows, s), key=lambda r: r['seconds']))}" for s in sizes(rows)
    )


TOGETHER = (
    "the paper waits for each of a digit's r - 1 rounds and sends sizes before data: 2 (r - 1) "
    "latencies; here they are in flight together, sizes with "
    "the data, so that a round more costs a start-up only"
)
NO_QUEUES = (
    "the model has neither queues nor full buffers: more in flight is never worse, and in "
    "which order a rank sends makes no difference"
)

CLAIMS = [
    Claim(
        "Fig. 6, 5.1",
        "2 to 512 B: time grows with r, best r about 2",
        "6",
        2048,
        by_radix("16 B"),
        TOGETHER,
    ),
    Claim(
        "Fig. 6, 5.1",
        "512 B to 8 KiB: U-shaped, best near the root of P (45)",
        "6",
        2048,
        by_radix("1 KiB"),
        "where messages are cheap all blocks straight are best already",
    ),
    Claim(
        "Fig. 6, 5.1",
        "from 8 KiB (Polaris) or 32 KiB (Fugaku): time falls with r, best r = P",
        "6",
        2048,
        by_radix("16 KiB"),
    ),
    Claim("Fig. 7, 5.1", "the best r grows with S", "7", 8192, best_radices),
    Claim(
        "Fig. 7, 5.1",
        "ParLogNa ahead of MPI_Alltoallv to 2 KiB (Polaris), 16 KiB (Fugaku)",
        "7",
        8192,
        ahead_to,
    ),
    Claim(
        "Fig. 7, 5.1", "P = 8,192, S = 16: 29x (Polaris), 70.5x (Fugaku)", "7", 8192, gain("16 B")
    ),
    Claim("Fig. 7, 5.1", "P = 8,192, S = 1,024: 5.62x and 7.26x", "7", 8192, gain("1 KiB")),
    Claim(
        "Fig. 7, 5.1",
        "P = 16,384, S = 8,192: 1.67x (Fugaku)",
        "7",
        16384,
        gain("8 KiB"),
        "best r = P: that is spread_out, ahead of pairwise by its latencies",
    ),
    Claim(
        "Fig. 7",
        "(not in the paper) against spread_out, ParLogNa's own r = P",
        "7",
        8192,
        gain("16 B", "256 B", "1 KiB", over="spread_out"),
    ),
    Claim(
        "Fig. 8, 5.1",
        "the range of r that is ahead narrows with S, towards P",
        "7",
        8192,
        share_ahead,
    ),
    Claim(
        "Fig. 9, 5.2",
        "inside nodes no strict pattern; small r for S under 1 KiB, large r above",
        "9",
        8192,
        inside_radices,
        "a larger r packs a block less often, and inside a node 31 start-ups cost less than that",
    ),
    Claim(
        "Fig. 9, 5.2",
        "staggered: larger S wants smaller batches; P = 8,192: 1,024 at 16 B, 2 at 16 KiB",
        "9",
        8192,
        batches,
        NO_QUEUES,
    ),
    Claim(
        "Fig. 10, 5.2",
        "coalesced faster than staggered 17.06x at P = 4,096, S = 16; at 16 KiB staggered 1.23x "
        "faster (0.81x)",
        "9",
        4096,
        against("ParLinNa coalesced", "ParLinNa staggered", "16 B", "16 KiB"),
        "nearly as many bytes in both: only congestion, which the model has not, speaks for "
        "staggered",
    ),
    Claim(
        "Fig. 10, 5.2",
        "between nodes staggered takes significantly longer",
        "9",
        8192,
        spent_between,
    ),
    Claim(
        "Fig. 11, 5.3",
        "linear worst; pairwise, exclusive-or and MPI_Alltoallv alike; scattered with its best "
        "batch best",
        "11",
        8192,
        ranking("linear", "spread_out", "pairwise", "exclusive_or", "scattered"),
        NO_QUEUES + "; the paper's linear waits for each message",
    ),
    Claim(
        "Fig. 12, 5.3",
        "ParLogNa up to 60.6x over MPI_Alltoallv (Fugaku)",
        "12",
        16384,
        highest("ParLogNa"),
    ),
    Claim(
        "Fig. 12, 5.3",
        "coalesced up to 138.6x (Fugaku)",
        "12",
        16384,
        highest("ParLinNa coalesced"),
    ),
    Claim(
        "Fig. 12, 5.3",
        "staggered up to 12.29x (Fugaku)",
        "12",
        16384,
        highest("ParLinNa staggered"),
    ),
    Claim(
        "Fig. 12, 5.3",
        "P = 16,384, Fugaku: coalesced over MPI_Alltoallv 42.08x at S = 16, 2.20x at 8,192",
        "12",
        16384,
        against("ParLinNa coalesced", "baseline", "16 B", "8 KiB"),
    ),
    Claim(
        "Fig. 12, 5.3",
        "the same over scattered: 14.61x and 2.14x",
        "12",
        16384,
        against("ParLinNa coalesced", "scattered", "16 B", "8 KiB"),
    ),
    Claim(
        "Fig. 12, 5.3",
        "coalesced the best in all cases",
        "12",
        16384,
        always_first,
        "with cheap messages its bytes inside the node count from 2 KiB on; at 16 B ParLogNa has "
        "fewer start-ups where these are dear",
    ),
]


def table() -> str:
    """Markdown, a row per claim."""
    from parlogna.links_claims import CLAIMS as by_packets

    most = max((r["ranks"] for r in measured()), default=0)
    lines = [
        f"| where | the paper | simulated | measured, {most} ranks | why they differ |",
        "|---|---|---|---|---|",
    ]
    return "\n".join(
        lines
        + [
            f"| {c.where} | {c.paper} | {c.simulated()} | {c.here()} | {c.why} |"
            for c in [*CLAIMS, *by_packets]
        ]
    )


def write_page() -> None:
    """Renews the table and the figures of the page."""
    page.write(PAPER, "reproduce/run.py parlogna", table(), FOLDER)
