"""Speed of the simulator, and the difference between its engines.

python benchmarks/simulation.py [speed] [engines]

speed: Fig. 6 of the Swing paper (64x64, all its algorithms, 25 sizes) with both engines, and every
algorithm on 128x128, with the memory of the process.
engines: time by the step model over time by
the flow engine, the lowest and highest over 13 sizes, on square, rectangular and irregular
networks.
"""

import resource
import subprocess
import sys
import time

from hopbine import _core
from hopbine.bench.sizes import parse_sizes
from hopbine.simulation import Curve, Setup, sweep
from hopbine.simulation.setup import place
from hopbine.units import show_size

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
        Setup(topology), "allreduce", [Curve(algorithm, (algorithm,))], parse_sizes(size), pad=True
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"  {algorithm:32} {size:>7}  {1e6 * row['seconds']:12.2f} us simulated in "
        f"{time.perf_counter() - began:6.2f} s, {peak:5.0f} MiB",
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
            pad=True,
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
    """Step over flow."""
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
        print(f"{topology}, ranks {where}: step / flow, lowest and highest over {len(sizes)} sizes")
        ranks = 256 if "dragonfly" in topology else None
        step, flow = (
            Setup(topology, place(where, topology, ranks), engine=e) for e in ("step", "flow")
        )
        for a in algorithms:
            if not _core.fits("allreduce", a.split(":")[0], len(step.nodes), step.shape):
                continue
            ratios = {
                s: step.seconds("allreduce", a, s) / flow.seconds("allreduce", a, s) for s in sizes
            }
            low, high = min(ratios, key=ratios.get), max(ratios, key=ratios.get)
            print(
                f"  {a:32} {ratios[low]:.3f} ({show_size(low)})  {ratios[high]:.3f} "
                f"({show_size(high)})",
                flush=True,
            )


if __name__ == "__main__":
    if sys.argv[1:2] == ["one"]:
        one(*sys.argv[2:])
    else:
        for what in sys.argv[1:] or ("speed", "engines"):
            {"speed": speed, "engines": engines}[what]()
