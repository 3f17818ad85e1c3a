"""hopbine calibrate: measures what start-ups, bytes, additions and further messages cost, for
hopbine model
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ..bench.sizes import parse_sizes
from ..notation.units import show_per_byte, show_size, show_time
from ..output.tables import Column, Reporter, plain
from ._output import add_format, reporter
from ._parser import count, seconds

if TYPE_CHECKING:
    from ..model.fit import Fit
    from ..model.parameters import Parameters


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    parser.description = (
        "Times messages between two local ranks, additions, and one rank's messages to several at "
        "once; fits alpha (s per message), beta (s per byte), gamma (s per byte reduced) and "
        "overhead (s per further message in flight) by least squares on relative errors; times "
        "what messages cost the processors of two ranks (sending, receiving late, packing) and "
        "finds the eager limit; prints how well all fit, and lines for a machine's description "
        "(docs/machines.md), and writes all of it to a file for hopbine model."
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", required=True, help="calibration file (JSON)"
    )
    parser.add_argument(
        "-n",
        "--ranks",
        type=count(1, 4096),
        default=4,
        help="local ranks; up to one less messages at once, so at least 3 (default %(default)s)",
    )
    parser.add_argument(
        "--sizes",
        default="8:4MiB:4",
        help="bytes: 8:1MiB doubles, 8:1MiB:4 takes every fourth; commas join "
        "(default %(default)s)",
    )
    parser.add_argument(
        "--repetitions",
        type=count(1),
        default=20,
        help="of every point, at least 2 (default %(default)s)",
    )
    parser.add_argument("--mpiexec", help="launcher; its family (Open MPI or MPICH) is found out")
    parser.add_argument("--timeout", type=seconds, default=600, help="seconds for the run")
    add_format(parser, "the points")


def run(args: argparse.Namespace) -> int:
    """Measures, fits, prints, writes."""
    from ..model.calibrate import measure
    from ..model.costs import NOT_MEASURED, message_lines
    from ..model.parameters import save, toml_lines
    from ._analysis import writable

    writable(args.output)
    sizes = parse_sizes(args.sizes)
    found = measure(args.mpiexec, args.ranks, sizes, args.repetitions, args.timeout)
    save(args.output, found.parameters, found.evidence())
    with reporter(args) as report:
        for fit in found.fits:
            show(report, fit)
        report.remark(describe(found.parameters))
        for warning in found.warnings():
            report.remark(f"poor fit: {warning}")
        report.remark(f"calibration: {args.output}")
        report.remark("for the machine's description, where the ranks share a node:")
        for row in toml_lines(found.parameters):
            report.remark(row)
        if found.costs:
            for row in (*message_lines(found.costs), *NOT_MEASURED):
                report.remark(row)
    return 0


def describe(parameters: Parameters, reduces: bool = True) -> str:
    """'alpha 1.5 us, beta 0.17 ns/B, gamma 0.05 ns/B, overhead 0.6 us (source)'.

    Gamma only where something is reduced.
    """
    gamma = f"gamma {show_per_byte(parameters.gamma)}, " if reduces else ""
    return (
        f"alpha {show_time(parameters.alpha)}, beta {show_per_byte(parameters.beta)}, {gamma}"
        f"overhead {show_time(parameters.overhead)} ({parameters.source})"
    )


#: Columns of the points of a fit.
COLUMNS = [
    Column("what"),
    Column("messages", "messages", right=True),
    Column("bytes", "size", show_size, right=True),
    Column("samples", "samples", right=True),
    Column("seconds", "measured", show_time, right=True),
    *plain(("low_quartile_seconds", "high_quartile_seconds")),
    Column(
        None,
        "quartiles",
        lambda row: (
            f"{show_time(row['low_quartile_seconds'])}..{show_time(row['high_quartile_seconds'])}"
        ),
        right=True,
    ),
    Column("fitted_seconds", "fitted", show_time, right=True),
    Column("ratio", "fitted/measured", "{:.2f}".format, right=True),
]


def show(report: Reporter, fit: Fit) -> None:
    """The points of a fit, measured and fitted."""
    told = "-" if fit.r2 is None else f"{fit.r2:.3f}"
    report.caption(f"{fit.what}: {fit.formula}; R2 of relative errors {told}")
    rows = [
        {
            "what": fit.what,
            "messages": p.messages,
            "bytes": p.bytes,
            "samples": p.samples,
            "seconds": p.seconds,
            "low_quartile_seconds": p.low,
            "high_quartile_seconds": p.high,
            "fitted_seconds": t,
            "ratio": ratio,
        }
        for p, t, ratio in zip(fit.points, fit.fitted, fit.ratios, strict=True)
    ]
    report.table(COLUMNS, rows)
    report.caption()
