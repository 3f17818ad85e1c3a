"""Names under which PICO (HLC-Lab/pico), the Bine paper's benchmark, has measured algorithms.

Of an MPI library a name ends in what implements it (_ompi, _mpich), of the authors' own code in
_over; these endings are left out here. On Fugaku a name is FAMILY-VARIANT, and what follows tells
the transport, segments and ports.
"""

Parameters = tuple[tuple[str, int | str], ...]

#: Pipelines of Open MPI have one segment, since pico sets none.
WHOLE: Parameters = (("segments", 1),)
CHAIN = ("chain", WHOLE)
BINARY = ("kary", (("k", 2), *WHOLE))
_LINEAR = dict.fromkeys(("linear", "linear_sync", "linear_synch", "linear_nb"), "linear")
#: Names on networks of groups: what is hopbine's, with its parameters where it has any.
LIBRARY: dict[str, dict[str, str | tuple[str, Parameters]]] = {
    "allreduce": {
        # MPICH's of any radix, which pico leaves at 2.
        **dict.fromkeys(
            ("recursive_doubling", "recursive_multiplying", "recexch", "rechexch"),
            "recursive_doubling",
        ),
        **dict.fromkeys(("rabenseifner", "k_rabenseifner"), "rabenseifner"),
        "linear": "linear",
        # A ring whose vector is one segment is the ring.
        **dict.fromkeys(("ring", "ring_segmented", "segmented_ring"), "ring"),
        "bine_lat": "bine_small",
        **dict.fromkeys(
            (
                "bine_bdw",
                "bine_bdw_remap",
                "bine_bdw_static",
                "bine_bdw_segmented",
                "bine_bdw_remap_segmented",
                "bine_bdw_memcpy",
                "bine_bdw_dt_1",
                "bine_bdw_dt_2",
                "bine_block_by_block",
            ),
            "bine_large",
        ),
    },
    "reduce_scatter": {
        "recursive_halving": "recursive_halving",
        "recursive_doubling": "recursive_doubling",
        # Vector halving, distance doubling, then a block to the rank of the reversed bits.
        **dict.fromkeys(("butterfly", "recursive_distance_doubling"), "butterfly"),
        "ring": "ring",
        "pairwise": "pairwise",
        "bine_block_by_block": "bine_block_by_block",
        **dict.fromkeys(("bine_permute", "bine_permute_remap"), "bine_permute"),
        "bine_send_remap": "bine_send",
        "bine_two_blocks": "bine_two_transmissions",
    },
    "allgather": {
        **dict.fromkeys(("recursive_doubling", "recexch"), "recursive_doubling"),
        "ring": "ring",
        "neighbor": "neighbor_exchange",
        "sparbit": "sparbit",
        **dict.fromkeys(("k_bruck", "bruck", "brucks", "k_brucks"), "bruck"),
        **dict.fromkeys(
            ("bine_2_blocks", "bine_2_blocks_dtype", "bine_two_blocks"), "bine_two_transmissions"
        ),
        "bine_block_by_block": "bine_block_by_block",
        **dict.fromkeys(
            ("bine_permute", "bine_permute_remap", "bine_permute_static"), "bine_permute"
        ),
        "bine_send_remap": "bine_send",
        "bine_send_static": "bine_send",
    },
    "alltoall": {
        "bine": "bine",
        **dict.fromkeys(("bruck", "modified_bruck", "brucks"), "bruck"),
        "pairwise": "pairwise",
        "scattered": "scattered",
        **_LINEAR,
    },
    "bcast": {
        **dict.fromkeys(("bine_lat", "bine_lat_new", "bine_lat_i_new"), "bine_small"),
        **dict.fromkeys(("bine_bdw", "bine_bdw_remap", "bine_bdw_static"), "bine_large"),
        **dict.fromkeys(("binomial", "binomial_halving"), "binomial_halving"),
        "binomial_doubling": "binomial_doubling",
        "knomial": "knomial",
        "linear": "linear",
        **dict.fromkeys(("chain", "pipeline"), CHAIN),
        # MPICH's tree, which pico leaves at two children.
        **dict.fromkeys(("binary", "binary_tree", "tree"), BINARY),
        "pipelined_tree": ("kary", (("k", 2),)),
        **dict.fromkeys(("split_binary", "split_binary_tree"), ("split_binary", WHOLE)),
        **dict.fromkeys(
            ("scatter_allgather", "scatter_recursive_doubling_allgather"), "scatter_allgather"
        ),
        **dict.fromkeys(("scatter_allgather_ring", "scatter_ring_allgather"), "scatter_ring"),
    },
    "reduce": {
        **dict.fromkeys(("bine_lat", "bine_mpich_lat"), "bine_small"),
        **dict.fromkeys(
            ("bine_bdw", "bine_bdw_remap", "bine_bdw_static", "bine_mpich_bdw"), "bine_large"
        ),
        "binomial": "binomial_halving",
        "knomial": "knomial",
        "linear": "linear",
        "rabenseifner": "rabenseifner",
        **dict.fromkeys(("chain", "pipeline"), CHAIN),
        **dict.fromkeys(("binary", "binary_tree"), BINARY),
        **dict.fromkeys(("in_order", "in_order_binary"), ("in_order_binary", WHOLE)),
    },
    "gather": {"bine": "bine", "binomial": "binomial_halving", **_LINEAR},
    "scatter": {"bine": "bine", "binomial": "binomial_halving", **_LINEAR},
}
#: Names on Fugaku, with their collective.
TORUS: dict[tuple[str, str], str] = {
    ("allreduce", "BINE-B_CONT"): "torus_bine",
    ("allreduce", "BINE-L"): "swing_small",
    ("allreduce", "RECDOUB-B_CONT"): "torus_doubling",
    ("allreduce", "RECDOUB-L"): "torus_doubling_small",
    ("allreduce", "RING-B_CONT"): "bucket",
    ("allgather", "BINE-VEC_DOUBLING_BLOCKS"): "torus_bine",  # run by run
    ("allgather", "BINE-VEC_DOUBLING_CONT_PERMUTE"): "torus_bine_permute",
    ("allgather", "BINE-VEC_DOUBLING_CONT_SEND"): "torus_bine_send",
    ("allgather", "RING-VEC_DOUBLING_CONT_PERMUTE"): "bucket",
    ("reduce_scatter", "BINE-VEC_HALVING_CONT_PERMUTE"): "torus_bine_permute",
    ("reduce_scatter", "RING-VEC_HALVING_CONT_PERMUTE"): "bucket",
    ("bcast", "BINE-BINOMIAL_TREE"): "torus_bine",
    ("bcast", "BINE-BINOMIAL_TREE_TMPBUF"): "torus_bine",
    ("bcast", "BINE-SCATTER_ALLGATHER"): "torus_bine_large",
    ("reduce", "BINE-BINOMIAL_TREE"): "torus_bine",
    ("reduce", "BINE-REDUCE_SCATTER_GATHER"): "torus_bine_large",
    ("gather", "BINE-BINOMIAL_TREE_CONT_PERMUTE"): "torus_bine",
    ("scatter", "BINE-BINOMIAL_TREE_CONT_PERMUTE"): "torus_bine",
    ("scatter", "RING-VEC_DOUBLING_CONT_PERMUTE"): "bucket",
    ("alltoall", "BINE-LOG"): "bine",
    ("alltoall", "BRUCK-LOG"): "bruck",
}


def names(collective: str, algorithm: str) -> list[str]:
    """PICO's names of an algorithm of hopbine's that differ from its own."""
    library = {
        theirs: found if isinstance(found, str) else found[0]
        for theirs, found in LIBRARY.get(collective, {}).items()
    }
    torus = {theirs: found for (where, theirs), found in TORUS.items() if where == collective}
    both = (library | torus).items()
    return [theirs for theirs, found in both if found == algorithm != theirs]
