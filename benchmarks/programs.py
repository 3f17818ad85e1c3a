"""Whole programs, unmodified, on an emulated network or on one node: with and without hopbine.

    python benchmarks/programs.py [--programs LAMMPS PETSc] [--network 5,6,5]
        [--turns 7]
    python benchmarks/programs.py --network node:4

Programs of Debian's packages (programs_known.py), linked with Debian's Open MPI 4.1. Ways:
`alone`, the MPI library without hopbine; `again`, the same once more, whose ratio to `alone` is the
noise (A/A); `hopbine`, its default with an empty cache, which measures anew in every job;
`learned`, the same with --learn and the file that the jobs before have written. The ways take
turns, in another order each time; ratios are paired by turn. An answer that differs by more than
the program's tolerance ends it with exit code 1. With --turns 0 only the answers are compared.

Times: `job`, from the launcher's begin to its end, and what the program itself prints. Shares of
collectives come from two more jobs with --stats: one with all of them passed on to the MPI library,
one by default. They are those of the slowest rank of each call, waiting for others included.
"""

import argparse
import random
import re
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from programs_known import PROGRAMS, Program
from rivals_library import Library
from rivals_network import Network, empty_cache

from hopbine import _core
from hopbine.bench.compare import spread
from hopbine.comparison.figures import number, seconds_of
from hopbine.notation.quantities import algorithm_text
from hopbine.notation.units import show_size
from hopbine.recorded.statistics import load

LIBRARY = Library("ompi4", "mpicc.openmpi", "mpirun.openmpi")
#: One thread a rank: ranks share the cores.
PLAIN = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
WAYS = ("alone", "again", "hopbine", "learned")
PASSED = ",".join(f"{name}=mpi" for name in sorted({a["collective"] for a in _core.algorithms()}))
#: Rows of statistics below this share of all are not shown.
SHOWN = 0.03


@dataclass(frozen=True)
class Run:
    """What one job took and answered."""

    seconds: dict[str, float]
    answers: list[str]


def differs(one: list[str], other: list[str], tolerance: float) -> str:
    """What two answers do not agree in, or nothing."""
    if len(one) != len(other):
        return f"{len(one)} and {len(other)} values"
    for a, b in zip(one, other, strict=True):
        x, y = number(a), number(b)
        near = x is not None and y is not None and abs(x - y) <= tolerance * max(abs(x), abs(y))
        if a != b and not near:
            return f"{a} and {b}"
    return ""


def read_times(program: Program, text: str) -> dict[str, float]:
    """What the program says that it took, in seconds."""
    found = {name: re.search(pattern, text, re.M) for name, pattern in program.times.items()}
    told = {name: seconds_of(match[1]) for name, match in found.items() if match}
    return {name: seconds for name, seconds in told.items() if seconds is not None}


def read_answers(program: Program, text: str) -> list[str]:
    """Numbers and words of the program's answer."""
    return [a for p in program.answers for a in " ".join(re.findall(p, text, re.M)).split()]


def run(network: Network, program: Program, folder: Path, own: dict[str, str] | None) -> Run:
    """One job; with hopbine's settings `own`, or without hopbine. RuntimeError when it fails."""
    command = ["sh", "-c", f'cd {folder} && exec "$@"', "sh", *program.command]
    if program.output:
        (folder / program.output).unlink(missing_ok=True)
    given, limit = PLAIN | program.environment, 300.0
    if own is None:
        job = network.launch(LIBRARY, given, command, limit)
    else:
        job = network.start(LIBRARY, given | own, command, limit)
    begin = time.monotonic()
    said = job.communicate()[0]
    taken = time.monotonic() - begin
    text = (folder / program.output).read_text() if program.output else said
    seconds = {"job": taken} | read_times(program, text)
    answers = read_answers(program, text)
    if job.returncode or len(seconds) <= len(program.times) or not answers:
        raise RuntimeError(
            f"{program.name} {own} ended with {job.returncode}, {len(seconds) - 1} times and "
            f"{len(answers)} answers:\n{text[-1500:]}\n{network.said()[-1500:]}"
        )
    return Run(seconds, answers)


def settings(way: str, folder: Path) -> dict[str, str] | None:
    """hopbine's settings of one of WAYS."""
    if way == "learned":
        return {"HOPBINE_LEARN": str(folder / "learned.json")}
    return empty_cache(folder) if way == "hopbine" else None


def take(
    network: Network, program: Program, folder: Path, turns: int, seconds: float
) -> dict[str, list[Run]]:
    """All ways by turns, at least one turn, no new one after `seconds`.

    The first learning job only writes the file. RuntimeError.
    """
    end = time.monotonic() + seconds
    expected = run(network, program, folder, None).answers
    taken: dict[str, list[Run]] = {way: [] for way in WAYS}
    for turn in range(-1, turns):
        if turn > 0 and time.monotonic() > end:
            break
        ways = ["learned"] if turn < 0 else random.Random(turn).sample(WAYS, len(WAYS))
        for way in ways:
            done = run(network, program, folder, settings(way, folder))
            if wrong := differs(expected, done.answers, program.tolerance):
                raise RuntimeError(f"{program.name}, {way}: the answer differs: {wrong}")
            if turn >= 0:
                taken[way].append(done)
    return taken


def show(values: list[float]) -> str:
    """Median and quartiles."""
    middle, low, high = spread(values)
    return f"{middle:.3f} ({low:.3f}..{high:.3f})"


def rows(program: Program, taken: dict[str, list[Run]]) -> list[str]:
    """Lines of the table of times."""
    lines = []
    for name in ["job", *program.times] if taken["alone"] else []:
        base = [run.seconds[name] for run in taken["alone"]]
        cells = [program.name, name, f"{spread(base)[0]:.3f}"]
        for way in WAYS[1:]:
            times = [run.seconds[name] for run in taken[way]]
            ratios = [t / b for t, b in zip(times, base, strict=True)]
            cells += [f"{spread(times)[0]:.3f}", show(ratios)]
        lines.append(f"| {' | '.join([*cells, str(len(base))])} |")
    return lines


def served(network: Network, program: Program, folder: Path) -> list[str]:
    """Seconds in collectives, passed on and by default, and what served most of them."""
    stats, lines = folder / "stats.json", []
    for way, own in {"passed on": {"HOPBINE_ALGORITHM": PASSED}, "hopbine": {}}.items():
        own = empty_cache(folder) | own | {"HOPBINE_STATS": str(stats)}
        done = run(network, program, folder, own)
        found = [r for r in load(str(stats))["rows"] if r["comm_size"] > 1]
        whole = sum(r["seconds"] for r in found)
        times = ", ".join(f"{name} {value:.2f} s" for name, value in done.seconds.items())
        lines.append(f"{program.name}, {way}: {whole:.2f} s in collectives ({times})")
        kinds: dict[tuple[str, int, str], list[float]] = {}
        for r in found:
            key = (
                f"{r['collective']} {size_of(r)}",
                r["comm_size"],
                algorithm_text(r["algorithm"], r["parameters"]),
            )
            calls, seconds = kinds.setdefault(key, [0, 0.0])
            kinds[key] = [calls + r["calls"], seconds + r["seconds"]]
        for (what, ranks, name), (calls, seconds) in sorted(kinds.items(), key=lambda x: -x[1][1]):
            if seconds > SHOWN * whole:
                lines.append(
                    f"  {what}, {ranks} ranks, {name}: {calls:.0f} calls, {seconds:.2f} s, "
                    f"{1e6 * seconds / calls:.0f} us each"
                )
    return lines


def size_of(row: dict) -> str:
    """Largest bytes of a row's class."""
    return show_size(row["bytes_class"][1]) if row["bytes_class"] else "all sizes"


def chosen(names: list[str]) -> list[Program]:
    """The programs that were asked for and are installed; says which are not."""
    wanted = [p for p in PROGRAMS if not names or p.name in names]
    for program in wanted:
        if missing := program.missing():
            print(
                f"{program.name}: not measured, {', '.join(missing)} missing "
                f"(on Debian: apt-get install {program.packages})"
            )
    return [p for p in wanted if not p.missing()]


def main() -> None:
    """Arguments, then a table of times and one of what served."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--programs", nargs="+", default=[], choices=[p.name for p in PROGRAMS])
    parser.add_argument("--network", default="5,6,5", help="as of rivals.py")
    parser.add_argument("--ranks-per-host", type=int, default=1)
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--minutes", type=float, default=1e9, help="no turns of a program after")
    args = parser.parse_args()
    said: list[str] = []
    head = ["program", "what", "alone, s"]
    head += [cell for way in WAYS[1:] for cell in (f"{way}, s", "ratio")] + ["turns"]
    try:
        with tempfile.TemporaryDirectory() as folder:
            network = Network(args.network, args.ranks_per_host, Path(folder))
            with network:
                programs = chosen(args.programs)
                print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}")
                for program in programs:
                    inside = Path(folder) / program.name.replace(" ", "_")
                    inside.mkdir()
                    program.prepare(inside, network.ranks)
                    taken = take(network, program, inside, args.turns, 60 * args.minutes)
                    print("\n".join(rows(program, taken)), flush=True)
                    said += served(network, program, inside) if args.turns else []
                    said += [f"{program.name}: the same answers"]
    except (RuntimeError, ValueError) as error:
        sys.exit(f"programs: {error}")
    finally:
        print("\n".join(["", *said]))


if __name__ == "__main__":
    main()
