"""What an order of ranks by `hopbine order` saves on an emulated oversubscribed cluster.

    python benchmarks/order.py --mpi openmpi=MPICC=MPIEXEC [--turns 5] [--size 65536]

16 hosts in 4 groups, 100 Mbit/s, 4:1, one rank each. The batch system lists the hosts in turns of
the groups, as a fragmented allocation does. benchmarks/messages.c sends what each pattern has: a
ring, and a halo on a torus of 2x8. Without hopbine in the program: the launcher takes the given
order, or the file of hopbine order, in turns. Times are medians of the turns; bytes are those that
left the groups, by the kernel, for a loop.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from hopbine.emulate.report import out_of_groups
from hopbine.jobs.job import Job
from hopbine.machines import load
from hopbine.ordering.files import LAUNCHERS
from hopbine.ordering.pattern import of_messages
from hopbine.ordering.search import GIVEN, Order, orders, placed

GROUPS, EACH = 4, 4
#: Host i of an emulated cluster is h<i>; groups have consecutive ones.
HOSTS = [f"h{group * EACH + i}" for i in range(EACH) for group in range(GROUPS)]
LOOPS = 21


def ring(p: int) -> list[tuple[int, int]]:
    """Every rank sends to both neighbours."""
    return [(r, (r + step) % p) for r in range(p) for step in (1, p - 1)]


def halo(rows: int, columns: int) -> list[tuple[int, int]]:
    """Every rank sends to its four neighbours on a torus."""
    return [
        (x * columns + y, (x + dx) % rows * columns + (y + dy) % columns)
        for x in range(rows)
        for y in range(columns)
        for dx, dy in ((0, 1), (1, 0), (0, columns - 1), (rows - 1, 0))
    ]


PATTERNS = {"ring": ring(16), "halo of 2x8": halo(2, 8)}


class Cluster:
    """Runs the program on the emulated hosts."""

    def __init__(self, family: str, mpiexec: str, program: Path, folder: Path) -> None:
        self.launcher = LAUNCHERS["openmpi-seq" if family == "openmpi" else family]
        self.mpiexec, self.program, self.folder = mpiexec, program, folder

    def run(self, hosts: Sequence[str], messages: Path) -> tuple[float, float]:
        """Seconds of a loop, and bytes out of groups for each."""
        file, links = self.folder / "order", self.folder / "links.json"
        file.write_text(self.launcher.write(hosts))
        words = self.launcher.command.replace("RANKS", str(len(hosts))).replace("FILE", str(file))
        done = subprocess.run(
            [
                *(sys.executable, "-m", "hopbine", "emulate", "--groups", "4,4,4,4"),
                *("--taper", "4", "--rate", "100Mbit", "--json", str(links), "--"),
                *(self.mpiexec, *words.split()[1:], str(self.program), str(messages), str(LOOPS)),
            ],
            capture_output=True,
            text=True,
            timeout=300,
        )
        if done.returncode:
            sys.exit(f"the job failed: {done.stdout[-500:]}{done.stderr[-2000:]}")
        return float(done.stdout.split()[-1]), out_of_groups(links)["bytes"] / LOOPS


def machine_file(folder: Path) -> str:
    """The cluster as host,group."""
    path = folder / "machine.csv"
    path.write_text("".join(f"h{i},g{i // EACH}\n" for i in range(GROUPS * EACH)))
    return str(path)


def show(name: str, order: Order, runs: Sequence[tuple[float, float]]) -> None:
    """A row of the table."""
    seconds, moved = (statistics.median(column) for column in zip(*runs, strict=True))
    counted = f"{order.global_bytes:,.0f} | {moved:,.0f}"
    print(f"| {name} | {order.name} | {counted} | {1e3 * seconds:.1f} |")


def main() -> None:
    """Arguments, then a Markdown table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mpi", required=True, metavar="NAME=MPICC=MPIEXEC")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--size", type=int, default=65536, help="bytes of a message")
    args = parser.parse_args()
    family, mpicc, mpiexec = args.mpi.split("=")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source, program = Path(__file__).with_name("messages.c"), folder / "messages"
        subprocess.run([mpicc, "-O2", "-o", str(program), str(source)], check=True)
        cluster = Cluster(family, mpiexec, program, folder)
        job = Job("order", tuple(HOSTS), load(machine_file(folder)))
        print("| pattern | order | bytes between groups | by the kernel | ms |")
        print("|---|---|---|---|---|")
        for title, messages in PATTERNS.items():
            file = folder / "messages.csv"
            file.write_text("".join(f"{a},{b},{args.size}\n" for a, b in messages))
            every = orders(of_messages(str(file), len(HOSTS)), job)
            compared = [next(one for one in every if one.name == GIVEN), every[0]]
            runs: list[list[tuple[float, float]]] = [[], []]
            for _ in range(args.turns):
                for order, kept in zip(compared, runs, strict=True):
                    kept.append(cluster.run(placed(job, order.slots).hosts, file))
            for order, kept in zip(compared, runs, strict=True):
                show(title, order, kept)


if __name__ == "__main__":
    main()
