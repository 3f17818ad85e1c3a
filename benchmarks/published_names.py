"""Names of the algorithms that pico measured, as hopbine's.

Of the libraries on Leonardo, LUMI and MareNostrum 5 a name ends in what implements it. On Fugaku a
name is FAMILY-VARIANT-TRANSPORT-SEGMENT-PORTS, or default- and Fujitsu MPI's own.
"""

import re
from collections.abc import Sequence

#: An algorithm with its parameters; None where hopbine has no counterpart, or cannot tell.
Name = tuple[str, tuple[tuple[str, int], ...]] | None

_ENDING = re.compile(r"(_over(_\d+|_any_even)?|_any_even|_ompi|_mpich)$")
_LIBRARY = {
    "allreduce": {
        "recursive_doubling": "recursive_doubling",
        "rabenseifner": "rabenseifner",
        "ring": "ring",
        "bine_lat": "bine_small",
        "bine_bdw_remap": "bine_large",
        "bine_bdw_static": "bine_large",
        "bine_bdw_remap_segmented": "bine_large",
        "bine_block_by_block": "bine_large",
    },
    "reduce_scatter": {
        "recursive_halving": "recursive_halving",
        "ring": "ring",
        "pairwise": "pairwise",
        "bine_block_by_block": "bine_block_by_block",
        "bine_permute_remap": "bine_permute",
        "bine_send_remap": "bine_send",
    },
    "allgather": {
        "recursive_doubling": "recursive_doubling",
        "ring": "ring",
        "neighbor": "neighbor_exchange",
        "sparbit": "sparbit",
        "k_bruck": "bruck",
        "brucks": "bruck",
        "bine_2_blocks": "bine_two_transmissions",
        "bine_2_blocks_dtype": "bine_two_transmissions",
        "bine_block_by_block": "bine_block_by_block",
        "bine_permute_remap": "bine_permute",
        "bine_permute_static": "bine_permute",
        "bine_send_remap": "bine_send",
        "bine_send_static": "bine_send",
    },
    "alltoall": {"bine": "bine", "bruck": "bruck", "pairwise": "pairwise", "linear": "linear"},
    "bcast": {"bine_lat": "bine_small", "binomial": "binomial_halving", "linear": "linear"},
    "reduce": {"bine_lat": "bine_small", "binomial": "binomial_halving", "linear": "linear"},
    "gather": {"bine": "bine", "binomial": "binomial_halving", "linear": "linear"},
    "scatter": {"bine": "bine", "binomial": "binomial_halving", "linear": "linear"},
}
#: Not basic-linear of bcast: its times are those of trinaryx6, which Fujitsu MPI takes instead. Nor
#: linear of allgather, which has those of a gather and a broadcast, nor trix3 of allreduce, which
#: has those of trinaryx3 of reduce and of bcast one after the other. trinaryx6 carries more than
#: three links can (docs/choice-errors/README.md).
_FUJITSU = {
    "allreduce": {"ring": "ring", "recursive_doubling": "recursive_doubling"},
    "allgather": {
        "bruck": "bruck",
        "neighbor": "neighbor_exchange",
        "recursive-doubling": "recursive_doubling",
        "ring": "ring",
    },
    "reduce_scatter": {"recursive-halving": "recursive_halving", "ring": "ring"},
    "bcast": {"binomial": "binomial_halving", "trinaryx3": "trinaryx"},
    "reduce": {"linear": "linear", "binomial": "binomial_halving", "trinaryx3": "trinaryx"},
    "gather": {"basic-linear": "linear", "binomial": "binomial_halving"},
    "scatter": {"basic-linear": "linear", "binomial": "binomial_halving"},
    "alltoall": {
        "linear": "linear",
        "linear-sync": "linear",
        "pairwise": "pairwise",
        "modified-bruck": "bruck",
    },
}
_TORUS = {
    ("allreduce", "BINE-B_CONT"): "torus_bine",
    ("allreduce", "BINE-L"): "swing_small",
    ("allreduce", "RECDOUB-B_CONT"): "torus_doubling",
    ("allreduce", "RECDOUB-L"): "torus_doubling_small",
    ("allreduce", "RING-B_CONT"): "bucket",
    ("allgather", "BINE-VEC_DOUBLING_BLOCKS"): "torus_bine",
    ("allgather", "BINE-VEC_DOUBLING_CONT_PERMUTE"): "torus_bine_permute",
    ("allgather", "BINE-VEC_DOUBLING_CONT_SEND"): "torus_bine_send",
    ("reduce_scatter", "BINE-VEC_HALVING_CONT_PERMUTE"): "torus_bine_permute",
    ("bcast", "BINE-BINOMIAL_TREE"): "torus_bine",
    ("bcast", "BINE-BINOMIAL_TREE_TMPBUF"): "torus_bine",
    ("bcast", "BINE-SCATTER_ALLGATHER"): "torus_bine_large",
    ("reduce", "BINE-BINOMIAL_TREE"): "torus_bine",
    ("reduce", "BINE-REDUCE_SCATTER_GATHER"): "torus_bine_large",
    ("gather", "BINE-BINOMIAL_TREE_CONT_PERMUTE"): "torus_bine",
    ("scatter", "BINE-BINOMIAL_TREE_CONT_PERMUTE"): "torus_bine",
    ("alltoall", "BINE-LOG"): "bine",
    ("alltoall", "BRUCK-LOG"): "bruck",
}
#: Algorithms of one port only; on all ports hopbine's torus_bine moves the same blocks.
_ONE_PORT = ("bine", "bruck", "torus_bine_permute", "torus_bine_send")


def of_library(collective: str, measured: str) -> Name:
    """The counterpart of an algorithm of an MPI library, or of the authors' over one."""
    name = _LIBRARY.get(collective, {}).get(_ENDING.sub("", measured))
    return (name, ()) if name else None


def on_torus(collective: str, measured: str, shape: Sequence[int]) -> Name:
    """The counterpart on Fugaku: whole messages, one port or all of them."""
    if measured.startswith("default-"):
        name = _FUJITSU[collective].get(measured.removeprefix("default-"))
        return (name, ()) if name else None
    parts = re.fullmatch(r"(.+?)(?:-INC|-DEC)?-(?:UTOFU|MPI)-0-(\d+)", measured)
    name = parts and _TORUS.get((collective, parts[1]))
    if not parts or not name or int(parts[2]) not in (1, 2 * len(shape)):
        return None
    all_ports = parts[2] != "1"
    if name not in _ONE_PORT:
        return name, (("ports", int(all_ports)),)
    if not all_ports:
        return name, ()
    return ("torus_bine", (("ports", 1),)) if name == "torus_bine_permute" else None
