"""Tables: text for people, and the same rows as CSV and JSON for programs."""

import csv
import json
import math
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, Self, TextIO

from ..notation.text import printable
from .terminal import print_fitted

Row = Mapping[str, Any]


def _same(value: Any) -> Any:
    return value


@dataclass(frozen=True)
class Column:
    """One column of a table.

    `key`: its name in CSV and JSON; without one it is for people only. `heading`: its name for
    people; without one it is for programs only. `show`: the cell that people read, of the value, or
    of the whole row where there is no key. `raw`: the value that programs get, of one that is
    there.
    """

    key: str | None = None
    heading: str | None = None
    show: Callable[[Any], object] = str
    right: bool = False
    raw: Callable[[Any], Any] = _same

    def cell(self, row: Row) -> str:
        """What people read."""
        return printable(str(self.show(row if self.key is None else row[self.key])))

    def value(self, row: Row) -> Any:
        """What programs get: no infinity, which JSON has not."""
        value = row[self.key or ""]
        value = None if value is None else self.raw(value)
        return None if isinstance(value, float) and not math.isfinite(value) else value


def plain(keys: Iterable[str], whole: Collection[str] = ()) -> list[Column]:
    """Columns for programs: values as they are, those of the keys in `whole` to the next integer.

    Bytes are counted in blocks, and blocks of a vector need not be whole bytes.
    """
    return [Column(key, raw=round if key in whole else _same) for key in keys]


class Reporter(Protocol):
    """Where a verb's tables go; a context, at whose end all is written."""

    #: Does a person read it?
    people: ClassVar[bool] = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Nothing is kept."""
        return

    def table(self, columns: Sequence[Column], rows: Iterable[Row]) -> None:
        """Rows, for people or programs as the columns say."""

    def caption(self, text: str = "") -> None:
        """What people need to understand a table; programs read it in the rows."""
        if self.people:
            print(text)

    def remark(self, text: str) -> None:
        """A message for everybody: on standard error where programs read the rows."""
        print(text, file=sys.stdout if self.people else sys.stderr)


class Table(Reporter):
    """For people, on standard output."""

    people = True

    def table(self, columns: Sequence[Column], rows: Iterable[Row]) -> None:
        """Columns as wide as their longest cell; a single one is printed as its rows come."""
        shown = [c for c in columns if c.heading is not None]
        if len(shown) == 1:
            if shown[0].heading:
                print(shown[0].heading, flush=True)
            for row in rows:
                print(shown[0].cell(row).rstrip(), flush=True)
        elif shown:
            right = [i for i, c in enumerate(shown) if c.right]
            cells = [[c.cell(row) for c in shown] for row in rows]
            print_table([c.heading or "" for c in shown], cells, right)


class Csv(Reporter):
    """For programs: a line of keys, once, and a line for each row. Truth is yes or no."""

    def __init__(self, out: TextIO | None = None) -> None:
        self._out, self._headed = csv.writer(out or sys.stdout, lineterminator="\n"), False

    def table(self, columns: Sequence[Column], rows: Iterable[Row]) -> None:
        """Lines, as the rows come."""
        keyed = [c for c in columns if c.key is not None]
        if keyed and not self._headed:
            self._out.writerow([c.key for c in keyed])
            self._headed = True
        for row in rows if keyed else ():
            self._out.writerow([self._cell(c.value(row)) for c in keyed])

    @staticmethod
    def _cell(value: Any) -> Any:
        if isinstance(value, bool):
            return "yes" if value else "no"
        return ";".join(value) if type(value) is list else value


class Json(Reporter):
    """For programs: one array, an object for each row."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def table(self, columns: Sequence[Column], rows: Iterable[Row]) -> None:
        """Kept until the end: half an array is none."""
        keyed = [c for c in columns if c.key is not None]
        for row in rows if keyed else ():
            self._lines.append(json.dumps({c.key: c.value(row) for c in keyed}, allow_nan=False))

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """The array, unless something went wrong."""
        if kind is None:
            print("[" + ",".join("\n " + line for line in self._lines) + "\n]")


#: The words of --format.
FORMATS: dict[str, Callable[[], Reporter]] = {"table": Table, "csv": Csv, "json": Json}


def print_table(
    header: list[str], rows: Sequence[Sequence[object]], right: Collection[int] = ()
) -> None:
    """Columns as wide as their longest cell; the columns in `right` are right-aligned.

    On a terminal cells are folded where the line is too short.
    """
    cells = [[printable(str(cell)) for cell in row] for row in rows]
    if sys.stdout.isatty() and print_fitted(header, cells, right):
        return
    lines = [header, *cells]
    widths = [max(len(line[i]) for line in lines) for i in range(len(header))]
    for row in lines:
        print(
            "  ".join(
                c.rjust(w) if i in right else c.ljust(w)
                for i, (c, w) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
        )
