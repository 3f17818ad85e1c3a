"""hopbine calibrate: measures what start-ups, bytes, additions and further messages cost, for
hopbine model
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ._parser import count, seconds

if TYPE_CHECKING:
    from ..model.fit import Fit
    from ..model.parameters import Parameters


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    parser.description = (
        "Times messages between two local ranks, additions, and one rank's messages to several at "
        "once; fits alpha (s per message), beta (s per byte), "
        "gamma (s per byte reduced) and overhead (s per further message in flight) by least "
        "squares on relative errors; prints how well they fit and "
        "writes all of it to a file for hopbine model."
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", required=True, help="calibration file (JSON)"
    )
    parser.add_argument(
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


def run(args: argparse.Namespace) -> int:
    """Measures, fits, prints, writes."""
    from ..bench.sizes import parse_sizes
    from ..model.calibrate import measure
    from ..model.parameters import save
    from ._analysis import writable

    writable(args.output)
    sizes = parse_sizes(args.sizes)
    found = measure(args.mpiexec, args.ranks, sizes, args.repetitions, args.timeout)
    save(args.output, found.parameters, found.evidence())
    for fit in found.fits:
        show(fit)
    print(describe(found.parameters))
    for warning in found.warnings():
        print(f"poor fit: {warning}")
    print(f"calibration: {args.output}")
    return 0


def describe(parameters: Parameters, reduces: bool = True) -> str:
    """'alpha 1.5 us, beta 0.17 ns/B, gamma 0.05 ns/B, overhead 0.6 us (source)'.

    Gamma only where something is reduced.
    """
    from ..simulation.units import show_per_byte, show_time

    gamma = f"gamma {show_per_byte(parameters.gamma)}, " if reduces else ""
    return (
        f"alpha {show_time(parameters.alpha)}, beta {show_per_byte(parameters.beta)}, {gamma}"
        f"overhead {show_time(parameters.overhead)} ({parameters.source})"
    )


def show(fit: Fit) -> None:
    """The points of a fit, measured and fitted."""
    from ..bench.sizes import show_size
    from ..simulation.units import show_time
    from ._common import print_table

    told = "-" if fit.r2 is None else f"{fit.r2:.3f}"
    print(f"{fit.what}: {fit.formula}; R2 of relative errors {told}")
    print_table(
        ["messages", "size", "samples", "measured", "quartiles", "fitted", "fitted/measured"],
        [
            [
                p.messages,
                show_size(p.bytes),
                p.samples,
                show_time(p.seconds),
                f"{show_time(p.low)}..{show_time(p.high)}",
                show_time(t),
                f"{ratio:.2f}",
            ]
            for p, t, ratio in zip(fit.points, fit.fitted, fit.ratios, strict=True)
        ],
        right=set(range(7)),
    )
    print()
