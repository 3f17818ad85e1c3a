"""Neighbourhood collectives on an emulated oversubscribed cluster, against the MPI library's own.

    python benchmarks/emulated_neighbors.py --emulator DIR [--network 2,2] [--ranks-per-host 4]
        [--neighbors 4] [--collectives alltoallv allgather] [--sizes 8 1KiB 16KiB]

DIR as in emulated_network.py. One job for each collective runs benchmarks/neighbors.c, which says
what it measures. hopbine knows the hosts and decides by itself, or serves as --algorithm says.
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
    "| call | neighbours | bytes | library, us | hopbine, us | ratio | by |\n"
    "|---|---|---|---|---|---|---|"
)


def build(folder: Path) -> Path:
    """The measuring program, for the library of the emulated hosts."""
    program = folder / "neighbors"
    source = Path(__file__).with_name("neighbors.c")
    subprocess.run([LIBRARY.mpicc, "-O2", "-o", str(program), str(source), "-ldl"], check=True)
    return program


def measure(network: Network, command: list[str], algorithm: str | None) -> None:
    """Prints the rows of one collective as they come. RuntimeError when the job fails."""
    asked = {"HOPBINE_ALGORITHM": algorithm} if algorithm else {}
    job = network.start(LIBRARY, asked, command, 500)
    assert job.stdout
    for line in job.stdout:
        print(line, end="", flush=True)
    if job.wait():
        raise RuntimeError(f"{command[1]} ended with {job.returncode}: {network.said()[-1500:]}")


def main() -> None:
    """Arguments, then a Markdown table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--emulator", required=True, metavar="DIR")
    parser.add_argument("--network", default="2,2", help="as of rivals.py")
    parser.add_argument("--ranks-per-host", type=int, default=4)
    parser.add_argument("--neighbors", type=int, default=4, metavar="K", help="on either side")
    parser.add_argument("--collectives", nargs="+", default=["alltoallv", "allgather"])
    parser.add_argument("--sizes", nargs="+", default=["8", "1KiB", "16KiB"])
    parser.add_argument("--algorithm", help="such as neighbor_alltoallv=joined")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        network = Network(args.network, args.ranks_per_host, args.emulator, folder)
        try:
            with network:
                print(HEAD, flush=True)
                program = build(folder)
                sizes = [str(parse_size(size)) for size in args.sizes]
                for collective in args.collectives:
                    command = [str(program), collective, str(args.neighbors), *sizes]
                    measure(network, command, args.algorithm)
        except RuntimeError as error:
            sys.exit(f"emulated_neighbors: {error}")


if __name__ == "__main__":
    main()
