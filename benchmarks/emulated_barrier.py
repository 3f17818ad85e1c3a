"""MPI_Barrier on an emulated oversubscribed cluster, against every algorithm of the MPI library.

    python benchmarks/emulated_barrier.py [--networks 5,6,5 5,6,5+delay]

One job for each of Open MPI's barriers runs benchmarks/barrier.c,
which says what it measures. hopbine knows the groups and measures in the job, as it does by
default, or serves as --algorithm says.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from emulated_rows import built, show_rows
from rivals_network import Network

#: Numbers of coll_tuned_barrier_algorithm; the library's own choice is without one.
OF_LIBRARY = {
    "its choice": None,
    "linear": 1,
    "double ring": 2,
    "recursive doubling": 3,
    "bruck": 4,
    "tree": 6,
}
HEAD = (
    "| network | Open MPI's barrier | it takes, us | hopbine, us | ratio | by |\n"
    "|---|---|---|---|---|---|"
)


def forced(number: int | None) -> dict[str, str]:
    """The settings that make Open MPI use this barrier."""
    if number is None:
        return {}
    return {
        "OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
        "OMPI_MCA_coll_tuned_barrier_algorithm": str(number),
    }


def main() -> None:
    """Arguments, then a Markdown table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--networks", nargs="+", default=["5,6,5", "5,6,5+delay"])
    parser.add_argument("--ranks-per-host", type=int, default=1)
    parser.add_argument("--algorithm", help="such as barrier=bine")
    args = parser.parse_args()
    asked = {"HOPBINE_ALGORITHM": args.algorithm} if args.algorithm else {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            command = [str(built("barrier", folder))]
            print(HEAD, flush=True)
            for text in args.networks:
                with Network(text, args.ranks_per_host, folder) as network:
                    for barrier, number in OF_LIBRARY.items():
                        prefix = f"| {text} | {barrier} "
                        show_rows(network, command, asked | forced(number), prefix)
        except RuntimeError as error:
            sys.exit(f"emulated_barrier: {error}")


if __name__ == "__main__":
    main()
