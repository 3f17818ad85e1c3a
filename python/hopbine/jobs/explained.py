"""The choice by counting as rows: what `hopbine select explain` prints."""

from collections.abc import Sequence
from typing import Any

from .. import _core
from ..core.records import Explanation
from .job import fit

#: Keys of a candidate at a size: is it taken by counting, and from the first call, or why the
#: library is; the time, that of it beside computation, over that of the fastest and over the lower
#: bound, and what limits that; what it moves between groups and between nodes of a group, and the
#: least between groups (or nodes).
KEYS = (
    *("bytes", "algorithm", "numbering", "chosen", "guess", "library_first"),
    *("seconds", "beside_seconds", "to_fastest", "to_least", "limit"),
    *("global_bytes", "local_bytes", "least_bytes"),
)


def candidates(
    told: Explanation, sizes: Sequence[int], p: int, calls: _core.Calls
) -> list[dict[str, Any]]:
    """A row for each size and candidate; the time over that of the fastest that may be taken."""
    out = []
    for i, (size, chosen) in enumerate(zip(sizes, told["chosen"], strict=True)):
        least, limit = told["least"][i]
        fastest = [c["seconds"][i] for c in fit(told, calls)]
        out += [
            {
                "bytes": size,
                "algorithm": c["algorithm"],
                "numbering": c["numbering"],
                "chosen": n == chosen,
                "guess": n == chosen and not told["library_first"][i],
                "library_first": told["library_first"][i],
                "seconds": c["seconds"][i],
                "beside_seconds": c["beside_seconds"][i],
                "to_fastest": c["seconds"][i] / min(fastest) if fastest else None,
                "to_least": c["seconds"][i] / least if least else None,
                "limit": limit,
                "global_bytes": c["global_blocks"] * size / p,
                "local_bytes": c["local_blocks"] * size / p,
                "least_bytes": told["lower_bound"] * size / p,
            }
            for n, c in enumerate(told["candidates"])
        ]
    return out
