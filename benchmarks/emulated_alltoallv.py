"""ParLinNa and its like against the MPI library's MPI_Alltoallv on an emulated cluster.

Its links are slow and have latency.

    python benchmarks/emulated_alltoallv.py [--sizes 16,256,4KiB,16KiB]
        [--algorithms ...]

Hosts of two ranks each in groups of 5, 6 and 5, one-way latency 0.2
ms inside a group and 1 ms between, as hopbine emulate makes it. Sizes are the largest of a block,
lengths uniform from 0, anew for every call. One run for each size, algorithms in shuffled order;
ratios paired by repetition, with quartiles.
"""

import argparse

from emulated_network import Emulator

from hopbine.bench.compare import compare
from hopbine.bench.sizes import parse_sizes
from hopbine.notation.units import show_size

ALGORITHMS = (
    "auto,parlinna:r=2:batch=15,parlinna:r=2:batch=4,parlinna:r=2:batch=15:staggered=1,"
    "parlogna:r=2,parlogna,two_phase_bruck,spread_out"
)


def main() -> None:
    """Arguments, then one table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--groups", default="5,6,5")
    parser.add_argument("--ranks-per-host", type=int, default=2)
    parser.add_argument("--sizes", default="16:16KiB:4")
    parser.add_argument("--algorithms", default=ALGORITHMS)
    parser.add_argument("--rate", type=float, default=100, help="Mbit/s of a host's link")
    parser.add_argument("--oversubscription", type=float, default=4)
    parser.add_argument(
        "--delay",
        default="200us,1000us",
        help="one-way latency inside a group and between groups",
    )
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--mpirun", help="Open MPI's launcher, when it is not mpirun.openmpi")
    args = parser.parse_args()
    emulator = Emulator(
        args.groups,
        args.rate,
        args.oversubscription,
        args.delay,
        args.ranks_per_host,
    )
    for size in parse_sizes(args.sizes):
        samples = emulator.bench(
            f"mpi,{args.algorithms}",
            f"dist:uniform:{size}",
            args.repetitions,
            args.mpirun,
            "alltoallv",
            {},
        )
        for row in compare(samples, "mpi"):
            ratio = (
                ""
                if row.algorithm == "mpi"
                else f"{row.ratio:.3f} ({row.ratio_low:.3f}..{row.ratio_high:.3f})"
            )
            print(
                f"{show_size(size):>7}  {row.algorithm:<36} {1e3 * row.seconds:>9.2f} ms  {ratio}",
                flush=True,
            )


if __name__ == "__main__":
    main()
