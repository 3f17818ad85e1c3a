"""hopbine simulate: sweeps that are stopped, and those that ranks of an MPI job share."""

import re
import sys
from pathlib import Path

from hopbine.cli import main
from hopbine.simulation import Setup, ranks

NAMES = Path(__file__).parents[2] / "src" / "preload" / "rank_names.h"


def test_the_rank_is_what_the_launcher_tells():
    """By the variables that the launcher of hopbine knows."""
    names = re.findall(r'"([A-Z_]+)"', NAMES.read_text())
    assert names == [*ranks.RANK, ranks.SLURM[0]]
    assert ranks.place({}) == (0, 1)
    assert ranks.place({"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "4"}) == (1, 4)
    assert ranks.place({"PMI_RANK": "3"}) == (3, 4)
    slurm = {"SLURM_PROCID": "0", "SLURM_NTASKS": "8"}
    assert ranks.place(slurm) == (0, 1)  # a batch script
    assert ranks.place(slurm | {"SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": "8"}) == (0, 8)


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
    monkeypatch.setattr(sys.modules["hopbine.simulation.sweep"], "at_once", lambda: 1)
    assert main([*words, "--csv", str(some)]) == 130
    assert some.read_text() == "".join(whole.read_text().splitlines(keepends=True)[:3])
    assert "some.csv: the 2 rows that were done" in capsys.readouterr().err
