"""docs/forecast.md is what benchmarks/forecast.py writes, but for its date."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))

from forecast import COLLECTIVES, MACHINES, NODES, SIZES, page  # noqa: E402

PAGE = (ROOT / "docs/forecast.md").read_text(encoding="utf-8")


def test_the_page_has_a_row_for_every_prediction():
    rows = [line for line in PAGE.splitlines() if line.startswith("| ")]
    heads = len(MACHINES) * len(NODES)
    assert len(rows) == heads * (1 + len(COLLECTIVES) * len(SIZES))
    for row in rows:
        faster = row.split("|")[4].strip()
        assert faster == "faster" or float(faster) > 0


def test_the_page_says_when_it_was_written_and_how():
    assert re.search(r"^Written on \d{4}-\d{2}-\d{2}\.", PAGE, re.MULTILINE)
    head = next(iter(page("2000-01-01")))
    assert head.replace("2000-01-01", "") in re.sub(r"\d{4}-\d{2}-\d{2}", "", PAGE)
