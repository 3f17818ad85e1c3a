"""The table of claims in a paper's page, between its marks."""

from collections.abc import Iterable
from pathlib import Path

END = "<!-- end of claims -->"


def write_table(page: Path, writer: str, table: str) -> None:
    """Renews what `writer`, a script's name, has written there."""
    begin = f"<!-- claims: written by {writer} -->"
    before, rest = page.read_text().split(begin)
    page.write_text(f"{before}{begin}\n{table}\n{END}{rest.split(END)[1]}")


def check(files: Iterable[Path], whole: bool = True) -> None:
    """ValueError where one that the page's tables are made of is missing.

    Without `whole`, where all are: a look at some of them leaves the page alone.
    """
    every = list(files)
    missing = [path for path in every if not path.exists()]
    if len(missing) == len(every) or (whole and missing):
        names = ", ".join(path.name for path in missing)
        raise ValueError(f"the page stays as it is: {missing[0].parent} has no {names}")
