"""Whole programs with MPI_Alltoallv, by the MPI library alone and by hopbine.

The applications of Fan et al., HPDC'25, Sec. 6, or a program of yours.

    python benchmarks/applications.py [--mpiexec mpirun] [--ranks 32,64] [--repetitions 9]
    python benchmarks/applications.py --ranks 8 --time 'Loop time of (\\S+)' \
        --answer '^ +\\d+  .*' -- lmp -in benchmarks/salt.in -log none

Without a program: examples/fft.c with the sizes N1 and N2, and examples/reach.c with a graph of
packages and with a chain, which needs as many exchanges as it has edges; built by the mpicc beside
mpiexec. Times are the programs' own, so that starting does not count. The ways are run by turns, in
another order each time, and ratios to the library alone (`mpi`: no hopbine at all) are paired by
turn. Answers that differ end it.

Ways: mpi; auto, what hopbine takes by itself for all collectives; NAME, the same with MPI_Alltoallv
by that algorithm, NAME@Q with every Q ranks taken for one node.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from hopbine.bench.compare import spread
from hopbine.bench.launch import BenchError, MissingMpi, family_of, find_launcher, quiet_environment

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
TIMED = r"^time ?(.*) (\S+) s, in MPI_Alltoallv (\S+) s$"


@dataclass(frozen=True)
class Program:
    """Program, and regular expressions of its output.

    `time` finds what was timed and its seconds, and those in MPI_Alltoallv where they are printed;
    `answer` what must agree.
    """

    name: str
    command: list[str]
    time: str
    answer: str


def compiler_beside(mpiexec: str) -> str:
    """mpicc of the same library: mpirun.openmpi has mpicc.openmpi, bin/mpiexec has bin/mpicc.

    MissingMpi where there is none.
    """
    path = Path(mpiexec)
    guess = path.with_name(re.sub(r"^(mpiexec|mpirun)", "mpicc", path.name))
    if not shutil.which(str(guess)):
        raise MissingMpi(f"no compiler {guess} beside {mpiexec} (give --mpicc)")
    return str(guess)


def examples(mpicc: str, folder: str, times: int, chain: int) -> list[Program]:
    """The two applications of the paper.

    Transforms there and back `times` times, packages a quarter of that.
    """
    for name in ("fft", "reach"):
        subprocess.run(
            [mpicc, "-O2", "-o", f"{folder}/{name}", EXAMPLES / f"{name}.c", "-lm"], check=True
        )
    path = Path(folder) / f"chain-{chain}"
    path.write_text("".join(f"{k} {k + 1}\n" for k in range(chain)))
    reach = [f"{folder}/reach", "-t", "-i"]
    return [
        Program("fft", [f"{folder}/fft", "-t", "-i", str(times), "N1", "N2"], TIMED, "^N.*"),
        Program(
            "reach debian-r",
            [*reach, str(-(-times // 4)), str(EXAMPLES / "data/debian-r.mtx")],
            TIMED,
            ".*paths.*",
        ),
        Program(f"reach {path.name}", [*reach, "1", str(path)], TIMED, ".*paths.*"),
    ]


def setting(way: str) -> list[str]:
    """Words before a program's name.

    The environment of `hopbine run` is computed once here, not on each of the ranks, which share
    few cores.
    """
    if way == "mpi":
        return []
    algorithm, _, node_ranks = way.partition("@")
    asked = [] if algorithm == "auto" else ["--algorithm", f"alltoallv={algorithm}"]
    done = subprocess.run(
        [sys.executable, "-m", "hopbine", "run", *asked, "env"], capture_output=True, text=True
    )
    if done.returncode:
        raise BenchError(done.stderr.strip())
    made = [
        "env",
        *(
            line
            for line in done.stdout.splitlines()
            if line.startswith(("LD_PRELOAD=", "HOPBINE_"))
        ),
    ]
    node = (
        f"export HOPBINE_NODE=node$(( ${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}} / {node_ranks} )); "
        'exec "$@"'
    )
    return ["sh", "-c", node, "sh", *made] if node_ranks else made


def once(
    mpiexec: str, ranks: int, program: Program, before: list[str], timeout: float
) -> tuple[dict[str, list[float]], list[str]]:
    """Times and answer of a run. BenchError.

    Times are name -> seconds of all, and those in MPI_Alltoallv where the program prints them.
    """
    env = os.environ | quiet_environment(family_of(mpiexec), ranks) | {"OMP_NUM_THREADS": "1"}
    command = [mpiexec, "-n", str(ranks), *before, *program.command]
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            env=env,
            timeout=timeout,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        raise BenchError(f"no result within {timeout:.0f} s: {' '.join(command)}") from None
    said = done.stdout + done.stderr
    times, answer = (
        [match.groups() for match in re.finditer(program.time, said, re.M)],
        re.findall(program.answer, done.stdout, re.M),
    )
    if done.returncode or not times or not answer:
        raise BenchError(
            f"{' '.join(command)} ended with {done.returncode}, {len(times)} times and "
            f"{len(answer)} lines of answer:\n{said[-2000:]}"
        )
    named = [match if len(match) > 1 else ("", *match) for match in times]
    return {
        f"{program.name} {name}".strip(): [float(seconds) for seconds in rest]
        for name, *rest in named
    }, answer


def show(values: list[float], form: str) -> str:
    """Median and quartiles."""
    middle, low, high = spread(values)
    return f"{middle:{form}} ({low:{form}}..{high:{form}})"


#: Way -> for each turn what was timed, with its seconds.
Taken = dict[str, list[dict[str, list[float]]]]


def take(
    mpiexec: str, ranks: int, program: Program, ways: list[str], repetitions: int, timeout: float
) -> Taken:
    """Runs a program all ways by turns, in another order each time.

    BenchError when answers differ.
    """
    before = {way: setting(way) for way in ways}
    taken: Taken = {way: [] for way in ways}
    expected = None
    for turn in range(repetitions):
        for way in random.Random(turn).sample(ways, len(ways)):
            seconds, answer = once(mpiexec, ranks, program, before[way], timeout)
            expected = expected or answer
            if answer != expected:
                raise BenchError(
                    f"{program.name}, {ranks} ranks, {way}: the answer differs\n{answer}\n"
                    f"{expected}"
                )
            taken[way].append(seconds)
    return taken


def row(runs: list[list[float]], usual: list[list[float]]) -> list[str]:
    """Milliseconds, and ratios to the library alone turn by turn, in all and in MPI_Alltoallv."""
    ratios = [
        show([run[k] / base[k] for run, base in zip(runs, usual, strict=True)], ".2f")
        for k in range(len(runs[0]))
    ]
    inside = ["not told", "not told"]
    if len(ratios) > 1:
        inside = [show([part / whole for whole, part in runs], ".0%"), ratios[1]]
    return [show([1e3 * run[0] for run in runs], ".0f"), ratios[0], *inside]


def compare(
    mpiexec: str, ranks: int, program: Program, ways: list[str], repetitions: int, timeout: float
) -> None:
    """Prints the rows of one program on one number of ranks."""
    taken = take(mpiexec, ranks, program, ways, repetitions, timeout)
    for name in taken["mpi"][0]:
        usual = [turn[name] for turn in taken["mpi"]]
        for way in ways:
            cells = [str(ranks), name, way, *row([turn[name] for turn in taken[way]], usual)]
            print(f"| {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Arguments, then a Markdown table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mpiexec")
    parser.add_argument("--mpicc", help="that of the same library, when it is not beside mpiexec")
    parser.add_argument("--ranks", default="32,64")
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--ways", default="mpi,auto,parlogna,parlinna@8")
    parser.add_argument(
        "--times", type=int, default=20, help="how many times an example transforms there and back"
    )
    parser.add_argument("--chain", type=int, default=300, help="edges of the chain")
    parser.add_argument(
        "--time",
        help="regular expression with the seconds as its group, in what PROGRAM prints; or with a "
        "name and seconds",
    )
    parser.add_argument(
        "--answer",
        help="regular expression of the lines of PROGRAM's standard output that must agree",
    )
    parser.add_argument("--timeout", type=float, default=300, help="seconds for a run")
    parser.add_argument(
        "program", nargs="*", metavar="PROGRAM", help="a program and its arguments, after --"
    )
    args = parser.parse_args()
    ways = args.ways.split(",")
    if (
        "mpi" not in ways
        or args.repetitions < 1
        or bool(args.program) != bool(args.time and args.answer)
    ):
        parser.error(
            "--ways must have mpi, --repetitions at least 1, and a PROGRAM needs --time and "
            "--answer"
        )
    with tempfile.TemporaryDirectory() as folder:
        try:
            mpiexec = find_launcher(args.mpiexec)
            programs = (
                [Program(Path(args.program[0]).name, args.program, args.time, args.answer)]
                if args.program
                else examples(
                    args.mpicc or compiler_beside(mpiexec), folder, args.times, args.chain
                )
            )
            print(
                "| ranks | program | way | ms | to mpi | in MPI_Alltoallv | that to mpi |\n"
                "|---|---|---|---|---|---|---|"
            )
            for program in programs:
                for ranks in map(int, args.ranks.split(",")):
                    compare(mpiexec, ranks, program, ways, args.repetitions, args.timeout)
        except (BenchError, MissingMpi) as error:
            sys.exit(f"applications: {error}")


if __name__ == "__main__":
    main()
