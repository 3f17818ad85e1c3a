"""Sizes of an alltoallv's blocks, as they are written and drawn."""

from statistics import mean, pstdev

import pytest

from hopbine import _core
from hopbine.bench.compare import compare
from hopbine.bench.launch import BenchError, Sample, csv_rows
from hopbine.bench.sizes import parse_blocks
from hopbine.cli import main

DRAWN = (
    "dist:uniform:1024",
    "dist:normal:1000:240",
    "dist:normal:100:300",
    "dist:power:1024:0.95",
    "dist:power:1024:1",
    "dist:power:65536:2.5",
)


def test_what_is_left_out_is_as_in_the_paper():
    texts = {
        given: _core.distribution(given, 4)["text"]
        for given in ("8", "2", "dist:normal:1000", "dist:power:1024")
    }
    assert texts == {
        "8": "dist:uniform:16",
        "2": "dist:uniform:8",
        "dist:normal:1000": "dist:normal:1000:240",
        "dist:power:1024": "dist:power:1024:0.95",
    }


def test_samples_that_are_there_outlive_ctrl_c(monkeypatch, tmp_path):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("hopbine.bench.launch.find_launcher", lambda _: "mpiexec")
    monkeypatch.setattr("hopbine.bench.launch.family_of", lambda _: "openmpi")
    monkeypatch.setattr("hopbine.bench.launch.run", interrupted)
    old = tmp_path / "s.csv"
    old.write_text("old")
    assert main(["bench", "allreduce", "--samples", str(old)]) == 130
    assert [(f.name, f.read_text()) for f in tmp_path.iterdir()] == [("s.csv", "old")]


def test_a_short_timeout_is_told_as_it_is():
    with pytest.raises(BenchError, match=r"no result within 0\.01 s"):
        list(csv_rows("tail", "openmpi", 1, ["-f", "/dev/null"], {}, 0.01))


def test_the_same_distribution_is_measured_once():
    assert parse_blocks(
        "dist:normal:1kB:240,64,8,dist:uniform:16,dist:normal:1000,dist:power:1KiB", 4
    ) == ["8", "64", "dist:normal:1000:240", "dist:power:1024"]


@pytest.mark.parametrize("width", [1, 4, 8])
@pytest.mark.parametrize("text", DRAWN)
def test_what_is_drawn_is_as_long_as_is_said(text, width):
    """Within 5 standard errors; the power law with a rare long block has the largest."""
    said = _core.distribution(text, width)
    sizes = [
        _core.draw(text, origin, destination, 1, width)
        for origin in range(150)
        for destination in range(200)
    ]
    assert abs(mean(sizes) - said["mean"]) < 5 * pstdev(sizes) / len(sizes) ** 0.5
    assert min(sizes) >= (1 if "power" in text and width == 1 else 0)
    assert max(sizes) <= said["longest"]
    assert all(size % width == 0 for size in sizes)
    assert (
        len(
            {
                tuple(sizes[:100]),
                *(tuple(_core.draw(text, 0, d, r, width) for d in range(100)) for r in (2, 3)),
            }
        )
        == 3
    )


def test_the_shapes_are_those_of_their_formulas():
    normal = [_core.draw("dist:normal:1000:240", a, b, 7) for a in range(150) for b in range(200)]
    assert abs(pstdev(normal) - 240) < 5
    assert abs(sum(n <= 1000 - 240 for n in normal) / len(normal) - 0.1587) < 0.011
    power = [_core.draw("dist:power:1024:1", a, b, 7) for a in range(150) for b in range(200)]
    assert (
        abs(sum(n <= 32 for n in power) / len(power) - 0.5) < 0.02
    )  # density 1/x: half of 1..1024 on a logarithmic scale
    even = [_core.draw("dist:uniform:12", a, b, 7, 4) for a in range(150) for b in range(200)]
    assert all(abs(even.count(n) / len(even) - 0.25) < 0.0125 for n in (0, 4, 8, 12))


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        (
            "dist:cauchy:8",
            (
                "'dist:cauchy:8': no such distribution; allowed are BYTES, dist:uniform:MAX, "
                "dist:normal:MEAN[:SD] and dist:power:MAX[:EXPONENT]"
            ),
        ),
        ("dist:uniform", "too few or too many numbers"),
        ("dist:uniform:8:2", "too few or too many numbers"),
        ("dist:power:8:", "too few or too many numbers"),
        ("dist:uniform:2", "room for an element, bytes: 4"),
        ("dist:uniform:8.5", "whole number of at most 1099511627776"),
        ("dist:uniform:8kX", "not a number with B, KiB"),
        ("dist:normal:1000:0", "SD must be above 0"),
        ("dist:power:1000:17", "EXPONENT must be 0 or more, and at most 16"),
        ("8,,dist:uniform:8", "size ''"),
    ],
)
def test_sizes_that_are_none_are_refused_in_words(capsys, sizes, said):
    assert main(["bench", "alltoallv", "--sizes", sizes, "--mpiexec", "/bin/true"]) == 2
    out, err = capsys.readouterr()
    assert said in err
    assert err.count("\n") == 1
    assert out == ""


@pytest.mark.parametrize("option", [["--sizes", "dist:uniform:8"], ["--counts", "same"]])
def test_only_alltoallv_has_counts(capsys, option):
    assert main(["bench", "allgather", *option, "--mpiexec", "/bin/true"]) == 2
    assert "are for alltoallv" in capsys.readouterr().err


def test_distributions_of_the_same_mean_are_compared_apart():
    samples = [
        Sample("alltoallv", name, 2, 8, k, t, 1, d)
        for k in range(2)
        for name, t in (("mpi", 1.0), ("linear", 2.0))
        for d in ("a", "b")
    ]
    assert [(r.distribution, r.algorithm, r.samples) for r in compare(samples, "mpi")] == [
        ("a", "mpi", 2),
        ("b", "mpi", 2),
        ("a", "linear", 2),
        ("b", "linear", 2),
    ]
