"""hopbine list: the algorithms, what they serve and where they come from"""

import argparse

from ..core.records import Algorithm, Parameter
from ..errors import UsageError
from ..notation.text import short
from ..output.tables import Column, Row, plain
from ..selection.counterparts import elsewhere
from ._output import add_format, reporter


class Parameters(list[Parameter]):
    """An algorithm's parameters; as text 'segment=0 (0..1073741824)', separated by semicolons."""

    def __str__(self) -> str:
        return "; ".join(f"{q['name']}={q['default']} ({q['low']}..{q['high']})" for q in self)


def _elsewhere(names: list[str]) -> str:
    return ", ".join(names) or "-"


def _columns(named: bool) -> list[Column]:
    """The columns, with the names elsewhere where they were looked for."""
    return [*COLUMNS, *([Column("elsewhere", "elsewhere", _elsewhere)] if named else [])]


COLUMNS = [
    Column("collective", "collective"),
    Column("algorithm", "algorithm"),
    Column("p", "p"),
    Column("commutes", "commute", lambda must: "must" if must else "any"),
    Column("parameters", "parameters", lambda these: str(these) or "-"),
    Column("paper"),
    Column("section"),
    Column(None, "source", lambda a: f"{a['paper']} {a['section']}"),
    Column(None, "summary", lambda a: a["summary"]),
]


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    parser.add_argument("collective", nargs="?", help="only this collective")
    parser.add_argument(
        "--name",
        metavar="WORD",
        help="only algorithms with this word in their name, here or in Open MPI, MPICH, UCC, NCCL "
        "or PICO",
    )
    add_format(parser)


def _is_named(a: Algorithm, word: str) -> bool:
    """Has an algorithm the word in its name, here or elsewhere?"""
    every = [a["name"], *elsewhere(a["collective"], a["name"])]
    return any(word.lower() in name.lower() for name in every)


def run(args: argparse.Namespace) -> int:
    """Prints the registry; as JSON the records, with the names elsewhere."""
    from .. import _core

    if args.collective:
        _core.rooted(args.collective)  # a wrong name is an error, not an empty table
    records = [a for a in _core.algorithms() if args.collective in (None, a["collective"])]
    if args.name:
        records = [a for a in records if _is_named(a, args.name)]
        if not records:
            raise UsageError(f"no algorithm is called '{short(args.name)}', here or elsewhere")
    with reporter(args) as report:
        if args.format == "json":
            named = [{**a, "elsewhere": elsewhere(a["collective"], a["name"])} for a in records]
            report.table(plain((*Algorithm.__annotations__, "elsewhere")), named)
            return 0
        report.table(_columns(bool(args.name)), [_row(a) for a in records])
        notes = [a for a in records if a["note"]]
        report.caption("\np that is not a power of two:" if notes else "")
        for a in notes:
            report.caption(f"  {a['collective']} {a['name']}: {a['note']}")
    return 0


def _row(a: Algorithm) -> Row:
    return {
        **a,
        "algorithm": a["name"],
        "parameters": Parameters(a["parameters"]),
        "elsewhere": elsewhere(a["collective"], a["name"]),
    }
