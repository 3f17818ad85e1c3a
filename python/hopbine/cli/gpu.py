"""hopbine gpu: what MPI libraries do with GPU memory, for --gpu auto"""

from __future__ import annotations

import argparse

from ..notation.text import one_line
from ..output.tables import Column
from ._common import add_launchers
from ._output import add_format, reporter
from ._parser import seconds

COLUMNS = [
    Column("library", "library"),
    Column("takes", "GPU memory"),
    Column("failure", "what failed"),
    Column("file", "recorded in"),
]
#: What the answers of the record mean.
TAKES = {"nothing": "not taken", "messages": "in messages", "all": "in messages and collectives"}


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb below."""
    parser.description = "Collectives on GPU memory: docs/device-memory.md."
    verbs = parser.add_subparsers(dest="what", required=True, metavar="WHAT")
    one = verbs.add_parser(
        "probe",
        help="tries in jobs of two processes whether MPI libraries take GPU memory, and records it "
        "for --gpu auto",
        description="Sends GPU memory between two processes, then makes the library's own "
        "collectives on it, in jobs that may crash. What came through is recorded in the user's "
        "cache folder, by the library's version, the settings of its transports and the libraries "
        "that carry them: run it as your jobs run, on a node that has a GPU. Exit code 1: a job "
        "did not start.",
    )
    add_launchers(one)
    one.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="WORD",
        help="a word for the launcher, such as --option=--map-by --option=node; may be repeated",
    )
    one.add_argument(
        "--timeout", type=seconds, default=60, help="seconds of a job (default %(default)s)"
    )
    add_format(one)


def run(args: argparse.Namespace) -> int:
    """Prints a row for each library."""
    from ..bench.launch import MissingMpi
    from ..selftest.gpu import probe
    from ..selftest.libraries import found

    libraries = list(found(args.mpiexec))
    if not libraries:
        raise MissingMpi("no launcher of Open MPI or MPICH is on PATH: give --mpiexec PATH")
    with reporter(args) as report:
        rows = []
        for one in libraries:
            row = {"library": one.name, "takes": "not tried", "failure": "", "file": ""}
            try:
                probed = probe(one, args.option, args.timeout)
                row["takes"], row["file"] = TAKES[probed.answer], str(probed.file)
                row["failure"] = probed.failure
            except MissingMpi as error:  # of this library alone
                row["failure"] = one_line(str(error))
            rows.append(row)
        report.table(COLUMNS, rows)
    return 0
