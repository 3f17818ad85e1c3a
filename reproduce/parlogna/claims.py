"""What the text of the ParLogNa/ParLinNa paper says of its figures, beside what was found.

evaluation.py simulated and measured it. `write_page` renews docs/papers/parlogna-hpdc25.md.
"""

from collections.abc import Callable
from dataclasses import dataclass

from hopbine.plots.nonuniform import largest
from parlogna.evaluation import FOLDER, PAPER, SPEC, data, measured
from parlogna.figures import cells, family, fastest, of_family, parameter, split
from shared import experiments, page, verdicts

NOT_MEASURED = "-"


@dataclass(frozen=True)
class Claim:
    """One sentence of the paper."""

    id: str  #: of claims.toml
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
    "by `round` and `round_slow` hopbine's form, whose rounds of a digit are in flight together, "
    "sizes with the data; as published (Fugaku) each waits for the one before, and sizes go first"
)
NO_QUEUES = (
    "the model has neither queues nor full buffers: more in flight is never worse, and in "
    "which order a rank sends makes no difference"
)
BUFFERS = "judged by packets with buffers of 64 KiB on a torus of Fugaku, 1,024 ranks: "

CLAIMS = [
    Claim(
        "6.small",
        "6",
        2048,
        by_radix("16 B"),
        TOGETHER,
    ),
    Claim(
        "6.middle",
        "6",
        2048,
        by_radix("1 KiB"),
        "where messages are cheap all blocks straight are best already",
    ),
    Claim(
        "6.large",
        "6",
        2048,
        by_radix("16 KiB"),
    ),
    Claim("7.grows", "7", 8192, best_radices),
    Claim(
        "7.ahead",
        "7",
        8192,
        ahead_to,
    ),
    Claim("7.16", "7", 8192, gain("16 B")),
    Claim("7.1024", "7", 8192, gain("1 KiB")),
    Claim(
        "7.8192",
        "7",
        16384,
        gain("8 KiB"),
        "best r = P: that is spread_out, ahead of pairwise by its latencies",
    ),
    Claim(
        "7.spread",
        "7",
        8192,
        gain("16 B", "256 B", "1 KiB", over="spread_out"),
    ),
    Claim(
        "8",
        "7",
        8192,
        share_ahead,
    ),
    Claim(
        "9.radix",
        "9",
        8192,
        inside_radices,
        "a larger r packs a block less often, and inside a node 31 start-ups cost less than that",
    ),
    Claim(
        "9.batch",
        "9",
        8192,
        batches,
        BUFFERS + "without them, as in the model, more in flight is never worse",
    ),
    Claim(
        "10",
        "9",
        4096,
        against("ParLinNa coalesced", "ParLinNa staggered", "16 B", "16 KiB"),
        BUFFERS + "nearly as many bytes in both, and only congestion, which the model has not, "
        "speaks for staggered; coalesced meets more of it the more nodes there are",
    ),
    Claim(
        "10.between",
        "9",
        8192,
        spent_between,
    ),
    Claim(
        "11",
        "11",
        8192,
        ranking("linear", "spread_out", "pairwise", "exclusive_or", "scattered"),
        NO_QUEUES + "; the paper's linear waits for each message",
    ),
    Claim(
        "12.parlogna",
        "12",
        16384,
        highest("ParLogNa"),
    ),
    Claim(
        "12.coalesced",
        "12",
        16384,
        highest("ParLinNa coalesced"),
    ),
    Claim(
        "12.staggered",
        "12",
        16384,
        highest("ParLinNa staggered"),
    ),
    Claim(
        "12.16384",
        "12",
        16384,
        against("ParLinNa coalesced", "baseline", "16 B", "8 KiB"),
    ),
    Claim(
        "12.scattered",
        "12",
        16384,
        against("ParLinNa coalesced", "scattered", "16 B", "8 KiB"),
    ),
    Claim(
        "12.best",
        "12",
        16384,
        always_first,
        "with cheap messages its bytes inside the node count from 2 KiB on; at 16 B ParLogNa has "
        "fewer start-ups where these are dear",
    ),
]


def table() -> str:
    """Markdown, a row per claim."""
    from parlogna.judged import FOUND
    from parlogna.links_claims import CLAIMS as by_packets

    every = [*CLAIMS, *by_packets]
    most = max((r["ranks"] for r in measured()), default=0)
    told = {c.id: [c.simulated(), c.here()] for c in every}
    heads = ["simulated", f"measured, {most} ranks"]
    reasons = {c.id: c.why for c in every}
    tried = experiments.told("parlogna", FOLDER)
    return verdicts.table("parlogna", heads, told, reasons, verdicts.found(FOUND), tried)


def write_page() -> None:
    """Renews the table and the figures of the page."""
    from parlogna.judged import FOUND

    page.check(experiments.files("parlogna", FOLDER))
    tried = experiments.told("parlogna", FOLDER)
    counted = verdicts.counts("parlogna", verdicts.found(FOUND), tried)
    page.write(PAPER, "reproduce/run.py parlogna", table(), FOLDER, counted)
