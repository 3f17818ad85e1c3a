"""hopbine selftest: whether this installation works here: its files, proofs of 20 algorithms, and a
served job on every MPI library that is found
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from ..notation.text import many, one_line
from ..output.progress import watched
from ..output.tables import Column, plain
from ._common import add_launchers
from ._output import add_format, reporter

KEYS = ("step", "what", "state", "told", "seconds")
COLUMNS = [
    *plain(KEYS),
    Column(None, "step", lambda row: row["step"]),
    Column(None, "", lambda row: row["state"]),
    Column(None, "of", lambda row: row["what"]),
    Column(None, "s", lambda row: f"{row['seconds']:.1f}", right=True),
    Column(None, "", lambda row: one_line(row["told"])),
]


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    parser.description = (
        "Takes at most 2 minutes, and needs no compiler. Jobs have 3 ranks on this node, call "
        "MPI_Allreduce by an algorithm of hopbine's and by the library's own, and verify every "
        "answer. Exit code 0: all is well and a library was served; 1: something is wrong."
    )
    add_launchers(parser)
    add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Prints a row for each step, and a verdict."""
    from ..selftest.libraries import found
    from ..selftest.steps import FAILED, OK, steps
    from .check import check_algorithm

    libraries = list(found(args.mpiexec))
    results = []

    def rows() -> Iterator[dict[str, Any]]:
        total = len(libraries) + 2
        for one in watched(steps(libraries, check_algorithm), total, "steps", lambda one: one.step):
            results.append(one)
            yield asdict(one)

    with reporter(args) as report:
        report.table(COLUMNS, rows())
        jobs = [one for one in results if one.step == "job"]
        served = [one for one in jobs if one.state == OK]
        failed = [one for one in results if one.state == FAILED]
        report.remark("\n" + _verdict(len(served), len(failed), len(libraries)))
    return 0 if served and not failed else 1


def _verdict(served: int, failed: int, libraries: int) -> str:
    if failed:
        return f"selftest: FAILED, {many(failed, 'step')}."
    if not libraries:
        return (
            "selftest: NOT DONE: no launcher of Open MPI or MPICH is on PATH; load the module of "
            "an MPI library, or give --mpiexec PATH."
        )
    if not served:
        return "selftest: NOT DONE: none of the MPI libraries found is that of this installation."
    return f"selftest: passed; jobs served on {many(served, 'MPI runtime')}."
