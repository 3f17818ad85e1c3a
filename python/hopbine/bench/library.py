"""The MPI libraries' own algorithms and how to force them.

So they can be compared with hopbine's.

Open MPI: component `tuned`, ids in the order its documentation lists them. MPICH: control
variables.
"""

from ..errors import UsageError
from ..notation.text import near

OPENMPI: dict[str, dict[str, int]] = {
    "bcast": {
        "linear": 1,
        "chain": 2,
        "pipeline": 3,
        "split_binary": 4,
        "binary": 5,
        "binomial": 6,
        "knomial": 7,
        "scatter_allgather": 8,
        "scatter_allgather_ring": 9,
    },
    "reduce": {
        "linear": 1,
        "chain": 2,
        "pipeline": 3,
        "binary": 4,
        "binomial": 5,
        "in_order_binary": 6,
        "rabenseifner": 7,
    },
    "allreduce": {
        "linear": 1,
        "nonoverlapping": 2,
        "recursive_doubling": 3,
        "ring": 4,
        "segmented_ring": 5,
        "rabenseifner": 6,
    },
    "allgather": {
        "linear": 1,
        "bruck": 2,
        "recursive_doubling": 3,
        "ring": 4,
        "neighbor": 5,
        "two_proc": 6,
    },
    "reduce_scatter": {"nonoverlapping": 1, "recursive_halving": 2, "ring": 3, "butterfly": 4},
    "reduce_scatter_block": {
        "linear": 1,
        "recursive_doubling": 2,
        "recursive_halving": 3,
        "butterfly": 4,
    },
    "alltoall": {"linear": 1, "pairwise": 2, "bruck": 3, "linear_sync": 4, "two_proc": 5},
    "alltoallv": {"linear": 1, "pairwise": 2},
    "gather": {"linear": 1, "binomial": 2, "linear_sync": 3},
    "scatter": {"linear": 1, "binomial": 2, "linear_nb": 3},
    "barrier": {
        "linear": 1,
        "double_ring": 2,
        "recursive_doubling": 3,
        "bruck": 4,
        "two_proc": 5,
        "tree": 6,
    },
    "scan": {"linear": 1, "recursive_doubling": 2},
    "exscan": {"linear": 1, "recursive_doubling": 2},
}

MPICH: dict[str, tuple[str, ...]] = {
    "bcast": ("binomial", "scatter_recursive_doubling_allgather", "scatter_ring_allgather"),
    "reduce": ("binomial", "reduce_scatter_gather"),
    "allreduce": ("recursive_doubling", "reduce_scatter_allgather"),
    "allgather": ("brucks", "recursive_doubling", "ring"),
    "reduce_scatter": ("pairwise", "recursive_doubling", "recursive_halving"),
    "reduce_scatter_block": ("pairwise", "recursive_doubling", "recursive_halving"),
    "alltoall": ("brucks", "pairwise", "scattered"),
    "alltoallv": ("pairwise_sendrecv_replace", "scattered"),
    "gather": ("binomial",),
    "scatter": ("binomial",),
    "barrier": ("dissemination",),
    "scan": ("recursive_doubling",),
    "exscan": ("recursive_doubling",),
}

DEFAULT = "default"


def names(family: str, collective: str) -> list[str]:
    """Algorithms of the library that can be forced for a collective."""
    return list((OPENMPI if family == "openmpi" else MPICH)[collective])


def forcing(family: str, collective: str, algorithm: str) -> dict[str, str]:
    """Environment variables that make the library use `algorithm`; none for 'default'.

    UsageError lists the names.
    """
    if algorithm == DEFAULT:
        return {}
    if algorithm not in names(family, collective):
        known = [DEFAULT, *names(family, collective)]
        raise UsageError(
            f"the {family} library has no {collective} algorithm '{algorithm}' that can be forced "
            f"(it has: {', '.join(known)}){near(algorithm, known)}"
        )
    if family == "openmpi":
        return {
            "OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
            f"OMPI_MCA_coll_tuned_{collective}_algorithm": str(OPENMPI[collective][algorithm]),
        }
    return {
        f"MPIR_CVAR_{collective.upper()}_INTRA_ALGORITHM": algorithm,
        "MPIR_CVAR_DEVICE_COLLECTIVES": "none",
        f"MPIR_CVAR_{collective.upper()}_DEVICE_COLLECTIVE": "0",
        "MPIR_CVAR_ENABLE_SMP_COLLECTIVES": "0",
    }
