"""The evaluations of papers in reproduce/, run in this process."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
REPRODUCE = ROOT / "reproduce"
PAGES = ROOT / "docs" / "papers"


def reproduce(papers, monkeypatch, *words: str) -> int:
    """Exit code of the command."""
    monkeypatch.setattr(sys, "argv", ["run.py", *words])
    try:
        return papers("run").main()
    except SystemExit as end:
        return int(end.code or 0)
