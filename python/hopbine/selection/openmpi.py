"""Open MPI's rules of coll/tuned: the classic text that 4.1 and 5.0 read, and the JSON of 6.

It compares the same bytes as hopbine: the vector, or a block times the number of ranks
(coll_tuned_decision_dynamic.c).
"""

import json

from ..bench.library import OPENMPI
from .plan import OWN, Plan

#: Open MPI's numbers of collectives (ompi/mca/coll/base/coll_base_functions.h, COLLTYPE).
NUMBERS = {
    "allgather": 0,
    "allreduce": 2,
    "alltoall": 3,
    "barrier": 6,
    "bcast": 7,
    "gather": 9,
    "reduce": 11,
    "reduce_scatter": 12,
    "reduce_scatter_block": 13,
    "scatter": 15,
}
#: The file's last two columns, fan-out and segment: no algorithm here takes the first from a file
#: (the k-nomial radix is a setting of its own), and none of hopbine's counterparts has segments.
FANOUT = SEGMENT = 0


def number(collective: str, name: str | None) -> int:
    """Open MPI's number of an algorithm; 0 is its own decision."""
    return 0 if name is OWN else OPENMPI[collective][name]


def classic(plan: Plan, note: str) -> str:
    """The text format.

    A size of communicator holds from there on up to the next, and the first also below it, so that
    all begin with 0.
    """
    lines = [f"# {line}" for line in note.splitlines()]
    lines.append(f"{len(plan.collectives)}  # collectives")
    for collective, pieces in plan.collectives.items():
        lines += [
            f"{NUMBERS[collective]}  # {collective}",
            f"{len(pieces)}  # sizes of communicators",
        ]
        for piece in pieces:
            lines += [
                f"{piece.ranks[0]}  # ranks from here on",
                f"{len(piece.sizes)}  # sizes of messages",
            ]
            lines += [
                (
                    f"{low} {number(collective, name)} {FANOUT} {SEGMENT}  # "
                    f"{name or 'its own decision'}"
                )
                for (low, _), name, _ in piece.sizes
            ]
    return "\n".join(lines) + "\n"


def _bounds(what: str, asked: tuple[int, int | None]) -> dict[str, int]:
    low, high = asked
    return {f"{what}_min": low} | ({f"{what}_max": high} if high is not None else {})


def version6(plan: Plan, note: str) -> str:
    """The JSON format of 6. What is not told is Open MPI's own decision."""
    collectives = {}
    for collective, pieces in plan.collectives.items():
        collectives[collective] = [
            _bounds("comm_size", piece.ranks)
            | {
                "comm_rank_distribution": "any",
                "rules": [
                    _bounds("msg_size", size)
                    | {"alg": number(collective, name), "faninout": FANOUT, "seg_size": SEGMENT}
                    for size, name, _ in piece.sizes
                    if name is not OWN
                ],
            }
            for piece in pieces
            if any(name is not OWN for _, name, _ in piece.sizes)
        ]
    return (
        json.dumps(
            {"rule_file_version": 3, "module": "tuned", "note": note, "collectives": collectives},
            indent=1,
        )
        + "\n"
    )
