"""Generalised algorithms at the radix that makes them the classic ones.

They are compared with the same algorithms of fixed radix in the MPI library (Wilkins et al.
CLUSTER'23, Fig. 7).

    python benchmarks/generalised.py [--mpiexec mpirun] [--ranks 2,4,8,16] [--sizes 8:4MiB:8] \
        > generalised.csv

Both in one launch for each algorithm and number of ranks, shuffled in every repetition; ratios are
paired. The last lines, on standard error, have the largest median ratio and in how many cases a
ratio is above 1.06 by more than its spread.
"""

import argparse
import csv
import sys
from dataclasses import asdict, fields

from hopbine.bench import launch, library
from hopbine.bench.compare import Row, compare
from hopbine.bench.sizes import parse_sizes

#: (collective, ours, the library's name) by MPI family; Open MPI's ring turns the other way, and
#: its allgather's ring is the same.
SAME = {
    "openmpi": [
        ("reduce", "knomial:k=2", "binomial"),
        ("allreduce", "recursive_multiplying:k=2", "recursive_doubling"),
        ("allgather", "kring:k=1", "ring"),
    ],
    "mpich": [
        ("bcast", "knomial:k=2", "binomial"),
        ("reduce", "knomial:k=2", "binomial"),
        ("allreduce", "recursive_multiplying:k=2", "recursive_doubling"),
        ("allgather", "kring:k=1", "ring"),
    ],
}
BOUND = 1.06


def main() -> None:
    """Prints a row for each case."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mpiexec")
    parser.add_argument("--ranks", default="2,4,8,16")
    parser.add_argument("--sizes", default="8:4MiB:8")
    parser.add_argument("--repetitions", type=int, default=40)
    args = parser.parse_args()
    launcher = launch.find_launcher(args.mpiexec)
    family = launch.family_of(launcher)
    sizes = ",".join(map(str, parse_sizes(args.sizes)))
    out = csv.DictWriter(sys.stdout, [f.name for f in fields(Row)])
    out.writeheader()
    rows = []
    for collective, ours, theirs in SAME[family]:
        for ranks in map(int, args.ranks.split(",")):
            arguments = [
                collective,
                f"mpi,{ours}",
                sizes,
                str(args.repetitions),
                "1",
                "0",
                "float32",
            ]
            found = compare(
                list(
                    launch.run(
                        launcher,
                        family,
                        ranks,
                        arguments,
                        library.forcing(family, collective, theirs),
                        600,
                    )
                ),
                "mpi",
            )
            rows += [r for r in found if r.algorithm != "mpi"]
            out.writerows(asdict(r) for r in found if r.algorithm != "mpi")
            sys.stdout.flush()
    worst = max(rows, key=lambda r: r.ratio)
    above = [r for r in rows if r.ratio_low > BOUND]
    print(
        f"{len(rows)} cases; largest median {worst.ratio:.3f} "
        f"({worst.ratio_low:.3f}..{worst.ratio_high:.3f}): {worst.collective} {worst.algorithm}, "
        f"{worst.ranks} ranks, "
        f"{worst.bytes} bytes",
        file=sys.stderr,
    )
    print(
        f"lower quartile above {BOUND}: {len(above)}"
        + "".join(
            f"\n  {r.collective} {r.algorithm}, {r.ranks} ranks, {r.bytes} bytes: {r.ratio:.3f}"
            for r in above
        ),
        file=sys.stderr,
    )


if __name__ == "__main__":
    main()
