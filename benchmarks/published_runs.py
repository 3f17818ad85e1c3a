"""Runs of pico in which a name stands for something else, with what shows it."""

from dataclasses import dataclass
from typing import Any

NOT_FORCED = "an algorithm that was asked for, where the library took another"
ONE_BY_ONE = "messages one after the other, by an earlier implementation"
ALLOCATED = "memory allocated and registered in the call"
MODIFIED = "Rabenseifner's algorithm, as modified by the authors"


@dataclass(frozen=True)
class Misnamed:
    """An algorithm of some runs whose name is not what ran."""

    runs: tuple[str, ...]
    algorithm: str
    why: str
    bytes: tuple[int, ...] = ()  #: none: of all sizes


#: Cray MPICH: 15 of 18 sizes take the time of its default within 2 %, the other three that of
#: `rabenseifner_over` within 1 %; from 64 KiB on that is 0.28 to 0.68 of `recursive_doubling_over`.
#: In a third run, 20 minutes after the second, the two of recursive doubling are alike.
_LUMI = Misnamed(
    ("2025_03_16___14_58_59", "2025_04_07___16_14_21"), "recursive_doubling_mpich", NOT_FORCED
)
#: 254 nodes, "testing non po2 algos": 2 KiB take 1,067 us, 4.2 us for each of 253 messages, as in a
#: ring (832 us). Two months later, on 200 nodes, they take 86 us and `sparbit` 83, which sends as
#: many messages in as many steps; here `sparbit` takes 91 us.
_LEONARDO = Misnamed(("2025_04_06___20_44_58",), "bine_block_by_block_over_any_even", ONE_BY_ONE)
#: The authors' rings need three buffers of a multiple of 6 p elements each. For 512 MiB these are a
#: little more than the 1.5 GiB that the run allocated in advance (bucket_reduce_scatter and
#: run_reduce_scatter_bucket.sh of HLC-Lab/bine_trees_fugaku), so that each call allocates and
#: registers them: 220 and 232 ms, 28 times the time of 64 MiB. On four ports of 32x256, where p
#: divides the vector, it is 4.8 times.
_FUGAKU = Misnamed(
    ("2025_03_26___19_49_06", "2025_03_27___04_01_47"),
    "RING-VEC_HALVING_CONT_PERMUTE-UTOFU-0-6",
    ALLOCATED,
    (1 << 29,),
)
_ALL = (_LUMI, _LEONARDO, _FUGAKU)


def renamed(row: dict[str, Any]) -> tuple[str, str | None]:
    """The name of what ran in a row; and if that has no counterpart, why."""
    algorithm = row["algorithm"]
    for one in _ALL:
        sizes = one.bytes or (row["bytes"],)
        if row["run"] in one.runs and algorithm == one.algorithm and row["bytes"] in sizes:
            return algorithm, one.why
    # These libraries were built with a modified one under this name, and with Rabenseifner's under
    # that of allgather_reduce (pico's notes on the runs).
    if row["mpi"].startswith("custom"):
        if algorithm == "rabenseifner_ompi":
            return algorithm, MODIFIED
        if algorithm == "allgather_reduce_ompi":
            return "rabenseifner_ompi", None
    return algorithm, None
