"""hopbine simulate: sweeps that are stopped, and those that ranks of an MPI job share."""

import sys
import time
from pathlib import Path

import pytest

from hopbine import _core
from hopbine.cli import main
from hopbine.simulation import Setup

sweep = sys.modules["hopbine.simulation.sweep"]


def test_the_rank_is_what_the_launcher_tells():
    assert _core.rank_in_job({}) == (0, 1)
    assert _core.rank_in_job({"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "4"}) == (1, 4)
    assert _core.rank_in_job({"PMI_RANK": "3"}) == (3, 4)
    slurm = {"SLURM_PROCID": "0", "SLURM_NTASKS": "8"}
    assert _core.rank_in_job(slurm) == (0, 1)  # a batch script
    assert _core.rank_in_job(slurm | {"SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": "8"}) == (0, 8)


def test_ctrl_c_keeps_the_rows_that_are_done(monkeypatch, tmp_path, capsys):
    """In the file of --csv."""
    reached, made = Setup.reached, []

    def once(setup, collective, algorithm, size, root=0):
        made.append(size)
        if len(made) == 3:
            raise KeyboardInterrupt
        return reached(setup, collective, algorithm, size, root)

    words = ("simulate", "allreduce", "--topology", "torus:4x4", "--algorithms", "swing_small")
    whole, some = tmp_path / "whole.csv", tmp_path / "some.csv"
    assert main([*words, "--csv", str(whole)]) == 0
    monkeypatch.setattr(Setup, "reached", once)
    monkeypatch.setattr(sweep, "at_once", lambda: 1)
    assert main([*words, "--csv", str(some)]) == 130
    assert some.read_text() == "".join(whole.read_text().splitlines(keepends=True)[:3])
    assert "interrupted after 2 of 13 times; what was done is kept" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ("alltoallv", "fattree:64x512", "--engine", "packet", "--sizes", "dist:uniform:16"),
            "32,768 ranks on fattree:64x512: up to 16,384 are simulated with drawn blocks",
        ),
        (
            ("alltoall", "torus:1100x1000"),
            "1,100,000 ranks on torus:1100x1000: up to 1,048,576 are",
        ),
        (("alltoall", "torus:512x256"), "17,179,869,184 blocks: up to 4,294,967,296 are simulated"),
    ],
)
def test_what_would_take_for_ever_is_refused_at_once(capsys, words, says):
    began = time.monotonic()
    assert main(["simulate", words[0], "--topology", *words[1:]]) == 2
    assert says in capsys.readouterr().err
    assert time.monotonic() - began < 20


def test_the_limit_of_drawn_blocks_is_the_engines():
    source = Path(__file__).parents[2] / "src/simulation/drawn_blocks.hpp"
    assert f"kMostRanks = {sweep.MOST_DRAWN};" in source.read_text()
