"""Tables on a terminal: headings that stand out, and cells that are folded to its width.

Words are kept whole, but for the names of algorithms, which may be broken after _ and :.
"""

import re
from collections.abc import Collection, Sequence
from typing import Literal

#: Longer tables are printed as they are: rich takes about 0.7 ms for a row.
MOST_ROWS = 300
#: Columns between two cells.
GAP = 2


def print_fitted(
    header: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int]
) -> bool:
    """Prints a table; the columns in `right` are right-aligned.

    False, and nothing is printed, where words or numbers would have to be broken or rows are many.
    """
    if len(rows) > MOST_ROWS:
        return False
    from rich import box
    from rich.align import Align
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    natural, least = zip(
        *(_range(head, [row[i] for row in rows], i in right) for i, head in enumerate(header)),
        strict=True,
    )
    widths = _widths(natural, least, console.width - GAP * (len(header) - 1))
    if widths is None:
        return False
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for i, (head, width) in enumerate(zip(header, widths, strict=True)):
        side: Literal["left", "right"] = "right" if i in right else "left"
        table.add_column(
            Align(Text(_folded(head, width)), side, vertical="bottom"), justify=side, width=width
        )
    for row in rows:
        table.add_row(*(Text(_folded(*cell)) for cell in zip(row, widths, strict=True)))
    console.print(table)
    return True


def _range(head: str, cells: Sequence[str], is_number: bool) -> tuple[int, int]:
    """Widths of a column: of all on one line, and the least that breaks no word or number."""
    from rich.cells import cell_len

    def longest(texts: Sequence[str]) -> int:
        return max(map(cell_len, texts), default=0)

    words = [head, *(() if is_number else cells)]
    apart = longest([part for text in words for word in text.split() for part in _parts(word)])
    return longest([head, *cells]), max(apart, longest(cells) if is_number else 0)


def _parts(word: str) -> list[str]:
    """A word, broken where it may be."""
    return re.findall(r"[^_:]*[_:]+|[^_:]+", word)


def _folded(text: str, width: int) -> str:
    """The text in lines of at most this width, if its parts are not longer."""
    from rich.cells import cell_len

    if cell_len(text) <= width:
        return text
    lines = [""]
    for word in text.split():
        for i, part in enumerate(_parts(word)):
            longer = f"{lines[-1]}{'' if i or not lines[-1] else ' '}{part}"
            if cell_len(longer) <= width or not lines[-1]:
                lines[-1] = longer
            else:
                lines.append(part)
    return "\n".join(lines)


def _widths(natural: Sequence[int], least: Sequence[int], room: int) -> list[int] | None:
    """The natural ones, or less of the widest columns; None where there is no room."""
    widths = list(natural)
    while sum(widths) > room:
        shrinking = [i for i, width in enumerate(widths) if width > least[i]]
        if not shrinking:
            return None
        widths[max(shrinking, key=widths.__getitem__)] -= 1
    return widths
