"""A paper's page, docs/papers/PAPER.md: its table of claims, and the figures that it links."""

import re
from collections.abc import Iterable
from pathlib import Path

from hopbine.output.replaced import replaced
from shared.small_svg import smaller

PAGES = Path(__file__).parents[2] / "docs" / "papers"
END = "<!-- end of claims -->"
COUNTS = "<!-- counts: written with the claims -->"
END_OF_COUNTS = "<!-- end of counts -->"


def write(paper: str, writer: str, table: str, pictures: Path, counts: str) -> None:
    """Renews the table that `writer`, a command, has written, its `counts`, and the figures.

    `pictures`: the folder of all that are drawn. One that was not drawn stays as it is.
    """
    page = PAGES / f"{paper}.md"
    begin = f"<!-- claims: written by {writer} -->"
    text = between(page.read_text(), begin, END, table)
    page.write_text(between(text, COUNTS, END_OF_COUNTS, counts))
    for name in figures(paper):
        if (pictures / name).exists():
            with replaced(PAGES / paper / name) as made:
                made.write_text(smaller((pictures / name).read_text()))


def between(text: str, begin: str, end: str, table: str) -> str:
    """The text with another table between two of its lines."""
    before, rest = text.split(begin)
    return f"{before}{begin}\n{table}\n{end}{rest.split(end)[1]}"


def figures(paper: str) -> list[str]:
    """Names of the pictures that the page links: one for each figure of the paper."""
    return re.findall(rf"\]\({paper}/([^)]*\.svg)\)", (PAGES / f"{paper}.md").read_text())


def check(files: Iterable[Path], whole: bool = True) -> None:
    """ValueError where one that the page's tables are made of is missing.

    Without `whole`, where all are: a look at some of them leaves the page alone.
    """
    every = list(files)
    missing = [path for path in every if not path.exists()]
    if missing and (whole or len(missing) == len(every)):
        names = ", ".join(path.name for path in missing)
        raise ValueError(f"the page stays as it is: {missing[0].parent} has no {names}")
