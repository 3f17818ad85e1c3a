"""How benchmarks/learning reads jobs and pairs them, from made-up results."""

import argparse
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks/learning"))

import learning
from learning_jobs import Beginning, Told, read_told
from learning_table import AGAIN, HEAD, STOCK, Ratio, rows, show_seconds


def told(**times):
    return Told({"job": 1.0, **times}, {}, "ab")


def cells(one, other):
    return told(**{"first/bcast/8": one, "first/gather/64": other})


def test_what_a_job_prints_is_read():
    text = "time first/bcast/8 2e-6\nmemory growth 12\nsome word\nchecksum 00ff\n"
    assert read_told(text, 3.0) == Told(
        {"job": 3.0, "first/bcast/8": 2e-6}, {"growth": 12.0}, "00ff"
    )
    with pytest.raises(ValueError, match="no checksum"):
        read_told("time loop 1\n", 1.0)


@pytest.mark.parametrize(
    ("line", "gain"),
    [
        ("hopbine: served 5 of 9; 1 s in collectives, 250 ms saved, 10 ms spent: faster by", None),
        ("hopbine: 1.3 s in collectives, 250 ms saved, 10 ms spent: faster by 240 ms; see", 0.24),
        ("hopbine: 9 s in collectives, nothing saved, 1 s spent: slower by 1.02 s; see", -1.02),
        ("some program: faster by 3 s", None),
    ],
)
def test_the_gain_of_the_closing_line_is_read(line, gain):
    assert read_told("checksum 00ff\n", 3.0, f"noise\n{line}\n").gain == gain


def test_the_told_gain_is_shown_beside_the_measured_one():
    def took(seconds, gain=None):
        return Told({"job": 1.0, "collectives": seconds}, {}, "ab", gain)

    taken = {
        STOCK: [took(1.0), took(1.1)],
        AGAIN: [took(1.2), took(1.1)],
        "default": [took(0.9, 0.12), took(0.8, 0.22)],
    }
    gain = rows(taken, "default", ("collectives",))[-1]
    assert gain[:3] == ["gained, told", "250 (50) ms", "170 (50) ms"]
    assert gain[-1] == "2"


def test_ratios_are_paired_and_the_least_times_compared():
    ratio = Ratio.of([2.0, 9.0, 4.0], [1.0, 3.0, 4.0])
    assert (ratio.middle, ratio.low, ratio.high) == (2.0, 1.5, 2.5)
    assert ratio.best == 2.0
    mean = Ratio.mean([Ratio(1, 1, 1, 1), Ratio(4, 9, 16, 25)])
    assert (mean.middle, mean.low, mean.high, mean.best) == pytest.approx((2, 3, 4, 5))


def test_cells_are_shown_by_their_mean_and_the_worst():
    taken = {
        STOCK: [cells(1e-3, 1e-3)] * 3,
        AGAIN: [cells(1e-3, 1.1e-3)] * 3,
        "default": [cells(1e-3, 4e-3), cells(1e-3, 4e-3), cells(1e-3, 1e-2)],
    }
    first, job = rows(taken, "default", ("first",))
    assert dict(zip(HEAD[6:], first, strict=True)) == {
        "what": "first, mean of 2",
        "stock": "1 ms",
        "hopbine": "2 ms",
        "ratio, median (quartiles)": "2.000 (2.000..2.646)",
        "best to best": "2.000",
        "A/A, median (quartiles)": "1.049 (1.049..1.049)",
        "A/A, best to best": "1.049",
        "worst cell": "4.00 gather/64",
        "A/A, worst cell": "1.10 gather/64",
        "pairs": "3",
    }
    assert job[0] == "job"
    assert job[-3:] == ["", "", "3"]


def test_memory_has_no_ratio():
    taken = {
        way: [Told({"job": 1.0}, {"growth": value}, "ab")]
        for way, value in ((STOCK, 0.0), (AGAIN, 4.0), ("default", 900.0))
    }
    growth, _ = rows(taken, "default", ("growth",))
    assert growth == ["growth", "0 KiB", "900 KiB", "", "", "", "", "", "", "1"]


def test_times_are_shown_in_units_of_their_size():
    assert [show_seconds(s) for s in (2.5, 0.0025, 2.5e-6, 2.5e-8)] == [
        *("2.5 s", "2.5 ms", "2.5 us", "0.025 us")
    ]


def test_every_job_begins_with_a_cache_of_its_own(tmp_path):
    assert Beginning("none", tmp_path).settings() == {"HOPBINE_LEARN": "none"}
    fresh = Beginning("fresh", tmp_path)
    one, other = (fresh.settings() for _ in range(2))
    assert one["HOPBINE_LEARN"] == ""
    assert one["XDG_CACHE_HOME"] != other["XDG_CACHE_HOME"]
    assert not list(Path(one["XDG_CACHE_HOME"]).iterdir())
    (tmp_path / "mine").write_text("rules")
    filled = Beginning(str(tmp_path / "mine"), tmp_path)
    one, other = (Path(filled.settings()["HOPBINE_LEARN"]) for _ in range(2))
    assert one != other
    assert one.read_text() == other.read_text() == "rules"


@pytest.mark.parametrize("text", ["openmpi", "openmpi=mpicc", "other=mpicc=mpiexec"])
def test_a_library_needs_a_known_name_and_two_commands(text):
    with pytest.raises(argparse.ArgumentTypeError, match=r"is not NAME="):
        learning.library_of(text)
    assert learning.library_of("mpich5=a=b").family == "mpich"
    assert learning.library_of("openmpi=a=b").family == "openmpi"


def test_other_answers_end_the_benchmark(monkeypatch, tmp_path):
    """One job of three tells another checksum."""
    sums = iter(("ab", "ab", "cd"))

    class Jobs:
        network = type("N", (), {"folder": tmp_path, "one_node": True, "ranks": 2})()
        library = learning.library_of("openmpi=a=b")

        def run(self, command, own):
            return Told({"job": 1.0}, {}, next(sums))

    args = argparse.Namespace(choice=["default"], pairs=1, seed=1, cache=False, learn="none")
    row = learning.Row(Jobs(), learning.PROGRAMS[0], 5, ["program"])
    with pytest.raises(RuntimeError, match=r"many_kinds 5: answers differ"):
        learning.take(args, row)
