"""hopbine predict: what a recorded job's collectives would cost on another machine and
allocation
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..notation.units import show_bytes, show_time
from ..output.tables import Column, Reporter, Row, plain
from ._analysis import about_job, add_machine, add_reading, machine_of
from ._output import add_format, reporter

if TYPE_CHECKING:
    from ..jobs.job import Job
    from ..machines import Machine
    from ..simulation import Setup


#: What tells kinds of calls apart in the rows of --all.
KIND = ("collective", "form", "ranks", "size_class")
#: Rows of --all for programs, and what people are told of their marks.
EVERY = (
    *("collective", "form", "ranks", "calls", "recorded_bytes", "recorded_seconds", "bytes"),
    *("algorithm", "numbering", "taken", "usual", "global_bytes", "seconds"),
)
ROLES = {"taken": "choice", "usual": "classic"}


@dataclass(frozen=True)
class Told:
    """The file, the new job, a row for each kind of call, and what bytes cross between."""

    data: dict[str, Any]
    job: Job
    rows: list[dict[str, Any]]
    unit: str
    setup: Setup | None  #: the network, where simulated too

    @property
    def how(self) -> str:
        """What the times are."""
        return "modelled" if self.setup is None else "modelled and simulated"


def configure_analysis(parser: argparse.ArgumentParser) -> None:
    """What is analysed."""
    from ..recorded.prediction import RULES, RULES_OF, SCALINGS

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
    parser.add_argument(
        "--all",
        action="store_true",
        help="what every algorithm and numbering would cost, one row each for every kind of call",
    )
    add_format(parser)


def analyse(args: argparse.Namespace) -> Told:
    """The prediction that the arguments ask for."""
    from ..recorded.crossings import unit
    from ..recorded.prediction import predict
    from ..recorded.statistics import load

    data = load(args.file)
    if args.time == "model":
        job, setup = _new_job(args, data, machine_of(args) if args.hosts else None), None
    else:
        job, setup = _on_network(args, data)
    rows = predict(data, job, args.scaling, setup, watched=True)
    return Told(data, job, rows, unit(job), setup)


def _on_network(args: argparse.Namespace, data: dict[str, Any]) -> tuple[Job, Setup]:
    """The new job and the network it is on. UsageError."""
    from ..allocations import is_generator
    from ..simulation.on_machine import MachineNetwork

    machine = machine_of(args)
    if machine is None:
        raise UsageError("--time simulated needs the network of a machine: give --machine")
    on = MachineNetwork(machine)
    drawn = bool(args.hosts) and is_generator(args.hosts)
    job = _new_job(args, data, on.part if drawn else machine)
    return job, on.setup(on.nodes(job.hosts))


def _new_job(args: argparse.Namespace, data: dict[str, Any], machine: Machine | None) -> Job:
    """The job of --hosts, else the recorded one. UsageError when the file names no nodes."""
    from ..machines import load
    from ..recorded.crossings import job_of
    from ._analysis import one_job

    if args.hosts:
        return one_job(args, machine)
    if args.level is not None and not args.machine:
        raise UsageError(f"--level {args.level} is of --machine, which is not given")
    job = job_of(data, load(args.machine, args.level) if args.machine else None)
    if job is None:
        raise UsageError(f"{args.file} does not name the nodes of its ranks: give --hosts")
    return job


def about(args: argparse.Namespace, told: Told) -> list[str]:
    """What is predicted from what, in lines."""
    from ..recorded.prediction import RULES, RULES_OF
    from ..recorded.statistics import about as about_file
    from ._select_counting import about_links
    from ._simulate_network import describe

    network = [] if told.setup is None else [describe("simulated", told.setup)]
    return [
        f"recorded: {about_file(args.file, told.data)}",
        about_job(told.job),
        about_links(told.job),
        *network,
        f"scaling {args.scaling}, {told.data['ranks']} to {len(told.job.hosts)} ranks: "
        f"{RULES_OF[args.scaling]}",
        RULES,
    ]


def lines(told: Told) -> list[dict[str, Any]]:
    """The rows, with means of a call, and at the end their total."""
    from ..recorded.prediction import total

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
    """The table's columns: means of a call, sums of all calls."""

    def size(key: str, heading: str | None = None) -> Column:
        return Column(key, heading, _or_none(show_bytes), right=True, raw=round)

    def name(way: str) -> Column:
        return Column(None, way, lambda row: _name(row, way))

    def time(key: str, heading: str | None = None) -> Column:
        return Column(key, heading, _or_none(show_time), right=True, raw=float)

    def costs(way: str, shown: bool = True) -> list[Column]:
        def of(what: str) -> str | None:
            return f"{way} {what}" if shown else None

        modelled = [size(f"{way}_bytes", of("bytes")), time(f"{way}_seconds", of("time"))]
        simulated = time(f"{way}_simulated_seconds", of("simulated"))
        return modelled + ([] if told.setup is None else [simulated])

    return [
        Column("collective", "collective"),
        Column("form"),
        Column("ranks"),
        Column("calls", "calls", lambda calls: f"{calls:,}", right=True),
        size("recorded_call_bytes"),
        size("call_bytes", "a call has"),
        *plain(("recorded_bytes", "bytes"), ("bytes", "recorded_bytes")),
        time("recorded_seconds"),
        *plain(("classic",)),
        name("classic"),
        *costs("classic"),
        *plain(("choice", "choice_numbering", "library_first")),
        name("choice"),
        *costs("choice"),
        *plain(("best", "best_numbering")),
        *costs("best", shown=False),
        size("least_bytes"),
        time("least_seconds"),
        *plain(("why_not", "total")),
    ]


def show_every(report: Reporter, told: Told, every: list[dict[str, Any]]) -> None:
    """The tables of --all for people: a kind of calls each, the fastest first."""
    from ..recorded.prediction import total

    kinds: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in told.rows:
        if not row["why_not"]:
            kinds.setdefault(tuple(row[key] for key in KIND), []).append(row)
    for kind, rows in kinds.items():
        same = [row for row in every if tuple(row[key] for key in KIND) == kind]
        sums = total(rows)
        report.caption(
            f"\n{kind[0]}, {sums['calls']:,} calls of {show_bytes(sums['bytes'] / sums['calls'])} "
            f"(recorded: {show_bytes(sums['recorded_bytes'] / sums['calls'])}, "
            f"{show_time(sums['recorded_seconds'])} in all); at least "
            f"{show_bytes(sums['least_bytes'])} between {told.unit}, "
            f"{show_time(sums['least_seconds'])}"
        )
        report.table(_every(told.unit), sorted(same, key=lambda row: row["seconds"]))


def _every(unit: str) -> list[Column]:
    """The table of --all for people."""
    return [
        Column(None, "algorithm", lambda row: row["algorithm"]),
        Column(None, "numbering", lambda row: row["numbering"]),
        Column(None, f"between {unit}", lambda row: show_bytes(row["global_bytes"]), right=True),
        Column(None, "time", lambda row: show_time(row["seconds"]), right=True),
        Column(None, "", lambda row: ", ".join(what for key, what in ROLES.items() if row[key])),
    ]


def _or_none(show: Any) -> Any:
    return lambda value: "-" if value is None else show(value)


def _name(row: Row, way: str) -> str:
    """An algorithm, and how it numbers the ranks where not as given; or why there is none."""
    if row[way] is None:
        why = f"not predicted: {row['why_not']}" if way == "classic" else "-"
        return "" if row["total"] else why
    numbering = row[f"{way}_numbering"]
    return row[way] if numbering == "given" else f"{row[way]}, {numbering}"


def verdict(told: Told) -> list[str]:
    """What the job gains in a sentence, and how many calls that is of."""
    from ..recorded.prediction import total

    out, sums = [], total(told.rows)
    if sums["calls"]:
        taken = [_change(sums, "seconds", show_time, "less", "modelled time")]
        if told.setup is not None:
            taken.append(_change(sums, "simulated_seconds", show_time, "less", "simulated time"))
        moved = _change(sums, "bytes", show_bytes, "fewer", f"bytes between {told.unit}")
        out.append(
            f"With hopbine's choice the calls move {moved}, and take {' and '.join(taken)} than "
            "with the classic algorithms."
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


def error_bars(told: Told) -> list[str]:
    """What published times say of the model, a line for each class of calls, most calls first."""
    from .. import _core

    calls, bars = Counter[str](), {}
    for row in told.rows:
        if row["why_not"]:
            continue
        size = row["bytes"] / row["calls"]
        torus = bool(told.job.machine.shape)
        bar = _core.error_bar(row["collective"], size, len(told.job.hosts), torus)
        bars[bar.like] = bar
        calls[bar.like] += row["calls"]
    return [
        f"Modelled times of {many:,} calls as published ones of {like}: off by "
        f"{bars[like].off:.2f}x, nine tenths by up to {bars[like].off_90:.2f}x."
        for like, many in calls.most_common()
    ]


def _change(
    sums: dict[str, Any], what: str, show: Callable[[float], str], less: str, of: str
) -> str:
    """'84.9 % fewer bytes between groups (5.894 GiB instead of 39.08 GiB)'."""
    before, after = sums[f"classic_{what}"], sums[f"choice_{what}"]
    more = less if after < before else "more"
    changed = f"{100 * abs(after / before - 1):.1f} % {more}" if before else f"not {less}"
    return f"{changed} {of} ({show(after)} instead of {show(before)})"


def run(args: argparse.Namespace) -> int:
    """One table, its total, and how many calls it is of; or with --all a table for each kind."""
    from ..notation.text import printable
    from ..recorded.prediction import every_algorithm

    if args.all and args.time != "model":
        raise UsageError("--all tells modelled times; it does not go with --time simulated")
    with reporter(args) as report:
        told = analyse(args)
        for line in about(args, told):
            report.caption(line)
        if args.all:
            every = every_algorithm(told.data, told.job, args.scaling, watched=True)
            show_every(report, told, every)
            report.table(plain(EVERY, ("bytes", "recorded_bytes", "global_bytes")), every)
            report.caption()
        else:
            report.caption(
                f"Of all calls: bytes between {told.unit}, times {told.how}. --all: every "
                "algorithm, and the least."
            )
            report.table(columns(told), lines(told))
        for line in (*error_bars(told), *verdict(told)):
            report.remark(printable(line))
    return 0
