"""Tables where standard output is a terminal, and where it is not."""

import re
import sys

import pytest

from hopbine.cli import main
from hopbine.output.tables import Column, Table
from hopbine.output.terminal import MOST_ROWS

COLUMNS = [
    Column("name", "algorithm"),
    Column("bytes", "bytes between groups", lambda n: f"{n} KiB", right=True),
    Column("why", "not predicted"),
]
ROWS = [
    {"name": "ring", "bytes": 7, "why": ""},
    {"name": "bine_large", "bytes": 1234, "why": "[red]no\x1b[2J calls of this kind"},
]
PLAIN = """\
algorithm   bytes between groups  not predicted
ring                       7 KiB
bine_large              1234 KiB  [red]no\\x1b[2J calls of this kind
"""
WIDE = """\
algorithm   bytes between groups  not predicted
─
ring                       7 KiB
bine_large              1234 KiB  [red]no\\x1b[2J calls of this kind
"""
NARROW = """\
                   bytes
                 between
algorithm         groups  not predicted
─
ring               7 KiB
bine_large      1234 KiB  [red]no\\x1b[2J
                          calls of this
                          kind
"""


def shown(capsys, monkeypatch, width: int | None, rows=ROWS) -> str:
    """The table on a terminal so wide, or in a file."""
    if width is not None:
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
        monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("TERM", "xterm")
    Table().table(COLUMNS, rows)
    return capsys.readouterr().out


@pytest.mark.parametrize(("width", "text"), [(None, PLAIN), (200, WIDE), (40, NARROW), (30, PLAIN)])
def test_cells_are_folded_but_no_word_is_broken(width, text, capsys, monkeypatch):
    out = shown(capsys, monkeypatch, width)
    for style in ("\x1b[1m", "\x1b[0m"):
        assert (style in out) == (width in (200, 40))
        out = out.replace(style, "")
    out = re.sub("─+", "─", out)  # versions of rich differ in how far the rule goes
    assert [line.rstrip() for line in out.splitlines()] == text.splitlines()


@pytest.mark.parametrize(
    "words",
    [
        "stats examples/data/recorded.json",
        "predict examples/data/recorded.json --machine leonardo --hosts fragmented:512:seed=1",
    ],
)
def test_tables_at_a_glance_fit_a_hundred_columns(words, capsys, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "xterm")
    assert main(words.split()) == 0
    lines = re.sub("\x1b[^m]*m", "", capsys.readouterr().out).splitlines()
    (rule,) = (i for i, line in enumerate(lines) if line.startswith("─"))
    table = [line for line in lines[rule - 3 :] if line.startswith(("collective ", "all", " "))]
    assert len(table) > 10
    assert max(map(len, table)) <= 100


def test_names_are_broken_where_their_parts_meet(capsys, monkeypatch):
    rows = [{"name": "recursive_multiplying:k=4, by node", "bytes": 1, "why": "rare"}]
    out = shown(capsys, monkeypatch, 44, rows)
    assert [line.split()[0] for line in out.splitlines()[-3:]] == [
        "recursive_",
        "multiplying:",
        "k=4,",
    ]


def test_many_rows_are_printed_at_once(capsys, monkeypatch):
    rows = ROWS[:1] * (MOST_ROWS + 1)
    assert shown(capsys, monkeypatch, 200, rows) == shown(capsys, monkeypatch, None, rows)
