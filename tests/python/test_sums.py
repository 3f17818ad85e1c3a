"""What statistics files tell of exact sums."""

import json

import pytest
from recorded import data, row

from hopbine.errors import UsageError
from hopbine.recorded.statistics import load, sums_line


def file_with(tmp_path, sums):
    path = tmp_path / "stats.json"
    path.write_text(json.dumps(data(row("allreduce"), sums=sums)))
    return path


def test_sums_are_told_in_a_line(tmp_path):
    named = {"MPI_Accumulate of MPI_DOUBLE (one-sided)": 2}
    assert sums_line(load(file_with(tmp_path, {"exact": 3, "rounded": named}))["sums"]) == (
        "Exact sums: 3 calls of all ranks; rounded: MPI_Accumulate of MPI_DOUBLE (one-sided): "
        "2 calls."
    )
    all_exact = load(file_with(tmp_path, {"exact": 1, "rounded": {}}))["sums"]
    assert sums_line(all_exact) == "Exact sums: 1 call of all ranks; none was rounded."
    assert load(file_with(tmp_path, None))["sums"] is None


@pytest.mark.parametrize(
    ("sums", "wrong"),
    [
        ([], "exact"),
        ({"rounded": {}}, "exact"),
        ({"exact": 1}, "rounded"),
        ({"exact": 1, "rounded": {"x": "y"}}, "rounded"),
    ],
)
def test_wrong_ones_are_refused(tmp_path, sums, wrong):
    with pytest.raises(UsageError, match=f"sums: {wrong} is missing or wrong"):
        load(file_with(tmp_path, sums))
