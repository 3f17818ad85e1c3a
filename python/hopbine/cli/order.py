"""hopbine order: the order of ranks on a job's hosts that sends least between groups, as a file
for the launcher
"""

from __future__ import annotations

import argparse
import shlex
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..output.replaced import replaced
from ..output.tables import Column, Reporter, plain
from ._analysis import about_job, add_hosts, add_machine, machine_of, one_job, writable
from ._output import add_format, reporter

if TYPE_CHECKING:
    from ..jobs.job import Job
    from ..ordering.pattern import Pattern
    from ..ordering.search import Order

#: Keys of a row: an order, what it moves, whether it is the one that is written.
KEYS = ("order", "taken", "global_bytes", "node_bytes", "change_pct")


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    from ..ordering.files import LAUNCHERS

    parser.description = (
        "Which rank should run on which slot of a job's hosts, so that its calls, or its messages, "
        "move few bytes between groups, and then between nodes. Tries the given order, those that "
        "hopbine run --renumber takes, and, up to 1,024 ranks, exchanges of two ranks. For "
        "programs that cannot be preloaded, and for messages from rank to rank. The order that is "
        "written never moves more than the given one."
    )
    what = parser.add_argument_group("what the program sends, one of these")
    what.add_argument("collective", nargs="?", help="one call of it, as alltoall")
    what.add_argument(
        "--stats",
        metavar="FILE",
        help="the calls that hopbine run --stats recorded, each by the MPI library's classic "
        "algorithm; without --hosts on that job's nodes",
    )
    what.add_argument(
        "--messages", metavar="FILE", help="messages from rank to rank: CSV from,to,bytes"
    )
    parser.add_argument(
        "--algorithm", metavar="A", help="of the collective (default: the classic one for the size)"
    )
    parser.add_argument(
        "--size", default="1MiB", help="bytes of the call, as --sizes of hopbine traffic (1MiB)"
    )
    parser.add_argument("--root", type=int, default=0)
    add_machine(parser)
    add_hosts(parser)
    parser.add_argument(
        "--for",
        dest="launcher",
        choices=tuple(LAUNCHERS),
        default="openmpi",
        help="; ".join(f"{name}: {one.what}" for name, one in LAUNCHERS.items())
        + " (default %(default)s)",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="where the order is written")
    add_format(parser, "the orders")


def analyse(args: argparse.Namespace) -> tuple[Job, Pattern]:
    """The job in its given order, and what its ranks send. UsageError."""
    from ..notation.quantities import canonical
    from ..notation.units import parse_size
    from ..ordering import pattern
    from ..recorded.statistics import load

    given = [w for w in (args.collective, args.stats, args.messages) if w is not None]
    if len(given) != 1:
        raise UsageError(
            f"{len(given)} patterns: give one of a collective, --stats FILE and --messages FILE"
        )
    if args.stats is not None:
        data = load(args.stats)
        return _recorded_job(args, data), pattern.of_statistics(data)
    job = one_job(args)
    if args.messages is not None:
        return job, pattern.of_messages(args.messages, len(job.hosts))
    algorithm = canonical(args.algorithm) if args.algorithm else None
    return job, pattern.of_algorithm(
        args.collective, len(job.hosts), parse_size(args.size), algorithm, _root(args, job)
    )


def _root(args: argparse.Namespace, job: Job) -> int:
    from .. import _core

    if not 0 <= args.root < len(job.hosts):
        raise UsageError(f"--root {args.root} is not one of the {len(job.hosts)} ranks")
    return args.root if _core.rooted(args.collective) else 0


def _recorded_job(args: argparse.Namespace, data: dict[str, Any]) -> Job:
    """The job of --hosts, else that of the file."""
    from ..recorded.crossings import job_of

    job = one_job(args) if args.hosts else job_of(data, machine_of(args))
    if job is None:
        raise UsageError(f"{args.stats} does not name the nodes of its ranks: give --hosts")
    return job


def run(args: argparse.Namespace) -> int:
    """Prints the orders; writes the best."""
    from ..ordering.files import LAUNCHERS
    from ..ordering.search import orders, placed

    writable(args.output)
    with reporter(args) as report:
        job, sent = analyse(args)
        every = orders(sent, job)
        _tell(report, job, sent, every)
        if args.output:
            launcher = LAUNCHERS[args.launcher]
            with replaced(args.output) as made:
                made.write_text(launcher.write(placed(job, every[0].slots).hosts))
            report.remark(f"{launcher.what}: {args.output}")
            report.remark(_command(launcher.command, args.output, len(job.hosts)))
    return 0


def _command(form: str, path: str, ranks: int) -> str:
    """The command that takes the file."""
    return form.replace("RANKS", str(ranks)).replace("FILE", shlex.quote(path)) + " ./program"


def _tell(report: Reporter, job: Job, sent: Pattern, every: list[Order]) -> None:
    """The orders, the best first, and the verdict."""
    from ..jobs.counting import change
    from ..notation.units import show_bytes, show_pct
    from ..ordering.search import GIVEN

    given = next(one for one in every if one.name == GIVEN)
    rows = [
        {
            "order": one.name,
            "taken": one is every[0],
            "global_bytes": one.global_bytes,
            "node_bytes": one.node_bytes,
            "change_pct": change(one.global_bytes, given.global_bytes),
        }
        for one in every
    ]
    report.caption(about_job(job))
    if sent.left:
        report.remark(sent.left)
    columns = [
        Column(None, "order", lambda row: row["order"]),
        Column(None, "between groups", lambda row: show_bytes(row["global_bytes"]), right=True),
        Column(None, "change", lambda row: show_pct(row["change_pct"]), right=True),
        Column(None, "between nodes", lambda row: show_bytes(row["node_bytes"]), right=True),
    ]
    report.table(columns, rows)
    report.table(plain(KEYS, ("global_bytes", "node_bytes")), rows)
    report.caption()
    if every[0] is given:
        report.remark("No order moves less than the given one, which stays.")
    else:
        report.remark(
            f"The order '{every[0].name}' moves {show_bytes(every[0].global_bytes)} between "
            f"groups, the given one {show_bytes(given.global_bytes)}."
        )
