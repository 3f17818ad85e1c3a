"""What Fujitsu MPI's Trinaryx sends, read from its times on Fugaku: is hopbine's the same?

    python benchmarks/published_trinaryx.py PICO

PICO has measured.csv.gz (see published_times.py). A row for each shape and size from 128 KiB on:

links      bytes a second over those of a link, of a broadcast and of a reduction
model      modelled over measured time of hopbine's `trinaryx`, with the segments that it takes
sum        time of the allreduce over that of a reduction and a broadcast one after the other

and for each size what a further step of a broadcast takes, the bytes of a segment that would take
so long, and those of hopbine's segments (docs/pipelines.md) on the larger shape.
"""

import argparse
import math
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from published_fit import described
from published_rows import MEASURED, rows

from hopbine import _core
from hopbine.machines import load

SHAPES = ((2, 2, 2), (8, 8, 8))
#: Bytes a second of a link, and bytes from which a vector is cut.
LINK, CUT = 6.8e9, 1 << 17
#: Bytes of a vector whose steps are latencies.
SHORT = 256

Times = dict[tuple[str, tuple[int, ...]], dict[int, float]]


def times(folder: str, trees: int) -> Times:
    """Seconds of Trinaryx with so many trees, by collective and shape."""
    out: Times = defaultdict(dict)
    names = {f"default-trinaryx{trees}", f"default-trix{trees}"}
    for row in rows(Path(folder) / "measured.csv.gz", MEASURED):
        if row["system"] == "fugaku" and row["algorithm"] in names:
            out[row["collective"], row["nodes"]][row["bytes"]] = row["median_us"] * 1e-6
    return out


def model(collective: str, shape: tuple[int, ...]) -> _core.Modelled:
    """hopbine's, with a rank on each node."""
    p = math.prod(shape)
    return _core.Modelled(
        _core.Problem(collective, "trinaryx", group=[0] * p, node=range(p), shape=shape)
    )


def whole(folder: str, trees: int) -> Iterator[str]:
    """Rows by shape and size."""
    told, network = times(folder, trees), load("fugaku").network()
    yield "| shape | bytes | links: bcast, reduce | model: bcast, reduce | allreduce over the sum |"
    yield "|---|---|---|---|---|"
    for shape in SHAPES:
        models = {c: model(c, shape) for c in ("bcast", "reduce")}
        for size in sorted(s for s in told["bcast", shape] if s >= CUT):
            each = {c: told[c, shape][size] for c in models}
            links = ", ".join(f"{size / t / LINK:.2f}" for t in each.values())
            of = ", ".join(
                f"{models[c].seconds([size], network)[0] / t:.2f}" for c, t in each.items()
            )
            summed = told["allreduce", shape][size] / sum(each.values())
            name = "x".join(map(str, shape))
            yield f"| {name} | {size:,} | {links} | {of} | {summed:.2f} |"


def segment(size: int) -> float:
    """Bytes of one of a tree's on the larger shape, of the power of two that the rule takes."""
    costs, shape = described("fugaku"), list(SHAPES[1])
    problem = _core.Problem("bcast", "trinaryx", math.prod(shape), shape=shape, bytes=size)
    number = _core.with_segments(problem, costs["overhead"], 1 / costs["node_bandwidth"])[
        "segments"
    ]
    return size / len(shape) / number


def steps(folder: str) -> Iterator[str]:
    """What each of the further steps of the larger shape takes, and its bytes."""
    few, many = (times(folder, 3)["bcast", shape] for shape in SHAPES)
    further = sum(n - 1 for n in SHAPES[1]) - sum(n - 1 for n in SHAPES[0])
    each = {size: (many[size] - few[size]) / further for size in sorted(few) if size >= SHORT}
    yield "| bytes | us a step | bytes of a segment | hopbine's |"
    yield "|---|---|---|---|"
    for size, seconds in each.items():
        if size == SHORT:
            yield f"| {size:,} | {1e6 * seconds:.2f} | - | - |"
        elif CUT <= size <= CUT << 9:
            cut = (seconds - each[SHORT]) * LINK
            yield f"| {size:,} | {1e6 * seconds:.2f} | {cut:,.0f} | {segment(size):,.0f} |"


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pico", help="folder of measured.csv.gz")
    args = parser.parse_args()
    try:
        for trees in (3, 6):
            print(f"trinaryx{trees}\n")
            print("\n".join(whole(args.pico, trees)) + "\n")
        print("\n".join(steps(args.pico)))
    except (ValueError, OSError) as error:
        parser.exit(2, f"{parser.prog}: {error}\n")


if __name__ == "__main__":
    main()
