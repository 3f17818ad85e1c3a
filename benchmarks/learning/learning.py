"""What hopbine costs and gains in jobs of their own: without it and under it, in turns.

    python benchmarks/learning/learning.py --mpi ompi5=MPICC=MPIEXEC mpich5=MPICC=MPIEXEC
        [--ranks 4 2] [--calls 5 30 300 3000] [--pairs 9] [--programs many_kinds training]
        [--choice default count] [--learn none|fresh|FILE | --cache] [--hopbine COMMAND]
        [--emulated [--network 5,6,5]] [--arguments cells="4096 300 50"] [--csv FILE]

Programs (learning_programs.py) tell the seconds that their slowest rank spent in collectives. A
turn has a job without hopbine, a second one, and one for each --choice, in drawn order. Ratios are
paired by turn: those of hopbine to the first job, and beside them A/A, those of the second job to
the first, which are the noise of the same run. Best to best: the least time of all turns to the
least. Cells are compared one by one; shown are geometric means, and the cell with the largest
median. `job` is from the launcher's begin to its end, with start-up. All jobs of a row must give
the same answers: another checksum ends it with exit code 1. `gained, told`: what jobs gained in
collectives, in the mean (standard error), and what hopbine's closing line told of it.

--learn: what jobs under hopbine begin with. none: nothing, and they keep nothing; fresh: hopbine's
default with an empty cache; FILE: copies of what an earlier job has learned. --cache has one job
more, which fills such a file. --emulated: on hopbine emulate, Debian's Open MPI 4.1,
100 Mbit/s, uplinks 4:1, the machine described to hopbine as a user would; without it, one node.
"""

import argparse
import csv
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from learning_jobs import Beginning, Jobs, Told
from learning_programs import PROGRAMS, USUAL_CALLS, Program, build
from learning_table import AGAIN, HEAD, STOCK, line, rows
from rivals_library import Library
from rivals_network import Network

COLUMNS = ["mpi", "where", "ranks", "program", "calls", "way", "pair", "what", "value"]
#: The choice of a hopbine that is told none.
DEFAULT = "default"
EMULATED = Library("ompi4", "mpicc.openmpi", "mpirun.openmpi")


@dataclass(frozen=True)
class Row:
    """A program under one library, at one number of calls of a kind."""

    jobs: Jobs
    program: Program
    calls: int | None
    command: list[str]

    def head(self) -> list[str]:
        """The first columns of table and csv."""
        network = self.jobs.network
        where = "one node" if network.one_node else network.text
        calls = "" if self.calls is None else str(self.calls)
        return [self.jobs.library.name, where, str(network.ranks), self.program.name, calls]


def ways(args: argparse.Namespace, row: Row, folder: Path) -> dict[str, Beginning]:
    """What the jobs of each choice begin with."""
    found = {}
    for choice in args.choice:
        learn = args.learn
        if args.cache:
            filled = folder / f"filled-{choice}.json"
            row.jobs.run(row.command, settings(choice) | {"HOPBINE_LEARN": str(filled)})
            if filled.exists():
                learn = str(filled)
            else:  # a job may be too short to pay for learning
                print(f"{row.program.name}, {choice}: the job has kept nothing", file=sys.stderr)
        found[choice] = Beginning(learn, folder)
    return found


def settings(choice: str) -> dict[str, str]:
    """hopbine's settings of a choice."""
    return {} if choice == DEFAULT else {"HOPBINE_CHOICE": choice}


def take(args: argparse.Namespace, row: Row) -> dict[str, list[Told]]:
    """All jobs of a row. RuntimeError when one fails or answers differ."""
    taken: dict[str, list[Told]] = {way: [] for way in (STOCK, AGAIN, *args.choice)}
    drawn = random.Random(args.seed)
    with tempfile.TemporaryDirectory(dir=row.jobs.network.folder) as name:
        begins = ways(args, row, Path(name))
        for _ in range(args.pairs):
            for way in drawn.sample(list(taken), len(taken)):
                own = settings(way) | begins[way].settings() if way in begins else None
                taken[way].append(row.jobs.run(row.command, own))
    sums = {way: {told.checksum for told in taken[way]} for way in taken}
    if len(set.union(*sums.values())) > 1:
        raise RuntimeError(f"{' '.join(row.head())}: answers differ: {sums}")
    return taken


def command_of(jobs: Jobs, program: Program, calls: int | None, given: dict[str, str]) -> list[str]:
    """A program with its words; of `skewed` with a file of usual times, made where there is none.

    RuntimeError when that job fails.
    """
    network, library = jobs.network, jobs.library
    path = str(build(library, program.source, network.folder))
    words = program.words(calls, network.one_node)
    if program.name in given:
        words = [*words[: int(program.by_calls)], *given[program.name].split()]
    if program.skewed:
        usual = network.folder / f"usual-{library.name}-{network.ranks}"
        if not usual.exists():
            jobs.run([path, str(USUAL_CALLS), *words[1:], f"typical={usual}"], None)
        words = [*words, f"skew={usual}"]
    return [path, *words]


def networks(args: argparse.Namespace, folder: Path) -> Iterator[tuple[Network, list[Program]]]:
    """Where jobs run, and the programs that run there; those with ranks of their own once."""
    chosen = [p for p in PROGRAMS if p.name in args.programs]
    if args.emulated:
        yield Network(args.network, 1, folder), chosen
        return
    own = sorted({p.ranks for p in chosen if p.ranks})
    for ranks in args.ranks:
        here = [p for p in chosen if p.ranks is None]
        if here:
            yield Network(f"node:{ranks}", 1, folder), here
    for ranks in own:
        here = [p for p in chosen if p.ranks == ranks]
        yield Network(f"node:{ranks}", 1, folder), here


def all_rows(args: argparse.Namespace, network: Network, programs: list[Program]) -> Iterator[Row]:
    """The rows of a network."""
    for library in args.mpi:
        jobs = Jobs(network, library, args.hopbine, args.limit)
        for program in programs:
            for calls in args.calls if program.by_calls else [None]:
                command = command_of(jobs, program, calls, args.arguments)
                yield Row(jobs, program, calls, command)


def measure(args: argparse.Namespace, folder: Path, out) -> None:
    """Prints the table and writes the values of all jobs as they come."""
    print(line(HEAD), "|---" * len(HEAD) + "|", sep="\n", flush=True)
    out.writerow(COLUMNS)
    for network, programs in networks(args, folder):
        with network:
            for row in all_rows(args, network, programs):
                taken = take(args, row)
                for way, jobs in taken.items():
                    for pair, told in enumerate(jobs):
                        values = told.times | told.memory
                        out.writerows([*row.head(), way, pair, *item] for item in values.items())
                for choice in args.choice:
                    for cells in rows(taken, choice, row.program.shows):
                        print(line([*row.head(), choice, *cells]), flush=True)


def pair_of(text: str) -> tuple[str, str]:
    """NAME=REST. ArgumentTypeError otherwise."""
    name, equals, rest = text.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=...")
    return name, rest


def library_of(text: str) -> Library:
    """NAME=MPICC=MPIEXEC. ArgumentTypeError for a name of neither family."""
    name, rest = pair_of(text)
    mpicc, equals, mpiexec = rest.partition("=")
    if not equals or not name.startswith(("ompi", "openmpi", "mpich")):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not NAME=MPICC=MPIEXEC with a name that begins with ompi, openmpi or "
            "mpich"
        )
    return Library(name, mpicc, mpiexec)


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [p.name for p in PROGRAMS]
    parser.add_argument("--mpi", nargs="+", type=library_of, metavar="NAME=MPICC=MPIEXEC")
    parser.add_argument("--ranks", nargs="+", type=int, default=[4], help="on one node")
    parser.add_argument("--calls", nargs="+", type=int, help="of a kind")
    parser.add_argument("--pairs", type=int, default=9)
    parser.add_argument("--programs", nargs="+", default=names, choices=names)
    parser.add_argument("--choice", nargs="+", default=[DEFAULT], help="also those of hopbine run")
    parser.add_argument("--learn", default="none", metavar="none|fresh|FILE")
    parser.add_argument("--cache", action="store_true", help="begin with what one job has learned")
    parser.add_argument("--hopbine", default=str(Path(sys.executable).with_name("hopbine")))
    parser.add_argument("--emulated", action="store_true", help="not on one node")
    parser.add_argument("--network", default="5,6,5", help="groups of emulated hosts")
    parser.add_argument("--arguments", nargs="+", type=pair_of, default=[], metavar="PROGRAM=WORDS")
    parser.add_argument("--seed", type=int, default=1, help="of the order of jobs")
    parser.add_argument("--limit", type=float, default=1800, help="seconds that a job may take")
    parser.add_argument("--csv", default="/dev/null", metavar="FILE", help="the values of all jobs")
    args = parser.parse_args()
    args.arguments = dict(args.arguments)
    if unknown := set(args.arguments) - set(names):
        parser.error(f"--arguments {unknown.pop()}: the programs are {', '.join(names)}")
    args.calls = args.calls or ([5, 30, 300] if args.emulated else [5, 30, 300, 3000])
    if args.emulated and not args.mpi:
        args.mpi = [EMULATED]
    if not args.mpi:
        parser.error("--mpi NAME=MPICC=MPIEXEC is needed without --emulated")
    if args.cache and args.learn != "none":
        parser.error("--cache makes a file of its own: give either it or --learn")
    return args


def main() -> None:
    """Arguments, then a table."""
    args = arguments()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        file = stack.enter_context(open(args.csv, "w", newline=""))
        try:
            measure(args, folder, csv.writer(file))
        except (RuntimeError, OSError, subprocess.CalledProcessError) as error:
            sys.exit(f"learning: {error}")


if __name__ == "__main__":
    main()
