"""Fits and calibration files, and hopbine model and calibrate as a user meets them.

Measuring itself is in tests/mpi.
"""

import csv
import io
import json
from pathlib import Path

import pytest
from commands import hopbine
from hypothesis import given, settings
from hypothesis import strategies as st

from hopbine.bench.launch import BenchError
from hopbine.machines.toml_file import parse
from hopbine.model import Parameters, seconds
from hopbine.model.calibrate import fitted
from hopbine.model.costs import NOT_MEASURED, message_lines
from hopbine.model.parameters import load, save, toml_lines
from hopbine.model.predict import parse_radices
from hopbine.notation.units import parse_per_byte, show_per_byte

GIVEN = ["--alpha", "2us", "--beta", "12.5GB/s", "--gamma", "20GB/s", "--overhead", "200ns"]
SIZES = (8, 512, 4096, 65536, 1 << 20)


def samples(
    of: Parameters,
    call: float = 1e-8,
    ranks: int = 4,
    sizes=SIZES,
    slow: dict[int, float] | None = None,
) -> list[dict[str, str]]:
    """What hopbine-calibrate would write on a machine that obeys the model.

    Messages of the sizes in `slow` are the exception: they take so many times as long.
    """
    cases = [
        ("exchange", 1, s, (of.alpha + of.beta * s) * (slow or {}).get(s, 1)) for s in sizes
    ] + [("reduce", 1, s, call + of.gamma * s) for s in sizes]
    cases += [
        ("exchange", m, s, of.alpha + of.beta * m * s + of.overhead * (m - 1))
        for m in range(2, ranks)
        for s in sizes[:2]
    ]
    return [
        {
            "kind": kind,
            "messages": str(m),
            "bytes": str(s),
            "repetition": str(r),
            "calls": "1",
            "seconds": repr(t * jitter),
            "correct": "1",
        }
        for kind, m, s, t in cases
        for r, jitter in enumerate((0.99, 1.0, 1.01))
    ]


@settings(max_examples=50, deadline=None)
@given(st.floats(1e-7, 1e-3), st.floats(1e-12, 1e-8), st.floats(1e-12, 1e-8), st.floats(1e-8, 1e-3))
def test_a_machine_that_obeys_the_model_is_found(alpha, beta, gamma, overhead):
    found = fitted(samples(Parameters(alpha, beta, gamma, overhead)), {}).parameters
    # A part that is a millionth of what is timed beside it cannot be told from rounding.
    assert (found.alpha, found.beta, found.gamma) == pytest.approx((alpha, beta, gamma), rel=1e-4)
    assert found.overhead == pytest.approx(overhead, rel=1e-3, abs=1e-5 * (alpha + beta * 4096))


def test_a_bad_fit_says_so_and_keeps_its_evidence(tmp_path):
    found = fitted(samples(Parameters(1e-6, 1e-10, 1e-10, 1e-7), slow={4096: 20}), {"ranks": 4})
    assert any(
        "point-to-point" in w and "off by more than a factor of 1.5" in w for w in found.warnings()
    )
    assert not fitted(samples(Parameters(1e-6, 1e-10, 1e-10, 1e-7)), {}).warnings()
    path = str(tmp_path / "c.json")
    save(path, found.parameters, found.evidence())
    told = json.loads(Path(path).read_text())
    assert told["units"]["beta"] == "s per byte"
    assert told["warnings"]
    assert told["measured"] == {"ranks": 4}
    assert {f["what"] for f in told["fits"]} == {
        "point-to-point",
        "reduction",
        "several messages at once",
    }
    for point in told["fits"][0]["points"]:
        assert point["ratio"] == pytest.approx(point["fitted"] / point["seconds"])
        assert point["samples"] == 3
        assert point["low"] <= point["seconds"] <= point["high"]
    assert load(path) == found.parameters
    assert load(path).source == path


def test_a_calibration_is_lines_of_a_description():
    lines = toml_lines(Parameters(5e-7, 1 / 6e9, 1 / 20e9, 3e-7))
    head = 'name = "x"\nkind = "dragonfly"\ngroups = 1\nnodes_per_group = 2\n'
    machine = parse(head + "\n".join(lines), "calibrated")
    assert machine.network() == (
        "node_latency=5e-07:rank_bandwidth=6e+09:reduce_bandwidth=2e+10:overhead=3e-07"
    )
    assert toml_lines(Parameters(5e-7, 1e-10)) == [
        "[links.node]",
        'latency = "0.5 us"',
        "[costs]",
        'rank_bandwidth = "80 Gb/s"',
    ]


def message_rows(
    send: float, receive: float, unexpected: float, block: float, copy: float, limit: int
) -> list[dict[str, str]]:
    """What hopbine-calibrate would write of messages' costs."""
    cases = [("send", 32, 8, send)]
    cases += [("late", 32, s, receive + unexpected * s) for s in (8, limit // 4, limit)]
    cases += [
        ("pack", runs, runs * s, block * runs + copy * runs * s)
        for runs in (16, 256)
        for s in (64, 8192)
    ]
    rows = [
        {
            "kind": kind,
            "messages": str(m),
            "bytes": str(s),
            "repetition": str(r),
            "calls": "1",
            "seconds": repr(t),
            "correct": "1",
        }
        for kind, m, s, t in cases
        for r in range(2)
    ]
    limits = {"kind": "eager", "messages": "1", "bytes": str(limit), "seconds": "0"}
    return [*rows, limits | {"repetition": "0", "calls": "1", "correct": "1"}]


def test_costs_of_messages_are_found_and_are_lines_of_a_description():
    of = Parameters(1e-6, 1 / 6e9, 1 / 20e9, 1e-7)
    rows = samples(of) + message_rows(2e-7, 3e-7, 1 / 8e9, 1e-8, 1 / 10e9, 4016)
    found = fitted(rows, {})
    assert found.costs is not None
    assert found.costs.values == {
        "send": pytest.approx(2e-7),
        "receive": pytest.approx(3e-7),
        "eager": 4016,
        "inside_latency": pytest.approx(5e-7),
        "inside_bandwidth": pytest.approx(6e9),
        "unexpected_bandwidth": pytest.approx(8e9),
        "reduce_bandwidth": pytest.approx(20e9),
        "block": pytest.approx(1e-8),
        "copy_bandwidth": pytest.approx(10e9),
    }
    assert found.evidence()["messages"] == found.costs.values
    assert [fit.what for fit in found.fits[3:]] == [
        "sending",
        "receiving what came before",
        "packing",
    ]
    lines = message_lines(found.costs)
    assert lines[:4] == ["[messages]", 'send = "0.2 us"', 'receive = "0.3 us"', 'eager = "4016 B"']
    head = 'name = "x"\nkind = "dragonfly"\ngroups = 1\nnodes_per_group = 2\n'
    machine = parse(head + "\n".join([*lines, *NOT_MEASURED]), "calibrated")
    assert machine.messages == {k: pytest.approx(v) for k, v in found.costs.values.items()}


def test_what_does_not_show_has_no_line():
    of = Parameters(1e-7, 1 / 6e9, 1 / 20e9, 1e-7)
    unlimited = fitted(samples(of) + message_rows(2e-7, 3e-7, 0, 1e-8, 1e-10, 4 << 20), {})
    assert unlimited.costs is not None
    # All are sent at once; sending and receiving take more than a ping-pong; nothing by the byte.
    assert not {"eager", "inside_latency", "unexpected_bandwidth"} & set(unlimited.costs.values)
    never = message_rows(2e-7, 3e-7, 0, 1e-8, 1e-10, 0)
    waits = fitted(samples(of) + [row for row in never if row["kind"] != "late"], {})
    assert waits.costs is not None
    assert not {"receive", "unexpected_bandwidth"} & set(waits.costs.values)
    assert waits.costs.values["send"] == pytest.approx(2e-7)
    assert waits.costs.values["eager"] == 0
    assert fitted(samples(of), {}).costs is None


def test_too_few_points_and_wrong_answers_are_refused():
    of = Parameters(1e-6, 1e-10, 1e-10, 1e-7)
    with pytest.raises(ValueError, match="two sizes at least"):
        fitted(samples(of, sizes=(8,)), {})
    with pytest.raises(ValueError, match="two messages at once"):
        fitted(samples(of, ranks=2), {})
    with pytest.raises(ValueError, match="timed 1 time"):
        fitted([s for s in samples(of) if s["repetition"] == "0"], {})
    with pytest.raises(BenchError, match="wrong result: exchange of 512 bytes"):
        fitted([s | {"correct": str(int(s["bytes"] != "512"))} for s in samples(of)], {})


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["calibrate", "--ranks", "2"], "--ranks 2: needs at least 3"),
        (["calibrate", "--repetitions", "1"], "--repetitions 1: needs at least 2"),
        (["calibrate", "--sizes", "8"], "--sizes has 1: needs at least 2"),
        (["calibrate", "--sizes", "8:4GiB"], "less than 2 GiB"),
        (["calibrate", "--mpiexec", "/nonexistent"], "no MPI launcher"),
    ],
)
def test_a_calibration_of_too_little_is_refused(capsys, tmp_path, argv, said):
    path = tmp_path / "c.json"
    code, out, err = hopbine(capsys, *argv, "-o", str(path))
    assert code == 2
    assert said in err
    assert out == ""
    assert not path.exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is no JSON"),
        ("[]", "is no calibration of this version"),
        ('{"hopbine_calibration": 2, "parameters": {}}', "is no calibration of this version"),
        (
            '{"hopbine_calibration": 1, "parameters": {"alpha": 1, "beta": 1}}',
            "has no gamma, overhead",
        ),
        (
            (
                '{"hopbine_calibration": 1, "parameters": {"alpha": -1, "beta": 1, "gamma": 0, '
                '"overhead": 0}}'
            ),
            "alpha -1",
        ),
        (
            (
                '{"hopbine_calibration": 1, "parameters": {"alpha": 1, "beta": "1us", "gamma": 0, '
                '"overhead": 0}}'
            ),
            "beta '1us'",
        ),
        (
            (
                '{"hopbine_calibration": 1, "parameters": {"alpha": 1, "beta": NaN, "gamma": 0, '
                '"overhead": 0}}'
            ),
            "beta nan",
        ),
    ],
)
def test_a_calibration_that_is_none_is_refused(capsys, tmp_path, text, said):
    path = tmp_path / "c.json"
    path.write_text(text)
    code, _, err = hopbine(capsys, "model", "bcast", "--ranks", "8", "--calibration", str(path))
    assert code == 2
    assert said in err
    assert str(path) in err


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["--k", "1"], "--k 1 is outside 2..1048576 of bcast knomial"),
        (["--k", "2:2097152"], "--k 2097152 is outside 2..1048576"),
        (["--k", "2..x"], "is not like 4, 2:32 (doubling) or 2..8"),
        (["--k", "8:2"], "is not like"),
        (["--k", "2..9999"], "at most 256"),
        (["--kernel", "ring"], "no equation of a kernel 'ring' for bcast (it has: knomial"),
        (["--calibration", "c.json"], "both give parameters"),
        (["--beta", "3ns"], "neither a time per byte, as 0.08ns/B, nor a rate"),
        (["--beta", "0GB/s"], "more than zero"),
        (["--alpha", "2"], "--alpha '2' is not a number with one of s, ms"),
        (["--simulate", "torus:2x2"], "--simulate torus:2x2 has 4 nodes, fewer than --ranks 8"),
        (["--simulate", "torus"], "torus:N0"),
        (["--measure", "--mpiexec", "/nonexistent"], "no MPI launcher"),
        (["--measure", "--repetitions", "1"], "1 is outside 2.."),
        (["--measure", "--k", "2..70"], "at most 64 radices"),
        (["--plot", "x.gif"], "must end in .svg"),
        (["--ranks", "1"], "--ranks 1: needs at least 2"),
    ],
)
def test_bad_input_is_refused_in_words(capsys, argv, said):
    code, out, err = hopbine(capsys, "model", "bcast", "--ranks", "8", *GIVEN, *argv)
    assert code == 2
    assert said in err
    assert "Traceback" not in err
    assert out == ""


def test_parameters_must_be_given(capsys):
    assert "bcast needs --alpha, --beta (or" in hopbine(capsys, "model", "bcast", "--ranks", "8")[2]
    assert (
        "reduce needs --gamma (or"
        in hopbine(capsys, "model", "reduce", "--ranks", "8", *GIVEN[:4])[2]
    )
    assert hopbine(capsys, "model", "bcast", "--ranks", "8", *GIVEN[:4])[0] == 0


def test_the_table_tells_the_best_radix(capsys):
    """Figure 8(a): without overhead the best radix of small vectors is p, of large ones 2.

    Overhead lowers the former.
    """
    code, out, _ = hopbine(capsys, "model", "reduce", "--ranks", "128", "--sizes", "8,4MiB", *GIVEN)
    best = [line.split() for line in out.splitlines()[-2:]]
    assert code == 0
    assert best[0][:3] == ["8", "B", "128"]
    assert best[1] == ["4", "MiB", "2", "2"]
    assert 2 < int(best[0][3]) < 128
    assert out.count("*") == 2 * 2 + 1  # a mark for every size and source, and what it means


def test_csv_is_what_the_functions_return(capsys):
    rows = list(
        csv.DictReader(
            io.StringIO(
                hopbine(
                    capsys,
                    "model",
                    "allreduce",
                    "--ranks",
                    "27",
                    "--k",
                    "2..4",
                    "--sizes",
                    "1KiB:1MiB:4",
                    *GIVEN,
                    "--format",
                    "csv",
                )[1]
            )
        )
    )
    of = Parameters(2e-6, 1 / 12.5e9, 1 / 20e9, 2e-7)
    assert len(rows) == 3 * 6
    for row in rows:
        assert (
            float(row["counted"])
            == seconds(of, "allreduce", f"knomial:k={row['k']}", 27, [int(row["bytes"])])[0]
        )
    three = next(r for r in rows if r["k"] == "3" and r["bytes"] == "1024")
    assert float(three["equation"]) == pytest.approx(
        3 * 2e-6 + 1024 * (2 * (3 + 26 / 27) / 12.5e9 + 6 / 20e9)
    )


def test_simulated_and_plotted_side_by_side(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "m.svg"
    code, out, _ = hopbine(
        capsys,
        "model",
        "bcast",
        "--ranks",
        "16",
        "--sizes",
        "8,1MiB",
        *GIVEN,
        "--simulate",
        "torus:4x4",
        "--plot",
        str(path),
    )
    drawn = path.read_text()
    assert code == 0
    assert str(path) in out
    assert "simulated: torus:4x4, 100 Gb/s a link" in out
    assert all(f">{panel}<" in drawn for panel in ("eq. (3)", "counted", "simulated"))


@pytest.mark.parametrize(
    ("text", "ks"),
    [
        ("4", [4]),
        ("2:32", [2, 4, 8, 16, 32]),
        ("3:13,5", [3, 5, 6, 12]),
        ("2..5,4", [2, 3, 4, 5]),
        ("0,4", [0, 4]),
    ],
)
def test_radices(text, ks):
    assert parse_radices(text) == ks


def test_per_byte_is_a_time_or_a_rate():
    assert (
        parse_per_byte("0.08ns/B", "b")
        == pytest.approx(0.08e-9)
        == pytest.approx(parse_per_byte("12.5GB/s", "b"))
        == pytest.approx(parse_per_byte("100Gb/s", "b"))
    )
    assert parse_per_byte("0s/B", "b") == 0
    assert show_per_byte(0.08e-9) == "0.08 ns/B"
