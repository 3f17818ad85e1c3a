"""Traffic columns of Tables 3 to 5 (Bine SC'25), beside the paper's figures.

The allocations are made up like those of a busy machine.

    python benchmarks/paper_traffic.py [--seeds 20] [--busy 0.8]

For every number of nodes the median reduction over the seeds; the columns are the mean and the
largest of them. Large vectors, one rank per node. The paper's own allocations are not public, so
these are not its numbers again, only numbers of their kind. allgather and reduce_scatter in the
order of steps that Bine takes are the halves of these allreduces and have their reductions.
"""

import argparse
from statistics import mean, median

from hopbine import _core
from hopbine.allocations import generate
from hopbine.counting import reduction
from hopbine.machines import load

#: collective -> Bine's algorithm and the binomial one of the same shape for large vectors.
PAIRS = {
    "allreduce": ("bine_large", "rabenseifner"),
    "alltoall": ("bine", "bruck"),
    "bcast": ("bine_large", "scatter_allgather"),
    "reduce": ("bine_large", "rabenseifner"),
    "gather": ("bine", "binomial_halving"),
    "scatter": ("bine", "binomial_halving"),
}
#: machine -> nodes, nodes of allreduce where others, mean and largest reduction in the paper by
#: collective.
PAPER = {
    "lumi": (
        [16 << i for i in range(7)],
        None,
        {
            "allreduce": (11, 20),
            "alltoall": (15, 20),
            "bcast": (88, 94),
            "reduce": (10, 19),
            "gather": (9, 25),
            "scatter": (9, 25),
        },
    ),
    "leonardo": (
        [16 << i for i in range(5)],
        [16 << i for i in range(8)],
        {
            "allreduce": (19, 26),
            "alltoall": (15, 15),
            "bcast": (89, 92),
            "reduce": (13, 19),
            "gather": (12, 20),
            "scatter": (12, 20),
        },
    ),
    "marenostrum5": (
        [4 << i for i in range(5)],
        None,
        {
            "allreduce": (2, 11),
            "alltoall": (19, 33),
            "bcast": (49, 86),
            "reduce": (2, 7),
            "gather": (-8, 18),
            "scatter": (-8, 18),
        },
    ),
}


def reductions(collective: str, places: list[list[int]]) -> list[float]:
    """Reductions of each placement in per cent, without those within one group."""
    bine, binomial = PAIRS[collective]
    counted = [
        [_core.count(collective, a, group)["global_blocks"] for a in (bine, binomial)]
        for group in places
        if len(set(group)) > 1
    ]
    return [reduction(*pair) for pair in counted]


def main() -> None:
    """Prints one table per machine."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--busy", type=float, default=0.8)
    args = parser.parse_args()
    for name, (nodes, nodes_large, paper) in PAPER.items():
        machine = load(name)
        places = {
            n: [
                machine.place(
                    generate(f"fragmented:{n}:seed={s}:busy={args.busy}", machine).hosts
                ).group
                for s in range(args.seeds)
            ]
            for n in nodes_large or nodes
        }
        spans = [len(set(g)) for each in places.values() for g in each]
        print(
            f"\n{machine.name}, {min(places)}..{max(places)} nodes in {min(spans)}..{max(spans)} "
            f"groups, {args.seeds} allocations each\n\n"
            "collective   here mean/max   paper mean/max   by nodes"
        )
        for collective, (paper_mean, paper_max) in paper.items():
            counts = nodes_large if nodes_large and collective == "allreduce" else nodes
            by_nodes = {n: median(r) for n in counts if (r := reductions(collective, places[n]))}
            shown = "  ".join(f"{n}: {x:.0f}" for n, x in by_nodes.items())
            print(
                f"{collective:<12} {mean(by_nodes.values()):>6.0f} / "
                f"{max(by_nodes.values()):<6.0f} {paper_mean:>6} / {paper_max:<6}    {shown}",
                flush=True,
            )


if __name__ == "__main__":
    main()
