"""What hopbine takes by itself on an emulated oversubscribed cluster.

It is compared with the MPI library's default and every single algorithm.

    python benchmarks/emulated_choice.py [--groups 5,6,5 4,4,4,4 7,7,7,7,4]
        [--size 256KiB]

The groups and links are described to hopbine in a TOML file, as a user would. Times: algorithms
interleaved in one run, ratios paired by repetition, with quartiles. Bytes: kernel counters of the
uplinks without headers in a job that chooses by counting alone, beside hopbine's own count.
"""

import argparse
import json
import tempfile
from pathlib import Path

from emulated_network import Emulator

from hopbine.bench.compare import compare
from hopbine.jobs.counting import named_algorithms
from hopbine.machines import load
from hopbine.notation.units import parse_size, show_size

#: Above these an algorithm is left out of the comparison: it sends so much that waiting for it says
#: nothing.
SLOW = ("linear",)


def describe(
    folder: str,
    groups: str,
    rate: float,
    oversubscription: float,
    delays: tuple[int, int] = (0, 0),
) -> Path:
    """The emulated cluster as a machine description; delays inside and between groups in us."""
    first, tables, sizes = 0, [], [int(n) for n in groups.split(",")]
    for g, n in enumerate(sizes):
        tables.append(f'[[group]]\nname = "g{g}"\nhosts = "h[{first}-{first + n - 1}]"\n')
        first += n
    local, far = (100 + delay for delay in delays)
    links = (
        f'[links.node]\nbandwidth = "{rate:g} Mb/s"\nlatency = "50 us"\n[links.local]\n'
        f'latency = "{local} us"\n[links.global]\nlatency = "{far} us"\n'
        f"taper = {oversubscription:g}\n"
    )
    network = f"fattree:{len(sizes)}x{max(sizes)}:oversubscription={oversubscription:g}"
    head = f'name = "emulated {groups}"\nkind = "fat tree"\ntopology = "{network}"\n'
    path = Path(folder) / "cluster.toml"
    path.write_text(head + links + "".join(tables))
    return path


def measure(
    emulator: Emulator,
    collective: str,
    size: int,
    repetitions: int,
    mpirun: str | None,
    machine: Path,
    folder: str,
) -> None:
    """Prints one table."""
    hosts = sum(map(int, emulator.groups.split(",")))
    singles = [a for a in named_algorithms(collective, hosts) if a not in SLOW]
    options = ["--system", str(machine)]

    def bench(names, count, extra=(), counted=False):
        return emulator.bench(
            ",".join(names), size, count, mpirun, collective, {}, [*options, *extra], counted
        )

    scout = {r.algorithm: r for r in compare(bench(["mpi", *singles], 3), "mpi")}
    best = sorted((a for a in singles), key=lambda a: scout[a].seconds)[:3]
    samples = bench(["mpi", "auto", *best], repetitions)
    to_library = {r.algorithm: r for r in compare(samples, "mpi")}
    stats = Path(folder) / "stats.json"
    bench(["auto"], 2, ["--stats", str(stats)])
    rows = [
        r
        for r in json.loads(stats.read_text())["rows"]
        if r["collective"] == collective and r["algorithm"] != "mpi"
    ]
    if not rows:
        print(f"\ngroups {emulator.groups}, {collective}, {show_size(size)}: the library serves")
        return
    row = max(rows, key=lambda r: r["bytes"] / r["calls"])
    bench(["auto"], 4, ["--choice", "count"], counted=True)
    served = row["algorithm"] + "".join(f":{k}={v}" for k, v in row["parameters"].items())
    numbering = row["numbering"]
    print(
        f"\ngroups {emulator.groups}, {collective}, {show_size(size)}: {served}, ranks as "
        f"{numbering}; {row['reason']}"
    )
    for name in ("mpi", "auto", *best):
        r, to_this = to_library[name], {x.algorithm: x for x in compare(samples, name)}["auto"]
        print(
            f"  {name:<22} {1e3 * r.seconds:>8.1f} ms   auto to this {to_this.ratio:.3f} "
            f"({to_this.ratio_low:.3f}..{to_this.ratio_high:.3f})"
        )
    print(f"  {emulator.told_bytes()}", flush=True)


def main() -> None:
    """Arguments, then one table per layout and collective."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--groups", nargs="+", default=["5,6,5", "4,4,4,4", "7,7,7,7,4"])
    parser.add_argument("--collectives", nargs="+", default=["allreduce", "bcast"])
    parser.add_argument("--size", default="256KiB")
    parser.add_argument("--rate", type=float, default=100, help="Mbit/s of a host's link")
    parser.add_argument("--oversubscription", type=float, default=4)
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--mpirun", help="Open MPI's launcher, when it is not mpirun.openmpi")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for groups in args.groups:
            machine = describe(folder, groups, args.rate, args.oversubscription)
            load.cache_clear()
            emulator = Emulator(groups, args.rate, args.oversubscription)
            for collective in args.collectives:
                measure(
                    emulator,
                    collective,
                    parse_size(args.size),
                    args.repetitions,
                    args.mpirun,
                    machine,
                    folder,
                )


if __name__ == "__main__":
    main()
