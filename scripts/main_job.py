"""Unmodified MPI programs with and without hopbine: answers compared, bytes counted, and where this
machine can emulate a network, time gained on it.
"""

import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import emulated_job

from hopbine.bench.launch import quiet_environment
from hopbine.cli.stats import columns, rows_of, total
from hopbine.output.tables import Table
from hopbine.recorded.crossings import job_of
from hopbine.recorded.statistics import load

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "run"
RANKS = int(os.environ.get("RANKS", "8"))
#: Nodes in each group, one rank per node: uneven, as on a busy dragonfly.
SHAPE = (3, 4, 1)
TEXT = ROOT / "LICENSE"
HOPBINE = str(Path(sys.executable).with_name("hopbine"))


@dataclass(frozen=True)
class Program:
    """Program of a user."""

    name: str
    language: str
    command: list[str]
    #: Options of hopbine run, which by default leaves MPI_Alltoallv of so few ranks to the MPI
    #: library.
    options: tuple[str, ...] = ()


def libraries() -> list[tuple[str, str, str]]:
    """(family, mpicc, mpiexec) of the MPI libraries at hand."""
    text = subprocess.run(
        [ROOT / "scripts/mpis"], capture_output=True, text=True, check=True
    ).stdout
    return [tuple(line.split("=")) for line in text.split()]


def programs(family: str, mpicc: str) -> list[Program]:
    """Programs of the examples, compiled when their source is newer.

    Fortran needs a compiler and the module of the MPI library.
    """
    out = WORK / family
    out.mkdir(parents=True, exist_ok=True)
    compile_examples(out, mpicc)
    alltoallv = ("--algorithm", "alltoallv=parlogna")
    found = [
        Program("trigrams", "C", [str(out / "trigrams"), str(TEXT)]),
        Program(
            "wordrank", "Python", [sys.executable, str(ROOT / "examples/wordrank.py"), str(TEXT)]
        ),
        Program("fft", "C", [str(out / "fft"), "-i", "50"], alltoallv),
        Program(
            "reach", "C", [str(out / "reach"), str(ROOT / "examples/data/debian-r.mtx")], alltoallv
        ),
        Program("pipecg", "C", [str(out / "pipecg"), "64"]),
    ]
    if compile_fortran(out, mpicc):
        return [*found, Program("heat", "Fortran", [str(out / "heat")])]
    print(
        f"({family}: no Fortran here: gfortran or this library's Fortran module is missing; "
        "examples/heat.f90 is left out)"
    )
    return found


def compile_examples(out: Path, mpicc: str) -> None:
    """Compiles those in C that are older than their source or a header."""
    headers = max(header.stat().st_mtime for header in (ROOT / "examples").glob("*.h"))
    for name in ("trigrams", "fft", "reach", "pipecg", "training"):
        program, source = out / name, ROOT / f"examples/{name}.c"
        newest = max(headers, source.stat().st_mtime)
        if not program.exists() or program.stat().st_mtime < newest:
            subprocess.run([mpicc, "-O2", "-o", program, source, "-lm"], check=True)


def compile_fortran(out: Path, mpicc: str) -> bool:
    """Compiles the example in Fortran; whether it could be."""
    mpifort = shutil.which(str(Path(mpicc).with_name("mpifort")))
    if not mpifort or not shutil.which("gfortran"):
        return False
    command = [mpifort, "-O2", "-o", out / "heat", ROOT / "examples/heat.f90"]
    return subprocess.run(command, capture_output=True, cwd=out).returncode == 0


def environment(mpiexec: str, family: str) -> dict[str, str]:
    """Variables of a job of a library: this process's, and what lets its launcher start it."""
    library = Path(mpiexec).resolve().parent.parent / "lib"
    return os.environ | {
        "MPI4PY_MPIABI": family,
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "LD_LIBRARY_PATH": f"{library}:{os.environ.get('LD_LIBRARY_PATH', '')}",
    }


def launch(mpiexec: str, family: str, command: list[str]) -> tuple[str, float]:
    """Standard output and seconds of one job. Ends with the job's output when it fails."""
    begin = time.monotonic()
    done = subprocess.run(
        [mpiexec, "-n", str(RANKS), *command],
        capture_output=True,
        text=True,
        env=environment(mpiexec, family) | quiet_environment(family, RANKS),
        stdin=subprocess.DEVNULL,
        timeout=300,
    )
    if done.returncode:
        sys.exit(
            f"{' '.join(command)} ended with {done.returncode}:\n"
            f"{done.stdout[-1000:]}{done.stderr[-3000:]}"
        )
    return done.stdout, time.monotonic() - begin


def groups() -> list[int]:
    """Group of each rank: the shape, repeated until all ranks have one."""
    out: list[int] = []
    while len(out) < RANKS:
        for size in SHAPE:
            out += [1 + max(out, default=-1)] * size
    return out[:RANKS]


def describe() -> Path:
    """The made-up machine as the file that a user would write: host,group."""
    path = WORK / "machine.csv"
    path.write_text("host,group\n" + "".join(f"node{r},group{g}\n" for r, g in enumerate(groups())))
    return path


@cache
def exports(machine: Path) -> str:
    """The machine's groups for a shell: what hopbine env prints, once for all ranks."""
    told = subprocess.run(
        [HOPBINE, "env", "--system", machine], check=True, capture_output=True, text=True
    )
    return told.stdout


def with_hopbine(program: Program, machine: Path, stats: Path) -> list[str]:
    """Command of the program under hopbine run, in whose eyes every rank has a node of its own."""
    script = f"""{exports(machine)}
export HOPBINE_NODE=node${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}
exec "$@"
"""
    # By counting: these programs end before enough calls are measured.
    run = [HOPBINE, "run", "--choice", "count", "--stats", str(stats)]
    return ["sh", "-c", script, "sh", *run, *program.options, *program.command]


def show(stats: Path, every_row: bool) -> None:
    """Prints what hopbine stats tells of a program, but for the columns that are alike in all."""
    data = load(stats)
    rows = rows_of(str(stats), data, job_of(data))
    if every_row:
        waits = any(row["wait_seconds"] is not None for row in rows)
        alike = ("ranks", "ranks as", "why", "bytes")
        Table().table([c for c in columns(waits, "groups") if c.heading not in alike], rows)
    print(total(rows, "groups"))


def compare(
    program: Program, family: str, mpiexec: str, machine: Path, every_row: bool = True
) -> bool:
    """Runs a program with and without hopbine; whether the answers are the same."""
    stats = WORK / family / f"{program.name}.json"
    stats.unlink(missing_ok=True)
    plain, seconds = launch(mpiexec, family, program.command)
    served, seconds_served = launch(mpiexec, family, with_hopbine(program, machine, stats))
    same = plain == served
    print(
        f"\n{program.name} ({program.language}), {RANKS} ranks, {family}: answers "
        f"{'are the same' if same else 'DIFFER'}; "
        f"whole job with start-up {seconds:.2f} s without hopbine, {seconds_served:.2f} s with"
    )
    if every_row:
        print("    " + plain.strip().splitlines()[0])
    if program.options:
        print(f"    asked for: {' '.join(program.options)}")
    if not same:
        print(f"--- without\n{plain}--- with\n{served}")
    show(stats, every_row)
    return same


def explain(machine: Path) -> None:
    """Prints the groups, and how bytes were counted."""
    print(
        f"\nGroups: {RANKS} nodes, one rank each, in dragonfly groups of "
        f"{', '.join(str(groups().count(g)) for g in sorted(set(groups())))}. "
        f"{machine.relative_to(ROOT)}\ntells hopbine so (hopbine env --system). Bytes between "
        "groups are counted from the schedules. An MPI library does not\n"
        "say which algorithm it took, so 'classic' is the literature's "
        "for the size.\nNothing crosses a real link here: no time is gained above."
    )


def next_steps() -> None:
    """Prints what to try next."""
    print(
        "\nNext:  .venv/bin/hopbine list\n"
        "       .venv/bin/hopbine draw bcast bine_small -p 16 -o tree.svg\n"
        f"       {libraries()[0][2]} -n 8 .venv/bin/hopbine run --stats stats.json YOUR_PROGRAM "
        "&& .venv/bin/hopbine stats stats.json"
    )


def main() -> int:
    """Runs everything; 1 when an answer differs."""
    WORK.mkdir(parents=True, exist_ok=True)
    machine = describe()
    why_not = emulated_job.refusal()
    same = [
        compare(program, family, mpiexec, machine, every_row=bool(why_not))
        for family, mpicc, mpiexec in libraries()
        for program in programs(family, mpicc)
    ]
    explain(machine)
    if why_not:
        print(f"\nNo time is gained here, for this machine emulates no network:\n{why_not}")
    else:
        family, _, mpiexec = libraries()[0]
        program = WORK / family / "training"
        same.append(
            emulated_job.demonstrate(family, mpiexec, program, environment(mpiexec, family))
        )
    next_steps()
    return 0 if all(same) else 1


if __name__ == "__main__":
    sys.exit(main())
