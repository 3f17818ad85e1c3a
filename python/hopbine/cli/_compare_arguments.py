"""Arguments of hopbine compare besides the options of hopbine run."""

import argparse

from ._output import add_format
from ._parser import count, seconds

#: The report's name where none is given.
REPORT = "compare.json"


def add_how(parser: argparse.ArgumentParser) -> None:
    """How many jobs, and how they begin."""
    how = parser.add_argument_group("how")
    how.add_argument(
        "--pairs",
        type=count(1, 10000),
        default=9,
        metavar="N",
        help="turns of three jobs (default %(default)s); an interval of 95 %% needs 6",
    )
    how.add_argument(
        "--warm-up",
        type=count(0, 10000),
        default=1,
        metavar="K",
        help="jobs of both kinds before, which are not counted (default %(default)s); the last "
        "one writes hopbine's statistics into the report",
    )
    how.add_argument(
        "--fresh",
        action="store_true",
        help="each job with hopbine begins with nothing learned; default: as such jobs do by "
        "themselves, with what earlier ones have learned where hopbine keeps it",
    )
    how.add_argument(
        "--timeout", type=seconds, metavar="S", help="seconds of one job (default: no limit)"
    )
    how.add_argument(
        "--prepare",
        metavar="COMMAND",
        help="a shell's command before every job, whose time does not count",
    )
    how.add_argument(
        "--input", metavar="FILE", help="what every job reads as standard input (default: nothing)"
    )
    how.add_argument(
        "--mark",
        default="{}",
        metavar="WORD",
        help="the word that stands for `hopbine run` (default {})",
    )
    how.add_argument(
        "--unseen",
        action="store_true",
        help="go on where hopbine's line at the end is not seen in the job with it",
    )
    how.add_argument("--seed", type=int, default=1, help="of the order (default %(default)s)")


def add_figures(parser: argparse.ArgumentParser) -> None:
    """What is compared besides the time of the whole job."""
    what = parser.add_argument_group("figures")
    what.add_argument(
        "--figure",
        action="append",
        default=[],
        metavar="REGEX",
        help="also compare a time that the program prints: an expression with one group around "
        "the number, e.g. 'Loop time of ([0-9.]+)'; the last match counts, less is better, and "
        "(?P<NAME>...) names it; may be repeated",
    )
    what.add_argument(
        "--rate",
        action="append",
        default=[],
        metavar="REGEX",
        help="the same where more is better; ratios are inverted",
    )
    what.add_argument(
        "--confidence",
        type=float,
        default=0.95,
        help="of the intervals (default %(default)s)",
    )


def add_output(parser: argparse.ArgumentParser) -> None:
    """What is written."""
    out = parser.add_argument_group("output")
    out.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="the report: settings, machine, every job and the verdict as JSON (default "
        f"{REPORT}, or the first free one of compare-2.json and so on)",
    )
    out.add_argument(
        "--keep",
        metavar="FOLDER",
        help="keep what the jobs print in files of this folder, new or empty (default: discarded)",
    )
    add_format(out)
