"""Error bars of the choice, from published times."""

import csv
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

from published_bars import table
from test_published_errors import as_modelled

from hopbine import _core
from hopbine.cli import main
from hopbine.selection import model_errors
from hopbine.selection.model_errors import ALL, COLUMNS, error_bar


def rows():
    """The data that are installed."""
    with (Path(model_errors.__file__).parent / "model_errors.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_data_are_of_known_calls_and_in_order():
    known = {a["collective"] for a in _core.algorithms()} | {ALL}
    for row in rows():
        assert tuple(row) == COLUMNS
        assert row["collective"] in known
        assert int(row["cells"]) >= model_errors.FEWEST
        assert 1 <= float(row["off"]) <= float(row["off_90"])
        assert float(row["lost"]) >= 1


@pytest.mark.parametrize("torus", [False, True])
@pytest.mark.parametrize("ranks", [2, 64, 65, 9000])
@pytest.mark.parametrize("size", [0, 16384, 16385, 1 << 20, 1 << 30])
def test_every_collective_has_an_error_bar(torus, ranks, size):
    """The bar is of its own calls, or of all of this size."""
    own = {(r["network"], r["collective"]) for r in rows()}
    for collective in {a["collective"] for a in _core.algorithms()}:
        bar = error_bar(collective, size, ranks, torus)
        assert bar.like.startswith((collective, "all collectives"))
        if (model_errors.kind(torus), collective) not in own:
            assert bar.like.startswith("all collectives")


def test_the_times_of_the_model_itself_are_off_by_their_factor(tmp_path, monkeypatch):
    monkeypatch.setattr("published_bars.FEWEST", 2)
    made = list(table(as_modelled(tmp_path)))
    assert made
    for row in made:
        assert float(row["off"]) == float(row["off_90"]) == 1.5
        assert float(row["lost"]) <= 1.1  # what the patience allows


def test_explain_tells_them(capsys):
    words = "select explain allreduce --machine leonardo --hosts fragmented:32 --sizes 8,1MiB"
    assert main([*words.split(), "--format", "csv"]) == 0
    told = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    for row in told:
        bar = error_bar("allreduce", int(row["bytes"]), 32, torus=False)
        assert float(row["off"]) == bar.off
        assert row["published_calls"] == bar.like
    assert main(words.split()) == 0
    text = capsys.readouterr().out
    bar = error_bar("allreduce", 8, 32, torus=False)
    assert f"{bar.off:.2f}x ({bar.off_90:.2f}x)" in text
    assert f"{bar.like}: {bar.cells} cells" in text
