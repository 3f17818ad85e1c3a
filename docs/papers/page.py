"""The table of claims in a paper's page, between its marks."""

from pathlib import Path

END = "<!-- end of claims -->"


def write_table(page: Path, writer: str, table: str) -> None:
    """Renews what `writer`, a script's name, has written there."""
    begin = f"<!-- claims: written by {writer} -->"
    before, rest = page.read_text().split(begin)
    page.write_text(f"{before}{begin}\n{table}\n{END}{rest.split(END)[1]}")
