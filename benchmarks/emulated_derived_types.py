"""Bine's allgather with derived datatypes against hopbine's techniques, on an emulated network.

    python benchmarks/emulated_derived_types.py [--network 2,2] [--sizes 64KiB 1MiB]
    python benchmarks/emulated_derived_types.py --network node:4

One job runs benchmarks/derived_types.c, which says what it measures,
with the schedule of `hopbine schedule`.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from emulated_rows import built, show_rows
from rivals_network import Network

from hopbine.notation.units import parse_size

TECHNIQUES = (
    "types,bine_block_by_block,bine_block_by_block:joined=1,bine_permute,bine_permute:overlap=1,"
    "bine_send,bine_two_transmissions"
)


def main() -> None:
    """Arguments, then a Markdown table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--network", default="2,2", help="as of rivals.py")
    parser.add_argument("--sizes", nargs="+", default=["64KiB", "1MiB"])
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            network = Network(args.network, 1, folder)
            with network:
                schedule, told = folder / "schedule.csv", ["allgather", "bine_block_by_block"]
                words = [*told, "-n", str(network.ranks), "--format", "csv"]
                with schedule.open("w") as f:
                    subprocess.run(
                        [sys.executable, "-m", "hopbine", "schedule", *words], stdout=f, check=True
                    )
                program = str(built("derived_types", folder))
                sizes = [str(parse_size(size)) for size in args.sizes]
                show_rows(network, [program, str(schedule), TECHNIQUES, *sizes], {})
        except (ValueError, RuntimeError) as error:
            sys.exit(f"emulated_derived_types: {error}")


if __name__ == "__main__":
    main()
