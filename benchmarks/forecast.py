"""What the model predicts for machines without published measurements.

    python benchmarks/forecast.py -o docs/forecast.md

For every machine, collective, number of nodes and size: hopbine's choice by counting on a
fragmented allocation with a rank on each node, how many times as fast it is modelled as the
classic algorithm, the bytes between groups over the classic algorithm's, and by what factor
modelled times were off on published ones of similar calls (median, and nine tenths).
"""

import argparse
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from hopbine import _core
from hopbine.allocations import generate
from hopbine.jobs.explained import candidates
from hopbine.jobs.job import Job, explain
from hopbine.machines import load
from hopbine.notation.units import show_size

#: Machines, and what page names them. El Capitan has the kind of network that Frontier has.
MACHINES = {
    "jupiter": "JUPITER (dragonfly+)",
    "alps": "Alps, partition Clariden (dragonfly)",
    "frontier": "Frontier, and El Capitan's kind of network (dragonfly)",
}
NODES = (64, 512)
COLLECTIVES = ("bcast", "reduce", "allreduce", "reduce_scatter", "allgather", "alltoall")
SIZES = (1 << 10, 1 << 20, 1 << 26)
SEED = 1

HEAD = """# Forecast

What hopbine's model says of machines of which no measured collectives are published. For whoever
measures there: the page is dated, so that it can be held against what is found.

    python benchmarks/forecast.py -o docs/forecast.md

Written on {date}. A row is a collective of one rank on each node of an allocation,
`--hosts fragmented:NODES:seed={seed}`, as `hopbine select explain` shows it:

- **choice**: what hopbine takes by counting ([choice.md](choice.md)), with the numbering of the
  ranks if it is not the given one.
- **faster**: modelled time of the classic algorithm ([traffic.md](traffic.md)) over the choice's.
- **between groups**: bytes of the choice over those of the classic algorithm.
- **off by**: the factor by which modelled times were off, either way, on published times of similar
  calls: median, nine tenths ([choice-errors](choice-errors/README.md)). A gain below it may be
  none.

Latencies and costs of a rank are the defaults of the model: of the machines only groups, cards and
bandwidths are known. Where a taper is not public it is the default, 2.
"""


def rows(machine: str, nodes: int) -> Iterator[str]:
    """A line for each collective and size."""
    described = load(machine)
    hosts = generate(f"fragmented:{nodes}:seed={SEED}", described).hosts
    job = Job("forecast", tuple(hosts), described)
    for collective in COLLECTIVES:
        calls = _core.Calls(collective)
        told = explain(job, calls, SIZES)
        every = candidates(told, SIZES, nodes, calls)
        for size in SIZES:
            here = [row for row in every if row["bytes"] == size]
            classic = next(
                row
                for row in here
                if row["algorithm"] == _core.classic(collective, nodes, size)
                and row["numbering"] == "given"
            )
            (choice,) = (row for row in here if row["chosen"])
            yield _line(collective, nodes, size, choice, classic)


def _line(collective: str, nodes: int, size: int, choice: dict, classic: dict) -> str:
    numbering = "" if choice["numbering"] == "given" else f", {choice['numbering']}"
    moved = (
        f"{choice['global_bytes'] / classic['global_bytes']:.2f}"
        if classic["global_bytes"]
        else "-"
    )
    bar = _core.error_bar(collective, size, nodes, torus=False)
    return (
        f"| {collective} | {show_size(size)} | `{choice['algorithm']}`{numbering} | "
        f"{classic['seconds'] / choice['seconds']:.2f} | {moved} | "
        f"{bar.off:.2f}, {bar.off_90:.2f} |"
    )


def page(date: str) -> Iterator[str]:
    """Lines of the page."""
    yield HEAD.format(date=date, seed=SEED)
    for machine, title in MACHINES.items():
        for nodes in NODES:
            yield f"## {title}, {nodes} nodes\n"
            yield "| collective | bytes | choice | faster | between groups | off by |"
            yield "|---|---|---|---|---|---|"
            yield from rows(machine, nodes)
            yield ""


def main() -> None:
    """Writes the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--date", default=datetime.now(UTC).date().isoformat())
    args = parser.parse_args()
    args.output.write_text("\n".join(page(args.date)).rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
