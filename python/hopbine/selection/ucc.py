"""UCC's tune string for tl/ucp: COLLECTIVE:BYTES:MEMORY:[RANKS]:SCORE:@ALGORITHM, separated by #.

Both ends of a range are inside it.
"""

from .plan import OWN, Plan


def _span(asked: tuple[int, int | None]) -> str:
    low, high = asked
    return f"{low}-{'inf' if high is None else high}"


def tune_string(plan: Plan) -> str:
    """For UCC_TL_UCP_TUNE: host memory, score inf, so that nothing else is taken there."""
    return "#".join(
        f"{collective}:{_span(size)}:host:[{_span(piece.ranks)}]:inf:@{name}"
        for collective, pieces in plan.collectives.items()
        for piece in pieces
        for size, name, _ in piece.sizes
        if name is not OWN
    )
