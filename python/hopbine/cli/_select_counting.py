"""hopbine select explain: what the runtime takes by itself for a job's hosts, and why."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..counting import Job


def explain_counting(args: argparse.Namespace) -> int:
    """Prints the choice by size, and with --all the candidates."""
    from .. import _core
    from ..bench.sizes import parse_sizes, show_size
    from ..counting import explain
    from ..quantities import show_bytes
    from ._analysis import one_job
    from ._common import print_table

    _core.rooted(args.collective)
    job, sizes = one_job(args), parse_sizes(args.sizes)
    told = explain(job, args.collective, sizes, args.root, not args.in_order, args.exact)
    p, groups, nodes = spread(job)
    print(
        f"{p} ranks on {nodes} nodes in {groups} groups of {job.machine.name} "
        f"({job.machine.source})"
    )
    print(
        f"links: {job.machine.network().replace(':', ', ') or 'not described'}; the rest as in "
        "docs/choice.md"
    )
    if not counts(job):
        print("nothing is scarce here: the runtime uses the default table (hopbine info)")
        return 0
    every, scarce = told["candidates"], "global_blocks" if groups > 1 else "local_blocks"
    if args.all:
        order = sorted(range(len(every)), key=lambda i: every[i]["seconds"][-1])
        rows = [
            [
                every[i]["algorithm"],
                every[i]["numbering"],
                f"{every[i][scarce] / p:.4g} n",
                *(_time(s) for s in every[i]["seconds"]),
            ]
            for i in order
        ]
        print()
        print_table(
            ["algorithm", "numbering", "scarce", *map(show_size, sizes)],
            rows,
            right=set(range(2, 3 + len(sizes))),
        )
    rows = []
    for size, chosen, i in zip(sizes, told["chosen"], range(len(sizes)), strict=True):
        if chosen < 0:
            rows.append([show_size(size), "none is fit", "", "", "", ""])
            continue
        one = every[chosen]
        fastest = min(
            c["seconds"][i]
            for c in every
            if (not args.in_order or not c["commutes"]) and (args.exact or c["same_everywhere"])
        )
        rows.append(
            [
                show_size(size),
                one["algorithm"],
                one["numbering"],
                _time(one["seconds"][i]),
                f"{one['seconds'][i] / fastest:.2f}x",
                show_bytes(one[scarce] * size / p),
            ]
        )
    print()
    print_table(
        [
            "bytes",
            "algorithm",
            "numbering",
            "modelled",
            "to fastest",
            "between groups" if groups > 1 else "between nodes",
        ],
        rows,
        right={0, 3, 4, 5},
    )
    return 0


def spread(job: Job) -> tuple[int, int, int]:
    """Ranks, groups, nodes of a job."""
    return len(job.hosts), len(set(job.places.group)), len(set(job.places.node))


def counts(job: Job) -> bool:
    """Is anything scarce, so that the runtime counts? As in src/mpi/state/chooser.cpp."""
    p, groups, nodes = spread(job)
    return groups > 1 or 1 < nodes < p


def _time(seconds: float) -> str:
    return f"{seconds * 1e6:.1f} us" if seconds < 1e-3 else f"{seconds * 1e3:.3g} ms"
