"""What the packet engine predicts of measured neighbours, beside what was measured.

    python benchmarks/neighbours/predicted.py MEASURED.csv ... [-o FILE.csv] [--figure FILE.svg]

The files are those of neighbours.py -o. Each case is simulated with its period: the victim's
exchanges one after the other on its hosts, beside the aggressor's calls (docs/simulation.md,
"Other jobs"). The library's own allreduce is Open MPI's Rabenseifner, predicted by hopbine's.
Prints the table of docs/neighbours.md.
"""

import argparse
import csv
import math
import statistics
import sys
from dataclasses import dataclass, replace

from neighbours import ARMS, GROUPS, RATE, TAPER, hosts_of

from hopbine import _core
from hopbine.emulate.launching import machine
from hopbine.emulate.plan import Delay, host_name
from hopbine.emulate.tree import tree
from hopbine.jobs.job import Job, explain
from hopbine.notation.units import parse_size, show_size
from hopbine.simulation.on_machine import MachineNetwork
from hopbine.simulation.periodic import PeriodicJob
from hopbine.simulation.setup import Background, Setup

#: Seconds that a message takes on the emulated network besides its bytes (docs/emulate.md).
LATENCY = 1e-4
#: Periods over which the victim's exchanges are averaged, and seeds whose median is told.
PERIODS, SEEDS = 3, (1, 2, 3)
#: Trains of a message at most: one for each 8 KiB of 4 MiB, so that messages mix as in the kernel.
TRAINS = 512
#: How many exchanges of a victim alone are averaged.
ALONE = 20
#: Where names are in the figure, in points from theirs, and whether they end there.
NAMES = {
    "alone": (6, 4, False),
    "alone again": (6, -10, False),
    "library": (-6, 4, True),
    "rabenseifner": (6, -3, False),
    "hopbine": (6, -10, False),
    "patient": (-6, 4, True),
}


@dataclass(frozen=True)
class Prediction:
    """Seconds of the victim's exchange, in the mean, and of the aggressor's call."""

    victim: float
    call: float


class Cluster:
    """The emulated network, link by link, with both jobs' hosts."""

    def __init__(self, layout: str):
        group = [g for g, hosts in enumerate(GROUPS) for _ in hosts]
        names = [f"g{g}" for g in range(len(GROUPS))]
        plan = tree("emulated", group, names, RATE, TAPER, Delay())
        largest = max(map(len, GROUPS))
        topology = f"fattree:{len(GROUPS)}x{largest}:oversubscription={TAPER:g}"
        self.on = MachineNetwork(replace(machine(plan), topology=topology))
        jobs = hosts_of(layout)
        self.hosts = {name: tuple(map(host_name, of)) for name, of in jobs.items()}

    def setup(self, calls: int, seed: int, beside: PeriodicJob | None) -> Setup:
        """The victim's ranks, with so many exchanges."""
        return Setup(
            self.on.text,
            self.on.nodes(self.hosts["victim"]),
            self.on.bandwidth,
            cable=LATENCY / 4,  # of the four on a way between groups
            router=0,
            engine="packet",
            trains=TRAINS,
            seed=seed,
            calls=calls,
            background=Background(calls=beside),
        )

    def aggressor(self, arm: str, size: int, period: float) -> PeriodicJob:
        """An arm's calls, by the algorithm and in the order of ranks that serve them."""
        job = Job("aggressor", self.hosts["aggressor"], self.on.machine)
        algorithm, order = "rabenseifner", list(range(len(job.hosts)))
        options = ARMS[arm] or []
        if "--choice" in options:
            patience = (
                float(options[options.index("--patience") + 1]) if "--patience" in options else None
            )
            told = explain(job, _core.Calls("allreduce"), [size], patience)
            chosen = told["candidates"][told["chosen"][0]]
            algorithm = chosen["algorithm"]
            order = job.order(chosen["numbering"]) or order
        nodes = self.on.nodes(job.hosts)
        return PeriodicJob("allreduce", algorithm, size, period, tuple(nodes[r] for r in order))


def exchange(cluster: Cluster, length: int, seed: int, beside: PeriodicJob | None) -> Prediction:
    """The victim's mean exchange over whole periods of the aggressor, or alone."""
    ranks = len(cluster.hosts["victim"])
    half = ranks // 2
    blocks = [length if abs(a - b) == half else 0 for a in range(ranks) for b in range(ranks)]
    alone, calls, until = 0.0, ALONE, math.inf
    if beside:
        alone = exchange(cluster, length, seed, None).victim
        until = PERIODS * beside.period
        calls = math.ceil(until / alone)
    setup = cluster.setup(calls, seed, beside)
    exchanges = setup.of_blocks("spread_out", blocks)
    durations: list[float] = []
    call = 0.0
    for rank in range(ranks):
        told = setup.followed(exchanges, 1, rank)
        call = told.get("aggressor_seconds", 0.0)
        begun: dict[int, float] = {}
        ended: dict[int, float] = {}
        for event in told["events"]:
            step = event["step"]
            if event["sent"]:
                begun[step] = event["begin"]
            ended[step] = max(ended.get(step, 0.0), event["end"])
        durations += [ended[step] - begun[step] for step in begun if begun[step] < until]
    return Prediction(statistics.mean(durations), call)


def predicted(cluster: Cluster, arm: str, size: int, period: float, length: int) -> Prediction:
    """The median of some seeds."""
    beside = None if arm.startswith("alone") else cluster.aggressor(arm, size, period)
    found = [exchange(cluster, length, seed, beside) for seed in SEEDS]
    return Prediction(
        statistics.median(one.victim for one in found), statistics.median(one.call for one in found)
    )


def with_predictions(rows: list[dict]) -> list[dict]:
    """Measured rows with the call, the victim's time and its slowdown as predicted."""
    out, clusters = [], {}
    for row in rows:
        layout, size, period = row["layout"], int(row["size"]), float(row["period"])
        cluster = clusters.setdefault(layout, Cluster(layout))
        length = parse_size(row["victim"].split(" of ")[1])
        alone = predicted(cluster, "alone", size, period, length).victim
        told = predicted(cluster, row["arm"], size, period, length)
        out.append(
            row
            | {
                "predicted_call": told.call,
                "predicted_victim": told.victim,
                "predicted_slowdown": told.victim / alone - 1,
            }
        )
    return out


def show(rows: list[dict]) -> None:
    """Prints a table of Markdown."""
    print(
        "| allreduce | layout | served by | bytes between groups a call | its call | predicted | "
        "victim | slowdown | predicted |\n|---|---|---|---|---|---|---|---|---|"
    )
    before = None
    for row in rows:
        case = show_size(int(row["size"])), row["layout"]
        arm = f"({row['arm']})" if row["arm"].startswith("alone") else row["arm"]
        cells = [*(case if case != before else ("", "")), arm]
        if arm[0] == "(":
            cells += ["", "", ""]
        else:
            cells += [f"{int(row['between']):,}"]
            cells += [f"{1e3 * float(row[key]):.0f} ms" for key in ("call", "predicted_call")]
        cells.append(f"{1e3 * float(row['victim_seconds']):.2f} ms")
        shown = {"alone": ["", ""], "alone again": [_percent(row["slowdown"]), ""]}
        both = [_percent(row[key]) for key in ("slowdown", "predicted_slowdown")]
        print(f"| {' | '.join([*cells, *shown.get(row['arm'], both)])} |")
        before = case


def _percent(share: float | str) -> str:
    return f"{100 * float(share):.0f} %"


def draw(rows: list[dict], path: str) -> None:
    """The victim's slowdown against the aggressor's bytes between groups, a panel for each case."""
    from hopbine.plots import style
    from hopbine.plots.files import save

    cases = list(dict.fromkeys((row["size"], row["layout"]) for row in rows))
    figure, panels = style.panels(len(cases), 2, 3.8, 3.2)
    for axes, (size, layout) in zip(panels, cases, strict=False):
        shown = [row for row in rows if (row["size"], row["layout"]) == (size, layout)]
        for i, row in enumerate(shown):
            at, color = int(row["between"]) / int(size), style.SERIES[i % len(style.SERIES)]
            axes.plot(at, 100 * float(row["slowdown"]), "o", color=color)
            *side, ends = NAMES[row["arm"]]
            axes.annotate(
                row["arm"],
                (at, 100 * float(row["slowdown"])),
                side,
                textcoords="offset points",
                horizontalalignment="right" if ends else "left",
            )
            if not row["arm"].startswith("alone"):
                axes.plot(at, 100 * float(row["predicted_slowdown"]), "x", color=color)
        style.title(axes, f"allreduce of {show_size(int(size))}, layout {layout}; x: predicted")
        axes.set_xlabel("bytes between groups over those of the vector")
        axes.set_ylabel("victim's slowdown, %")
        axes.margins(y=0.12)
        axes.set_xlim(-0.3, 1.6 * max(int(row["between"]) / int(size) for row in shown))
    save(figure, path)


def main() -> int:
    """Reads, predicts, prints and draws."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("measured", nargs="+", metavar="MEASURED.csv")
    parser.add_argument("-o", "--output", metavar="FILE.csv")
    parser.add_argument("--figure", metavar="FILE.svg")
    args = parser.parse_args()
    rows = []
    for path in args.measured:
        with open(path, newline="", encoding="utf-8") as file:
            rows += with_predictions(list(csv.DictReader(file)))
    show(rows)
    if args.output:
        with open(args.output, "w", newline="", encoding="utf-8") as file:
            table = csv.DictWriter(file, rows[0])
            table.writeheader()
            table.writerows(rows)
    if args.figure:
        draw(rows, args.figure)
    return 0


if __name__ == "__main__":
    sys.exit(main())
