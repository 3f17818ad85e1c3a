"""Names of the algorithms that pico measured, as hopbine's.

Of the libraries on Leonardo, LUMI and MareNostrum 5 a name ends in what implements it. On Fugaku a
name is FAMILY-VARIANT-TRANSPORT-SEGMENT-PORTS, or default- and Fujitsu MPI's own. Algorithms that
cut the messages of a step in segments send the same bytes to the same ranks: they have the
counterpart of those that do not.
"""

import re
from collections.abc import Sequence

from published_defaults import of_openmpi

from hopbine import _core
from hopbine.selection.pico import BINARY, CHAIN, LIBRARY, TORUS, WHOLE, Parameters

#: Among the parameters of a name: what its implementation copies where hopbine packs messages, as
#: `copies` of _core.Modelled has it.
COPIES = "copies"
#: An algorithm with its parameters, or OTHERS with (collective, algorithm, parameters) of each; or
#: as text why hopbine has no counterpart.
Name = tuple[str, tuple] | str
OTHERS = "others, one after the other"

OWN_CHOICE = "a library's own choice, whose rules are not public"
NOT_PUBLIC = "a library's algorithm whose messages are not public"
OF_TWO = "a collective made of two others, by the library's own choice"
OTHER_RANKS = "an algorithm that hopbine has for other numbers of ranks"
UNKNOWN = "no counterpart"

_ENDING = re.compile(r"(_over(_\d+|_any_even)?|_any_even|_ompi|_mpich)+$")
#: What Open MPI takes where an algorithm does not serve the number of ranks
#: (coll_base_allgather.c).
_INSTEAD = {
    ("allgather", "recursive_doubling"): "bruck",
    ("allgather", "neighbor_exchange"): "ring",
}
#: And for fewer elements than ranks (coll_base_allreduce.c). Fujitsu MPI's are the same code: 4 to
#: 256 B on 8x8x8 take the time of its recursive doubling, 2 KiB, an element for each rank, 60 times
#: as long.
_OF_FEW = {("allreduce", ("ring", ())): ("recursive_doubling", ())}
#: Bytes of an element, an int32.
_ELEMENT = 4
#: Open MPI's tree of a broadcast begins with the nearest ranks.
_OPENMPI = {("bcast", "binomial"): "binomial_doubling"}
_CHAINS = ("chains", (("k", 4), *WHOLE))
#: The rings of Fujitsu MPI and of the authors copy no blocks: 512 MiB on 8x8x8 take 14.7 ms
#: (allgather) and 14.9 ms (scatter), six links 13.2 ms. Two copies would take as long again.
_IN_PLACE = (COPIES, "none")
#: What the authors' code (HLC-Lab/bine_trees_fugaku, lib/libbine_coll_*.cc) copies once: a vector
#: that it permutes before or after its messages, and what their rings of a reduce_scatter begin
#: with.
_PERMUTED = (COPIES, "vector")
_FUJITSU: dict[str, dict[str, str | tuple[str, Parameters]]] = {
    "allreduce": {
        "basic_linear": "linear",
        "ring": "ring",
        "segmented_ring": "ring",
        "recursive_doubling": "recursive_doubling",
        # Its times are those of trinaryx3 of reduce and of bcast one after the other
        # (docs/choice-errors/README.md): the same messages.
        "trix3": "trinaryx",
        "trix6": ("trinaryx", (("both", 1),)),
    },
    "allgather": {
        "bruck": "bruck",
        "neighbor": "neighbor_exchange",
        "recursive-doubling": "recursive_doubling",
        "ring": "ring",
        # On 32x256 its times are within 10 % of those of the authors' rings along the dimensions
        # on all ports (RING-*-4), but for 64 MiB (1.35).
        "3dtorus": ("bucket", (("ports", 1), _IN_PLACE)),
    },
    "reduce_scatter": {"recursive-halving": "recursive_halving", "ring": "ring"},
    "bcast": {
        "binomial": "binomial_halving",
        # Binary trees in segments: on 2x2x2, whose rings have one link, 64 MiB take 11.1 ms, 0.89
        # of a link's rate. A tree of whole vectors takes 31.8 ms (binary-tree).
        **dict.fromkeys(("bintree3d", "bintree6d"), "binary"),
        "trinaryx3": "trinaryx",
        "trinaryx6": ("trinaryx", (("both", 1),)),
        "chain": _CHAINS,
        "pipeline": CHAIN,
        "binary-tree": BINARY,
        "split-binary-tree": ("split_binary", WHOLE),
    },
    "reduce": {
        "linear": "linear",
        "binomial": "binomial_halving",
        "trinaryx3": "trinaryx",
        "trinaryx6": ("trinaryx", (("both", 1),)),
        "chain": _CHAINS,
        "pipeline": CHAIN,
        "binary": BINARY,
        "in-order-binary": ("in_order_binary", WHOLE),
    },
    "gather": {
        "basic-linear": "linear",
        "linear-sync": "linear",
        # A message from every rank at once: the root of 8x8x8 receives 16.8 GB/s by its ports, and
        # 511 blocks of 4 bytes in 52 us.
        "simple": "linear",
        "binomial": "binomial_halving",
    },
    "scatter": {"basic-linear": "linear", "binomial": "binomial_halving"},
    "alltoall": {
        "linear": "linear",
        "linear-sync": "linear",
        "pairwise": "pairwise",
        "modified-bruck": "bruck",
        # A message to every rank: on 8x8x8 64 MiB take 18.0 ms, which is 56 % of what the torus
        # carries if each block takes a shortest way once. Along one dimension after the other, by
        # two links at a time, they would take 30 ms. A block of 4 bytes takes 0.46 us.
        "doublespread": "linear",
    },
}
#: What Open MPI makes of other collectives, and its names of that; what Fujitsu MPI does.
_MADE_BY_OPENMPI = {
    (collective, name)
    for collective in ("allreduce", "reduce_scatter")
    for name in ("nonoverlapping", "non_overlapping")
} | {("allgather", "linear")}
_TWO = ("nonoverlapping", "non-overlapping", "rdbc", "gtbc", "use-bcast")
#: What a library calls its own choice.
BY_ITSELF = {"ompi": "default_ompi", "mpich": "default_mpich", "fujitsu": "default-default"}
#: What a library calls the root's messages one by one.
_LINEAR_OF = {"ompi": "linear_ompi", "fujitsu": "default-basic-linear"}
#: The collectives that a library makes one of, and the algorithm if it is not the library's own
#: choice: Open MPI's source, from which Fujitsu MPI comes. On 8x8x8 the times of Fujitsu MPI's are
#: the sums of these within 4 % from 128 KiB to 8 MiB; the gather and the bcast of an allgather
#: within 2 % up to 512 MiB.
_MADE_OF = {
    "allreduce": (("reduce", None), ("bcast", None)),
    "allgather": (("gather", None), ("bcast", None)),
    "reduce_scatter": (("reduce", None), ("scatter", "linear")),
    "scatter": (("bcast", None),),
}
_RUN_BY_RUN = "BINE-VEC_DOUBLING_BLOCKS"
#: Algorithms of one port only; on several hopbine's torus_bine moves the same blocks.
_ONE_PORT = ("bine", "bruck", "torus_bine_permute", "torus_bine_send")


def of_few(collective: str, name: Name, ranks: int, size: int) -> Name:
    """What Open MPI and Fujitsu MPI take where they are asked for an algorithm by its name."""
    few = size < _ELEMENT * ranks
    return _OF_FEW.get((collective, name), name) if few else name


def library(measured: str) -> str | None:
    """The library that an algorithm belongs to: ompi, mpich or fujitsu. None: the authors'."""
    if measured.startswith("default-"):
        return "fujitsu"
    return next((own for own in ("ompi", "mpich") if measured.endswith(f"_{own}")), None)


def made_of(collective: str, of: str) -> list[tuple[str, str]]:
    """The collectives, and names of their algorithms, that a library makes a collective of."""
    names = {None: BY_ITSELF[of], "linear": _LINEAR_OF.get(of, UNKNOWN)}
    return [(part, names[name]) for part, name in _MADE_OF[collective]]


def combined(parts: list[tuple[str, str, Parameters]]) -> Name:
    """The name of algorithms of other collectives, one after the other."""
    return OTHERS, tuple(parts)


def of_library(collective: str, measured: str, ranks: int, size: int) -> Name:
    """The counterpart of an algorithm of an MPI library, or of the authors' over one.

    `size`: bytes of the whole vector, by which Open MPI chooses by itself.
    """
    if measured == "default_ompi":
        taken = of_openmpi(collective, ranks, size)
        if taken is None:
            return OWN_CHOICE
        return of_library(collective, taken, ranks, size)
    if measured in ("default_mpich", "non_blocking_mpich"):
        return OWN_CHOICE
    plain = _ENDING.sub("", measured)
    found = LIBRARY.get(collective, {}).get(plain, UNKNOWN)
    if measured.endswith("_ompi"):
        if (collective, plain) in _MADE_BY_OPENMPI:
            return OF_TWO
        found = _OPENMPI.get((collective, plain), found)
        instead = _INSTEAD.get((collective, str(found)))
        if instead and not _core.fits(collective, str(found), ranks):
            found = instead
    if found == UNKNOWN:
        return UNKNOWN
    name, parameters = found if isinstance(found, tuple) else (found, ())
    return (name, parameters) if _core.fits(collective, name, ranks) else OTHER_RANKS


def on_torus(collective: str, measured: str, shape: Sequence[int]) -> Name:
    """The counterpart on Fugaku: on one port, on all of them, or on a number of them."""
    if measured.startswith("default-"):
        return _of_fujitsu(collective, measured.removeprefix("default-"), shape)
    parts = re.fullmatch(r"(.+?)(?:-INC|-DEC)?-(?:UTOFU|MPI)-\d+-(\d+)", measured)
    name = parts and TORUS.get((collective, parts[1]))
    if not parts or not name:
        return UNKNOWN
    number = int(parts[2])
    ports = {1: 0, 2 * len(shape): 1}.get(number, number)
    if name not in _ONE_PORT:
        return name, (("ports", ports), *_ways(collective, parts[1], name))
    if ports == 0:
        return name, ()
    if name == "torus_bine_permute":
        return "torus_bine", (("ports", ports), _PERMUTED)
    return UNKNOWN


def _ways(collective: str, measured: str, name: str) -> Parameters:
    """How the authors' code sends and copies what an algorithm of several ports moves."""
    if measured == _RUN_BY_RUN:
        return (("runs", 1),)
    if name == "torus_bine_large" and collective == "bcast":
        return (("blocks", 1),)  # bine_bcast_scatter_allgather: each block is passed on by itself
    if name == "bucket":
        return (_PERMUTED if collective == "reduce_scatter" else _IN_PLACE,)
    return (_PERMUTED,) if measured.endswith("CONT_PERMUTE") else ()


def _of_fujitsu(collective: str, own: str, shape: Sequence[int]) -> Name:
    """The counterpart of one of Fujitsu MPI's own."""
    if own == "default":
        return OWN_CHOICE
    if own in _TWO or (collective, own) == ("allgather", "linear"):
        return OF_TWO
    # Their times are those of what Fujitsu MPI takes by itself; rings of two have one link.
    if (collective, own) == ("bcast", "basic-linear") or (own.endswith("x6") and min(shape) < 3):
        return OWN_CHOICE
    found = _FUJITSU.get(collective, {}).get(own)
    if found is None:
        return NOT_PUBLIC
    return found if isinstance(found, tuple) else (found, ())
