"""What algorithms push over the links between groups, counted from their schedules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from .. import _core
from ..core.classic import classic
from ..core.records import Traffic
from ..errors import UsageError
from ..notation.quantities import canonical, check_blocks, split_algorithm
from ..notation.text import many, near
from .job import Job

#: The pseudo-algorithm that stands for what the runtime would take by itself.
AUTO = "auto"
#: Algorithms of a collective that a picture shows side by side.
MOST_DRAWN = 6


def named_algorithms(collective: str, p: int, shape: Sequence[int] = ()) -> list[str]:
    """All algorithms of a collective that serve p ranks, on a torus of this shape if given."""
    return [
        a["name"]
        for a in _core.algorithms()
        if a["collective"] == collective and _core.fits(collective, a["name"], p, list(shape))
    ]


def _root(collective: str, root: int) -> int:
    return root if _core.rooted(collective) else 0


@dataclass(frozen=True)
class Asked:
    """What is counted for a job."""

    collectives: Sequence[str]
    algorithms: Sequence[str] | None  #: None: all and 'auto', the runtime's own choice
    sizes: Sequence[int]
    baseline: str | None = None  #: an algorithm; None: the classic one for the size
    root: int = 0
    numberings: Sequence[str] = ("given",)


@dataclass(frozen=True)
class _Counted:
    """An algorithm of a collective at a size, with the traffic that was counted."""

    collective: str
    root: int
    size: int
    asked: str  #: 'auto', or the algorithm
    algorithm: str
    numbering: str
    traffic: Traffic


def _row(job: Job, one: _Counted, baseline: str, base: Traffic) -> dict[str, Any]:
    t, size = one.traffic, one.size
    p = len(job.hosts)
    block = size / p
    worst = max(t["pairs"], key=lambda pair: pair[2], default=None)
    outs = max(t["group_out"] + t["group_in"], key=lambda g: g[1], default=(0, 0, 0))
    out = {
        "job": job.name,
        "collective": one.collective,
        "algorithm": one.algorithm
        if one.asked == one.algorithm
        else f"{one.asked}: {one.algorithm}",
        "numbering": one.numbering,
        "bytes": size,
        "ranks": p,
        "nodes": t["nodes"],
        "groups": t["groups"],
        "steps": t["steps"],
        "global_bytes": t["global_blocks"] * block,
        "global_messages": t["global_messages"],
        "total_bytes": t["blocks"] * block,
        "node_bytes": t["local_blocks"] * block,
        "inside_bytes": t["inside_blocks"] * block,
        "worst_link": f"{job.group_name(worst[0])} to {job.group_name(worst[1])}" if worst else "",
        "worst_link_bytes": worst[2] * block if worst else 0.0,
        "worst_group_bytes": outs[1] * block,
        "busiest_node_bytes": max(n for _, n, _ in t["node_out"] + t["node_in"]) * block,
        "lower_bound": t["lower_bound"] * block,
        "change_pct": change(t["global_blocks"], base["global_blocks"]),
        "baseline": baseline,
    }
    if job.places.coordinates:
        out |= _routed(job, one)
    return out


def _routed(job: Job, one: _Counted) -> dict[str, Any]:
    name, parameters = split_algorithm(one.algorithm)
    shape, coordinates = job.machine.shape or (), job.places.coordinates or []
    order = job.orders[one.numbering] or range(len(job.hosts))
    index = []
    for r in order:
        i = 0
        for extent, c in zip(shape, coordinates[r], strict=True):
            i = i * extent + c
        index.append(i)
    problem = _core.Problem(
        one.collective, name, len(index), root=order.index(one.root), parameters=parameters
    )
    t = _core.routes(problem, job.machine.kind, shape, index)
    block = one.size / len(index)
    return {"hop_bytes": t["block_hops"] * block, "worst_hop_bytes": t["worst_blocks"] * block}


def change(now: float, base: float) -> float | None:
    """Per cent more than the baseline; a minus is less.

    None when the baseline moves nothing but this does.
    """
    return 100 * (now / base - 1) if base else 0.0 if now == 0 else None


def counts(job: Job, asked: Asked) -> Iterable[tuple[dict[str, Any], Traffic]]:
    """(row of the traffic table, _core.count) of each algorithm that serves the job.

    UsageError when a name is of none of the collectives, when the baseline does not serve one of
    them, and for an unknown numbering.
    """
    check_names(asked.collectives, asked.algorithms, asked.baseline)
    for collective in asked.collectives:
        check_blocks(collective, len(job.hosts), "counted")
    baseline = canonical(asked.baseline) if asked.baseline else None
    for numbering in asked.numberings:
        job.order(numbering)
    for collective in asked.collectives:
        why = why_no_baseline(job, collective, baseline)
        if why:
            raise UsageError(why)
        wanted = _serving(job, collective, [canonical(a) for a in asked.algorithms or ()])
        root = _root(collective, asked.root)
        counted = cache(partial(job.count, collective, root=root))
        for size in asked.sizes:
            yardstick = baseline or classic(collective, len(job.hosts), size)
            base = counted(yardstick, numbering="given")
            for name in wanted:
                taken = (
                    job.choose(collective, [size], root)[:1]
                    if name == AUTO
                    else [(name, numbering) for numbering in asked.numberings]
                )
                for algorithm, numbering in taken:
                    t = counted(algorithm, numbering=numbering)
                    one = _Counted(collective, root, size, name, algorithm, numbering, t)
                    yield _row(job, one, yardstick, base), t


def count_of(job: Job, asked: Asked) -> int:
    """How many rows `counts` makes for all sizes."""
    return len(asked.sizes) * sum(
        1 if name == AUTO else len(asked.numberings)
        for collective in asked.collectives
        for name in _serving(job, collective, asked.algorithms)
    )


def check_names(
    collectives: Sequence[str], algorithms: Sequence[str] | None, baseline: str | None
) -> None:
    """UsageError when an algorithm or the baseline is of none of the collectives."""
    known = {a["name"] for a in _core.algorithms() if a["collective"] in collectives}
    asked = [(a, [AUTO]) for a in algorithms or () if a != AUTO]
    for name, more in [*asked, *([(baseline, [])] if baseline else [])]:
        if split_algorithm(name)[0] not in known:
            raise UsageError(
                f"'{name}' is no algorithm of {', '.join(collectives)} (known: "
                f"{', '.join([*more, *sorted(known)])}){near(name, known)}"
            )


def why_no_baseline(job: Job, collective: str, baseline: str | None) -> str | None:
    """Why no algorithm of the collective can be the baseline of the job; None: it can."""
    p = len(job.hosts)
    serve = named_algorithms(collective, p, job.shape)
    if baseline is None or split_algorithm(baseline)[0] in serve:
        return None
    return (
        f"the baseline '{baseline}' does not serve {collective} on {many(p, 'rank')} (these do: "
        f"{', '.join(sorted(serve))})"
    )


def _serving(job: Job, collective: str, algorithms: Sequence[str] | None) -> list[str]:
    """The ones of `algorithms` that serve the job; if none are given all, and 'auto' where counted.

    UsageError when a collective has what is asked for, but not for so many ranks.
    """
    p = len(job.hosts)
    own = set(named_algorithms(collective, p, job.shape))
    if not algorithms:
        return [*([AUTO] if _core.chosen_by_counting(collective) else []), *sorted(own)]
    wanted = [a for a in algorithms if a == AUTO or split_algorithm(a)[0] in own]
    if not wanted and set(algorithms) & set(named_algorithms(collective, 1)):
        raise UsageError(
            f"none of {', '.join(algorithms)} serves {collective} on {many(p, 'rank')}"
        )
    return wanted


def drawn_steps(
    job: Job, rows: Sequence[dict[str, Any]], counted: Sequence[Traffic], root: int = 0
) -> list[dict[str, Any]]:
    """What pictures show step by step, of each collective at its largest size.

    The baseline first, counted if it is not among the rows; then auto; then those that move least
    between groups. `baseline`: is a row of it?
    """
    out = []
    for collective in dict.fromkeys(row["collective"] for row in rows):
        size = max(row["bytes"] for row in rows if row["collective"] == collective)
        mine = [
            (row, t)
            for row, t in zip(rows, counted, strict=True)
            if (row["collective"], row["bytes"]) == (collective, size)
        ]
        name = mine[0][0]["baseline"]
        base = next(
            (o for o in mine if (o[0]["algorithm"], o[0]["numbering"]) == (name, "given")), None
        )
        if base is None:
            at = _root(collective, root)
            t = job.count(collective, name, at)
            base = _row(job, _Counted(collective, at, size, name, name, "given", t), name, t), t
        others = [one for one in mine if one[0] is not base[0]]
        others.sort(key=lambda o: (not o[0]["algorithm"].startswith(AUTO), o[0]["global_bytes"]))
        for row, t in [base, *others][:MOST_DRAWN]:
            out += [step | {"baseline": row is base[0]} for step in step_rows(row, t)]
    return out


def unit_rows(job: Job, row: dict[str, Any], t: Traffic, unit: str) -> list[dict[str, Any]]:
    """Out of and into each group or node, in bytes and messages.

    `unit` is "group" (between groups) or "node" (between nodes).
    """
    block = row["bytes"] / row["ranks"]
    keys = {k: row[k] for k in ("job", "collective", "algorithm", "numbering", "bytes")}
    host = dict(zip(reversed(job.places.node), reversed(job.hosts), strict=True))
    group = dict(zip(job.places.node, job.places.group, strict=True))
    out = []
    leaving, entering = (
        (t["group_out"], t["group_in"]) if unit == "group" else (t["node_out"], t["node_in"])
    )
    for (u, sent, messages_sent), (_, received, messages_received) in zip(
        leaving, entering, strict=True
    ):
        who = (
            {"group": job.group_name(u)}
            if unit == "group"
            else {"node": host[u], "group": job.group_name(group[u])}
        )
        out.append(
            keys
            | who
            | {
                "bytes_out": sent * block,
                "messages_out": messages_sent,
                "bytes_in": received * block,
                "messages_in": messages_received,
            }
        )
    return out


def pair_rows(job: Job, row: dict[str, Any], t: Traffic) -> list[dict[str, Any]]:
    """Group to group: one row per pair that carries anything."""
    block = row["bytes"] / row["ranks"]
    keys = {k: row[k] for k in ("job", "collective", "algorithm", "numbering", "bytes")}
    return [
        keys
        | {
            "from_group": job.group_name(a),
            "to_group": job.group_name(b),
            "moved_bytes": blocks * block,
            "messages": messages,
        }
        for a, b, blocks, messages in t["pairs"]
    ]


def step_rows(row: dict[str, Any], t: Traffic) -> list[dict[str, Any]]:
    """Step by step; steps that are alike share a row."""
    block = row["bytes"] / row["ranks"]
    keys = {k: row[k] for k in ("job", "collective", "algorithm", "numbering", "bytes")}
    return [
        keys
        | {
            "step": step + 1,
            "times": times,
            "global_bytes": blocks * block,
            "worst_link_bytes": pair * block,
        }
        for step, times, blocks, _, _, pair in t["by_step"]
    ]
