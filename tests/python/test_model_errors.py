"""Error bars of the choice, from published times."""

import csv
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

from published_bars import ALL, FEWEST, lines, numbers, seen, table
from published_cells import Cell, Job
from test_published_errors import as_modelled

from hopbine import _core
from hopbine.cli import main


def test_rows_rest_on_cells_enough_and_the_narrowest_come_first():
    bars = _core.error_bars()
    kinds = [(bar.collective, bar.ranks).count(ALL) for bar in bars]
    assert kinds == sorted(kinds)
    assert all(bar.cells >= FEWEST for bar in bars)


def test_the_times_of_the_model_itself_are_off_by_their_factor(tmp_path, monkeypatch):
    monkeypatch.setattr("published_bars.FEWEST", 2)
    pico = as_modelled(tmp_path)
    made = list(table(pico))
    assert made
    for _, _, (off, off_90, lost, _, apart) in made:
        assert round(off, 2) == round(off_90, 2) == 1.5
        assert round(apart, 2) == 1  # all of them by the same factor
        assert lost <= 1.1 + 1e-9  # what the patience allows
    written = list(lines(pico))
    assert len(written) == len(made) + 1
    row = re.compile(r'\{("[^"]+", ){4}\d+(, \d+\.\d\d){5}\},')
    assert all(row.fullmatch(line) for line in written[1:])


def test_a_ratio_is_off_by_what_its_two_times_are_off_apart():
    class _Model:
        scarce_blocks = 1.0

        @staticmethod
        def patience(given):
            return 1.0

    job = Job("leonardo", "a run", (0, 1), (0, 1), ())
    cell = Cell(job, "bcast", 8, {("a", ()): 2.0, ("b", ()): 6.0, ("c", ()): 4.0}, 2.0)
    cell.models = [_Model()] * 3
    shown = seen(cell, [1.0, 4.0, 8.0])  # half, two thirds, and twice of the measured times
    assert shown.off == 2
    assert [round(x, 9) for x in shown.apart] == [round(4 / 3, 9), 4]
    assert shown.lost == 1
    assert numbers([shown])[-1] == 4


def test_explain_tells_them(capsys):
    words = "select explain allreduce --machine leonardo --hosts fragmented:32 --sizes 8,1MiB"
    assert main([*words.split(), "--format", "csv"]) == 0
    told = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    for row in told:
        bar = _core.error_bar("allreduce", int(row["bytes"]), 32, torus=False)
        assert float(row["off"]) == bar.off
        assert float(row["apart"]) == bar.apart
        assert row["published_calls"] == bar.like
    assert main(words.split()) == 0
    text = capsys.readouterr().out
    bar = _core.error_bar("allreduce", 8, 32, torus=False)
    assert f"{bar.off:.2f}x ({bar.off_90:.2f}x)" in text
    assert f"{bar.like}: {bar.cells} cells" in text
    assert f"off by {bar.apart:.2f}x in two thirds" in text
