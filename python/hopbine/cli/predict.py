"""hopbine predict: what a recorded job's collectives would cost on another machine and
allocation
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..tables import Column, Row, plain
from ..units import show_bytes, show_time
from ._analysis import add_machine, add_reading, machine_of
from ._output import add_format, reporter

if TYPE_CHECKING:
    from ..job import Job
    from ..machines import Machine
    from ..simulation import Setup


@dataclass(frozen=True)
class Told:
    """The file, the new job, a row for each kind of call, and what bytes cross between."""

    data: dict[str, Any]
    job: Job
    rows: list[dict[str, Any]]
    unit: str
    setup: Setup | None  #: the network, where simulated too


def configure_analysis(parser: argparse.ArgumentParser) -> None:
    """What is analysed."""
    from ..prediction import RULES, RULES_OF, SCALINGS

    parser.description = (
        "From the calls that hopbine run --stats FILE recorded: bytes between groups and modelled "
        "time on another machine and allocation, with the MPI library's classic algorithm, with "
        "hopbine's choice and with the fastest by the model (as hopbine select explain), and the "
        f"least that any algorithm needs. {RULES}"
    )
    parser.add_argument("file", help="what hopbine run --stats wrote")
    add_machine(parser)
    parser.add_argument(
        "--hosts",
        metavar="H",
        help="the new job's hosts, as hopbine traffic takes them (fragmented:512); default: the "
        "recorded job's own",
    )
    add_reading(parser)
    parser.add_argument(
        "--scaling",
        choices=SCALINGS,
        default=SCALINGS[0],
        help="what stays where ranks are more or fewer (default %(default)s). "
        + " ".join(f"{name}: {rule}" for name, rule in RULES_OF.items()),
    )
    parser.add_argument(
        "--time",
        choices=("model", "simulated"),
        default="model",
        help="simulated: beside the model's time that of hopbine simulate, packet by packet on the "
        "machine's network (default %(default)s)",
    )


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    configure_analysis(parser)
    add_format(parser)


def analyse(args: argparse.Namespace) -> Told:
    """The prediction that the arguments ask for."""
    from ..crossings import unit
    from ..prediction import predict
    from ..statistics_file import load

    data = load(args.file)
    if args.time == "model":
        job, setup = _new_job(args, data, machine_of(args) if args.hosts else None), None
    else:
        job, setup = _on_network(args, data)
    rows = predict(data, job, args.scaling, setup, watched=True)
    return Told(data, job, rows, unit(job), setup)


def _on_network(args: argparse.Namespace, data: dict[str, Any]) -> tuple[Job, Setup]:
    """The new job and the network it is on. ValueError."""
    from ..allocations import is_generator
    from ..simulation.on_machine import MachineNetwork

    machine = machine_of(args)
    if machine is None:
        raise ValueError("--time simulated needs the network of a machine: give --machine")
    on = MachineNetwork(machine)
    drawn = bool(args.hosts) and is_generator(args.hosts)
    job = _new_job(args, data, on.part if drawn else machine)
    return job, on.setup(on.nodes(job.hosts))


def _new_job(args: argparse.Namespace, data: dict[str, Any], machine: Machine | None) -> Job:
    """That of --hosts, else the recorded one. ValueError when the file names no nodes."""
    from ..crossings import job_of
    from ..machines import load
    from ._analysis import one_job

    if args.hosts:
        return one_job(args, machine)
    if args.level is not None and not args.machine:
        raise ValueError(f"--level {args.level} is of --machine, which is not given")
    job = job_of(data, load(args.machine, args.level) if args.machine else None)
    if job is None:
        raise ValueError(f"{args.file} does not name the nodes of its ranks: give --hosts")
    return job


def about(args: argparse.Namespace, told: Told) -> list[str]:
    """What is predicted from what, in lines."""
    from ..prediction import RULES, RULES_OF
    from ..statistics_file import about as about_file
    from ._select_counting import about_job
    from ._simulate_network import describe

    network = [] if told.setup is None else [describe("simulated", told.setup)]
    return [
        f"recorded: {about_file(args.file, told.data)}",
        *about_job(told.job),
        *network,
        f"scaling {args.scaling}, {told.data['ranks']} to {len(told.job.hosts)} ranks: "
        f"{RULES_OF[args.scaling]}",
        RULES,
    ]


def lines(told: Told) -> list[dict[str, Any]]:
    """The rows, with means of a call, and at the end their total."""
    from ..prediction import total

    out = [
        row
        | {
            "recorded_call_bytes": row["recorded_bytes"] / row["calls"],
            "call_bytes": None if row["why_not"] else row["bytes"] / row["calls"],
            "total": False,
        }
        for row in told.rows
    ]
    empty = dict.fromkeys(column.key for column in columns(told) if column.key)
    return [*out, empty | total(told.rows) | {"collective": "total", "total": True}]


def columns(told: Told) -> list[Column]:
    """Those of the table: means of a call, sums of all calls."""
    unit = told.unit

    def size(key: str, heading: str) -> Column:
        return Column(key, heading, _or_none(show_bytes), right=True, raw=round)

    def name(way: str, heading: str) -> Column:
        return Column(None, heading, lambda row: _name(row, way))

    def time(key: str, heading: str) -> Column:
        return Column(key, heading, _or_none(show_time), right=True, raw=float)

    def costs(way: str) -> list[Column]:
        modelled = [size(f"{way}_bytes", f"between {unit}"), time(f"{way}_seconds", "modelled")]
        simulated = [] if told.setup is None else [time(f"{way}_simulated_seconds", "simulated")]
        return modelled + simulated

    return [
        Column("collective", "collective"),
        Column("form"),
        Column("ranks"),
        Column("calls", "calls", lambda calls: f"{calls:,}", right=True),
        size("recorded_call_bytes", "a call had"),
        size("call_bytes", "would have"),
        *plain(("recorded_bytes", "bytes"), ("bytes", "recorded_bytes")),
        time("recorded_seconds", "took"),
        *plain(("classic",)),
        name("classic", "classic"),
        *costs("classic"),
        *plain(("choice", "choice_numbering", "library_first")),
        name("choice", "hopbine's choice"),
        *costs("choice"),
        *plain(("best", "best_numbering")),
        name("best", "best by model"),
        *costs("best"),
        size("least_bytes", f"least between {unit}"),
        time("least_seconds", "least time"),
        Column("why_not", "not predicted", lambda why: why or ""),
        *plain(("total",)),
    ]


def _or_none(show: Any) -> Any:
    return lambda value: "-" if value is None else show(value)


def _name(row: Row, way: str) -> str:
    """An algorithm, and how it numbers the ranks where not as given."""
    if row[way] is None:
        return "" if row["total"] else "-"
    numbering = row[f"{way}_numbering"]
    return row[way] if numbering == "given" else f"{row[way]}, {numbering}"


def verdict(told: Told) -> list[str]:
    """What the job gains in a sentence, and how many calls that is of."""
    from ..prediction import total

    out, sums = [], total(told.rows)
    if sums["calls"]:
        out.append(
            f"hopbine's choice against the classic algorithms: {_change(sums, 'bytes')} bytes "
            f"between {told.unit}, {_change(sums, 'seconds')} modelled time"
            + ("." if told.setup is None else f", {_change(sums, 'simulated_seconds')} simulated.")
        )
    first, missing = Counter[str](), Counter[str]()
    for row in told.rows:
        if row["why_not"]:
            missing[f"{row['collective']} ({row['why_not']})"] += row["calls"]
        elif row["library_first"]:
            first[row["library_first"]] += row["calls"]
    for why, calls in first.items():
        out.append(f"mpi at first, then measured, in {calls:,} calls: {why}.")
    of = sums["calls"] + sum(missing.values())
    left = ", ".join(f"{calls:,} of {what}" for what, calls in missing.items())
    out.append(f"Predicted: {sums['calls']:,} of {of:,} calls{left and '; not: ' + left}.")
    return out


def _change(sums: dict[str, Any], what: str) -> str:
    before, after = sums[f"classic_{what}"], sums[f"choice_{what}"]
    return f"{100 * (after / before - 1):+.1f}%" if before else "as many" if not after else "more"


def run(args: argparse.Namespace) -> int:
    """One table, its total, and how many calls it is of."""
    from ..text import printable

    with reporter(args) as report:
        told = analyse(args)
        for line in about(args, told):
            report.caption(line)
        report.table(columns(told), lines(told))
        for line in verdict(told):
            report.remark(printable(line))
    return 0
