"""What is tried.

Every registered algorithm that fits, with values of its parameters derived from their records.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from .. import _core
from ..core.records import Algorithm, Parameter
from ..errors import UsageError
from ..notation.quantities import algorithm_text, split_algorithm

#: The MPI library's own choice, in rules and requests.
LIBRARY = "mpi"
#: Tried for a parameter of these kinds, besides its default.
TRIED = {
    "bytes": (1 << 13, 1 << 16, 1 << 19),
    "segments": (2, 4, 8, 16, 32, 64, 128),
    "ports": (0, 1),
}


def radices(low: int, p: int) -> list[int]:
    """Values of low..p for a parameter that counts ranks.

    The first three, divisors and powers of two up to p, p, and the least of each depth of a tree.
    """
    found = (
        {low, low + 1, low + 2, p}
        | {d for d in range(1, p + 1) if p % d == 0}
        | {1 << i for i in range(p.bit_length())}
    )
    for depth in range(1, p.bit_length() + 1):
        k = max(1, round(p ** (1 / depth)) - 1)
        while k**depth < p:
            k += 1
        found.add(k)
    return sorted(k for k in found if low <= k <= max(p, low))


def values(parameter: Parameter, p: int) -> list[int]:
    """What is tried for a parameter, from its record: its default first."""
    low, high, default = parameter["low"], parameter["high"], parameter["default"]
    if high - low <= 3:
        tried = list(range(low, high + 1))
    elif parameter["kind"] in TRIED:
        tried = [x for x in TRIED[parameter["kind"]] if low <= x <= high]
    else:
        return [k for k in radices(low, p) if k <= high]
    return [default, *(v for v in tried if v != default)]


def _messages(
    collective: str, name: str, p: int, parameters: dict[str, int], shape: Sequence[int]
) -> int | None:
    """What tells its messages apart from others'; None: it does not fit."""
    try:
        problem = _core.Problem(collective, name, p, parameters=parameters, shape=shape)
        return _core.schedule(problem).fingerprint
    except UsageError:
        return None


def all_candidates(
    collective: str,
    p: int,
    shape: Sequence[int] = (),
    placed: bool = False,
    asked: Sequence[str] | None = None,
) -> list[str]:
    """'NAME[:PARAMETER=VALUE...]' of all that serve p ranks.

    With `asked` only these names, or exactly these with parameters.

    Those that follow a torus need `shape`, those that follow the placement need ranks `placed` on
    several nodes or groups: else they are others over again. Of those that send the same messages
    only the first is tried. An allreduce whose rounded sums may differ from rank to rank is tried
    only when it is asked for. UsageError says what is asked for in vain.
    """
    records = {a["name"]: a for a in _core.algorithms() if a["collective"] == collective}
    _core.rooted(collective)  # an unknown name is told with the known ones
    if shape and prod(shape) != p:
        raise UsageError(f"--shape {'x'.join(map(str, shape))} holds {prod(shape)} ranks, not {p}")
    if asked is None:
        wanted: list[tuple[str, dict[str, int]]] = [
            (name, {}) for name, a in records.items() if _worth_trying(a, shape, placed)
        ]
    else:
        wanted = [_asked_for(collective, text, p, shape) for text in asked if text != LIBRARY]
    out: dict[object, str] = {}
    for name, given in wanted:
        for alike, candidate in _fitting(records[name], given, p, shape):
            out.setdefault(alike, candidate)
    return list(out.values())


def _asked_for(
    collective: str, text: str, p: int, shape: Sequence[int]
) -> tuple[str, dict[str, int]]:
    """Name and parameters of one that is asked for. UsageError with the reason why it cannot be."""
    name, given = split_algorithm(text)
    _core.parse_algorithms(f"{collective}={algorithm_text(name, given)}", "--algorithms")
    _core.schedule(_core.Problem(collective, name, p, parameters=given, shape=shape))
    return name, given


def _worth_trying(record: Algorithm, shape: Sequence[int], placed: bool) -> bool:
    """Unasked: not what rounds sums differently, nor follows a torus or placement there is not.

    Nor what another algorithm does too.
    """
    return bool(
        record["bitwise_reproducible"]
        and not record["by_name_only"]
        and (shape or not record["follows_shape"])
        and (placed or not record["follows_placement"])
    )


def _settings(record: Algorithm, p: int) -> Iterator[dict[str, int]]:
    """Every combination of what is tried for its parameters, but for forms of papers."""
    tried = [q for q in record["parameters"] if q["kind"] != "published"]
    names = [q["name"] for q in tried]
    for chosen in product(*(values(q, p) for q in tried)):
        yield dict(zip(names, chosen, strict=True))


def _fitting(
    record: Algorithm, given: dict[str, int], p: int, shape: Sequence[int]
) -> Iterator[tuple[object, str]]:
    """(what is the same of candidates that do the same, candidate), with `given` or all that fit.

    How bytes are cut is no matter of the schedule, nor are algorithms that follow a placement known
    before there is one.
    """
    for parameters in [given] if given else _settings(record, p):
        messages = _messages(record["collective"], record["name"], p, parameters, shape)
        if messages is None:
            continue
        candidate = algorithm_text(record["name"], parameters)
        if given or record["follows_placement"]:
            yield candidate, candidate
        else:
            cut = [parameters.get(q["name"]) for q in record["parameters"] if q["kind"] == "bytes"]
            yield (messages, *cut), candidate


def of_size(candidates: Sequence[str], collective: str, size: int) -> list[str]:
    """The candidates that make a difference at `size` bytes.

    Bytes or segments other than the default are below it.
    """
    records = {
        (a["name"], q["name"]): q
        for a in _core.algorithms()
        if a["collective"] == collective
        for q in a["parameters"]
    }

    def useful(text: str) -> bool:
        name, given = split_algorithm(text)
        return all(
            records[name, k]["kind"] not in TRIED or v == records[name, k]["default"] or v < size
            for k, v in given.items()
        )

    return [c for c in candidates if useful(c)]
