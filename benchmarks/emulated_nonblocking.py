"""Nonblocking collectives on an emulated oversubscribed cluster, against the MPI library's own.

    python benchmarks/emulated_nonblocking.py [--network 5,6,5]
        [--collectives allreduce bcast alltoall] [--sizes 8 4KiB 256KiB] [--progress thread]
        [--learn] [--algorithm allgather=ring]

One job for each collective runs benchmarks/nonblocking.c, which says
what it measures: alone, and with computation between start and wait. Computation is a sleep, since
all hosts share this machine's cores. hopbine knows the groups and chooses by itself.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from emulated_rows import built, show_rows
from rivals_network import Network

from hopbine.notation.units import parse_size

HEAD = (
    "| call | bytes | alone, us: ratio | computing, us: ratio | with tests, us: ratio | by |\n"
    "|---|---|---|---|---|---|"
)


def main() -> None:
    """Arguments, then a Markdown table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--network", default="5,6,5", help="as of rivals.py")
    parser.add_argument("--ranks-per-host", type=int, default=1)
    parser.add_argument("--collectives", nargs="+", default=["allreduce", "bcast", "alltoall"])
    parser.add_argument("--sizes", nargs="+", default=["8", "4KiB", "256KiB"])
    parser.add_argument("--progress", default="auto", help="as of hopbine run")
    parser.add_argument("--learn", action="store_true", help="blocking calls come before")
    parser.add_argument("--algorithm", default="", help="as of hopbine run")
    args = parser.parse_args()
    settings = {"HOPBINE_PROGRESS": args.progress, "HOPBINE_ALGORITHM": args.algorithm}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        network = Network(args.network, args.ranks_per_host, folder)
        try:
            with network:
                print(HEAD, flush=True)
                program = str(built("nonblocking", folder))
                for collective in args.collectives:
                    sizes = [str(parse_size(size)) for size in args.sizes]
                    words = ["-b"] * args.learn + ["-s", collective, *sizes]
                    show_rows(network, [program, *words], settings)
        except RuntimeError as error:
            sys.exit(f"emulated_nonblocking: {error}")


if __name__ == "__main__":
    main()
