"""What scripts/site makes for the landing page: the picture of times, and the notebook's page."""

import importlib.util
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

SITE = Path(__file__).parents[2] / "packaging/site"


def loaded(name: str):
    """A program of packaging/site as a module."""
    spec = importlib.util.spec_from_file_location(name, SITE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


gained, notebook = loaded("gained"), loaded("notebook")


def test_the_bars_are_as_long_as_the_times_of_the_table():
    calls = gained.calls(gained.TABLES.read_text())
    assert {c.collective for c in calls} >= {"allreduce", "bcast", "allgather", "alltoall"}
    for call in calls:  # the numbers are those of the table's row
        row = rf"\| {re.escape(gained.WHERE)} \| {call.collective} {gained.BYTES} \| (\S+) \|"
        found = re.findall(row + r".*? \| .*? \| (\S+) \|", gained.TABLES.read_text())
        assert (f"{call.hopbine:g}", f"{call.library:g}") in found
    svg = ElementTree.fromstring(gained.picture(calls))
    bars = [r for r in svg.findall("{*}rect") if r.get("height") == str(gained.BAR)]
    lengths = [float(bar.get("width")) for bar in bars]
    times = [t for call in calls for t in (call.library, call.hopbine)]
    assert [n / max(lengths) for n in lengths] == pytest.approx(
        [t / max(times) for t in times], abs=1e-3
    )


def test_a_table_without_the_row_is_refused():
    text = "Milliseconds of a call.\n\n| where | cell | hopbine |\n| --- | --- | --- |\n"
    with pytest.raises(ValueError, match=r"tables\.md has no row of 5,6,5"):
        gained.calls(text)


def test_a_notebook_is_a_page_with_its_answers(tmp_path):
    source = SITE.parents[1] / "examples/recorded.ipynb"
    notebook.main(source, tmp_path / "examples/page.md")
    page = (tmp_path / "examples/page.md").read_text()
    assert page.startswith("# A recorded job as data frames\n")
    assert "```python\nimport polars as pl" in page
    assert "shape: " in page
    (picture,) = re.findall(r"!\[.*\]\((.*)\)", page)
    assert (tmp_path / "examples" / picture).read_bytes().startswith(b"\x89PNG")
