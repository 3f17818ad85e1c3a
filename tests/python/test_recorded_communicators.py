"""The communicators of a row of a statistics file: their ranks, and files that are wrong."""

import json
from pathlib import Path

import pytest

from hopbine.cli import main
from hopbine.recorded.communicators import communicators, ranks_of

RECORDED = Path(__file__).parents[2] / "examples/data/recorded.json"


@pytest.mark.parametrize(
    ("text", "ranks"),
    [
        ("7", (7,)),
        ("0-3", (0, 1, 2, 3)),
        ("3-0", (3, 2, 1, 0)),
        ("1-13/4", (1, 5, 9, 13)),
        ("12-0/4,5", (12, 8, 4, 0, 5)),
    ],
)
def test_runs_go_up_and_down(text, ranks):
    assert ranks_of(text, len(ranks), 16) == ranks


@pytest.mark.parametrize(
    "text", ["", "x", "0-", "-3", "0-3/0", "0-3/-1", "0-4", "0,0,1,2", "0-99999999999", "1,2,3,16"]
)
def test_other_texts_are_refused(text):
    with pytest.raises(ValueError, match=r"rank"):
        ranks_of(text, 4, 16)


def test_calls_that_are_not_listed_are_of_all_ranks():
    row = {"comm_size": 2, "calls": 5, "bytes": 50, "communicators": [["1-0", 2, 20]]}
    assert list(communicators(row, 2)) == [((1, 0), 2, 20), ((0, 1), 3, 30)]
    assert list(communicators(row | {"communicators": None}, 3)) == []


@pytest.mark.parametrize(
    "wrong",
    [
        7,
        [["0-1", 1]],
        [["0-1", 1, -1]],
        [["0-1", True, 1]],
        [["0-99", 1, 1]],
        [["0-1", 10**9, 1]],
        [["0-1", 1, 1]],
        ["0-1"],
    ],
)
def test_a_wrong_file_is_one_line(tmp_path, capsys, wrong):
    data = json.loads(RECORDED.read_text())
    data["rows"][0] |= {"comm_size": 2, "communicators": wrong}
    file = tmp_path / "stats.json"
    file.write_text(json.dumps(data))
    assert main(["stats", str(file)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"hopbine: {file}: row 1: ")
    assert said.count("\n") == 1
