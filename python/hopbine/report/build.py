"""Sections of the analyses: one job, many jobs, and a recorded job elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ..notation.units import show_bytes, show_pct, show_time
from .page import Picture, Section, Table, Text
from .verdict import jobs_verdict, side_by_side, traffic_verdict

if TYPE_CHECKING:
    import polars


DEFINITIONS = Text(
    "Words",
    (
        (
            "A byte is global when its sender and receiver are in different groups; every message "
            "is counted once, from the schedule of the algorithm, not estimated."
        ),
        "Least: what any algorithm must move between groups here: for an allreduce that is a "
        "reduce_scatter and an allgather, every group but one sends its part of each sum "
        "away once, and every result enters every other group once.",
        (
            "Change: global bytes more than the baseline's, in per cent of the baseline's; a "
            "minus is less."
        ),
        (
            "auto is what hopbine's runtime takes by itself for the size; its numbering of the "
            "ranks is part of the choice."
        ),
    ),
)
_BYTES = (
    "bytes",
    "global_bytes",
    "node_bytes",
    "inside_bytes",
    "worst_link_bytes",
    "lower_bound",
    "hop_bytes",
    "worst_hop_bytes",
    "baseline_bytes",
    "choice_bytes",
    "least_bytes",
)
_SHOW: dict[str, Callable[[Any], str]] = {
    **dict.fromkeys(_BYTES, show_bytes),
    "change_pct": show_pct,
    "above_lower_bound_pct": show_pct,
}


#: Columns of the tables -> their headings.
_TRAFFIC = {
    "collective": "collective",
    "algorithm": "algorithm",
    "numbering": "numbering",
    "bytes": "size",
    "steps": "steps",
    "global_bytes": "global",
    "global_messages": "messages",
    "change_pct": "change",
    "baseline": "of",
    "lower_bound": "least",
    "node_bytes": "inside groups",
    "inside_bytes": "inside nodes",
    "worst_link": "busiest pair",
    "worst_link_bytes": "its bytes",
}
_ROUTED = {"hop_bytes": "bytes x hops", "worst_hop_bytes": "busiest link"}
_JOBS = {
    "job": "job",
    "nodes": "nodes",
    "groups": "groups",
    "algorithm": "algorithm",
    "numbering": "numbering",
    "global_bytes": "global",
    "change_pct": "change",
    "baseline": "of",
    "lower_bound": "least",
    "above_lower_bound_pct": "above least",
}
_CHOICES = {
    "collective": "collective",
    "bytes": "size",
    "baseline": "baseline",
    "baseline_bytes": "baseline's global",
    "choice": "hopbine's choice",
    "numbering": "numbering",
    "choice_bytes": "choice's global",
    "change_pct": "change",
    "least_bytes": "least",
}
_WAYS = {"classic": "classic", "choice": "hopbine's choice", "best": "best by model"}
#: Pictures of a page: algorithms group to group.
_MOST_PAIRS = 2


def traffic_sections(
    traffic: polars.DataFrame, pairs: polars.DataFrame, steps: polars.DataFrame, about: str
) -> list[Section]:
    """Sections of one job: the table, group to group and step by step.

    Pictures are of the first algorithms only. Data frames are those of hopbine.jobs.counting.
    """
    columns = _TRAFFIC | (_ROUTED if "hop_bytes" in traffic.columns else {})
    # Sizes differ in scale, so that one picture of several would show none of them.
    size = max(traffic["bytes"])
    pairs, steps = (
        frame.filter(frame["bytes"] == size) if len(frame) else frame for frame in (pairs, steps)
    )
    return [
        Text("In short", (traffic_verdict(traffic), about)),
        *_choices(traffic),
        Table("Algorithms", traffic, columns, _SHOW),
        *(_group_to_group(pairs, size) if len(pairs) else ()),
        *(_step_by_step(steps, size) if len(steps) else ()),
        DEFINITIONS,
    ]


def _choices(traffic: polars.DataFrame, first: dict[str, str] | None = None) -> Iterator[Table]:
    """The choice beside the baseline; `first`: columns and headings before it."""
    import polars

    rows = side_by_side(traffic)
    if rows:
        frame = polars.DataFrame(rows, infer_schema_length=None)
        yield Table("The choice and the baseline", frame, {**(first or {}), **_CHOICES}, _SHOW)


def _group_to_group(pairs: polars.DataFrame, size: float) -> Iterator[Picture]:
    from ..plots.traffic import heat_map

    key = ["collective", "algorithm", "numbering"]
    for part in pairs.partition_by(key, maintain_order=True)[:_MOST_PAIRS]:
        collective, algorithm, numbering = part.select(key).row(0)
        name = f"{collective} {algorithm}, {show_bytes(size)}, ranks as {numbering}"
        yield Picture(
            f"Group to group: {name}",
            heat_map(part, name),
            f"Bytes that {name} moves from each group (row) to each other (column). One of "
            "the first two that move any.",
        )


def _step_by_step(steps: polars.DataFrame, size: float) -> Iterator[Picture]:
    from ..plots.traffic import step_bars

    for part in steps.partition_by("collective", maintain_order=True):
        name = f"{part['collective'][0]}, {show_bytes(size)}"
        yield Picture(
            f"Step by step: {name}",
            step_bars(part, name),
            f"Bytes between groups in each step of {name}: the baseline, hopbine's choice and "
            "those that move least; steps alike share a bar.",
        )


def jobs_sections(
    jobs: polars.DataFrame, bad: list[tuple[str, str, str]], about: str
) -> list[Section]:
    """Sections of many jobs: box plots, a table of them, and the unusable ones with reasons."""
    import polars

    out: list[Section] = [
        Text("In short", (jobs_verdict(jobs), about)),
        _changes(jobs),
        *_choices(jobs, {"job": "job", "nodes": "nodes"}),
        Table("Jobs", jobs, _JOBS, _SHOW),
    ]
    if bad:
        frame = polars.DataFrame(bad, schema=["source", "job", "why"], orient="row")
        columns = {"source": "where", "job": "job", "why": "why"}
        out.append(Table("Jobs that cannot be used", frame, columns, {}))
    return [*out, DEFINITIONS]


def predict_sections(
    rows: polars.DataFrame, about: list[str], verdict: list[str], unit: str
) -> list[Section]:
    """Sections of a prediction: the verdict, the table, and what was assumed."""
    cost = {"bytes": "bytes", "seconds": "time", "simulated_seconds": "simulated"}
    columns = {
        "collective": "collective",
        "calls": "calls",
        "recorded_call_bytes": "a call had",
        "call_bytes": "would have",
        "recorded_seconds": "took",
        **{
            key: heading
            for way, name in _WAYS.items()
            for key, heading in (
                (way, name),
                *((f"{way}_{what}", f"{way} {told}") for what, told in cost.items()),
            )
            if key in rows.columns
        },
        "least_bytes": "least bytes",
        "least_seconds": "least time",
        "why_not": "not predicted",
    }
    show = {
        key: show_bytes if key.endswith("bytes") else show_time
        for key in columns
        if key.endswith(("bytes", "seconds"))
    }
    return [
        Text("In short", tuple(verdict)),
        *_ways(rows, unit),
        Table(
            "Calls",
            rows,
            columns,
            show,
            f"Of all calls of a row: bytes between {unit}, and times by the model.",
        ),
        Text("What is assumed", tuple(about)),
        DEFINITIONS,
    ]


def _ways(rows: polars.DataFrame, unit: str) -> Iterator[Picture]:
    """The classic algorithms and the choice side by side, where calls are predicted."""
    from ..plots.prediction import way_bars

    known = [row for row in rows.rows(named=True) if not row["why_not"] and not row["total"]]
    if known:
        yield Picture(
            "The choice and the classic algorithms",
            way_bars(known, unit),
            f"Bytes between {unit} and modelled time of all calls of a collective; lengths are "
            "logarithmic.",
        )


def _changes(jobs: polars.DataFrame) -> Section:
    """Box plots by algorithm, parameters left out; a text where there is no change."""
    import polars

    from ..plots.traffic import change_boxes

    heading = "Change by number of nodes"
    asked = jobs.with_columns(algorithm=polars.col("algorithm").str.split(":").list.first())
    if all(x is None or x != x for x in asked["change_pct"]):
        why = "the baseline moves nothing between groups in any of these jobs."
        return Text(heading, (f"There is no picture: {why}",))
    return Picture(
        heading,
        change_boxes(asked, "Bytes between groups against the baseline"),
        "Boxes: quartiles; whiskers: 1.5 times their distance.",
    )
