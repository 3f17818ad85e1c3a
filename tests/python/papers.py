"""The scripts of docs/papers, run in this process."""

import sys
from pathlib import Path

PAPERS = Path(__file__).parents[2] / "docs" / "papers"


def reproduce(papers, monkeypatch, *words: str) -> int:
    """Exit code of the command."""
    monkeypatch.setattr(sys, "argv", ["reproduce.py", *words])
    try:
        return papers("reproduce").main()
    except SystemExit as end:
        return int(end.code or 0)
