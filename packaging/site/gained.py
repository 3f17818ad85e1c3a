"""The picture of the landing page: times of calls, of docs/rivals/tables.md, as bars.

python packaging/site/gained.py FILE.svg
"""

import re
import sys
from pathlib import Path
from typing import NamedTuple

TABLES = Path(__file__).resolve().parents[2] / "docs/rivals/tables.md"
#: The rows that are drawn: where and how many bytes; and what the caption says of them.
WHERE, BYTES = "5,6,5, 16 ranks, ompi4", "256 KiB"
CAPTION = (
    f"Milliseconds of a call of {BYTES}: 16 hosts in groups of 5, 6 and 5, "
    "4:1 tapered links (emulated), Open MPI 4.1"
)
LEFT, WIDTH, BAR, GAP, TOP = 90, 520, 16, 14, 40
WITHOUT, WITH = "#b0b7c3", "#d95f02"


class Call(NamedTuple):
    """A collective, and the milliseconds of it by the MPI library and with hopbine."""

    collective: str
    library: float
    hopbine: float


def calls(text: str) -> list[Call]:
    """The rows of the table of milliseconds. ValueError where there are none."""
    _, _, table = text.partition("Milliseconds of a call.")
    heading, *rows = re.findall(r"^\| (.*) \|$", table, re.M)
    columns = [name.strip() for name in heading.split("|")]
    out = []
    for row in rows:
        cells = dict(zip(columns, (cell.strip() for cell in row.split("|")), strict=False))
        collective, _, size = cells["cell"].partition(" ")
        if (cells["where"], size) == (WHERE, BYTES):
            out.append(Call(collective, float(cells["library"]), float(cells["hopbine"])))
    if not out:
        raise ValueError(f"{TABLES} has no row of {WHERE} and {BYTES}")
    return out


def _text(x: float, y: float, text: str, more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" {more}>{text}</text>'


def _bar(y: float, milliseconds: float, longest: float, colour: str) -> list[str]:
    length = milliseconds / longest * WIDTH
    return [
        f'<rect x="{LEFT}" y="{y}" width="{length:.1f}" height="{BAR}" fill="{colour}"/>',
        _text(LEFT + length + 6, y + BAR - 4, f"{milliseconds:g}"),
    ]


def picture(drawn: list[Call]) -> str:
    """Two bars for each collective."""
    longest = max(max(call.library, call.hopbine) for call in drawn)
    height = TOP + len(drawn) * (2 * BAR + GAP) + 24
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 60} {height}" '
        'font-family="sans-serif" font-size="12" fill="#222">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<rect x="{LEFT}" y="12" width="12" height="12" fill="{WITHOUT}"/>',
        _text(LEFT + 18, 22, "the library's own choice"),
        f'<rect x="{LEFT + 190}" y="12" width="12" height="12" fill="{WITH}"/>',
        _text(LEFT + 208, 22, "with hopbine, by default"),
    ]
    for k, call in enumerate(drawn):
        y = TOP + k * (2 * BAR + GAP)
        out.append(_text(LEFT - 8, y + BAR + 4, call.collective, 'text-anchor="end"'))
        out += _bar(y, call.library, longest, WITHOUT)
        out += _bar(y + BAR, call.hopbine, longest, WITH)
    out.append(_text(8, height - 8, CAPTION, 'font-size="11"'))
    return "\n".join([*out, "</svg>"]) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(picture(calls(TABLES.read_text())))
