"""What `hopbine compare` does, in order, and what it prints."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import asdict, fields
from typing import Any

from ..errors import JobError
from ..notation.text import many, one_line, short
from ..output.progress import stopped, watched
from ..output.tables import Column, Reporter, plain
from .commands import HOPBINE
from .figures import JOB
from .report import FAILED, FINISHED, INTERRUPTED, RUNNING, Report, collective_seconds, results
from .session import Session
from .verdict import Result, sentence


def compare(session: Session, report: Report, out: Reporter) -> int:
    """All jobs, then the table, the verdict and the report.

    JobError where a job fails; what was measured before is in the report.
    """
    plan = session.plan
    try:
        for job in watched(session.take(), plan.jobs, "jobs", lambda j: j.name, keep=True):
            if (job.number - 2 * plan.warm_up) % 3 == 0:  # the end of a turn
                report.write(RUNNING)
    except JobError as error:
        report.write(FAILED, str(error))
        raise JobError(f"{error}\nthe jobs before are in {report.path}") from None
    report.write(INTERRUPTED if stopped else FINISHED)
    _show(session, results(session), out)
    out.remark(f"report: {report.path}; it has the command, the host and settings of MPI")
    return 0


def _seconds(value: float, figure: str) -> str:
    """Four digits, with a unit where it is known."""
    return f"{value:.4g} s" if figure == JOB else f"{value:.4g}"


def _held(*keys: str) -> Callable[[dict[str, Any]], str]:
    """A ratio with its interval."""
    return lambda row: "{:.3f} ({:.3f}..{:.3f})".format(*(row[key] for key in keys))


def _columns(confidence: float) -> list[Column]:
    """The table's columns; programs get all fields of a Result."""
    held = f"({100 * confidence:g} %)"
    return [
        *plain(f.name for f in fields(Result)),
        Column(None, "what", lambda row: row["figure"]),
        Column(None, "stock", lambda row: _seconds(row["stock"], row["figure"]), right=True),
        Column(None, "hopbine", lambda row: _seconds(row["hopbine"], row["figure"]), right=True),
        Column(None, f"hopbine/stock {held}", _held("ratio", "low", "high")),
        Column(None, "best/best", lambda row: f"{row['best']:.3f}", right=True),
        Column(None, f"stock/stock {held}", _held("again", "again_low", "again_high")),
        Column(None, "best/best", lambda row: f"{row['again_best']:.3f}", right=True),
    ]


def _show(session: Session, found: Sequence[Result], out: Reporter) -> None:
    """The table and the verdict, for people with what has to be known of them."""
    plan = session.plan
    if not found:
        out.remark("no turn is complete: nothing can be compared")
        return
    out.caption(_title(session, found[0].pairs))
    out.table(_columns(plan.confidence), [asdict(one) for one in found])
    out.caption()
    for one in found:
        out.remark(sentence(one, plan.confidence))
    for line in _remarks(session):
        out.remark(line)


def _title(session: Session, turns: int) -> str:
    """What was compared."""
    told, command = session.statistics, one_line(shlex.join(session.plan.commands.stock()))
    job = f"{told['mpi']}, {many(told['ranks'], 'rank')}" if told else ""
    fresh = "nothing learned before a job" if session.plan.fresh else ""
    parts = (command, job, f"{many(turns, 'turn')} of 3 jobs", fresh)
    return one_line("; ".join(filter(None, parts)))


def _remarks(session: Session) -> list[str]:
    """What else the jobs told."""
    out = []
    if told := session.statistics:
        spent = collective_seconds(told)
        calls = sum(row["calls"] for row in told["rows"])
        out.append(
            f"collectives: {calls:,} calls; blocking ones took {spent:.3g} s of their slowest "
            "ranks, waiting for others included, in a job with hopbine that does not count"
        )
    last = [job for job in session.jobs if job.kind == HOPBINE][-1]
    out += [f"hopbine in its last job: {line}" for line in dict.fromkeys(last.said)]
    if missing := session.lines.missing():
        out.append(
            f"{many(len(missing), 'line')} that every job without hopbine printed, and not every "
            f"job with it; the first: {short(one_line(missing[0]))}"
        )
    return out
