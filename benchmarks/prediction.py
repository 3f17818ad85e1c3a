"""Holds `hopbine predict` against the truth: records on few emulated hosts, measures on many.

    python benchmarks/prediction.py [--record 3,2,3] [--network 5,6,5] [--turns 3]

Jobs of benchmarks/prediction.c and of two programs of examples/ run
under hopbine run --stats on the network `--record`. The prediction, modelled and simulated, is for
`--network`, whose groups and links are described in a TOML file, as a user would. There the same
programs run with rules that ask for what was predicted: the classic algorithms, and hopbine's
choice.

Seconds are those of the statistics file there, medians of the turns; a call's are those of its
slowest rank, waiting for late ranks included. Bytes are the kernel's counters of the uplinks, those
of two rounds of prediction.c less those of one.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from math import ceil, floor
from pathlib import Path
from statistics import median
from typing import Any

from emulated_choice import describe
from emulated_rows import LIMIT, built
from programs import LIBRARY
from rivals_network import OVERSUBSCRIPTION, RATE, Network

from hopbine.jobs.job import Job
from hopbine.machines import load as load_machine
from hopbine.notation.quantities import split_algorithm
from hopbine.notation.units import show_bytes
from hopbine.recorded.prediction import predict
from hopbine.recorded.statistics import load
from hopbine.selection.file import Rule, write
from hopbine.simulation.on_machine import MachineNetwork

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
WAYS = ("classic", "choice")
#: Programs round their parts up: calls this near to the predicted bytes are of its kind.
NEAR = 0.1
HEAD = (
    "| program | call | bytes | way | algorithm | modelled | simulated | measured | modelled / "
    "measured | simulated / measured |\n|---|---|---|---|---|---|---|---|---|---|"
)
#: What predicts: the names of a row's fields behind that of the way.
PREDICTED = ("seconds", "simulated_seconds")


def programs(folder: Path) -> dict[str, tuple[list[str], str]]:
    """Command and scaling of each program."""
    text = folder / "text"
    text.write_text("".join(sorted(p.read_text() for p in EXAMPLES.glob("*.c"))) * 4)
    for compiler, source in (("mpif90.openmpi", "heat.f90"), (LIBRARY.mpicc, "trigrams.c")):
        out = folder / source.split(".")[0]
        subprocess.run([compiler, "-O2", "-o", out, EXAMPLES / source, "-lm"], check=True)
    return {
        "prediction": ([str(built("prediction", folder)), "10"], "weak"),
        "heat": ([str(folder / "heat")], "weak"),
        "trigrams": ([str(folder / "trigrams"), str(text)], "strong"),
    }


def job(network: Network, command: list[str], own: Mapping[str, str]) -> dict[str, Any]:
    """The statistics of a job. RuntimeError when it fails."""
    file = network.folder / "stats.json"
    done = network.start(LIBRARY, {**own, "HOPBINE_STATS": str(file)}, command, LIMIT)
    said = done.communicate()[0]
    if done.returncode:
        why = f"{said}{network.said()[-1500:]}"
        raise RuntimeError(f"{command} ended with {done.returncode}: {why}")
    return load(file)


def rules(rows: list[dict[str, Any]], way: str, file: Path) -> dict[str, str]:
    """The setting that makes all calls on all ranks be served as predicted."""
    asked = []
    for row in rows:
        name, parameters = split_algorithm(row[way])
        size = row["bytes"] / row["calls"]
        sizes = floor(size * (1 - NEAR)), ceil(size * (1 + NEAR))
        numbering = row[f"{way}_numbering"]
        asked.append(Rule(row["collective"], name, parameters, bytes=sizes, numbering=numbering))
    write(file, asked, f"{way} as predicted")
    return {"HOPBINE_RULES": str(file)}


def measured(data: dict[str, Any], row: dict[str, Any], way: str) -> float | None:
    """Seconds of a call of a predicted kind; None where none has its bytes.

    RuntimeError when something else than what was asked for served them.
    """
    size = row["bytes"] / row["calls"]
    found = [
        r
        for r in data["rows"]
        if r["collective"] == row["collective"]
        and abs(r["bytes"] / r["calls"] - size) <= NEAR * size
    ]
    if {r["algorithm"] for r in found} - {split_algorithm(row[way])[0]}:
        raise RuntimeError(f"{row['collective']} of {size:g} bytes: {row[way]} asked for, {found}")
    calls = sum(r["calls"] for r in found)
    return sum(r["seconds"] for r in found) / calls if calls else None


def predicted(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows that are predicted."""
    return [row for row in rows if not row["why_not"]]


def compare(
    network: Network, name: str, command: list[str], rows: list[dict[str, Any]], turns: int
) -> None:
    """Prints the lines of a program, and of all its calls together."""
    settings = {way: rules(rows, way, network.folder / f"{way}.json") for way in WAYS}
    taken: dict[str, list[dict[str, Any]]] = {way: [] for way in WAYS}
    for _ in range(turns):
        for way in WAYS:
            taken[way].append(job(network, command, settings[way]))
    sums = {way: [0.0] * (len(PREDICTED) + 1) for way in WAYS}
    for row in rows:
        call = [name, row["collective"], show_bytes(row["bytes"] / row["calls"])]
        for way in WAYS:
            times = [measured(data, row, way) for data in taken[way]]
            if None in times:
                print(line(*call, way, "no such call", *[""] * 5), flush=True)
                continue
            seconds = [row[f"{way}_{what}"] for what in PREDICTED]
            seconds.append(row["calls"] * median(times))
            sums[way] = [a + b for a, b in zip(sums[way], seconds, strict=True)]
            print(line(*call, way, row[way], *compared(seconds, row["calls"])), flush=True)
    for way in WAYS:
        print(line(name, "all", "", way, "", *compared(sums[way], 1)), flush=True)


def line(*cells: str) -> str:
    """A row of Markdown."""
    return f"| {' | '.join(cells)} |"


def compared(seconds: list[float], calls: int) -> list[str]:
    """Milliseconds of one of the calls, and what was predicted over the last, which is measured."""
    times = [f"{float(f'{1e3 * each / calls:.3g}'):g}" for each in seconds]
    return [*times, *(f"{told / seconds[-1]:.2f}" for told in seconds[:-1])]


def crossed(network: Network, command: list[str], rows: list[dict[str, Any]]) -> None:
    """Prints the bytes between groups of a round, predicted and counted by the kernel."""
    for way in WAYS:
        moved, asked = [], rules(rows, way, network.folder / f"{way}.json")
        for rounds in (1, 2):
            job(network, [command[0], str(rounds)], asked)
            moved.append(network.between_groups())
        told = sum(row[f"{way}_bytes"] for row in rows) / int(command[1])
        took = moved[1] - moved[0]
        print(
            f"\nbytes between groups of a round, {way}: predicted {told:,.0f}, counted by the "
            f"kernel {took:,.0f}: {told / took:.3f}",
            flush=True,
        )


def main() -> None:
    """Arguments, then a Markdown table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--record", default="3,2,3", help="groups of the recorded job")
    parser.add_argument("--network", default="5,6,5", help="groups of the predicted job")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--keep", metavar="FILE", help="the recorded statistics of prediction.c")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        known = programs(folder)
        try:
            with Network(args.record, 1, folder) as network:
                recorded = {n: job(network, command, {}) for n, (command, _) in known.items()}
            if args.keep:
                Path(args.keep).write_text(json.dumps(recorded["prediction"]) + "\n")
            machine = describe(name, args.network, RATE, OVERSUBSCRIPTION)
            with Network(args.network, 1, folder) as network:
                hosts = tuple(f"h{i}" for i in range(network.ranks))
                there = Job("", hosts, load_machine(str(machine)))
                on = MachineNetwork(there.machine)
                setup = on.setup(on.nodes(hosts))
                print(HEAD, flush=True)
                rows = {n: predict(recorded[n], there, known[n][1], setup) for n in known}
                for n, (command, _) in known.items():
                    compare(network, n, command, predicted(rows[n]), args.turns)
                crossed(network, known["prediction"][0], predicted(rows["prediction"]))
            for n in known:
                for row in rows[n]:
                    if row["why_not"]:
                        print(f"not predicted: {n}: {row['collective']}: {row['why_not']}")
        except RuntimeError as error:
            sys.exit(f"prediction: {error}")


if __name__ == "__main__":
    main()
