"""Nonblocking collectives on an emulated oversubscribed cluster, against the MPI library's own.

    python benchmarks/emulated_nonblocking.py --emulator DIR [--network 5,6,5]
        [--collectives allreduce bcast alltoall] [--sizes 8 4KiB 256KiB]

DIR as in emulated_network.py. One job for each collective runs benchmarks/nonblocking.c, which says
what it measures: alone, and with computation between start and wait. Computation is a sleep, since
all hosts share this machine's cores. hopbine knows the groups and chooses by itself.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from programs import LIBRARY
from rivals_network import Network

from hopbine.units import parse_size

HEAD = (
    "| call | bytes | alone, us: ratio | computing, us: ratio | with tests, us: ratio | by |\n"
    "|---|---|---|---|---|---|"
)


def build(folder: Path) -> Path:
    """The measuring program, for the library of the emulated hosts."""
    program = folder / "nonblocking"
    source = Path(__file__).with_name("nonblocking.c")
    subprocess.run([LIBRARY.mpicc, "-O2", "-o", str(program), str(source), "-ldl"], check=True)
    return program


def measure(network: Network, program: Path, collective: str, sizes: list[int]) -> None:
    """Prints the rows of one collective as they come. RuntimeError when the job fails."""
    command = [str(program), "-s", collective, *map(str, sizes)]
    job = network.start(LIBRARY, {}, command, 500)
    assert job.stdout
    for line in job.stdout:
        print(line, end="", flush=True)
    if job.wait():
        raise RuntimeError(f"{collective} ended with {job.returncode}: {network.said()[-1500:]}")


def main() -> None:
    """Arguments, then a Markdown table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--emulator", required=True, metavar="DIR")
    parser.add_argument("--network", default="5,6,5", help="as of rivals.py")
    parser.add_argument("--ranks-per-host", type=int, default=1)
    parser.add_argument("--collectives", nargs="+", default=["allreduce", "bcast", "alltoall"])
    parser.add_argument("--sizes", nargs="+", default=["8", "4KiB", "256KiB"])
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        network = Network(args.network, args.ranks_per_host, args.emulator, folder)
        try:
            with network:
                print(HEAD, flush=True)
                for collective in args.collectives:
                    sizes = [parse_size(size) for size in args.sizes]
                    measure(network, build(folder), collective, sizes)
        except RuntimeError as error:
            sys.exit(f"emulated_nonblocking: {error}")


if __name__ == "__main__":
    main()
