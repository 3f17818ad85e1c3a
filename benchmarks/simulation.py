"""Speed of the simulator, and the difference between its engines.

python benchmarks/simulation.py [speed] [packets] [buffers] [engines] [trains]

speed: Fig. 6 of the Swing paper (64x64, all its algorithms, 25 sizes) with both engines, and every
algorithm on 128x128, with the memory of the process.
packets: events per second, time and memory of the packet engine.
buffers: events per second of processor time without and with finite buffers.
engines: time by the step model and by packets over time by the flow engine, the lowest and highest
over 13 sizes, on square, rectangular and irregular networks.
trains: how the time by packets depends on the number of trains of a message, and on the seed.
"""

import argparse
import resource
import subprocess
import sys
import time

from hopbine import _core
from hopbine.bench.sizes import parse_sizes
from hopbine.notation.units import parse_size, show_size
from hopbine.simulation import Curve, Setup, Vectors, sweep
from hopbine.simulation.setup import place

PAPER = (
    "swing",
    "swing_small",
    "torus_doubling",
    "torus_doubling_small",
    "torus_doubling:ports=1",
    "torus_doubling_small:ports=1",
    "bucket",
    "hamiltonian",
)
GENERAL = ("bine_large", "bine_small", "rabenseifner", "recursive_doubling", "ring")


def one(topology: str, algorithm: str, size: str) -> None:
    """Seconds and MiB of one simulation, in a separate process."""
    began = time.perf_counter()
    (row,) = sweep(
        Setup(topology),
        "allreduce",
        [Curve(algorithm, (algorithm,))],
        parse_sizes(size),
        Vectors(pad=True),
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"  {algorithm:32} {size:>7}  {1e6 * row['seconds']:12.2f} us simulated in "
        f"{time.perf_counter() - began:6.2f} s, {peak:5.0f} MiB",
        flush=True,
    )


def by_packets(topology: str, ranks: int, algorithm: str, size: str) -> None:
    """Events per second, seconds and MiB of one simulation by packets, in a separate process."""
    (vector,) = parse_sizes(size)
    began = time.perf_counter()
    setup = Setup(topology, place("random:seed=1", topology, ranks) if ranks else ())
    s = setup.simulation("allreduce", algorithm)
    s.deficiencies()  # prepares the flow engine, which the packet engine begins with
    prepared = time.perf_counter()
    told = s.packet(vector, setup.bandwidth, setup.cable, setup.router)
    ended = time.perf_counter()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    rate = told["processed"] / (ended - prepared)
    where = f"{topology}, {ranks} scattered ranks" if ranks else topology
    print(
        f"| {where} | {algorithm} | {show_size(vector)} | {1e6 * told['seconds']:,.1f} us "
        f"| {told['processed'] / 1e6:.2f} million | {rate / 1e6:.1f} million/s "
        f"| {prepared - began:.2f} s + {ended - prepared:.2f} s | {peak:.0f} MiB |",
        flush=True,
    )


#: Topology, ranks if they are scattered, algorithm, sizes.
BY_PACKETS = (
    ("torus:64x64", 0, "swing", "2MiB"),
    ("torus:64x64", 0, "swing", "512MiB"),
    ("torus:64x64", 0, "swing_small", "16KiB"),
    ("torus:64x64", 0, "torus_doubling", "2MiB"),
    ("torus:64x64", 0, "torus_doubling_small", "16KiB"),
    ("torus:64x64", 0, "torus_doubling:ports=1", "512MiB"),
    ("torus:64x64", 0, "bucket", "512MiB"),
    ("dragonfly:40x16x8", 4096, "bine_large", "16MiB"),
    ("dragonfly:40x16x8", 4096, "rabenseifner", "16MiB"),
    ("hammingmesh:2x2:32x32", 0, "swing", "512MiB"),
    ("torus:128x128", 0, "swing", "2MiB"),
    ("torus:128x128", 0, "swing", "512MiB"),
)


def packets() -> None:
    """The packet engine's speed."""
    print("| network | allreduce | bytes | simulated | events | rate | prepared + run | memory |")
    print("|---" * 8 + "|", flush=True)
    for case in BY_PACKETS:
        subprocess.run([sys.executable, __file__, "packets-of", *map(str, case)], check=True)


#: Topology, algorithm, size; ranks in order.
WITH_BUFFERS = (
    ("torus:64x64", "swing", "2MiB"),
    ("dragonfly:64x16x8", "bine_large", "1MiB"),
    ("dragonfly:64x16x8", "bine_large", "16MiB"),
    ("dragonfly:64x16x8", "rabenseifner", "16MiB"),
)
#: Runs of a case, of which the fastest counts: other jobs take the caches away.
REPEATED = 5


def buffers() -> None:
    """The packet engine's speed with credits, in processor time."""
    print("| network | allreduce | bytes | buffers | simulated | events | rate | run |")
    print("|---" * 8 + "|", flush=True)
    for topology, algorithm, size in WITH_BUFFERS:
        (vector,) = parse_sizes(size)
        for text in ("no end", "64 KiB"):
            ends = {} if text == "no end" else {"buffers": float(parse_size(text))}
            setup = Setup(topology, engine="packet", **ends)
            s = setup.simulation("allreduce", algorithm)
            s.deficiencies()
            taken = []
            for _ in range(REPEATED):
                began = time.thread_time()
                told = setup.followed(s, vector)
                taken.append(time.thread_time() - began)
            print(
                f"| {topology} | {algorithm} | {show_size(vector)} | {text} "
                f"| {1e6 * told['seconds']:,.1f} us | {told['processed'] / 1e6:.2f} million "
                f"| {told['processed'] / min(taken) / 1e6:.1f} million/s | {min(taken):.2f} s |",
                flush=True,
            )


def trains() -> None:
    """Times over those with 64 trains, and the spread over eight seeds."""
    print("| network | allreduce | bytes | 1 | 4 | 8 | 16 | 32 | seeds, highest / lowest |")
    print("|---" * 9 + "|", flush=True)
    cases = [("torus:16x16", 0, a) for a in ("swing", "torus_doubling", "torus_doubling_small")]
    cases += [("dragonfly:9x8x4", 256, a) for a in ("bine_large", "recursive_doubling")]
    for topology, ranks, algorithm in cases:
        at = place("random:seed=1", topology, ranks) if ranks else ()
        for size in parse_sizes("128KiB,2MiB,64MiB"):

            def seconds(trains: int, seed: int = 1, at=at, what=(topology, algorithm, size)):
                setup = Setup(what[0], at, engine="packet", trains=trains, seed=seed)
                return setup.seconds("allreduce", *what[1:])

            finest = seconds(64)
            ratios = " | ".join(f"{seconds(n) / finest:.3f}" for n in (1, 4, 8, 16, 32))
            seeds = [seconds(16, seed) for seed in range(1, 9)]
            where = f"{topology}, {ranks} scattered ranks" if ranks else topology
            print(
                f"| {where} | {algorithm} | {show_size(size)} | {ratios} "
                f"| {max(seeds) / min(seeds):.4f} |",
                flush=True,
            )


def speed() -> None:
    """Fig. 6 and 128x128."""
    sizes = parse_sizes("32:512MiB")
    for engine in ("step", "flow"):
        began = time.perf_counter()
        sweep(
            Setup("torus:64x64", engine=engine),
            "allreduce",
            [Curve(a, (a,)) for a in PAPER],
            sizes,
            Vectors(pad=True),
        )
        print(
            f"64x64, {len(PAPER)} algorithms, {len(sizes)} sizes, {engine} engine: "
            f"{time.perf_counter() - began:.1f} s",
            flush=True,
        )
    print("128x128, flow engine:")
    for algorithm in PAPER:
        for size in ("2MiB", "512MiB"):
            subprocess.run(
                [sys.executable, __file__, "one", "torus:128x128", algorithm, size], check=True
            )


def engines() -> None:
    """Step and packets over flow."""
    sizes = parse_sizes("32:512MiB:4")
    cases = [
        (t, "linear", PAPER)
        for t in (
            "torus:16x16",
            "torus:16x4",
            "torus:32x8",
            "torus:8x4x4",
            "hammingmesh:2x2:8x8",
            "hyperx:16x16",
        )
    ]
    cases += [
        (t, p, GENERAL)
        for t in ("dragonfly:9x8x4", "fattree:16x16:oversubscription=4")
        for p in ("linear", "random:seed=1")
    ]
    for topology, where, algorithms in cases:
        print(f"{topology}, ranks {where}: over flow, lowest and highest over {len(sizes)} sizes")
        ranks = 256 if "dragonfly" in topology else None
        step, packet, flow = (
            Setup(topology, place(where, topology, ranks), engine=e)
            for e in ("step", "packet", "flow")
        )
        for a in algorithms:
            if not _core.fits("allreduce", a.split(":")[0], len(step.nodes), step.shape):
                continue
            by_flow = {s: flow.seconds("allreduce", a, s) for s in sizes}
            told = []
            for setup in (step, packet):
                ratios = {s: setup.seconds("allreduce", a, s) / by_flow[s] for s in sizes}
                low, high = min(ratios, key=ratios.get), max(ratios, key=ratios.get)
                told.append(
                    f"{setup.engine} {ratios[low]:.3f} ({show_size(low)})  "
                    f"{ratios[high]:.3f} ({show_size(high)})"
                )
            print(f"  {a:32} {'   '.join(told)}", flush=True)


def main() -> None:
    """Measures what is named, by default all."""
    every = (speed, packets, buffers, engines, trains)
    parts = {part.__name__: part for part in every}
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", nargs="*", metavar="WHAT", help=f"of {', '.join(parts)}")
    asked = parser.parse_args().what
    unknown = [what for what in asked if what not in parts]
    if unknown:
        parser.error(f"'{unknown[0]}' is not one of {', '.join(parts)}")
    for what in asked or parts:
        parts[what]()


if __name__ == "__main__":
    if sys.argv[1:2] == ["one"]:
        one(*sys.argv[2:])
    elif sys.argv[1:2] == ["packets-of"]:
        by_packets(sys.argv[2], int(sys.argv[3]), *sys.argv[4:])
    else:
        main()
