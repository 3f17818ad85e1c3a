"""hopbine tune: what is wrong is reported before anything starts."""

import json
import sys

import pytest

from hopbine.cli import main
from hopbine.cli.tune import parse_duration
from hopbine.output import progress
from hopbine.tuning import command


def test_durations():
    assert [parse_duration(t) for t in ("0", "90", "90s", "3min", "1.5 h")] == [
        0,
        90,
        90,
        180,
        5400,
    ]


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["alreduce"], "known: bcast"),
        (["allreduce,bcast", "--algorithms", "ring"], "--algorithms goes with one collective"),
        (["allreduce", "--sizes", "8:4"], "LOW <= HIGH"),
        (["allreduce", "--budget", "soon"], "--budget 'soon' is not like 90s, 3min or 1h"),
        (["allreduce", "--prune", "0.5"], "--prune 0.5 must be above 1"),
        (["allreduce", "--confidence", "95"], "--confidence 95 is not"),
        (["allreduce", "--samples", "3"], "--samples 3 needs at least 12"),
        (["allreduce", "--shape", "4y2"], "is no shape like 8x8x4"),
        (["allreduce", "-o", "/nonexistent/x.json"], "/nonexistent/x.json: its folder"),
        (["allreduce", "--verify", "/nonexistent.json"], "/nonexistent.json: cannot be read"),
        (
            ["allreduce", "--ranks", "1", "--mpiexec", "/bin/true", "--mpi", "openmpi"],
            "--ranks 1 needs at least 2",
        ),
        (["allreduce", "--launch", "srun -n 4", "--ranks", "4"], "do not go with it"),
        (["allreduce", "--launch", ""], "--launch: is empty"),
        (["allreduce", "--launch", "/nonexistent -n 3"], "no MPI launcher '/nonexistent'"),
        (["allreduce", "--mpiexec", "/nonexistent"], "no MPI launcher '/nonexistent'"),
    ],
)
def test_bad_input_is_named_in_one_line(argv, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["tune", *argv]) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert told.err.startswith("hopbine: ")
    assert told.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_an_output_that_is_no_rules_file_is_not_overwritten(capsys, tmp_path):
    path = tmp_path / "notes.json"
    path.write_text(json.dumps({"mine": 1}))
    assert main(["tune", "allreduce", "-o", str(path)]) == 2
    assert "hopbine_rules" in capsys.readouterr().err
    assert json.loads(path.read_text()) == {"mine": 1}


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo no such partition >&2; exit 3", "no such partition"),
        ("sleep 60", "no word within 0.5 s"),
    ],
)
def test_a_launch_that_fails_or_hangs_is_told(script, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = main(
        [
            "tune",
            "allreduce",
            "--launch",
            f"sh -c '{script}' --",
            "--mpi",
            "openmpi",
            "--timeout",
            "0.5",
        ]
    )
    assert code == 1
    assert said in capsys.readouterr().err


def test_an_interrupt_takes_the_line_of_progress_away_first(capsys, monkeypatch, tmp_path):
    def interrupted(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "tune", interrupted)
    monkeypatch.setattr("hopbine.tuning.launching.launcher", lambda *_: None)
    monkeypatch.setattr(progress, "clear", lambda: print("cleared", file=sys.stderr))
    assert main(["tune", "allreduce", "-o", "rules.json"]) == 130
    first, message, *_ = capsys.readouterr().err.splitlines()
    assert first == "cleared"
    assert message.startswith("hopbine: interrupted; what was measured is kept in rules.json.state")
