"""hopbine's flow or packet engine against SimGrid on the same schedules, written as GOAL.

Allreduces on tori (docs/simulation-checks.md).

    apt-get install libsimgrid-dev       # Debian 12
    g++ -std=c++17 -O2 benchmarks/simgrid/simgrid_goal.cpp -lsimgrid -o simgrid_goal
    python benchmarks/simgrid/compare.py ./simgrid_goal

Prints a table as Markdown. Exits with 1 when any two times of the flow engine differ by more than a
thousandth; packets queue where SimGrid's flows share fairly, so that theirs may differ.
"""

import argparse
import subprocess
import sys
import tempfile
from math import prod
from pathlib import Path

from hopbine import _core
from hopbine.notation.units import parse_size, show_size

ALGORITHMS = "swing,swing_small,bucket,torus_doubling,hamiltonian,torus_bine"
BANDWIDTH, CABLE, ROUTER = 50e9, 100e-9, 300e-9  # of Swing's evaluation (Sec. 5)
HOP, OVERHEAD = (
    CABLE + ROUTER,
    2 * CABLE + ROUTER,
)  # h hops: h + 2 cables, those at both ends too, and h + 1 routers
ALLOWED = 1e-3


def simgrid(program: str, ties: str, shape: list[int], algorithm: str, size: int) -> float:
    """Seconds by SimGrid."""
    speeds = ["--bandwidth", str(BANDWIDTH), "--hop-latency", str(HOP), "--overhead", str(OVERHEAD)]
    with tempfile.TemporaryDirectory() as folder:
        goal = Path(folder, "schedule.goal")
        with goal.open("w") as out:
            _core.export_goal(
                _core.Problem("allreduce", algorithm, prod(shape), shape=shape, bytes=size),
                out.write,
            )
        command = [program, "--torus", _text(shape), *speeds, "--ties", ties, str(goal)]
        return float(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def _text(shape: list[int]) -> str:
    return "x".join(map(str, shape))


def main() -> int:
    """0: all agree."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("simgrid_goal")
    parser.add_argument("--tori", default="8x8,16x16,5x3")
    parser.add_argument("--algorithms", default=ALGORITHMS)
    parser.add_argument("--sizes", default="32KiB,2MiB,512MiB")
    parser.add_argument(
        "--ties",
        choices=("split", "simgrid"),
        default="split",
        help="where both ways round are equally long (hopbine splits)",
    )
    parser.add_argument(
        "--resolution",
        type=float,
        help="events that hopbine takes together, in mean steps (default: its own; 0: none)",
    )
    parser.add_argument("--engine", choices=("flow", "packet"), default="flow")
    args = parser.parse_args()
    resolution = {} if args.resolution is None else {"resolution": args.resolution}

    print(
        "| torus | allreduce | bytes | SimGrid, us | hopbine, us | hopbine / SimGrid |\n"
        + "|---" * 6
        + "|"
    )
    worst = 0.0
    for shape in ([int(n) for n in text.split("x")] for text in args.tori.split(",")):
        network, nodes = _core.Topology(f"torus:{_text(shape)}"), list(range(prod(shape)))
        for algorithm in args.algorithms.split(","):
            try:
                problem = _core.Problem("allreduce", algorithm, prod(shape), shape=shape)
                simulation = _core.Simulation(problem, network, nodes)
            except ValueError as error:
                print(f"{algorithm} is left out: {error}", file=sys.stderr)
                continue
            for size in map(parse_size, args.sizes.split(",")):
                theirs = simgrid(args.simgrid_goal, args.ties, shape, algorithm, size)
                speeds = size, BANDWIDTH, CABLE, ROUTER
                ours = (
                    simulation.flow(*speeds, **resolution)
                    if args.engine == "flow"
                    else simulation.packet(*speeds)
                )["seconds"]
                worst = max(worst, abs(ours / theirs - 1))
                times = f"{theirs * 1e6:,.3f} | {ours * 1e6:,.3f} | {ours / theirs:.6f}"
                print(f"| {_text(shape)} | {algorithm} | {show_size(size)} | {times} |", flush=True)
    if args.engine == "packet":
        print(f"\nLargest difference: {worst:.2g}.")
        return 0
    print(f"\nLargest difference: {worst:.2g}; allowed: {ALLOWED:g}.")
    return int(worst > ALLOWED)


if __name__ == "__main__":
    sys.exit(main())
