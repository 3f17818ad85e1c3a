"""hopbine calibrate on real ranks, and hopbine model with its file beside measured times."""

import csv
import io
import json
import shutil

import pytest

from hopbine.cli import main
from hopbine.machines import load as load_machine
from hopbine.machines.messages import KEYS
from hopbine.model.costs import NOT_MEASURED, Costs, message_lines
from hopbine.model.parameters import load, toml_lines

SIZES = (8, 1024, 16384)
#: Its speeds and costs are those that were measured.
MACHINE = """
name = "mine"
kind = "fat tree"
groups = 1
nodes_per_group = 4
topology = "fattree:1x4"
"""


@pytest.fixture(scope="module")
def calibrated(mpi, tmp_path_factory):
    """A calibration file from 3 ranks."""
    path = tmp_path_factory.mktemp("calibration") / "c.json"
    code = main(
        [
            "calibrate",
            "--ranks",
            "3",
            "--sizes",
            ",".join(map(str, SIZES)),
            "--repetitions",
            "3",
            "--mpiexec",
            shutil.which(mpi.mpiexec),
            "-o",
            str(path),
        ]
    )
    assert code == 0
    return path


def test_every_point_is_measured_and_kept(mpi, calibrated):
    told = json.loads(calibrated.read_text())
    assert told["measured"]["ranks"] == 3
    assert told["measured"]["family"] in mpi.name
    alone, reduction, many, *costs = (fit["points"] for fit in told["fits"])
    assert (
        [(p["messages"], p["bytes"]) for p in alone]
        == [(p["messages"], p["bytes"]) for p in reduction]
        == [(1, s) for s in SIZES]
    )
    assert [(p["messages"], p["bytes"]) for p in many] == [(2, 8), (2, 1024)]
    assert [{p["messages"] for p in points} for points in costs] == [{32}, {32}, {16, 64, 256}]
    assert all(
        p["samples"] == 3 and 0 < p["low"] <= p["seconds"] <= p["high"]
        for fit in told["fits"]
        for p in fit["points"]
    )
    of = load(str(calibrated))
    assert of.alpha > 0
    assert of.gamma > 0
    assert of.beta >= 0
    assert of.overhead >= 0


def test_the_costs_of_messages_are_sane_and_simulate(mpi, calibrated, capsys, tmp_path):
    costs = json.loads(calibrated.read_text())["messages"]
    assert {"send", "receive", "eager"} <= set(costs) <= set(KEYS) - {"latency"}
    # Both MPI libraries send some kilobytes at once inside a node, and ask for megabytes.
    assert 256 <= costs["eager"] < 1 << 20
    assert all(1e-9 < costs[key] < 1e-2 for key in ("send", "receive"))
    # Beside other programs three repetitions may show nearly nothing by the byte, or much.
    assert all(1e6 < costs[key] < 1e16 for key in costs if key.endswith("_bandwidth"))
    assert 1e8 < costs["copy_bandwidth"] < 1e12
    calibration = load(str(calibrated))
    parts = [costs[key] for key in ("send", "receive", "inside_latency") if key in costs]
    if "inside_latency" in costs:
        assert sum(parts) == pytest.approx(calibration.alpha)
    lines = message_lines(Costs(costs, ()))
    machine = tmp_path / "mine.toml"
    machine.write_text(MACHINE + "\n".join([*toml_lines(calibration), *lines, *NOT_MEASURED]))
    read = load_machine(str(machine))
    assert read.messages == {key: pytest.approx(value, rel=1e-3) for key, value in costs.items()}
    words = ["simulate", "allreduce", "--machine", str(machine), "--hosts", "node[0-3]"]
    words += ["--ranks-per-node", "2", "--bandwidth", "100Gb/s", "--sizes", "8,1MiB"]
    code = main([*words, "--algorithms", "ring,recursive_doubling"])
    out = capsys.readouterr().out
    assert code == 0
    assert "a message costs: send" in out


def test_modelled_and_measured_stand_side_by_side(mpi, calibrated, capsys):
    code = main(
        [
            "model",
            "allgather",
            "--ranks",
            "3",
            "--k",
            "2,3",
            "--sizes",
            "8,3KiB",
            "--calibration",
            str(calibrated),
            "--measure",
            "--repetitions",
            "2",
            "--mpiexec",
            shutil.which(mpi.mpiexec),
            "--format",
            "csv",
        ]
    )
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert code == 0
    # 8 bytes are not three equal blocks of floats: the model uses the size that was sent.
    assert [(r["k"], r["bytes"]) for r in rows] == [
        ("2", "12"),
        ("3", "12"),
        ("2", "3072"),
        ("3", "3072"),
    ]
    assert all(
        0 < float(r["measured_low"]) <= float(r["measured"]) <= float(r["measured_high"])
        and float(r["counted"]) > 0
        for r in rows
    )
