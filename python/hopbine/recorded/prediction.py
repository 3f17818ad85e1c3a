"""What the calls of a recorded job would cost on another machine and allocation.

Three ways are compared: the MPI library's classic algorithms, the choice that hopbine takes there,
and the fastest by the model of that choice. Counts and model are those of `hopbine select explain`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import isinf
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import _core
from ..core.classic import classic
from ..core.records import Candidate
from ..errors import UsageError
from ..jobs.job import Job, explain, fit
from ..notation.units import MOST_BYTES
from ..output import progress
from .communicators import communicators
from .crossings import LIBRARY, why_uncounted

if TYPE_CHECKING:
    from ..simulation import Setup

#: How the bytes of a call change with the number of ranks.
SCALINGS = ("weak", "strong")
#: The power of new ranks / recorded ranks that the bytes of a call (of `hopbine stats`: the vector,
#: or a block times the ranks) grow with, in the order of SCALINGS.
GROWTH = {
    **dict.fromkeys(("bcast", "reduce", "allreduce", "scan", "exscan", "barrier"), (0, 0)),
    **dict.fromkeys(("gather", "scatter", "allgather", "reduce_scatter"), (1, 0)),
    "alltoall": (0, -1),
}
#: The rules in words: of any scaling, and of each.
RULES = (
    "The number of calls stays, and so do a root's rank (modulo the ranks) and the bytes of a "
    "vector (bcast, reduce, allreduce, scan, exscan). Calls on all ranks are calls on all ranks "
    "there. Others, and those in another order, are predicted on the ranks that were recorded, "
    "where the job has as many."
)
RULES_OF = {
    "weak": "Every rank has as much as recorded: blocks of gather, scatter, allgather and "
    "reduce_scatter keep their bytes; those of alltoall shrink with the number of ranks.",
    "strong": "All ranks together have as much as recorded: blocks of gather, scatter, allgather "
    "and reduce_scatter shrink with the number of ranks, those of alltoall with its square.",
}
#: The ways. A row has for each the algorithm, NAME_numbering, NAME_bytes and NAME_seconds.
WAYS = ("classic", "choice", "best")
_COST = ("bytes", "seconds")
#: What a call costs on the new job, lower bounds included.
COSTS = tuple(f"{way}_{what}" for way in (*WAYS, "least") for what in _COST)
#: What adds up.
SUMS = ("calls", "recorded_bytes", "recorded_seconds", "bytes", *COSTS)
#: Where the job is simulated too; these add up as well.
SIMULATED = tuple(f"{way}_simulated_seconds" for way in WAYS)
#: Keys of every algorithm, bytes between groups and seconds; these add up too.
EACH = ("global_bytes", "seconds")
_NAMES = tuple(name for way in WAYS for name in (way, f"{way}_numbering"))
#: Calls that have the same of these are of one kind.
_KIND = ("collective", "form", "ranks", "size_class", "why_not")


class Calls(NamedTuple):
    """Calls of a collective on a communicator."""

    collective: str
    root: int
    job: Job  #: the communicator's ranks
    grouped: bool  #: all ranks of the job are in several groups, and bytes are those between these

    def scarce(self, counted: float) -> float:
        """What is counted between groups, or nodes of one group, as of the whole job."""
        return counted if self.job.grouped == self.grouped else 0.0


class Way(NamedTuple):
    """An algorithm, and what a call by it costs."""

    algorithm: str
    numbering: str
    bytes: float  #: between groups, or between nodes of one group
    seconds: float


def scaled(collective: str, size: float, recorded: int, ranks: int, scaling: str) -> float:
    """Bytes of a call on `ranks` ranks that had `size` on `recorded`."""
    return size * float(ranks / recorded) ** GROWTH[collective][SCALINGS.index(scaling)]


def predict(
    data: dict[str, Any],
    job: Job,
    scaling: str = "weak",
    setup: Setup | None = None,
    watched: bool = False,
) -> list[dict[str, Any]]:
    """A row for each kind of call of a statistics file; bytes and seconds are those of all calls.

    `why_not` is the reason of calls that are not predicted, whose predicted fields are None.
    Bytes are between groups, or between nodes where the job is in one group. With `setup`, the job
    on its network, calls are simulated too; `watched`: how far that is goes to standard error.
    UsageError when a scaling is unknown or the job has one rank.
    """
    kinds = _kinds(data, job, scaling)
    rows = _all_costed(job, [kind for kind in kinds if not kind["why_not"]], watched, _costed)
    if setup is not None:
        from ..simulation.of_calls import add_simulated

        add_simulated(rows, WAYS, job, setup, watched)
    simulated = () if setup is None else SIMULATED
    nothing = dict.fromkeys((*_NAMES, "library_first", *COSTS, *simulated))
    rows += [kind | nothing for kind in kinds if kind["why_not"]]
    return _folded(rows, (*_KIND, *_NAMES, "library_first"))


def every_algorithm(
    data: dict[str, Any], job: Job, scaling: str = "weak", watched: bool = False
) -> list[dict[str, Any]]:
    """A row for each kind of call that is predicted and each algorithm and numbering that serves.

    Bytes and seconds as those of `predict`. `taken`: hopbine's choice; `usual`: the classic one.
    UsageError as there.
    """
    kinds = _kinds(data, job, scaling)
    rows = _all_costed(job, [k for k in kinds if not k["why_not"]], watched, _each_costed)
    return _folded(rows, (*_KIND, "algorithm", "numbering", "taken", "usual"))


def total(rows: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The sums of the rows that are predicted."""
    counted = [row for row in rows if not row["why_not"]]
    simulated = [what for what in SIMULATED if counted and what in counted[0]]
    return {what: sum(row[what] for row in counted) for what in (*SUMS, *simulated)}


def _kinds(data: dict[str, Any], job: Job, scaling: str) -> list[dict[str, Any]]:
    """The kinds of calls of a file as those of the new job. UsageError as for `predict`."""
    if scaling not in SCALINGS:
        raise UsageError(f"scaling '{scaling}' is not one of {', '.join(SCALINGS)}")
    if len(job.hosts) < 2:
        raise UsageError("a job of one rank has no collectives to predict")
    parts = [part for row in data["rows"] for part in _parts(row, data["ranks"], len(job.hosts))]
    kinds = [_kind(row, data["ranks"], len(job.hosts), scaling) for row in parts]
    return _folded([kind for kind in kinds if kind["calls"]], (*_KIND, "root", "members"))


def _parts(row: dict[str, Any], recorded: int, ranks: int) -> list[dict[str, Any]]:
    """A row for each communicator that it names the ranks of, where the job has as many ranks."""
    if ranks != recorded:
        return [row | {"communicators": None}]
    if not row.get("communicators"):
        return [row]
    return [
        row
        | {"calls": one.calls, "bytes": one.bytes, "members": one.ranks}
        | {"seconds": row["seconds"] * one.calls / max(row["calls"], 1)}
        for one in communicators(row, recorded)
    ]


def _kind(row: dict[str, Any], recorded: int, ranks: int, scaling: str) -> dict[str, Any]:
    """A row of the file as calls on the new job, without what they cost there."""
    collective, calls, why = row["collective"], row["calls"], why_uncounted(row, recorded)
    size = None if why else scaled(collective, row["bytes"], recorded, ranks, scaling)
    if size is not None and size > calls * MOST_BYTES:
        size, why = None, "more than 2^62 bytes there"
    rooted = not why and _core.rooted(collective)
    return {
        "collective": collective,
        "form": row.get("form"),
        "ranks": row["comm_size"],
        "size_class": tuple(row["bytes_class"] or ()),
        "root": (row.get("root") or 0) % ranks if rooted else 0,
        "calls": calls,
        "recorded_bytes": row["bytes"],
        "recorded_seconds": row["seconds"],
        "bytes": size,
        "why_not": why,
        "members": row.get("members"),
    }


def _folded(rows: Iterable[dict[str, Any]], names: Sequence[str]) -> list[dict[str, Any]]:
    """Rows that have the same of `names` as one."""
    out: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        one = out.setdefault(tuple(row[name] for name in names), {})
        for what, value in row.items():
            adds = what in (*SUMS, *SIMULATED, *EACH) and value is not None and what in one
            one[what] = one[what] + value if adds else one.get(what, value)
    return list(out.values())


def _all_costed(
    job: Job,
    kinds: Sequence[dict[str, Any]],
    watched: bool,
    costed: Callable[[Calls, Sequence[dict[str, Any]]], Iterable[dict[str, Any]]],
) -> list[dict[str, Any]]:
    """The kinds of calls with what they cost: those of a collective, root and communicator."""
    alike: dict[tuple[str, int, Sequence[int] | None], list[dict[str, Any]]] = {}
    for kind in kinds:
        alike.setdefault((kind["collective"], kind["root"], kind["members"]), []).append(kind)
    every = progress.watched(
        alike.items(), len(alike), "collectives", lambda one: one[0][0], told=watched
    )
    return [
        row
        for (collective, root, members), of in every
        for row in costed(
            Calls(collective, root, job.part(members) if members else job, job.grouped), of
        )
    ]


def _costed(calls: Calls, kinds: Sequence[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    """The kinds of such calls with what they cost."""
    sizes = [kind["bytes"] / kind["calls"] for kind in kinds]
    asked = _core.Calls(calls.collective, root=calls.root)
    told = explain(calls.job, asked, sizes)
    for i, (kind, size) in enumerate(zip(kinds, sizes, strict=True)):
        block = size / len(calls.job.hosts)
        usual = _usual(calls, size)
        taken = told["chosen"][i]
        choice = (
            _way(told["candidates"][taken], calls, block, i)
            if taken >= 0
            else usual._replace(algorithm=LIBRARY)
        )
        fits = [_way(one, calls, block, i) for one in fit(told, asked)]
        best = min((usual, *fits), key=lambda way: way.seconds)
        least = Way("", "", calls.scarce(told["lower_bound"]) * block, told["least"][i][0])
        row = kind | {"library_first": told["library_first"][i]}
        for name, way in zip((*WAYS, "least"), (usual, choice, best, least), strict=True):
            row |= {name: way.algorithm, f"{name}_numbering": way.numbering}
            row |= {f"{name}_{what}": kind["calls"] * getattr(way, what) for what in _COST}
        yield row


def _each_costed(calls: Calls, kinds: Sequence[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    """The kinds of such calls by every algorithm that serves them."""
    sizes = [kind["bytes"] / kind["calls"] for kind in kinds]
    asked = _core.Calls(calls.collective, root=calls.root)
    told = explain(calls.job, asked, sizes)
    for i, (kind, size) in enumerate(zip(kinds, sizes, strict=True)):
        usual, block = _usual(calls, size), size / len(calls.job.hosts)
        taken = told["candidates"][told["chosen"][i]] if told["chosen"][i] >= 0 else None
        ways = [(_way(c, calls, block, i), c is taken) for c in fit(told, asked)]
        if usual[:2] not in [way[:2] for way, _ in ways]:
            ways.append((usual, False))
        for way, is_taken in ways:
            if isinf(way.seconds):
                continue  # it does not serve calls of this size
            yield kind | {
                "algorithm": way.algorithm,
                "numbering": way.numbering,
                "taken": is_taken,
                "usual": way[:2] == usual[:2],
                "global_bytes": kind["calls"] * way.bytes,
                "seconds": kind["calls"] * way.seconds,
            }


def _way(one: Candidate, calls: Calls, block: float, size: int) -> Way:
    """A call of the size of this index, with blocks of so many bytes, by a candidate."""
    blocks = one["global_blocks"] if calls.grouped else one["local_blocks"]
    return Way(one["algorithm"], one["numbering"], blocks * block, one["seconds"][size])


def _usual(calls: Calls, size: float) -> Way:
    """The MPI library's classic algorithm for a call of a size, with the ranks as given."""
    p, places = len(calls.job.hosts), calls.job.places
    name = classic(calls.collective, p, size)
    counted = _core.Modelled(
        _core.Problem(calls.collective, name, root=calls.root, group=places.group, node=places.node)
    )
    (seconds,) = counted.seconds([size], calls.job.machine.network())
    return Way(name, "given", calls.scarce(counted.scarce_blocks) * size / p, seconds)
