"""hopbine emulate: runs jobs on an emulated cluster on this machine, with scarce links between
groups of hosts, and tells what went over them
"""

from __future__ import annotations

import argparse
import os

from ..errors import UsageError
from ._parser import count


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    parser.usage = "hopbine emulate [options] -- LAUNCHER ... PROGRAM [arguments]"
    parser.description = (
        "Hosts are network namespaces of this machine, links have the rate and the taper that are "
        "asked for. The launcher's ranks are placed on them without further options, and `hopbine "
        "run` knows the groups. Works as root, and as a user where the kernel has user "
        "namespaces; --check tells. Nothing is left of it afterwards. Standard output and the "
        "exit code are the job's own; the table of links goes to standard error."
    )
    _add_network(parser.add_argument_group("network"))
    _add_jobs(parser.add_argument_group("jobs"))
    parser.add_argument(
        "program",
        nargs=argparse.REMAINDER,
        type=str,
        metavar="LAUNCHER ... PROGRAM",
        help="the job's whole command",
    )


def _add_network(network: argparse._ActionsContainer) -> None:
    network.add_argument(
        "--groups", metavar="N,N,...", help="hosts of each group, as in 5,6,5; rank i is on host i"
    )
    network.add_argument("--topology", metavar="torus:AxB", help="hosts that forward: torus:4x4")
    network.add_argument(
        "--machine", metavar="M", help="groups, taper and rate of a described machine"
    )
    network.add_argument("--hosts", metavar="H", help="with --machine: its hosts, fragmented:16")
    network.add_argument(
        "--input-format",
        metavar="F",
        help="format of the file of --hosts (default: told from the text)",
    )
    network.add_argument("--scale", metavar="X", help="with --machine: its rate times this, 1/1000")
    network.add_argument(
        "--rate", metavar="R", help="of a host's link, or of each of a torus (default 100Mbit)"
    )
    network.add_argument(
        "--taper",
        type=float,
        metavar="T",
        help="what the hosts of the largest group can send over what its link carries (default "
        "the machine's, else 4)",
    )
    network.add_argument(
        "--delay",
        metavar="T[,T]",
        help="one-way latency in a group and between groups (0.2ms,1ms), or of a hop of a torus; "
        "needs iptables or nft",
    )


def _add_jobs(jobs: argparse._ActionsContainer) -> None:
    jobs.add_argument(
        "--ranks-per-host",
        type=count(1, 64),
        default=1,
        metavar="N",
        help="ranks that a launcher places on a host (default 1)",
    )
    jobs.add_argument(
        "--jobs",
        nargs="+",
        metavar="'HOSTS: COMMAND'",
        help="several jobs at once, each on hosts of its own: '0-3,8-11: mpiexec -n 8 ./a'; the "
        "exit code is that of the first that fails",
    )
    jobs.add_argument("--csv", metavar="FILE", help="the table of links")
    jobs.add_argument("--json", metavar="FILE", help="the same, with times and processors")
    jobs.add_argument(
        "--check", action="store_true", help="tell what this machine allows, and what is missing"
    )


def run(args: argparse.Namespace) -> int:
    """The job's exit code; 2 where nothing was started."""
    from .. import _core
    from ..emulate import check, jobs
    from ..emulate.cluster import How, emulate
    from ..emulate.spec import plan_of
    from ._analysis import writable

    words = args.program[1:] if args.program[:1] == ["--"] else args.program
    if args.check:
        return check.run()
    if _core.rank_in_job(os.environ)[1] > 1:
        raise UsageError("this is a rank of a job already: hopbine emulate starts the launcher")
    plan = plan_of(args)
    if args.jobs and words:
        raise UsageError("--jobs has the commands of all jobs: nothing may follow --")
    asked = jobs.parse(args.jobs, plan.hosts) if args.jobs else []
    asked = asked or [jobs.Asked(tuple(words), tuple(range(plan.hosts)))]
    for job in asked:
        jobs.check(job, os.environ)
    writable(args.csv, args.json)
    check.tools(plan.delayed)
    try:
        return emulate(plan, asked, How(args.ranks_per_host, args.csv, args.json))
    except OSError as error:
        raise UsageError(check.refusal(error)) from None
