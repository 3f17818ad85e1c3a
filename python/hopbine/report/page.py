"""Sections of a page, and the page. All text is escaped; the same input gives the same bytes."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

from ..notation.text import many
from ..output.replaced import replaced
from ..plots import style

if TYPE_CHECKING:
    import polars
    from matplotlib.figure import Figure

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Text:
    """Section of paragraphs."""

    heading: str
    paragraphs: tuple[str, ...]

    def html(self, number: int) -> str:
        """HTML of the section."""
        return "".join(f"<p>{escape(p)}</p>" for p in self.paragraphs)


@dataclass(frozen=True)
class Table:
    """Section with columns of a data frame (name -> heading).

    `show` formats the values of a column; the exact values are in an attribute of the cell.
    """

    heading: str
    frame: polars.DataFrame
    columns: dict[str, str]
    show: Mapping[str, Callable[[Any], str]]
    note: str = ""

    def html(self, number: int) -> str:
        """HTML of the section."""
        numeric = {c for c in self.columns if self.frame[c].dtype.is_numeric()}
        head = "".join(
            f'<th scope="col" aria-sort="none"><button type="button">{escape(h)}</button></th>'
            for h in self.columns.values()
        )
        body = "".join(
            "<tr>"
            + "".join(
                self._cell(c, v, c in numeric) for c, v in zip(self.columns, row, strict=True)
            )
            + "</tr>"
            for row in self.frame.select(list(self.columns)).iter_rows()
        )
        note = f"<p>{escape(self.note)}</p>" if self.note else ""
        return (
            f'{note}<div class="tools"><label>filter <input type="search" '
            f'data-table="t{number}"></label> '
            f'<button type="button" class="copy" data-table="t{number}">copy as CSV</button> '
            f'<span class="count">{many(len(self.frame), "row")}</span></div>'
            '<div class="scroll" tabindex="0" role="region" '
            f'aria-label="{escape(self.heading)}"><table '
            f'id="t{number}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
        )

    def _cell(self, column: str, value: object, numeric: bool) -> str:
        exact = "" if value is None else f"{value:.15g}" if isinstance(value, float) else str(value)
        shown = (
            "–"
            if value is None
            else self.show[column](value)
            if column in self.show
            else f"{value:,}"
            if isinstance(value, int)
            else exact
        )
        if not numeric:
            return f"<td>{escape(shown)}</td>"
        return (
            f'<td class="n" data-v="{escape(exact)}" title="{escape(exact)}">{escape(shown)}</td>'
        )


@dataclass(frozen=True)
class Picture:
    """Section with a matplotlib figure, inline."""

    heading: str
    figure: Figure
    caption: str

    def html(self, number: int) -> str:
        """HTML of the section.

        Identifiers in the drawing get the section's number, so that they are unique in the page.
        """
        out = io.StringIO()
        with style.as_text(f"hopbine{number}"):
            self.figure.savefig(
                out,
                format="svg",
                metadata={"Date": None, "Creator": None, "Format": None, "Type": None},
            )
        svg = out.getvalue()
        svg = svg[svg.index("<svg") :]
        svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
        svg = _themed(_with_tips(svg))
        used = set(re.findall(r'(?:href="#|url\(#)(\w+)', svg))
        svg = re.sub(
            r' id="([^"]*)"', lambda m: f' id="f{number}-{m[1]}"' if m[1] in used else "", svg
        )
        svg = re.sub(r"(xlink:href=\"#|url\(#)(\w+)", rf"\1f{number}-\2", svg)
        return (
            '<figure role="img" '
            f'aria-label="{escape(self.caption)}">{svg}<figcaption>{escape(self.caption)}</'
            "figcaption></figure>"
        )


def _with_tips(svg: str) -> str:
    """The drawing with a tooltip for each part that style.tip() has named."""
    return re.sub(
        rf' id="{style.TIP}([^"]*)"( [^>]*)?>',
        lambda m: f"{m[2] or ''}><title>{m[1]}</title>",
        svg,
    )


def _themed(svg: str) -> str:
    """The drawing in the colours of the page, light or dark: its ink and its paper."""
    for colour, name in (("#ffffff", "back"), ("#000000", "ink")):
        svg = svg.replace(f": {colour}", f": var(--{name})")
    return svg


def _css() -> str:
    """Style sheet of a page, in the colours of the pictures."""
    return Template((_HERE / "page.css").read_text()).substitute(style.PAGE)


#: A section of a page.
Section = Text | Table | Picture


def write(path: str | Path, title: str, sections: Sequence[Section], foot: list[str]) -> None:
    """Writes the page; `foot` are lines that say what was analysed, when and how."""
    parts = [
        f'<section id="s{n}"><h2>{escape(s.heading)}</h2>{s.html(n)}</section>'
        for n, s in enumerate(sections)
    ]
    contents = "".join(
        f'<li><a href="#s{n}">{escape(s.heading)}</a></li>' for n, s in enumerate(sections)
    )
    page = (
        "<!DOCTYPE html>\n"
        '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
        'content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_css()}</style></"
        f"head><body><h1>{escape(title)}</h1><nav><ol>{contents}</ol></nav>"
        f"{''.join(parts)}<footer>{''.join(f'<p>{escape(line)}</p>' for line in foot)}</footer>"
        f"<script>{(_HERE / 'page.js').read_text()}</script></body></html>\n"
    )
    with replaced(path) as made:
        made.write_text(page, encoding="utf-8")
