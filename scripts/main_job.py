"""The main job: MPI programs that know nothing of hopbine, run with and without it.

Answers are compared, bytes counted.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from hopbine.bench.launch import quiet_environment
from hopbine.bench.sizes import show_size
from hopbine.classic import classic, crossing_bytes
from hopbine.cli._common import print_table
from hopbine.counting import Job
from hopbine.machines import load

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "run"
RANKS = int(os.environ.get("RANKS", "8"))
#: One rank per node; nodes in groups as a busy dragonfly hands them out: uneven.
SHAPE = (3, 4, 1)
TEXT = ROOT / "LICENSE"


@dataclass(frozen=True)
class Program:
    """Something a user would run."""

    name: str
    language: str
    command: list[str]
    #: What hopbine run is asked for: MPI_Alltoallv of as few ranks as here it leaves to the MPI
    #: library unless it is told otherwise.
    options: tuple[str, ...] = ()


def libraries() -> list[tuple[str, str, str]]:
    """(family, mpicc, mpiexec) of the MPI libraries at hand."""
    text = subprocess.run(
        [ROOT / "scripts/mpis"], capture_output=True, text=True, check=True
    ).stdout
    return [tuple(line.split("=")) for line in text.split()]


def programs(family: str, mpicc: str) -> list[Program]:
    """Compiled when their source is newer.

    Fortran where there is a compiler for it and the MPI library has its module.
    """
    out = WORK / family
    out.mkdir(parents=True, exist_ok=True)
    newest = max(header.stat().st_mtime for header in (ROOT / "examples").glob("*.h"))
    for name in ("trigrams", "fft", "reach"):
        source = ROOT / f"examples/{name}.c"
        if not (out / name).exists() or (out / name).stat().st_mtime < max(
            newest, source.stat().st_mtime
        ):
            subprocess.run([mpicc, "-O2", "-o", out / name, source, "-lm"], check=True)
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
    ]
    mpifort = (
        shutil.which(str(Path(mpicc).with_name("mpifort"))) if shutil.which("gfortran") else None
    )
    heat = out / "heat"
    if (
        mpifort
        and subprocess.run(
            [mpifort, "-O2", "-o", heat, ROOT / "examples/heat.f90"], capture_output=True, cwd=out
        ).returncode
        == 0
    ):
        found.append(Program("heat", "Fortran", [str(heat)]))
    else:
        print(
            f"({family}: no Fortran here: gfortran or this library's Fortran module is missing; "
            "examples/heat.f90 is left out)"
        )
    return found


def launch(mpiexec: str, family: str, command: list[str]) -> tuple[str, float]:
    """Standard output and seconds of one job. Stops with the job's words when it fails."""
    library = Path(mpiexec).resolve().parent.parent / "lib"
    env = (
        os.environ
        | quiet_environment(family, RANKS)
        | {
            "MPI4PY_MPIABI": family,
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "LD_LIBRARY_PATH": f"{library}:{os.environ.get('LD_LIBRARY_PATH', '')}",
        }
    )
    begin = time.monotonic()
    done = subprocess.run(
        [mpiexec, "-n", str(RANKS), *command],
        capture_output=True,
        text=True,
        env=env,
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


def on_nodes(command: list[str]) -> list[str]:
    """The command with every rank told that it is on a node of its own.

    On this one machine it is not.
    """
    return [
        "sh",
        "-c",
        'export HOPBINE_NODE=node${OMPI_COMM_WORLD_RANK:-$PMI_RANK}; exec "$@"',
        "sh",
        *command,
    ]


def rows_of(stats: Path, job: Job) -> tuple[list[list], float, float]:
    """Table rows, and bytes between groups without and with hopbine."""
    rows, before, after = [], 0.0, 0.0
    place = groups()
    for r in json.loads(stats.read_text())["rows"]:
        p = r["comm_size"]
        usual, now = "-", "-"
        # The blocks of MPI_Alltoallv differ, and statistics do not tell how.
        if p == RANKS and r["calls"] and r["collective"] != "alltoallv":
            root, each = r["root"] or 0, r["bytes"] / r["calls"]
            old = classic(r["collective"], p, each)
            usual = crossing_bytes(r["collective"], old, place, root, r["bytes"])
            served = r["algorithm"] + "".join(f":{k}={v}" for k, v in r["parameters"].items())
            now = (
                usual
                if r["algorithm"] == "mpi"
                else job.count(r["collective"], served, root, r["numbering"])["global_blocks"]
                * r["bytes"]
                / p
            )
            before, after = before + usual, after + now
            usual, now = f"{usual:,.0f} ({old})", f"{now:,.0f}"
        size = "..".join(map(show_size, r["bytes_class"])) if r["bytes_class"] else "any"
        rows.append(
            [
                r["collective"],
                size,
                r["algorithm"]
                + ("" if r["numbering"] in (None, "given") else f" ({r['numbering']})"),
                r["calls"],
                f"{r['bytes']:,}",
                f"{1e3 * r['seconds']:.2f}",
                usual,
                now,
            ]
        )
    return rows, before, after


def main() -> int:
    """Runs everything; 1 when an answer differs."""
    differ = 0
    WORK.mkdir(parents=True, exist_ok=True)
    machine = describe()
    job = Job("", tuple(f"node{r}" for r in range(RANKS)), load(str(machine)))
    for family, mpicc, mpiexec in libraries():
        for program in programs(family, mpicc):
            stats = WORK / family / f"{program.name}.json"
            stats.unlink(missing_ok=True)
            plain, seconds = launch(mpiexec, family, program.command)
            served, seconds_served = launch(
                mpiexec,
                family,
                on_nodes(
                    [
                        sys.executable,
                        "-m",
                        "hopbine",
                        "run",
                        "--system",
                        str(machine),
                        "--stats",
                        str(stats),
                        *program.options,
                        *program.command,
                    ]
                ),
            )
            same = plain == served
            differ += not same
            print(
                f"\n{program.name} ({program.language}), {RANKS} ranks, {family}: answers "
                f"{'are the same' if same else 'DIFFER'}; "
                f"whole job {seconds:.2f} s without hopbine, {seconds_served:.2f} s with "
                "(start-up of the wrapper included)"
            )
            print("    " + plain.strip().splitlines()[0])
            if program.options:
                print(f"    asked for: {' '.join(program.options)}")
            if not same:
                print(f"--- without\n{plain}--- with\n{served}")
            rows, before, after = rows_of(stats, job)
            print_table(
                [
                    "collective",
                    "size",
                    "served by",
                    "calls",
                    "bytes",
                    "ms",
                    "between groups, classic",
                    "with hopbine",
                ],
                rows,
                right={3, 4, 5, 6, 7},
            )
            if before:
                print(
                    f"bytes between groups: {before:,.0f} with the classic algorithms, "
                    f"{after:,.0f} with hopbine ({100 * (after / before - 1):+.1f}%)"
                )
    print(
        f"\nGroups: {RANKS} nodes, one rank each, in dragonfly groups of "
        f"{', '.join(str(groups().count(g)) for g in sorted(set(groups())))}. "
        f"{machine.relative_to(ROOT)}\ntells hopbine so (hopbine run --system). Bytes between "
        "groups are counted from the schedules. An MPI library does not\n"
        "say which algorithm it took, so 'classic' is the literature's "
        "for the size; on this one machine nothing crosses a real link, so times only show that "
        "nothing is lost."
    )
    print(
        "\nNext:  .venv/bin/hopbine list\n"
        "       .venv/bin/hopbine draw bcast bine_small -p 16 -o tree.svg\n"
        f"       {libraries()[0][2]} -n 8 .venv/bin/hopbine run --stats stats.json YOUR_PROGRAM "
        "&& .venv/bin/hopbine stats stats.json"
    )
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
