"""hopbine model: time of the generalised algorithms against their radix, by equation and counted,
and beside measured and simulated
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..notation.units import show_rate, show_size, show_time
from ..output.tables import Column, Reporter, Row, plain
from ._output import add_format, reporter
from ._parser import count, seconds

if TYPE_CHECKING:
    from ..model.parameters import Parameters
    from ..model.table import Entry
    from ..simulation.setup import Setup


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    from ..model.table import KERNELS

    parser.description = (
        "Predicts the time of a collective for every radix k and size: by the equation of Wilkins "
        "et al. (CLUSTER'23) and counted step by step from the schedule that "
        "runs over MPI. Tells the best k of each size. Parameters are given, or those of hopbine "
        "calibrate. Times can be held against measured ones on "
        "local ranks and against a simulated network."
    )
    parser.add_argument("collective")
    parser.add_argument(
        "--kernel", default="knomial", help=f"one of {', '.join(KERNELS)} (default %(default)s)"
    )
    parser.add_argument("-n", "--ranks", type=count(), required=True, help="number of ranks")
    parser.add_argument(
        "--k",
        metavar="K",
        help="radices: 4, 2:32 (doubling), 2..8 (every one); commas join (default: doubling up to "
        "the number of ranks)",
    )
    parser.add_argument(
        "--sizes",
        default="8:1MiB:16",
        help="bytes of the vector: 8:1MiB doubles, 8:1MiB:16 takes every sixteenth (default "
        "%(default)s)",
    )
    _add_parameters(parser)
    _add_measured(parser)
    _add_simulated(parser)
    parser.add_argument(
        "--plot",
        metavar="FILE",
        help="time against k, a line per size, a panel per source (svg, png, pdf)",
    )
    add_format(parser)


def _add_parameters(parser: argparse.ArgumentParser) -> None:
    """What start-ups, bytes, additions and further messages cost."""
    parser.add_argument(
        "--calibration", metavar="FILE", help="parameters that hopbine calibrate has written"
    )
    parser.add_argument("--alpha", metavar="T", help="a start-up: 2us")
    parser.add_argument("--beta", metavar="B", help="a byte: 0.08ns/B, or the rate 12.5GB/s")
    parser.add_argument(
        "--gamma", metavar="G", help="a byte of a reduction: 0.05ns/B, or the rate 20GB/s"
    )
    parser.add_argument(
        "--overhead",
        metavar="T",
        help="each further message of a rank in flight: 200ns (default 0s, the paper's perfect "
        "overlapping); counted only",
    )


def _add_measured(parser: argparse.ArgumentParser) -> None:
    """The options of --measure."""
    parser.add_argument(
        "--measure",
        action="store_true",
        help="also time them on as many local ranks, as hopbine bench does",
    )
    parser.add_argument(
        "--repetitions", type=count(2), default=20, help="with --measure (default %(default)s)"
    )
    parser.add_argument(
        "--mpiexec", help="with --measure: launcher; its family (Open MPI or MPICH) is found out"
    )
    parser.add_argument(
        "--timeout", type=seconds, default=600, help="with --measure: seconds for the run"
    )


def _add_simulated(parser: argparse.ArgumentParser) -> None:
    """The options of --simulate."""
    parser.add_argument(
        "--simulate",
        metavar="TOPOLOGY",
        help="also simulate them on a network, one rank per node: see hopbine simulate --help",
    )
    parser.add_argument(
        "--bandwidth",
        metavar="B",
        help="with --simulate: of a link, each way (default: that of beta)",
    )
    parser.add_argument(
        "--latency",
        default="100ns",
        metavar="T",
        help="with --simulate: of a cable (default %(default)s)",
    )
    parser.add_argument(
        "--processing",
        default="300ns",
        metavar="T",
        help="with --simulate: what a router takes (default %(default)s)",
    )


def parameters_of(args: argparse.Namespace, reduces: bool) -> Parameters:
    """The parameters given or calibrated. UsageError when they are neither or both."""
    from ..model.parameters import Parameters, load
    from ..notation.units import parse_per_byte, parse_time

    given = [
        f"--{name}"
        for name in ("alpha", "beta", "gamma", "overhead")
        if getattr(args, name) is not None
    ]
    if args.calibration:
        if given:
            raise UsageError(f"--calibration and {', '.join(given)} both give parameters; take one")
        return load(args.calibration)
    missing = [
        f"--{name}"
        for name in ("alpha", "beta", *(["gamma"] if reduces else []))
        if getattr(args, name) is None
    ]
    if missing:
        raise UsageError(
            f"{args.collective} needs {', '.join(missing)} (or --calibration FILE, which hopbine "
            "calibrate writes)"
        )
    return Parameters(
        parse_time(args.alpha, "--alpha"),
        parse_per_byte(args.beta, "--beta"),
        parse_per_byte(args.gamma or "0s/B", "--gamma"),
        parse_time(args.overhead or "0s", "--overhead"),
    )


def radices(args: argparse.Namespace, entry: Entry) -> list[int]:
    """--k, or all that doubling reaches; checked against the registry. UsageError."""
    from ..model.predict import parse_radices
    from ..model.table import check_radix, lowest_radix

    low = lowest_radix(entry)
    ks = parse_radices(
        args.k or (f"{low}:{args.ranks},{args.ranks}" if args.ranks > low else str(low))
    )
    check_radix(entry, ks)
    return ks


def setup_of(args: argparse.Namespace, parameters: Parameters) -> Setup:
    """The network of --simulate. UsageError."""
    from .. import _core
    from ..notation.units import parse_bandwidth, parse_time
    from ..simulation import Setup
    from ..simulation.setup import place

    if args.bandwidth is None and parameters.beta == 0:
        raise UsageError("--simulate needs --bandwidth where beta is 0")
    nodes = _core.topology_nodes(args.simulate)
    if args.ranks > nodes:
        raise UsageError(
            f"--simulate {args.simulate} has {nodes} nodes, fewer than --ranks {args.ranks}"
        )
    bandwidth = (
        1 / parameters.beta
        if args.bandwidth is None
        else parse_bandwidth(args.bandwidth, "--bandwidth")
    )
    return Setup(
        args.simulate,
        place(None, args.simulate, args.ranks),
        bandwidth,
        parse_time(args.latency, "--latency"),
        parse_time(args.processing, "--processing"),
    )


def run(args: argparse.Namespace) -> int:
    """Predicts, measures, simulates; prints the table and writes what was asked for."""
    from ..bench.sizes import parse_sizes
    from ..model.predict import SOURCES, Runs, add_measured, add_simulated, measure, predict
    from ..model.table import entry as entry_of
    from ._analysis import PICTURES, writable
    from .calibrate import describe

    writable(args.plot, endings=PICTURES)
    if args.ranks < 2:
        raise UsageError(f"--ranks {args.ranks}: needs at least 2")
    entry = entry_of(args.collective, args.kernel)
    ks, sizes = radices(args, entry), parse_sizes(args.sizes)
    reduces = entry.printed(2).gamma > 0
    parameters = parameters_of(args, reduces)
    setup = setup_of(args, parameters) if args.simulate else None
    with reporter(args) as report:
        runs = Runs(args.mpiexec, args.repetitions, args.timeout)
        measured = measure(entry, args.ranks, ks, sizes, runs) if args.measure else None
        if measured:
            sizes = sorted({size for _, size in measured})
        rows = predict(parameters, entry, args.ranks, ks, sizes)
        if measured:
            add_measured(rows, measured)
        if setup:
            add_simulated(rows, entry, setup)
        sources = {
            s: told.format(entry.kernel.equation) for s, told in SOURCES.items() if s in rows[0]
        }
        report.table(plain(rows[0]), rows)
        report.caption(
            f"{args.collective} {args.kernel}, {args.ranks} ranks; {describe(parameters, reduces)}"
        )
        if setup:
            report.caption(
                f"simulated: {setup.topology}, {show_rate(setup.bandwidth)} a link, "
                f"{show_time(setup.cable)} a cable, {show_time(setup.router)} a router, "
                "no start-ups, adding takes no time"
            )
        show(report, rows, sources)
        if args.plot:
            picture(args, rows, sources)
            report.remark(f"plot: {args.plot}")
    return 0


def show(report: Reporter, rows: list[dict[str, Any]], sources: dict[str, str]) -> None:
    """The tables for people: times by size and k, and the best k of each size."""
    from ..model.predict import best

    bests = {s: best(rows, s) for s in sources}

    def time(source: str) -> Column:
        """Seconds by one of SOURCES, the best of each size marked."""

        def cell(row: Row) -> str:
            is_best = bests[source][row["bytes"]] is row
            return show_time(row[source]) + (" *" if is_best else "  ")

        return Column(None, f"{sources[source]}  ", cell, right=True)

    def best_of(source: str) -> Column:
        def radix(row: Row) -> object:
            return bests[source][row["bytes"]]["k"]

        return Column(None, sources[source], radix, right=True)

    def taken(row: Row) -> str:
        """What it costs to believe the count."""
        believed, fastest = bests["counted"][row["bytes"]], bests["measured"][row["bytes"]]
        return f"{100 * (believed['measured'] / fastest['measured'] - 1):+.0f} %"

    size = Column(None, "size", lambda row: show_size(row["bytes"]), right=True)
    radix = Column(None, "k", lambda row: row["k"], right=True)
    measured = "measured" in sources
    spread = [Column(None, "quartiles", _spread, right=True)] if measured else []
    report.table([size, radix, *map(time, sources), *spread], rows)
    report.caption("*: the best of the size. Best k:")
    over = [Column(None, "measured with counted's k, over the best", taken, right=True)]
    report.table(
        [size, *map(best_of, sources), *(over if measured else [])],
        [{"bytes": size} for size in bests["equation"]],
    )


def _spread(row: Row) -> str:
    return f"{show_time(row['measured_low'])}..{show_time(row['measured_high'])}"


def picture(args: argparse.Namespace, rows: list[dict[str, Any]], sources: dict[str, str]) -> None:
    """--plot."""
    from ..plots.files import save
    from ..plots.model import curves

    save(curves(rows, sources, f"{args.collective} {args.kernel}, {args.ranks} ranks"), args.plot)
