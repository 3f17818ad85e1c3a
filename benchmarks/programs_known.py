"""Programs that others wrote: how to get them, what they are given, how their answers are read.

One record each. Nothing in them is changed: packages of Debian 12, linked with its Open MPI. The
last one is an example of hopbine's.
"""

import gzip
import math
import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from hopbine.bench.launch import quiet_environment

#: A number that a program prints.
NUMBER = r"([-+]?\d[\d.]*(?:[eEdD][-+]?\d+)?)"
PETSC = Path("/usr/share/petsc/3.18/share/petsc/examples/src")
CAVITY, LAPLACE = PETSC / "snes/tutorials/ex19.c", PETSC / "ksp/ksp/tutorials/ex2.c"
PIPECG = Path(__file__).resolve().parent.parent / "examples/pipecg.c"
MPICC = "mpicc.openmpi"
SILICON = Path("/usr/share/doc/quantum-espresso/examples/atomic/pseudo-LDA-0.5/Si.pz-vbc.UPF.gz")
HPCC_INPUT = Path("/usr/share/doc/hpcc/examples/_hpccinf.txt")


@dataclass(frozen=True)
class Program:
    """A program with its input.

    `answers` and `times` are regular expressions with one group, numbers or words, in what it
    prints or in the file `output`. Numbers agree within `tolerance`, relative to the larger one.
    """

    name: str
    packages: str
    needs: tuple[Path | str, ...]
    prepare: Callable[[Path, int], None]
    command: list[str]
    times: dict[str, str]
    answers: tuple[str, ...]
    tolerance: float
    why: str
    output: str = ""
    environment: dict[str, str] = field(default_factory=dict)

    def missing(self) -> list[str]:
        """What is not installed, of what the program needs."""
        return [
            str(need)
            for need in self.needs
            if not (need.exists() if isinstance(need, Path) else shutil.which(need))
        ]


def _salt(folder: Path, _: int) -> None:
    shutil.copy(Path(__file__).with_name("salt.in"), folder / "in")


def _silicon(folder: Path, _: int) -> None:
    """The primitive cell, two atoms."""
    (folder / "Si.UPF").write_bytes(gzip.decompress(SILICON.read_bytes()))
    (folder / "in").write_text(
        "&control calculation='scf', prefix='si', pseudo_dir='.', outdir='.', disk_io='none' /\n"
        "&system ibrav=2, celldm(1)=10.26, nat=2, ntyp=1, ecutwfc=40 /\n"
        "&electrons conv_thr=1d-9 /\n"
        "ATOMIC_SPECIES\nSi 28.086 Si.UPF\n"
        "ATOMIC_POSITIONS crystal\nSi 0 0 0\nSi .25 .25 .25\n"
        "K_POINTS automatic\n2 2 2 1 1 1\n"
    )


def _hpcc(folder: Path, ranks: int) -> None:
    """The package's example: a matrix of 200 columns, on a grid as square as can be."""
    lines, rows = HPCC_INPUT.read_text().splitlines(), math.isqrt(ranks)
    while ranks % rows:
        rows -= 1
    lines[5], lines[10], lines[11] = "200 Ns", f"{rows} Ps", f"{ranks // rows} Qs"
    (folder / "hpccinf.txt").write_text("\n".join(lines) + "\n")


def _water(folder: Path, _: int) -> None:
    """A box of twice the length of GROMACS's own, made by its own tools."""
    (folder / "topol.top").write_text(
        '#include "oplsaa.ff/forcefield.itp"\n#include "oplsaa.ff/spce.itp"\n'
        "[ system ]\nwater\n[ molecules ]\n"
    )
    shutil.copy(Path(__file__).with_name("water.mdp"), folder / "in.mdp")
    box = ["-cs", "spc216.gro", "-box", *["3.72412"] * 3]
    for words in (
        ["solvate", *box, "-o", "water.gro", "-p", "topol.top"],
        ["grompp", "-f", "in.mdp", "-c", "water.gro", "-p", "topol.top", "-o", "in.tpr"],
    ):
        subprocess.run(
            ["gmx_mpi", "-quiet", *words],
            cwd=folder,
            env=os.environ | quiet_environment("openmpi", 1) | {"OMP_NUM_THREADS": "1"},
            check=True,
            capture_output=True,
        )


def _petsc(source: Path, folder: Path, _: int) -> None:
    """Compiles an example of PETSc's."""
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "PETSc"], capture_output=True, text=True, check=True
    ).stdout.split()
    command = [MPICC, "-O2", "-o", str(folder / source.stem), str(source)]
    subprocess.run([*command, *flags, "-lm"], check=True)


def _pipecg(folder: Path, _: int) -> None:
    subprocess.run([MPICC, "-O2", "-o", str(folder / "pipecg"), str(PIPECG), "-lm"], check=True)


#: A user's script for mpi4py-fft, after its tutorial: transforms there and back.
TRANSFORM = """
import sys
import time
import numpy
from mpi4py import MPI
from mpi4py_fft import PFFT, newDistArray
fft = PFFT(MPI.COMM_WORLD, (64, 64, 64), axes=(0, 1, 2), dtype=float)
u = newDistArray(fft, False)
u[:] = numpy.random.default_rng(MPI.COMM_WORLD.rank).random(u.shape)
before, begin = u.copy(), time.time()
for _ in range(int(sys.argv[1])):
    back = fft.backward(fft.forward(u), u)
error = MPI.COMM_WORLD.allreduce(abs(u - before).max(), MPI.MAX)
norm = MPI.COMM_WORLD.allreduce((abs(u) ** 2).sum())
if MPI.COMM_WORLD.rank == 0:
    print(f"time {time.time() - begin:.4f}\\nnorm {norm:.15g}\\nback {error < 1e-12}")
"""


#: The library for idle ranks of hopbine emulate looks for MPI_Init among what was loaded at the
#: start, and Python loads MPI later.
WITH_MPI = ["sh", "-c", 'LD_PRELOAD="$LD_PRELOAD:libmpi.so.40" exec "$@"', "sh"]


def _transform(folder: Path, _: int) -> None:
    (folder / "transform.py").write_text(TRANSFORM)


PROGRAMS = [
    Program(
        "LAMMPS",
        "lammps",
        ("lmp",),
        _salt,
        ["lmp", "-in", "in", "-log", "none", "-var", "steps", "200"],
        {"loop": r"^Loop time of (\S+)"},
        (r"^ +\d+((?: +[-+.\de]+){5}) *$",),
        1e-7,
        "molten salt, 2,048 atoms; PPPM, its FFTs remapped by MPI_Alltoallv",
    ),
    Program(
        "Quantum ESPRESSO",
        "quantum-espresso quantum-espresso-data",
        ("pw.x", SILICON),
        _silicon,
        ["pw.x", "-in", "in"],
        {"self-consistent field": r"^ +electrons +:.*CPU +(\S+)s WALL"},
        (rf"^! +total energy += +{NUMBER} Ry",),
        1e-9,
        "pw.x, silicon, 2 atoms, 2 points k; FFTs by MPI_Alltoall, sums of bands by MPI_Allreduce",
    ),
    Program(
        "PETSc",
        "libpetsc-real-dev libpetsc3.18-dev-examples",
        (CAVITY, MPICC, "pkg-config"),
        partial(_petsc, CAVITY),
        ["./ex19", "-da_refine", "4", "-snes_monitor", "-log_view"],
        {"solver": rf"^Time \(sec\): +{NUMBER}"},
        (rf"SNES Function norm {NUMBER}", r"^Number of SNES iterations = (\d+)"),
        1e-4,
        "ex19, driven cavity: Newton and GMRES, a sum over all ranks for each vector product",
    ),
    Program(
        "PETSc pipecg",
        "libpetsc-real-dev libpetsc3.18-dev-examples",
        (LAPLACE, MPICC, "pkg-config"),
        partial(_petsc, LAPLACE),
        [
            *("./ex2", "-m", "128", "-n", "128", "-ksp_rtol", "1e-6", "-log_view"),
            *("-ksp_type", "pipecg", "-pc_type", "jacobi"),
        ],
        {"solver": rf"^KSPSolve +1 +\S+ +{NUMBER}"},
        (rf"^Norm of error {NUMBER}", r"^Norm of error .* iterations (\d+)"),
        1e-4,
        "ex2, Poisson: pipelined conjugate gradients, whose sums are MPI_Iallreduce",
    ),
    Program(
        "GROMACS",
        "gromacs gromacs-data",
        ("gmx_mpi",),
        _water,
        [
            *("gmx_mpi", "-quiet", "mdrun", "-s", "in.tpr", "-g", "md.log", "-noconfout"),
            *("-ntomp", "1", "-pin", "off", "-reprod", "-dlb", "no", "-cpt", "-1"),
        ],
        {"steps": rf"^ +Time: +\S+ +{NUMBER}"},
        (r"Pressure \(bar\)\n +(\S+ +\S+)",),
        1e-4,
        "mdrun, 1,696 molecules of water; PME's FFT and sums of energies over all ranks",
        "md.log",
        {"GMX_MAXBACKUP": "-1"},
    ),
    Program(
        "HPCC",
        "hpcc",
        ("hpcc", HPCC_INPUT),
        _hpcc,
        ["hpcc"],
        {
            "RandomAccess": rf"^MPIRandomAccess_time={NUMBER}",
            "PTRANS": rf"^PTRANS_time={NUMBER}",
            "FFT, transpositions": rf"^MPIFFT_time3={NUMBER}",
        },
        (
            r"^(Success=\d)",
            r"^(MPIRandomAccess_Errors=\d+)",
            r"^(PTRANS_residual=0)",
            r"^(HPL_N=\d+)",
        ),
        0,
        "all of HPC Challenge; its HPL, PTRANS and RandomAccess send messages of their own",
        "hpccoutf.txt",
    ),
    Program(
        "mpi4py-fft",
        "python3-mpi4py-fft",
        (Path("/usr/lib/python3/dist-packages/mpi4py_fft/__init__.py"),),
        _transform,
        [*WITH_MPI, "/usr/bin/python3", "transform.py", "20"],
        {"transforms": r"^time (\S+)"},
        (rf"^norm {NUMBER}", r"^back (\w+)"),
        1e-12,
        "64 x 64 x 64, there and back 20 times; pencils turned by MPI_Alltoallw",
    ),
    Program(
        "pipecg",
        "",
        (MPICC,),
        _pipecg,
        ["sh", "-c", "exec ./pipecg -t 128 2>&1"],
        {"plain": r"^time plain (\S+)", "pipelined": r"^time pipelined (\S+)"},
        (r"(\d+) iterations, residual \S+, .*: right",),
        0,
        "examples/pipecg.c: conjugate gradients, plain and with sums beside the matrix product",
    ),
]
