"""Neighbourhood collectives on an emulated oversubscribed cluster, against the MPI library's own.

    python benchmarks/emulated_neighbors.py [--network 2,2] [--ranks-per-host 4]
        [--neighbors 4] [--collectives alltoallv allgather] [--sizes 8 1KiB 16KiB]

One job for each collective runs benchmarks/neighbors.c, which says
what it measures. hopbine knows the hosts and decides by itself, or serves as --algorithm says.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from emulated_rows import built, show_rows
from rivals_network import Network

from hopbine.notation.units import parse_size

HEAD = (
    "| call | neighbours | bytes | library, us | hopbine, us | ratio | by |\n"
    "|---|---|---|---|---|---|---|"
)


def main() -> None:
    """Arguments, then a Markdown table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--network", default="2,2", help="as of rivals.py")
    parser.add_argument("--ranks-per-host", type=int, default=4)
    parser.add_argument("--neighbors", type=int, default=4, metavar="K", help="on either side")
    parser.add_argument("--collectives", nargs="+", default=["alltoallv", "allgather"])
    parser.add_argument("--sizes", nargs="+", default=["8", "1KiB", "16KiB"])
    parser.add_argument("--algorithm", help="such as neighbor_alltoallv=joined")
    args = parser.parse_args()
    asked = {"HOPBINE_ALGORITHM": args.algorithm} if args.algorithm else {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        network = Network(args.network, args.ranks_per_host, folder)
        try:
            with network:
                print(HEAD, flush=True)
                program = str(built("neighbors", folder))
                sizes = [str(parse_size(size)) for size in args.sizes]
                for collective in args.collectives:
                    command = [program, collective, str(args.neighbors), *sizes]
                    show_rows(network, command, asked)
        except RuntimeError as error:
            sys.exit(f"emulated_neighbors: {error}")


if __name__ == "__main__":
    main()
