"""Which of other libraries' algorithms are hopbine's, by the messages they send.

The tests hold every line of Open MPI's and MPICH's against hopbine's schedules. Open MPI's and
MPICH's names are those of bench.library.
"""

from dataclasses import dataclass, field

from . import pico

#: A key with :k=K stands for that radix only.
_CONTIGUOUS = {"linear": "linear", "binomial_halving": "binomial", "knomial:k=2": "binomial"}
SAME: dict[str, dict[str, dict[str, str]]] = {
    "openmpi": {
        "bcast": {
            "linear": "linear",
            "binomial_doubling": "binomial",
            "knomial": "knomial",
            "scatter_allgather": "scatter_allgather",
            "scatter_ring": "scatter_allgather_ring",
        },
        "reduce": {
            "linear": "linear",
            "binomial_halving": "binomial",
            "knomial:k=2": "binomial",
            "rabenseifner": "rabenseifner",
        },
        "allreduce": {
            "recursive_doubling": "recursive_doubling",
            "ring": "ring",
            "rabenseifner": "rabenseifner",
        },
        "allgather": {
            "bruck:k=2": "bruck",
            "recursive_doubling": "recursive_doubling",
            "ring": "ring",
            "neighbor_exchange": "neighbor",
        },
        "reduce_scatter": {"recursive_halving": "recursive_halving", "ring": "ring"},
        "reduce_scatter_block": {"recursive_halving": "recursive_halving"},
        "alltoall": {"linear": "linear", "pairwise": "pairwise", "bruck:k=2": "bruck"},
        "gather": _CONTIGUOUS,
        "scatter": _CONTIGUOUS,
        "barrier": {"dissemination:k=2": "bruck", "recursive_doubling": "recursive_doubling"},
    },
    "mpich": {
        "bcast": {
            "binomial_halving": "binomial",
            "knomial:k=2": "binomial",
            "scatter_allgather": "scatter_recursive_doubling_allgather",
            "scatter_ring": "scatter_ring_allgather",
        },
        "reduce": {
            "binomial_halving": "binomial",
            "knomial:k=2": "binomial",
            "rabenseifner": "reduce_scatter_gather",
        },
        "allreduce": {
            "recursive_doubling": "recursive_doubling",
            "rabenseifner": "reduce_scatter_allgather",
        },
        "allgather": {
            "bruck:k=2": "brucks",
            "recursive_doubling": "recursive_doubling",
            "ring": "ring",
        },
        "reduce_scatter": {"pairwise": "pairwise", "recursive_halving": "recursive_halving"},
        "reduce_scatter_block": {"pairwise": "pairwise", "recursive_halving": "recursive_halving"},
        "alltoall": {"bruck:k=2": "brucks", "pairwise": "pairwise", "linear": "scattered"},
        "gather": {"binomial_halving": "binomial", "knomial:k=2": "binomial"},
        "scatter": {"binomial_halving": "binomial", "knomial:k=2": "binomial"},
    },
    "ucc": {
        "bcast": {"knomial": "knomial"},
        "reduce": {"knomial": "knomial"},
        "allgather": {
            "bruck:k=2": "bruck",
            "ring": "ring",
            "neighbor_exchange": "neighbor",
            "sparbit": "sparbit",
            "linear": "linear",
        },
        "alltoall": {"pairwise": "pairwise", "bruck:k=2": "bruck"},
    },
}

#: Pipelines, whose segments the files of other libraries tell in bytes and hopbine's rules as a
#: number, and others that no test compares by their messages: they are read, and not written.
READ: dict[str, dict[str, dict[str, str]]] = {
    "openmpi": {
        "bcast": {
            "chains": "chain",
            "chain": "pipeline",
            "split_binary": "split_binary",
            "kary": "binary",
        },
        "reduce": {
            "chains": "chain",
            "chain": "pipeline",
            "kary": "binary",
            "in_order_binary": "in_order_binary",
            "knomial:k=4": "knomial",
        },
        "allreduce": {"linear": "linear", "ring_segmented": "segmented_ring"},
        "allgather": {"sparbit": "sparbit", "linear": "direct-messaging"},
        "reduce_scatter": {"butterfly": "butterfly"},
        "reduce_scatter_block": {"butterfly": "butterfly"},
        "alltoallv": {"linear": "linear", "pairwise": "pairwise"},
        "scan": {"chain": "linear", "recursive_doubling": "recursive_doubling"},
        "exscan": {"chain": "linear", "recursive_doubling": "recursive_doubling"},
    },
    "mpich": {
        "reduce_scatter": {"recursive_doubling": "recursive_doubling"},
        "reduce_scatter_block": {"recursive_doubling": "recursive_doubling"},
    },
    # UCC lets further ranks wait where p is no power of the radix; hopbine takes uneven parts.
    "ucc": {
        "bcast": {"recursive_multiplying": "sag_knomial", "two_trees": "dbt"},
        "reduce": {"two_trees": "dbt"},
        "allreduce": {
            "recursive_multiplying": "knomial",
            "recursive_multiplying_large": "sra_knomial",
            "two_trees": "dbt",
        },
        "allgather": {"recursive_multiplying": "knomial"},
        "reduce_scatter": {"ring": "ring", "recursive_multiplying": "knomial"},
        "gather": {"knomial": "knomial"},
        "scatter": {"knomial": "knomial"},
        "alltoall": {"linear": "linear"},
    },
}
#: What NCCL names by NCCL_ALGO (src/graph/tuning.cc), on one rank and several ranks a node.
NCCL: dict[str, dict[str, tuple[str, ...]]] = {
    "bcast": {"Ring": ("chain",)},
    "reduce": {"Ring": ("chain",)},
    "allreduce": {"Ring": ("ring", "ring_by_node"), "Tree": ("two_trees", "two_trees_by_node")},
    "allgather": {"Ring": ("ring",), "PAT": ("pat",)},
    "reduce_scatter": {"Ring": ("ring",), "PAT": ("pat",)},
}
LIBRARIES = {"openmpi": "Open MPI", "mpich": "MPICH", "ucc": "UCC"}

#: Algorithms of MPICH 5 with parameters in its file: hopbine's name -> its name, and the keys of
#: its branch (MPICH: src/mpi/coll/src/csel_container.c). K is the radix.
WITH_PARAMETERS: dict[str, dict[str, tuple[str, ...]]] = {
    "bcast": {"knomial": ("tree", "tree_type=knomial_2", "k=K", "is_non_blocking=0")},
    "allreduce": {
        "knomial": ("tree", "tree_type=knomial_2", "k=K", "chunk_size=0", "buffer_per_child=0"),
        "recursive_multiplying": ("recursive_multiplying", "k=K"),
        "recursive_multiplying_large": (
            *("k_reduce_scatter_allgather", "k=K", "single_phase_recv=0"),
        ),
    },
    "allgather": {
        "bruck": ("k_brucks", "k=K"),
        "recursive_multiplying": ("recexch_doubling", "k=K", "single_phase_recv=0"),
    },
    "alltoall": {"bruck": ("k_brucks", "k=K")},
}
#: MPICH's trees that follow the places of the ranks, where a file of coordinates tells them. They
#: cross between groups as rarely as hopbine's; inside groups other ranks send.
TOPOLOGY_AWARE: dict[str, dict[str, tuple[str, ...]]] = {
    "bcast": {
        "hierarchical_small": ("tree", "tree_type=topology_aware", "k=2", "is_non_blocking=0")
    },
    "allreduce": {
        "hierarchical_small": (
            *("tree", "tree_type=topology_aware", "k=2", "chunk_size=0", "buffer_per_child=0"),
        )
    },
}

#: The library's one setting for the radix of its k-nomial tree, and what it is by default.
RADIX = {
    ("openmpi", "bcast"): "coll_tuned_bcast_algorithm_knomial_radix",
    ("ucc", "bcast"): "UCC_TL_UCP_BCAST_KN_RADIX",
    ("ucc", "reduce"): "UCC_TL_UCP_REDUCE_KN_RADIX",
}
RADIX_DEFAULT = 4
#: Algorithms of which such a setting tells the radix.
WITH_RADIX = ("knomial", "recursive_multiplying", "recursive_multiplying_large")


@dataclass(frozen=True)
class Counterpart:
    """The library's name for an algorithm, and settings beside the file that it needs.

    The name is followed by the keys of its branch, each after a colon, where it has any.
    """

    name: str
    settings: dict[str, int] = field(default_factory=dict)


def ours(
    family: str, collective: str, name: str, radix: int | None = None
) -> tuple[str, dict[str, int]] | None:
    """hopbine's algorithm, with its parameters, that is the library's; None where it has none.

    `collective` and `name` as the library has them, the name followed by the keys of its branch,
    as that of a Counterpart; `radix`: the one that its file gives.
    """
    known = SAME[family].get(collective, {}) | READ[family].get(collective, {})
    for key, theirs in known.items():
        if theirs == name:
            algorithm, _, told = key.partition(":k=")
            if told:
                return algorithm, {"k": int(told)}
            given = algorithm in WITH_RADIX and (family == "ucc" or (family, collective) in RADIX)
            return algorithm, {"k": radix or RADIX_DEFAULT} if given else {}
    if family == "mpich":
        for table in (WITH_PARAMETERS, TOPOLOGY_AWARE):
            for algorithm, keys in table.get(collective, {}).items():
                if ":".join(keys).replace("k=K", f"k={radix}") == name:
                    return algorithm, {} if table is TOPOLOGY_AWARE else {"k": radix or 0}
    return None


def elsewhere(collective: str, algorithm: str) -> list[str]:
    """Names of an algorithm in other libraries, such as 'Open MPI bruck (k=2)'."""
    out = []
    for family, title in LIBRARIES.items():
        for table in (SAME, READ):
            for key, theirs in table[family].get(collective, {}).items():
                name, _, setting = key.partition(":")
                if name == algorithm:
                    out.append(f"{title} {theirs}" + (f" ({setting})" if setting else ""))
    if algorithm in (keys := WITH_PARAMETERS.get(collective, {})):
        out.append(f"MPICH {keys[algorithm][0]}")
    nccl = NCCL.get(collective, {}).items()
    out += [f"NCCL {name}" for name, these in nccl if algorithm in these]
    out += [f"PICO {name}" for name in pico.names(collective, algorithm)]
    return list(dict.fromkeys(out))


def collectives(family: str, collective: str) -> list[str]:
    """Under which names the library decides what hopbine decides under one."""
    block = f"{collective}_block"
    return [collective, block] if block in SAME[family] else [collective]


def counterpart(
    family: str,
    collective: str,
    algorithm: str,
    parameters: dict[str, int],
    coordinates: bool = False,
) -> Counterpart | None:
    """The library's algorithm that is hopbine's; None when it has none.

    `collective` as the library names it; `coordinates`: MPICH is told where ranks are.
    """
    from ..core.registry import record

    known = record(collective.removesuffix("_block"), algorithm)
    default = {q["name"]: q["default"] for q in known["parameters"]}
    if any(name != "k" and value != default[name] for name, value in parameters.items()):
        return None
    k = (default | parameters).get("k")
    table = SAME[family].get(collective, {})
    if f"{algorithm}:k={k}" in table:
        return Counterpart(table[f"{algorithm}:k={k}"])
    if algorithm not in table:
        keys = WITH_PARAMETERS.get(collective, {}).get(algorithm)
        if keys is None and coordinates:
            keys = TOPOLOGY_AWARE.get(collective, {}).get(algorithm)
        if family != "mpich" or keys is None:
            return None
        return Counterpart(":".join(keys).replace("k=K", f"k={k}"))
    return Counterpart(table[algorithm], {RADIX[family, collective]: k} if k is not None else {})
