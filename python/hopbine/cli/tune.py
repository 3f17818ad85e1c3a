"""hopbine tune: measures which algorithm is fastest here for each size, and writes the rules
for it"""

import argparse
import os

from ..bench.launch import FAMILIES
from ..bench.sizes import ELEMENTS, parse_sizes
from ..errors import MissingFile, UsageError
from ..notation.units import parse_duration
from ..output.progress import tell
from ._output import add_format, reporter
from ._parser import count


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    parser.description = (
        "Measures the algorithms of collectives, with the values of their parameters, against the "
        "MPI library's own choice on the ranks it is given; drops what is "
        "slower with confidence; holds the winner of each size against the library on fresh "
        "samples; and writes a rules file for hopbine run --rules. "
        "The library keeps every size for which nothing is faster with confidence. See "
        "docs/tuning.md."
    )
    parser.add_argument("collectives", metavar="COLLECTIVE[,...]")
    _add_where(parser)
    _add_what(parser)
    _add_how(parser)
    _add_output(parser)


def _add_where(parser: argparse.ArgumentParser) -> None:
    """The ranks that it runs on."""
    where = parser.add_argument_group("where")
    where.add_argument("-n", "--ranks", type=count(1, 4096), help="local ranks (default 2)")
    where.add_argument(
        "--mpiexec", help="launcher of local ranks; its family (Open MPI or MPICH) is found out"
    )
    where.add_argument(
        "--launch",
        metavar="WORDS",
        help='your own launcher instead, with all it needs: "srun -N 16 --ntasks-per-node 8"',
    )
    where.add_argument(
        "--mpi",
        choices=FAMILIES,
        help="which MPI --launch starts, where its launcher does not tell; abi: the programs of "
        "the MPI-5 ABI",
    )
    where.add_argument(
        "--shape",
        metavar="AxB",
        help="the torus that the ranks are on; then the algorithms that follow it are candidates "
        "too",
    )


def _add_what(parser: argparse.ArgumentParser) -> None:
    """What is tuned."""
    what = parser.add_argument_group("what")
    what.add_argument(
        "--sizes",
        default="8:1MiB",
        help="bytes; a class reaches from the size before it to its own (default %(default)s)",
    )
    what.add_argument(
        "--algorithms",
        default="all",
        help="comma separated; with parameters as name:key=value just these "
        "(default: all that fit)",
    )
    what.add_argument("--root", type=int, default=0)
    what.add_argument("--type", choices=tuple(ELEMENTS), default="float32")


def _add_how(parser: argparse.ArgumentParser) -> None:
    """How long, and how sure."""
    how = parser.add_argument_group("how")
    how.add_argument(
        "--budget",
        default="3min",
        help="wall time for all: 90s, 3min, 1h (default %(default)s); what is not decided then "
        "stays with the library",
    )
    how.add_argument(
        "--prune",
        type=float,
        default=20,
        metavar="FACTOR",
        help="leave out what is modelled to take more than so many times as long as the best; 0: "
        "nothing (default %(default)s)",
    )
    how.add_argument(
        "--calibration",
        metavar="FILE",
        help="JSON with alpha, beta, gamma, overhead (s, s/byte, s/byte, s) for the model; "
        "default: a short measurement",
    )
    _add_statistics(how)
    how.add_argument("--seed", type=int, default=1, help="of the shuffling")
    how.add_argument(
        "--timeout",
        type=float,
        default=60,
        help="seconds without a word after which a launch is given up (default %(default)s)",
    )
    how.add_argument(
        "--state",
        metavar="FILE",
        help="what was measured, to go on from after an interrupt (default: beside the output, "
        ".state)",
    )
    how.add_argument("--fresh", action="store_true", help="forget the state and measure anew")


def _add_statistics(how: argparse._ActionsContainer) -> None:
    """What decides."""
    how.add_argument(
        "--confidence", type=float, default=0.95, help="of the intervals (default %(default)s)"
    )
    how.add_argument(
        "--tolerance",
        type=float,
        default=0.03,
        help="candidates that differ by less are alike (default %(default)s)",
    )
    how.add_argument(
        "--samples",
        type=int,
        default=60,
        help="fresh samples that decide between the winner and the library (default %(default)s)",
    )


def _add_output(parser: argparse.ArgumentParser) -> None:
    """What is written."""
    out = parser.add_argument_group("output")
    out.add_argument(
        "-o",
        "--output",
        default="tuned.json",
        help="rules file (default %(default)s); rules in it that are not of what was tuned stay",
    )
    out.add_argument(
        "--no-verify",
        action="store_true",
        help="do not hold the file against the library in a second launch",
    )
    out.add_argument(
        "--verify",
        metavar="RULES",
        help="only that: hold an existing rules file against the library",
    )
    add_format(out)


def checked(args: argparse.Namespace) -> None:
    """Everything that can be wrong before ranks are started. UsageError, MissingFile."""
    from .. import _core
    from ..selection import file
    from ._common import parse_shape

    args.collectives = list(dict.fromkeys(args.collectives.split(",")))
    for collective in args.collectives:
        _core.rooted(collective)
    args.sizes, args.budget, args.shape = (
        parse_sizes(args.sizes),
        parse_duration(args.budget),
        parse_shape(args.shape),
    )
    args.asked = None if args.algorithms == "all" else args.algorithms.split(",")
    if args.asked and len(args.collectives) > 1:
        raise UsageError("--algorithms goes with one collective")
    _check_statistics(args)
    if args.verify:
        file.read(args.verify)
        return
    if os.path.exists(args.output):
        file.read(args.output)
    args.state = args.state or f"{args.output}.state"
    for path in (args.output, args.state):
        folder = os.path.dirname(os.path.abspath(path))
        if not os.path.isdir(folder) or not os.access(folder, os.W_OK):
            raise MissingFile(f"{path}: its folder does not exist or cannot be written to")


def _check_statistics(args: argparse.Namespace) -> None:
    """UsageError for what decides nothing, or never ends."""
    from ..tuning.race import FEWEST_FRESH

    if not 0.5 <= args.confidence < 1:
        raise UsageError(f"--confidence {args.confidence:g} is not at least 0.5 and below 1")
    if args.samples < FEWEST_FRESH:
        raise UsageError(f"--samples {args.samples} needs at least {FEWEST_FRESH}")
    if args.prune and args.prune <= 1:
        raise UsageError(f"--prune {args.prune:g} must be above 1, or 0 for none")
    if args.tolerance < 0 or args.timeout <= 0:
        raise UsageError("--tolerance needs at least 0, --timeout more than 0")


def run(args: argparse.Namespace) -> int:
    """Tunes, or verifies. Errors become exit codes in the caller; an interrupt keeps the state."""
    from ..tuning.command import tune, verify_file
    from ..tuning.launching import launcher

    checked(args)
    started = launcher(args.launch, args.mpi, args.mpiexec, args.ranks)
    try:
        with reporter(args) as report:
            return (verify_file if args.verify else tune)(args, started, report)
    except KeyboardInterrupt:
        kept = (
            ""
            if args.verify
            else f"; what was measured is kept in {args.state}: the same command goes on from there"
        )
        tell(f"hopbine: interrupted{kept}")
        return 130
