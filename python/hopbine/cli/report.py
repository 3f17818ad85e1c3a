"""hopbine report: the analysis of hopbine traffic, jobs or predict as one offline HTML page to mail
to a colleague
"""

from __future__ import annotations

import argparse
import shlex
import sys
from typing import TYPE_CHECKING

from ._parser import about

if TYPE_CHECKING:
    from ..report.page import Section


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of the two verbs, and the page's."""
    from . import jobs, predict, traffic

    parser.description = (
        "Writes one self-contained page: tables that sort and filter, pictures, definitions. "
        "It opens without a network."
    )
    kinds = parser.add_subparsers(dest="kind", metavar="ANALYSIS", required=True)
    for name, verb in (("traffic", traffic), ("jobs", jobs), ("predict", predict)):
        sub = kinds.add_parser(name, help=about(verb))
        verb.configure_analysis(sub)
        sub.add_argument("-o", "--output", required=True, metavar="FILE.html")
        sub.add_argument("--title", help="default: what was analysed")


def run(args: argparse.Namespace) -> int:
    """Writes the page; 1 when no job could be used."""
    from datetime import UTC, datetime

    from .. import _core
    from ..notation.text import many, one_line
    from ..report import write
    from ._analysis import writable

    writable(args.output, endings=(".html", ".htm"))
    title, sections = {"traffic": _traffic, "jobs": _jobs, "predict": _predict}[args.kind](args)
    if sections is None:
        print(f"hopbine: {one_line(title)}", file=sys.stderr)
        return 1
    when = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    foot = [f"Made {when} by hopbine {_core.version}: hopbine {shlex.join(sys.argv[1:])}"]
    write(args.output, args.title or title, sections, foot)
    print(f"{args.output}: {many(len(sections), 'section')}")
    return 0


def _traffic(args: argparse.Namespace) -> tuple[str, list[Section]]:
    import polars

    from ..jobs.counting import drawn_steps, pair_rows
    from ..report import traffic_sections
    from . import traffic
    from ._analysis import about_job

    job, rows, counted = traffic.analyse(args)
    frame = polars.DataFrame(rows, infer_schema_length=None)
    pairs = polars.DataFrame(
        [x for row, t in zip(rows, counted, strict=True) for x in pair_rows(job, row, t)],
        infer_schema_length=None,
    )
    steps = polars.DataFrame(drawn_steps(job, rows, counted, args.root), infer_schema_length=None)
    about = f"{about_job(job)}."
    return f"Traffic of {job.name or 'a job'} on {job.machine.name}", traffic_sections(
        frame, pairs, steps, about
    )


def _jobs(args: argparse.Namespace) -> tuple[str, list[Section] | None]:
    import polars

    from ..notation.text import many
    from ..notation.units import parse_size, show_size
    from ..report import jobs_sections
    from . import jobs

    rows, bad, passed = jobs.analyse(args)
    if not rows:
        return (
            (
                f"no job can be used ({passed} passed over, {len(bad)} "
                f"bad{': ' + bad[0][2] if bad else ''})"
            ),
            None,
        )
    frame = polars.DataFrame(rows, infer_schema_length=None)
    count = frame.select("job", "nodes").unique().height
    about = (
        f"{many(count, 'job')}; {passed} passed over (in one group, too small or not a power of "
        f"two), {len(bad)} cannot be used. "
        f"{args.collective} of {show_size(parse_size(args.size))}."
    )
    return f"{args.collective} between groups: {many(count, 'job')}", jobs_sections(
        frame, bad, about
    )


def _predict(args: argparse.Namespace) -> tuple[str, list[Section]]:
    import polars

    from ..report import predict_sections
    from . import predict

    told = predict.analyse(args)
    frame = polars.DataFrame(predict.lines(told), infer_schema_length=None)
    return f"{args.file} on {told.job.machine.name}", predict_sections(
        frame, predict.about(args, told), predict.verdict(told), told.unit
    )
