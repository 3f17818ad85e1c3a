"""hopbine against every algorithm that the installed MPI libraries can be forced to.

    python benchmarks/rivals.py -o docs/rivals [--quick]
    python benchmarks/rivals.py --networks node:4 -o docs/rivals --quick

Libraries: `NAME=MPICC=MPIEXEC`, NAME one of ompi4, ompi5, mpich4, mpich5. Networks: groups of hosts
of an emulated 4:1 tapered tree (5,6,5), an emulated torus (4x4), either with +delay (which needs
iptables), or ranks on one node (node:4).

Every cell (network, library, collective, size) is a part of one job, in which hopbine's choice, all
of its algorithms, the library's own choice and its forced algorithms take turns; ratios are paired
by round. What a running program cannot force (Open MPI 4.1's HAN and adapt, MPICH's types of trees)
runs in jobs of its own right after; these are compared by medians.

Results are appended to OUT/results.csv; cells that are there are not measured again. Figures and
tables are written from that file (--report: nothing else is done).
"""

import argparse
import csv
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from rivals_cells import COLUMNS, outcome, read_results
from rivals_job import Cell, Row, measure
from rivals_library import RADICES, WORDS, Choice, Library, Variable, choices, read_variables
from rivals_network import Network
from rivals_report import report

from hopbine import _core
from hopbine.bench.sizes import parse_sizes
from hopbine.jobs.counting import named_algorithms
from hopbine.notation.units import show_size
from hopbine.selection.coordinates import coordinates

ALL = [
    *("bcast", "reduce", "allreduce", "reduce_scatter", "gather", "scatter"),
    *("allgather", "alltoall", "alltoallv"),
]
MAIN = ["allreduce", "bcast", "allgather", "alltoall"]
NETWORKS = ["5,6,5", "4,4,4,4", "7,7,7,7,4", "4x4", "5,6,5+delay", "4x4+delay", "node:4"]
FULL_SIZES, QUICK_SIZES = "8:4MiB:8,4MiB", "8,512,4KiB,32KiB,256KiB,2MiB"
#: Seconds for a cell and most rounds.
FULL, QUICK = (20.0, 15), (3.0, 7)
#: Bytes up to which radices are tried.
SMALL = 4096
#: Seconds that learning and trials of slow algorithms may take besides.
BESIDES = 15.0
DEBIAN = {"ompi4": "openmpi", "mpich4": "mpich"}


@dataclass(frozen=True)
class Work:
    """The cells of a collective that are to be measured in one kind of job."""

    job: str
    environment: dict[str, str]
    cells: list[Cell]


class Comparison:
    """One library on one network."""

    def __init__(self, args: argparse.Namespace, network: Network, library: Library):
        self.args, self.network, self.library = args, network, library
        self.results = Path(args.output) / "results.csv"
        self.program = library.build(network.folder)

    def variables(self) -> dict[str, Variable]:
        """The library's control variables."""
        job = self.network.start(
            self.library, self.library.environment(), [str(self.program), "list", *WORDS], 60
        )
        listing = job.communicate(timeout=90)[0]
        if job.returncode or not listing:
            said = self.network.said()
            raise RuntimeError(f"{self.library.name} lists no variables: {said[-1500:]}")
        return read_variables(listing)

    def key(self, job: str, collective: str, size: int) -> tuple[str, ...]:
        """What tells a cell in the results."""
        network = self.network
        return (network.text, str(network.ranks), self.library.name, job, collective, str(size))

    def hopbine_arms(self, collective: str, size: int) -> dict[str, str]:
        """hopbine's choice, and every algorithm of its own; small vectors also with other radices.

        There the number of messages counts; elsewhere the default radix is good.
        """
        shape = (
            [int(n) for n in self.network.form.split("x")]
            if self.network.torus and self.network.ranks_per_host == 1
            else []
        )
        names = named_algorithms(collective, self.network.ranks, shape)
        if size <= SMALL:
            names += [
                f"{a['name']}:{q['name']}={k}"
                for a in _core.algorithms()
                if a["collective"] == collective and a["name"] in names
                for q in a["parameters"]
                if q["kind"] == "radix"
                for k in sorted({*RADICES, self.network.ranks})
                if k != q["default"]
            ]
        return {"auto": "hopbine auto"} | {f"hopbine:{n}": f"hopbine {n}" for n in names}

    def works(self, collective: str, variables: dict[str, Variable]) -> Iterator[Work]:
        """Jobs with what has no results yet."""
        known = {key for key, _ in read_results(self.results)}
        jobs: dict[tuple[tuple[str, str], ...], list[Cell]] = {}
        for size in self.args.sizes:
            seconds, rounds = QUICK if self.args.quick else FULL
            forced = choices(
                self.library,
                variables,
                collective,
                size,
                1 if self.network.one_node else self.network.ranks_per_host,
                not self.network.one_node,
                self.args.quick,
            )
            arms = {(): self.hopbine_arms(collective, size) | {"default": "library"}}
            for choice in forced:
                before, word = self.split(choice, variables)
                arms.setdefault(before, {})[choice.label] = f"library {word}"
            for before, of_job in arms.items():
                if self.key(self.name(before), collective, size) not in known:
                    cell = Cell(collective, size, seconds, rounds, of_job)
                    jobs.setdefault(before, []).append(cell)
        for before, cells in jobs.items():
            environment = {self.library.variable(name): value for name, value in before}
            if any(value.startswith("topology") for _, value in before):
                environment["MPIR_CVAR_COORDINATES_FILE"] = str(self.coordinates())
            yield Work(self.name(before), environment, cells)

    def split(
        self, choice: Choice, variables: dict[str, Variable]
    ) -> tuple[tuple[tuple[str, str], ...], str]:
        """What must be set before the job begins, and the words of the arm."""
        before = tuple(s for s in choice.settings if not variables[s[0]].settable)
        inside = [f"{k}={v}" for k, v in choice.settings if variables[k].settable]
        return before, " ".join(inside)

    def name(self, before: tuple[tuple[str, str], ...]) -> str:
        """Name of a kind of job."""
        return " ".join(f"{name}={value}" for name, value in before)

    def coordinates(self) -> Path:
        """MPICH's file of the places of the ranks."""
        path, per_host = self.network.folder / "coordinates", self.network.ranks_per_host
        hosts = self.network.ranks // per_host
        groups = self.network.group_of_host or list(range(hosts))
        path.write_text(
            coordinates(
                [groups[r // per_host] for r in range(self.network.ranks)],
                [r // per_host for r in range(self.network.ranks)],
            )
        )
        return path

    def append(self, job: str, cell: Cell, rows: list[Row]) -> None:
        """Writes a finished cell."""
        fresh = not self.results.exists()
        with self.results.open("a", newline="") as f:
            out = csv.writer(f, lineterminator="\n")
            if fresh:
                out.writerow(COLUMNS)
            for row in rows:
                values = asdict(row) | {"seconds": f"{row.seconds:.6g}" if row.seconds else ""}
                out.writerow([*self.key(job, cell.collective, cell.size), *values.values()])


def run(args: argparse.Namespace, network: Network, library: Library, end: float) -> bool:
    """Measures what is missing. False when the time is over before."""
    comparison = Comparison(args, network, library)
    variables = comparison.variables()
    works = [w for c in args.collectives for w in comparison.works(c, variables)]
    total, done, begin = sum(len(w.cells) for w in works), 0, time.monotonic()

    for work in works:

        def finished(cell: Cell, rows: list[Row], work: Work = work) -> None:
            nonlocal done
            done += 1
            comparison.append(work.job, cell, rows)
            left = (time.monotonic() - begin) / done * (total - done)
            print(
                f"{network.text} {library.name} {done}/{total} {cell.collective} "
                f"{show_size(cell.size)}{' ' + work.job if work.job else ''}: {outcome(rows)}; "
                f"about {left / 60:.1f} min left",
                flush=True,
            )

        while work.cells:
            left = end - time.monotonic()
            if left < 0:
                return False
            batch, rest = affordable(work.cells, left)
            work.cells[:] = rest
            measure(network, library, comparison.program, work.environment, batch, finished)
    return True


def affordable(cells: list[Cell], seconds: float) -> tuple[list[Cell], list[Cell]]:
    """The cells that fit in the time left, at least one, and the others."""
    n = 1
    while n < len(cells) and sum(c.seconds + BESIDES for c in cells[: n + 1]) <= seconds:
        n += 1
    return cells[:n], cells[n:]


def installed(texts: list[str]) -> list[Library]:
    """Libraries as given, else those of Debian's packages that are installed."""
    if texts:
        return [Library(*text.split("=")) for text in texts]
    return [
        Library(name, f"mpicc.{word}", f"mpiexec.{word}")
        for name, word in DEBIAN.items()
        if shutil.which(f"mpicc.{word}")
    ]


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--networks", nargs="+", metavar="NETWORK")
    parser.add_argument("--ranks-per-host", type=int, default=1)
    parser.add_argument("--libraries", nargs="+", default=[], metavar="NAME=MPICC=MPIEXEC")
    parser.add_argument("--collectives", nargs="+", choices=ALL)
    parser.add_argument("--sizes", type=parse_sizes)
    parser.add_argument("--quick", action="store_true", help="less of everything; under 10 minutes")
    parser.add_argument("--minutes", type=float, default=1e9, help="ends after that; resume later")
    parser.add_argument("-o", "--output", default="docs/rivals")
    parser.add_argument("--report", action="store_true", help="figures and tables only")
    args = parser.parse_args()
    args.networks = args.networks or (["5,6,5"] if args.quick else NETWORKS)
    args.collectives = args.collectives or (MAIN if args.quick else ALL)
    args.sizes = args.sizes or parse_sizes(QUICK_SIZES if args.quick else FULL_SIZES)
    return args


def main() -> None:
    """Measures, then writes the report."""
    args = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("rivals: ended; the same command goes on"))
    Path(args.output).mkdir(parents=True, exist_ok=True)
    end, whole = time.monotonic() + 60 * args.minutes, True
    try:
        for text in [] if args.report else args.networks:
            with tempfile.TemporaryDirectory() as folder:
                network = Network(text, args.ranks_per_host, Path(folder))
                with network:
                    for library in installed(args.libraries):
                        whole &= run(args, network, library, end)
    except (RuntimeError, ValueError) as error:
        sys.exit(f"rivals: {error}")
    finally:
        report(Path(args.output))
    if not whole:
        sys.exit("rivals: the time is over; the same command goes on from here")


if __name__ == "__main__":
    main()
