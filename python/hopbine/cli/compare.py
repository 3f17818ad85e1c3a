"""hopbine compare: runs your own job with and without hopbine in turns, and tells which is faster,
with the noise beside it"""

from __future__ import annotations

import argparse
import os
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..output.progress import tell
from ._compare_arguments import REPORT, add_figures, add_how, add_output
from ._output import reporter
from .run import add_options, library_folder, place

if TYPE_CHECKING:
    from ..comparison.session import Plan

#: Options of hopbine run that this verb does not take: hopbine's line is how it is seen.
SPEAKING = ("--summary", "--quiet")


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    parser.usage = (
        "hopbine compare [options] [options of hopbine run] -- LAUNCHER ... PROGRAM [arguments]"
    )
    parser.description = (
        "Runs a job in turns of three: as it is (stock), with hopbine, and as it is again, in "
        "another order each time. Prints the median ratio of pairs, hopbine to stock, with its "
        "interval, and beside it the same of equal jobs, stock again to stock, which is noise. "
        "Below 1: hopbine is faster. Faster or slower is said where the whole interval is beyond "
        "1 by more than the median of equal jobs is. All words after -- are the job. With hopbine "
        "it is the same command after `hopbine run`, whose settings all ranks inherit; or where "
        "the command has the word {}, that stands for `hopbine run`: mpiexec -n 4 {} ./program."
    )
    add_how(parser)
    add_figures(parser)
    add_output(parser)
    group = parser.add_argument_group("options of hopbine run, for the jobs with hopbine")
    add_options(group, SPEAKING)
    parser.add_argument(
        "program",
        nargs=argparse.REMAINDER,
        type=str,
        metavar="LAUNCHER ... PROGRAM",
        help="the job's whole command, as it is run without hopbine",
    )


def checked(args: argparse.Namespace) -> Plan:
    """What is to be done; all that can be wrong before a job is started. UsageError, OSError."""
    from .. import _core
    from ..comparison import commands
    from ..comparison.figures import figures
    from ..comparison.session import Plan

    words = args.program[1:] if args.program[:1] == ["--"] else args.program
    commands.check(words, args.mark)
    if _core.rank_in_job(os.environ)[1] > 1:
        raise UsageError("this is a rank of a job already: hopbine compare starts the launcher")
    if not 0.5 <= args.confidence < 1:
        raise UsageError(f"--confidence {args.confidence:g} is not at least 0.5 and below 1")
    _check_fresh(args)
    if args.input:
        with open(args.input, "rb"):
            pass
    own = [*commands.hopbine_words(), "run", *run_words(args), "--summary=always"]
    return Plan(
        commands.Commands(words, own, args.mark),
        figures(args.figure, args.rate),
        pairs=args.pairs,
        warm_up=args.warm_up,
        seed=args.seed,
        confidence=args.confidence,
        limit=args.timeout,
        fresh=args.fresh,
        statistics=args.stats is None,
        unseen=args.unseen,
        given=args.input or os.devnull,
        prepare=args.prepare,
    )


def _check_fresh(args: argparse.Namespace) -> None:
    """UsageError where --fresh has nothing to begin with."""
    if not args.fresh:
        return
    if args.learn:
        raise UsageError("--fresh and --learn: each job would begin with nothing and with a file")
    choice = "count" if args.reproducible else args.choice or os.environ.get("HOPBINE_CHOICE")
    if choice not in (None, "", "measure"):
        raise UsageError("--fresh needs --choice measure: otherwise nothing is learned")


def run_words(args: argparse.Namespace) -> list[str]:
    """The options of hopbine run that were given, as words."""
    from .. import _core

    out = []
    for option in _core.run_options():
        value = getattr(args, option["name"].removeprefix("--").replace("-", "_"), None)
        if value is True:
            out.append(option["name"])
        elif value:
            out.append(f"{option['name']}={value}")
    return out


def accepted(plan: Plan, words: list[str]) -> bool:
    """Whether `hopbine run` takes its options, and finds the command; prints what it says."""
    from .. import _core

    launch = _core.prepare_run(
        [os.fsencode(word) for word in (*words, *plan.commands.stock())],
        os.fsencode(library_folder()),
        place,
    )
    for line in launch.messages:
        tell(line)
    return not launch.refused


@contextmanager
def files(args: argparse.Namespace, report: Path) -> Iterator[Path]:
    """The folder of what jobs print and learn: --keep, else one that does not stay.

    That is beside the report, where all nodes of a job are more likely to find it than in /tmp.
    """
    if args.keep is None:
        with tempfile.TemporaryDirectory(dir=report.parent, prefix=".hopbine-compare-") as made:
            yield Path(made).resolve()
        return
    folder = Path(args.keep).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise UsageError(f"--keep {args.keep}: is not empty")
    yield folder


def _stop(*_: object) -> None:
    """A batch system's signal that the time is up is taken as Ctrl-C."""
    raise KeyboardInterrupt


def run(args: argparse.Namespace) -> int:
    """Takes turns, reports. Errors become exit codes in the caller; an interrupt keeps turns."""
    from ..comparison.command import compare
    from ..comparison.report import Report, free_name
    from ..comparison.session import Session
    from ..notation.text import check_writable

    plan = checked(args)
    path = Path(args.output) if args.output else free_name(Path(REPORT))
    check_writable(path)
    if not accepted(plan, run_words(args)):
        return 2
    before = signal.signal(signal.SIGTERM, _stop)
    try:
        with reporter(args) as out, files(args, path.resolve()) as folder:
            session = Session(plan, folder, bool(args.keep))
            return compare(session, Report(path, session, dict(os.environ)), out)
    finally:
        signal.signal(signal.SIGTERM, before)
