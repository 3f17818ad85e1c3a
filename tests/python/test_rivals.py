"""Tables of benchmarks/rivals.py, from made-up results."""

import csv
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

from rivals_cells import COLUMNS, cells
from rivals_library import Library, choices, read_variables
from rivals_report import letter, losses, means, refusals, report, wins

#: label, kind -> seconds of the trial and of three rounds.
FASTER = {
    ("auto", "hopbine"): [9, 2, 2, 2],
    ("hopbine:ring", "hopbine"): [4, 4, 4, 4],
    ("default", "library"): [8, 8, 8, 8],
    ("tree", "library"): [1, 4, 4, 4],
    ("never_again", "library"): [1],
}
SLOWER = FASTER | {("auto", "hopbine"): [1, 6, 8, 10]}


@pytest.fixture
def folder(tmp_path):
    with (tmp_path / "results.csv").open("w", newline="") as f:
        out = csv.writer(f)
        out.writerow(COLUMNS)
        for collective, arms in (("bcast", FASTER), ("reduce", SLOWER)):
            key = ["5,6,5", 16, "ompi4", "", collective, 8]
            for (label, kind), times in arms.items():
                out.writerows([*key, label, kind, k, 1, t, ""] for k, t in enumerate(times))
            out.writerow([*key, "auto", "hopbine", -1, 0, "", "learned 222 mpi"])
            out.writerow([*key, "pair", "library", -1, 0, "", "error no"])
    return tmp_path


def test_a_cell_is_compared_round_by_round_with_the_best_rival(folder):
    fast, slow = cells(folder / "results.csv")
    assert fast.best("library").label == "tree"  # a single trial is no measurement
    assert fast.to_best() == (0.5, 0.5, 0.5)
    assert slow.to_best() == (2, 1.75, 2.25)
    assert (letter(fast), letter(slow)) == ("H 2.00", "m 1.00")
    assert slow.fault() == "the choice: ring is as good"
    assert slow.served == "mpi"


def test_the_tables_say_who_wins(folder):
    found = cells(folder / "results.csv")
    where = "5,6,5, 16 ranks, ompi4"
    assert means(found) == [[where, "2", "1.00", "0.50", "1.00", "1.00", "2.00"]]
    assert wins(found) == [
        [where, "bcast", "100%", "100%", "100%", "0%", "-", "-"],
        [where, "reduce", "0%", "-", "-", "100%", "100%", "100%"],
    ]
    assert [row[1] for row in losses(found)] == ["reduce 8 B"]
    assert [row[2:] for row in refusals(found)] == [["pair (8 B)", "error no"]] * 2


def test_the_report_is_written(folder):
    report(folder)
    assert "| 5,6,5, 16 ranks, ompi4 | 2 |" in (folder / "tables.md").read_text()
    assert {p.name for p in folder.glob("*.svg")} == {"boxes.svg", "heat-5_6_5-16-ompi4.svg"}


def test_names_without_ends_of_lines_are_found(tmp_path):
    """MPICH 4's descriptions have lost them: 'Force Binomial Treenb - Force nonblocking'."""
    library = tmp_path / "libmpich.so"
    library.write_bytes(b"\0auto\0binomial\0isnb\0percoll\0all\0none\0")
    listing = (
        f"library {library}\nvariable MPIR_CVAR_BCAST_INTRA_ALGORITHM 1\n"
        "text Variable to select bcast algorithmauto - Internal (can)binomial  - Force Binomial "
        "Treenb    - Force nonblocking algorithm\nvariable MPIR_CVAR_DEVICE_COLLECTIVES 1\n"
        "text Whether.all  - Always the devicenone  - Never the devicepercoll - As told\n"
    )
    made = choices(Library("mpich4", "", ""), read_variables(listing), "bcast", 8, 1, True, True)
    name = "MPIR_CVAR_BCAST_INTRA_ALGORITHM"
    assert [(c.label, dict(c.settings)[name]) for c in made] == [("binomial", "1"), ("nb", "2")]
