"""How benchmarks/programs.py reads and compares what programs print."""

import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

import programs
from programs_known import PROGRAMS

SAMPLES = {
    "LAMMPS": (
        "      10    0.8801805   -6.2985915            0   -4.9789654   -4.2259174 \n"
        "Loop time of 0.670521 on 16 procs for 20 steps with 2048 atoms\n",
        ["0.8801805", "-6.2985915", "0", "-4.9789654", "-4.2259174"],
    ),
    "Quantum ESPRESSO": (
        "!    total energy              =     -63.34494104 Ry\n"
        "     electrons    :      1.15s CPU   1m15.24s WALL (       1 calls)\n",
        ["-63.34494104"],
    ),
    "PETSc": (
        "  1 SNES Function norm 2.024727106358e-06 \nNumber of SNES iterations = 2\n"
        "Time (sec):           1.151e+00     1.004   1.149e+00\n",
        ["2.024727106358e-06", "2"],
    ),
    "PETSc pipecg": (
        "Norm of error 0.00012345 iterations 317\n"
        "KSPSolve               1 1.0 1.1510e+00 1.0 5.6e+07 1.0 1.3e+03\n",
        ["0.00012345", "317"],
    ),
    "GROMACS": (
        "   Energies (kJ/mol)\n   Total Energy  Conserved En.    Temperature Pressure (bar)\n"
        "   -6.42038e+04   -6.42039e+04    3.04760e+02   -5.92611e+02\n"
        "               Core t (s)   Wall t (s)        (%)\n"
        "       Time:       77.415       19.362      399.8\n",
        ["-6.42038e+04", "-6.42039e+04"],
    ),
    "HPCC": (
        "Success=1\nMPIRandomAccess_Errors=0\nPTRANS_residual=0\nHPL_N=200\nHPL_time=0.07\n"
        "MPIRandomAccess_time=8.7\nPTRANS_time=0.0096\nMPIFFT_time3=0.00133\n",
        ["Success=1", "MPIRandomAccess_Errors=0", "PTRANS_residual=0", "HPL_N=200"],
    ),
    "mpi4py-fft": ("time 0.1107\nnorm 87367.3322270347\nback True\n", ["87367.3322270347", "True"]),
    "pipecg": (
        "plain: 64 x 64 points, 353 iterations, residual 9e-10, largest error 7e-08: right\n"
        "time plain 0.026356 s\n"
        "pipelined: 64 x 64 points, 352 iterations, residual 9e-10, largest error 7e-08: WRONG\n"
        "time pipelined 0.033235 s\n",
        ["353"],
    ),
}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.name)
def test_every_program_s_answer_and_times_are_found(program):
    text, answers = SAMPLES[program.name]
    assert programs.read_answers(program, text) == answers
    times = programs.read_times(program, text)
    assert set(times) == set(program.times)
    assert all(value > 0 for value in times.values())


def test_answers_may_differ_by_the_tolerance_in_numbers_only():
    assert not programs.differs(["1.0", "yes"], ["1.0000001", "yes"], 1e-6)
    assert programs.differs(["1.0"], ["1.1"], 1e-6) == "1.0 and 1.1"
    assert programs.differs(["0"], ["1e-20"], 1e-6) == "0 and 1e-20"
    assert programs.differs(["1"], ["nan"], 1e9) == "1 and nan"
    assert programs.differs(["yes"], ["no"], 1.0) == "yes and no"
    assert programs.differs(["1"], ["1", "2"], 1.0) == "1 and 2 values"


def test_minutes_of_fortran_are_seconds():
    assert programs.seconds_of("1m21.76") == pytest.approx(81.76)
    assert programs.seconds_of("3.5") == 3.5


def test_a_program_that_is_not_installed_is_named_with_its_packages(monkeypatch, capsys):
    absent = replace(PROGRAMS[0], needs=("no_such_program",))
    monkeypatch.setattr(programs, "PROGRAMS", [absent])
    assert programs.chosen([]) == []
    said = capsys.readouterr().out
    assert re.search("no_such_program missing.*apt-get install lammps", said)
