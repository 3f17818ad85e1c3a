"""The way of a call to its plan, as docs/design.md lists it, against the files."""

import re
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"^\| (\d+) \| (src/\S+) \| (.+) \|$", re.M)
MOST_STOPS = 25
MOST_RETURNS = 10


def stops() -> list[tuple[str, list[str]]]:
    """The files in the order of the way, with the functions that are called there."""
    rows = ROW.findall((ROOT / "docs/design.md").read_text())
    assert [int(number) for number, _, _ in rows] == list(range(1, len(rows) + 1))
    return [(file, re.findall(r"`(\w+)`", functions)) for _, file, functions in rows]


def text(file: str) -> str:
    return (ROOT / file).read_text()


def test_the_way_is_short():
    files = [file for file, _ in stops()]
    folders = [Path(file).parent for file in files]
    entered = [b for a, b in pairwise(folders) if a != b]
    returns = len(entered) + 1 - len(set(folders))
    assert len(files) <= MOST_STOPS
    assert returns <= MOST_RETURNS
    assert all(a != b for a, b in pairwise(files))
    said = re.search(r"(\d+) stops, of which (\d+) return", text("docs/design.md"))
    assert said
    assert [int(n) for n in said.groups()] == [len(files), returns]


def test_functions_are_in_their_files_and_called_by_those_before():
    """The stub and the entry point are made from rows of tables by the name of the function."""
    before = ""
    for file, functions in stops()[:2]:
        table = "src/preload/functions.h" if file.endswith(".c") else file
        assert re.search(r"\(\s*Allreduce\b", text(table))
        assert [name.removeprefix("hopbine_") for name in functions] == ["MPI_Allreduce"]
        before += text(file)
    for file, functions in stops()[2:]:
        for name in functions:
            assert re.search(rf"\b{name}\(.*(\n.*){{0,4}}{{", text(file)), (file, name)
            assert re.search(rf"\b{name}(<\w+>)?\(", before + text(file)), name
        before += text(file)
