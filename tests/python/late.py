"""What a statistics file tells of arrivals, of drawn jobs: for tests of what reads it."""

import random
from statistics import fmean, median_low


def firsts(parts, unit_of):
    """The first rank of the unit with the highest lower median of its ranks, in each part."""
    units = {}
    for rank, unit in enumerate(unit_of):
        units.setdefault(unit, []).append(rank)
    return [max(units.values(), key=lambda u: median_low(part[r] for r in u))[0] for part in parts]


def arrivals(nodes, late=lambda rank, part: 0.0, seed=0, parts=32, noise=20e-6, compute=1e-3):
    """The arrivals of a job whose ranks are on `nodes`; `late`: seconds that a rank takes longer.

    A part is drawn as a call, before which a rank now and then is interrupted.
    """
    draw = random.Random(seed)
    ranks = len(nodes)
    outside = [
        [
            compute + abs(draw.gauss(0, noise)) + (draw.random() < 0.05) * 3 * noise + late(r, part)
            for r in range(ranks)
        ]
        for part in range(parts)
    ]
    late_in = [[x - fmean(part) for x in part] for part in outside]
    waits = [[max(part) - x for x in part] for part in outside]
    last = [part.index(max(part)) for part in outside]
    calls = 10 * parts
    return {
        "communicators": [
            {
                "ranks": f"0-{ranks - 1}",
                "comm_size": ranks,
                "calls": calls,
                "compared": calls,
                "last": [10 * last.count(r) for r in range(ranks)],
                "waited_for": [
                    sum(
                        sum(w) / (ranks - 1) for w, who in zip(waits, last, strict=True) if who == r
                    )
                    / parts
                    for r in range(ranks)
                ],
                "waited": [fmean(w[r] for w in waits) for r in range(ranks)],
                "inside": [5e-6 + fmean(w[r] for w in waits) for r in range(ranks)],
                "outside": [fmean(part[r] for part in outside) for r in range(ranks)],
                "begun": [0.1 * part for part in range(parts)],
                "latest_node": firsts(late_in, nodes) if 1 < len(set(nodes)) < ranks else [],
                "longest_node": firsts(outside, nodes) if 1 < len(set(nodes)) < ranks else [],
                "latest_rank": firsts(late_in, range(ranks)),
                "longest_rank": firsts(outside, range(ranks)),
                "late_in_parts": late_in,
            }
        ],
        "not_compared": {},
    }


def job(nodes, **drawn):
    """A statistics file of it."""
    return {
        "hopbine_stats": 1,
        "version": "1",
        "mpi": "x",
        "ranks": len(nodes),
        "nodes": list(nodes),
        "rows": [],
        "arrivals": arrivals(nodes, **drawn),
    }
