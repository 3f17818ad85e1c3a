"""Replays the rows of `hopbine schedule --format csv` and computes the collective.

Shares no code with hopbine.

Also a program:

    hopbine schedule allreduce bine_large -p 12 --format csv | python replay.py allreduce 12
"""

import csv
import random
import sys


def blocks_of(text: str) -> list[int]:
    """'0-3;7' -> [0, 1, 2, 3, 7]."""
    out = []
    for run in text.split(";"):
        low, _, high = run.partition("-")
        out += range(int(low), int(high or low) + 1)
    return out


#: Collectives with a block for every pair of ranks.
PAIRS = ("alltoall", "alltoallv")


def replay(collective: str, p: int, root: int, rows, parts: int = 1) -> None:
    """Random integers through the rows; AssertionError when the answer is not the collective's."""
    numbers = random.Random(p)
    pairs = collective in PAIRS
    count = (p * p if pairs else p) * parts
    data: list[dict[int, int]] = [{} for _ in range(p)]
    for rank in range(p):
        for block in range(count):
            starts = {
                "bcast": rank == root,
                "scatter": rank == root,
                "gather": block // parts == rank,
                "allgather": block // parts == rank,
                **dict.fromkeys(PAIRS, block // parts // p == rank),
            }.get(collective, True)
            if starts:
                data[rank][block] = numbers.randrange(10**9)
    begin = [dict(d) for d in data]

    by_step: dict[int, list] = {}
    for row in rows:
        by_step.setdefault(int(row["step"]), []).append(row)
    for step in sorted(by_step):
        sent = [
            (r, b, data[int(r["src"])][b]) for r in by_step[step] for b in blocks_of(r["blocks"])
        ]
        for row, block, value in sent:
            here = data[int(row["dst"])]
            here[block] = here[block] + value if row["mode"] == "reduce" else value

    sums = (
        {b: sum(d[b] for d in begin) for b in range(count)}
        if collective in ("reduce", "allreduce", "reduce_scatter")
        else {}
    )
    for rank in range(p):
        if collective == "bcast":
            want = begin[root]
        elif collective == "scatter":
            want = {rank * parts + k: begin[root][rank * parts + k] for k in range(parts)}
        elif collective in ("gather", "allgather"):
            want = (
                {b: begin[b // parts][b] for b in range(p * parts)}
                if collective == "allgather" or rank == root
                else {}
            )
        elif pairs:
            want = {o * p + rank: begin[o][o * p + rank] for o in range(p)}
        elif collective == "reduce_scatter":
            want = {rank * parts + k: sums[rank * parts + k] for k in range(parts)}
        else:
            want = sums if collective == "allreduce" or rank == root else {}
        for block, value in want.items():
            assert data[rank].get(block) == value, (
                f"{collective}: rank {rank} block {block} has {data[rank].get(block)}, not {value}"
            )


if __name__ == "__main__":
    replay(
        sys.argv[1],
        int(sys.argv[2]),
        int(sys.argv[3]) if len(sys.argv) > 3 else 0,
        csv.DictReader(sys.stdin),
    )
    print("right")
