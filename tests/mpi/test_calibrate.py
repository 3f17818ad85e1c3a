"""hopbine calibrate on real ranks, and hopbine model with its file beside measured times."""

import csv
import io
import json
import shutil

import pytest

from hopbine.cli import main
from hopbine.model.parameters import load

SIZES = (8, 1024, 16384)


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
    alone, reduction, many = (fit["points"] for fit in told["fits"])
    assert (
        [(p["messages"], p["bytes"]) for p in alone]
        == [(p["messages"], p["bytes"]) for p in reduction]
        == [(1, s) for s in SIZES]
    )
    assert [(p["messages"], p["bytes"]) for p in many] == [(2, 8), (2, 1024)]
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
