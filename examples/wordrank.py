"""Ranks the words of a text.

PageRank on the graph of which word follows which, distributed over all ranks.

    mpiexec -n 8 python wordrank.py TEXT

Rank 0 reads the text and broadcasts it; words are owned by hash; the table of followers is summed
and shared out by rows; every iteration gathers the whole vector and sums it to one.
"""

import re
import sys
import zlib
from itertools import pairwise
from pathlib import Path

import numpy as np
from mpi4py import MPI

DAMPING, ITERATIONS = 0.85, 30


def main() -> None:
    comm = MPI.COMM_WORLD
    rank, ranks = comm.rank, comm.size
    text = comm.bcast(Path(sys.argv[1]).read_text(encoding="utf-8") if rank == 0 else None)
    words = re.findall(r"[a-z]+", text.lower())

    vocabulary = sorted(set(words), key=lambda w: (zlib.crc32(w.encode()), w))
    size = -(-len(vocabulary) // ranks) * ranks  # so that every rank owns equally many
    number = {w: i for i, w in enumerate(vocabulary)}
    share = size // ranks

    # Each rank reads its part of the text and finds the pairs in it; how many go to which owner is
    # told by alltoall.
    begin, end = rank * len(words) // ranks, (rank + 1) * len(words) // ranks
    pairs = [(number[a], number[b]) for a, b in pairwise(words[begin : end + 1])]
    counts = np.zeros(ranks, dtype="i")
    for _, b in pairs:
        counts[b // share] += 1
    incoming = np.empty(ranks, dtype="i")
    comm.Alltoall(counts, incoming)

    # The whole table of followers, summed: rows of this rank's words only.
    table = np.zeros((size, size), dtype="f")
    for a, b in pairs:
        table[b, a] += 1
    rows = np.empty((share, size), dtype="f")
    comm.Reduce_scatter_block(table, rows)
    assert int(rows.sum()) == int(incoming.sum())
    leaving = np.empty(size, dtype="f")
    comm.Allreduce(table.sum(axis=0), leaving)

    score = np.full(size, 1 / len(vocabulary))
    score[len(vocabulary) :] = 0
    for _ in range(ITERATIONS):
        flow = np.divide(score, leaving, out=np.zeros(size), where=leaving > 0)
        mine = DAMPING * rows @ flow + (1 - DAMPING) / len(vocabulary)
        comm.Allgather(mine, score)
        score[len(vocabulary) :] = 0
        total = comm.allreduce(float(score[rank * share : (rank + 1) * share].sum()))
        score /= total

    if rank == 0:
        print(f"{len(words)} words, {len(vocabulary)} different")
        for i in sorted(range(len(vocabulary)), key=lambda i: (-round(score[i], 9), vocabulary[i]))[
            :10
        ]:
            print(f"{vocabulary[i]:<14} {score[i]:.6f}")


main()
