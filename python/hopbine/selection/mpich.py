"""MPICH's tuning file (MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE).

It replaces all built-in rules and a missing branch ends the program, so that ours is the library's
own file with branches put before its own; the library carries that file as a string.
"""

import copy
import json
import re
from typing import Any

from ..core.records import Algorithm
from ..core.registry import record
from ..errors import UsageError
from ..notation.text import read_bytes
from .plan import OWN, Plan

#: Which of its sizes MPICH compares where; gather and scatter take theirs from arguments that may
#: differ between ranks, and know one algorithm anyway.
SIZE = {
    "bcast": "avg_msg_size",
    "reduce": "avg_msg_size",
    "allreduce": "avg_msg_size",
    "allgather": "total_msg_size",
    "alltoall": "total_msg_size",
    "reduce_scatter": "total_msg_size",
    "reduce_scatter_block": "total_msg_size",
}
ONLY_ONE = ("gather", "scatter")
#: The library reads numbers as int.
MOST = 2**31 - 1
#: Bytes of an installed library.
MOST_LIBRARY = 1 << 29


def base(path: str) -> tuple[dict[str, Any], bytes | None]:
    """The rules built into an MPICH library, with its bytes, or those of a file that has all.

    The library is libmpich.so or libmpi.so. UsageError.
    """
    tree, raw = told(path, f"--base {path}")
    if missing := [c for c in SIZE if f"collective={c}" not in tree]:
        raise UsageError(
            f"--base {path}: is not MPICH's generic tuning file: it lacks branches for "
            + ", ".join(missing)
        )
    return tree, raw


def told(path: str, name: str) -> tuple[dict[str, Any], bytes | None]:
    """The rules in a library or a file, of some collectives at least; errors begin with `name`."""
    raw = read_bytes(path, MOST_LIBRARY)
    if raw[:4] != b"\x7fELF":
        try:
            tree = json.loads(raw)
        except (ValueError, RecursionError) as error:
            raise UsageError(f"{name}: is neither a library nor JSON: {error}") from None
        known = [f"collective={c}" for c in SIZE]
        if not isinstance(tree, dict) or not any(key in tree for key in known):
            raise UsageError(
                f"{name}: is not MPICH's generic tuning file: it lacks branches for "
                + ", ".join(SIZE)
            )
        for key in known:
            if key in tree and (
                not isinstance(tree[key], dict) or "comm_type=intra" not in tree[key]
            ):
                raise UsageError(f"{name}: {key}: has no branch comm_type=intra")
        return tree, None
    for found in re.finditer(rb'\{"collective=[^\0]+', raw):
        if b"algorithm=MPIR_" in found.group() and b"composition=" not in found.group():
            return json.loads(found.group()), raw
    raise UsageError(f"{name}: no MPICH library with built-in tuning rules")


def _symbol(collective: str, name: str) -> str:
    """MPICH's symbol of an algorithm, whose name may be followed by parameters."""
    return f"MPIR_{collective.capitalize()}_intra_{name.split(':')[0]}"


def _missing(plan: Plan, path: str, library: bytes | None) -> set[str]:
    """Symbols that a library lacks and MPICH 5 has; their rules are noted as left out."""
    out: set[str] = set()
    for collective, pieces in plan.collectives.items():
        for _, name, rule in [size for piece in pieces for size in piece.sizes]:
            if name is OWN or library is None or _symbol(collective, name).encode() in library:
                continue
            symbol = _symbol(collective, name)
            if ":" not in name:
                raise UsageError(f"--base {path}: has no {symbol}")
            if rule is not None and symbol not in out:
                why = f"{path} has no {symbol}; it decides by itself there"
                plan.left_out.append((rule, why))
            out.add(symbol)
    return out


def _leaf(collective: str, name: str, known: Algorithm, own: dict[str, Any]) -> dict[str, Any]:
    """One algorithm where it may stand, `own` elsewhere.

    MPICH checks nothing when a file has spoken.
    """
    keys: dict[str, Any] = {key: {} for key in name.split(":")[1:]}
    out: dict[str, Any] = {f"algorithm={_symbol(collective, name)}": keys}
    if "reduce_scatter_" in name:  # reduce_scatter_gather, reduce_scatter_allgather
        out = {
            "is_op_built_in=yes": {"count<pow2": copy.deepcopy(own), "count=any": out},
            "is_op_built_in=no": copy.deepcopy(own),
        }
    elif known["commutes"] and collective.startswith("reduce_scatter"):
        out = {"is_commutative=yes": out, "is_commutative=no": copy.deepcopy(own)}
    if collective == "alltoall":
        out = {"is_sendbuf_inplace=yes": copy.deepcopy(own), "is_sendbuf_inplace=no": out}
    if known["p"] == "power of two":
        out = {"comm_size=pow2": out, "comm_size=any": copy.deepcopy(own)}
    return out


def _ladder(what: str, steps: list[tuple[int | None, dict[str, Any]]]) -> dict[str, Any]:
    """{what<=1: ..., what<=2: ..., what=any: ...}; one step needs no question."""
    if len(steps) == 1:
        return steps[0][1]
    return {
        f"{what}<={high}" if i < len(steps) - 1 else f"{what}=any": tree
        for i, (high, tree) in enumerate(steps)
    }


def tuning(plan: Plan, path: str) -> str:
    """The file's text. UsageError: the base is not one, or a library lacks an algorithm."""
    tree, library = base(path)
    missing = _missing(plan, path, library)
    for collective, pieces in plan.collectives.items():
        if collective in ONLY_ONE:
            continue
        own = tree[f"collective={collective}"]["comm_type=intra"]
        by_ranks = []
        for piece in pieces:
            by_size = []
            for (low, high), name, rule in piece.sizes:
                if low > MOST:
                    break  # the sizes before it hold on
                if name is OWN or rule is None or _symbol(collective, name) in missing:
                    by_size.append((high, copy.deepcopy(own)))
                else:
                    known = record(rule.collective, rule.algorithm)
                    by_size.append((high, _leaf(collective, name, known, own)))
            by_ranks.append((piece.ranks[1], _ladder(SIZE[collective], by_size)))
        tree[f"collective={collective}"]["comm_type=intra"] = _ladder("comm_size", by_ranks)
    return json.dumps(tree, indent=1) + "\n"
