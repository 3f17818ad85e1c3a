"""--format and --csv: where the tables of a verb go."""

import argparse
from collections.abc import Iterable, Sequence

from ..errors import UsageError
from ..output.replaced import replaced
from ..output.tables import FORMATS, Column, Csv, Reporter, Row


def add_format(parser: argparse._ActionsContainer, what: str = "the table") -> None:
    """--format: `what` it is of."""
    parser.add_argument(
        "--format",
        choices=tuple(FORMATS),
        default="table",
        help=f"of {what} on standard output (default %(default)s); in csv and json bytes are whole "
        "numbers, times seconds",
    )


def reporter(args: argparse.Namespace, csv: str | None = None) -> Reporter:
    """As --format says, or --csv '-' does. UsageError when both say something else."""
    if csv != "-":
        return FORMATS[args.format]()
    if args.format == "json":
        raise UsageError("--csv - and --format json: both are for standard output; give one")
    return Csv()


def write_csv(path: str | None, columns: Sequence[Column], rows: Iterable[Row]) -> None:
    """--csv FILE; '-' is the reporter's."""
    if path and path != "-":
        with replaced(path) as made, open(made, "w", encoding="utf-8", newline="") as file:
            Csv(file).table(columns, rows)
