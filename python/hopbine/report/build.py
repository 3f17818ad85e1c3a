"""The sections of the two analyses."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..quantities import show_bytes, show_pct
from .page import Picture, Section, Table, Text

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
            "Reduction: global bytes less than the baseline's, in per cent of the baseline's; a "
            "negative number is more."
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
)
_SHOW: dict[str, Callable[[Any], str]] = {
    **dict.fromkeys(_BYTES, show_bytes),
    "reduction_pct": show_pct,
    "above_lower_bound_pct": show_pct,
}


def traffic_sections(
    traffic: polars.DataFrame, pairs: polars.DataFrame, steps: polars.DataFrame, about: str
) -> list[Section]:
    """One job: the table, group to group and step by step.

    Group to group is of the first algorithm that has any, step by step of the first ones. Frames of
    hopbine.counting.
    """
    from ..plots import traffic as plots

    columns = {
        "collective": "collective",
        "algorithm": "algorithm",
        "numbering": "numbering",
        "bytes": "size",
        "steps": "steps",
        "global_bytes": "global",
        "global_messages": "messages",
        "reduction_pct": "reduction",
        "baseline": "of",
        "lower_bound": "least",
        "node_bytes": "inside groups",
        "inside_bytes": "inside nodes",
        "worst_link": "busiest pair",
        "worst_link_bytes": "its bytes",
    }
    routed = (
        {"hop_bytes": "bytes x hops", "worst_hop_bytes": "busiest link"}
        if "hop_bytes" in traffic.columns
        else {}
    )
    out: list[Section] = [
        Text("The job", (about,)),
        Table("Algorithms", traffic, columns | routed, _SHOW),
    ]
    # Pictures of one size: those of another differ in scale, and one drawn over the other would
    # tell neither.
    size = max(traffic["bytes"])
    pairs, steps = (
        frame.filter(frame["bytes"] == size) if len(frame) else frame for frame in (pairs, steps)
    )
    for collective, algorithm, numbering in (
        pairs.select("collective", "algorithm", "numbering").unique(maintain_order=True).rows()[:2]
        if len(pairs)
        else []
    ):
        part = pairs.filter(
            (pairs["collective"] == collective)
            & (pairs["algorithm"] == algorithm)
            & (pairs["numbering"] == numbering)
        )
        name = f"{collective} {algorithm}, {show_bytes(size)}, ranks as {numbering}"
        out.append(
            Picture(
                f"Group to group: {name}",
                plots.heat_map(part, name),
                f"Bytes that {name} moves from each group (row) to each other (column). One of "
                "the first two that move any.",
            )
        )
    for collective in steps["collective"].unique(maintain_order=True) if len(steps) else []:
        part = steps.filter(steps["collective"] == collective)
        first = part.select("algorithm", "numbering").unique(maintain_order=True).head(6)
        shown = part.join(first, on=["algorithm", "numbering"], maintain_order="left")
        name = f"{collective}, {show_bytes(size)}"
        out.append(
            Picture(
                f"Step by step: {name}",
                plots.step_bars(shown, name),
                f"Bytes between groups in each step of {name}, the first {len(first)} rows of "
                "that size; steps alike share a bar.",
            )
        )
    return [*out, DEFINITIONS]


def jobs_sections(
    jobs: polars.DataFrame, bad: list[tuple[str, str, str]], about: str
) -> list[Section]:
    """Many jobs: box plots, one row per job and algorithm, and the jobs that cannot be used.

    Each of these has its reason.
    """
    import polars

    from ..plots import traffic as plots

    asked = jobs.with_columns(algorithm=polars.col("algorithm").str.split(":").list.first())
    columns = {
        "job": "job",
        "nodes": "nodes",
        "groups": "groups",
        "algorithm": "algorithm",
        "numbering": "numbering",
        "global_bytes": "global",
        "reduction_pct": "reduction",
        "baseline": "of",
        "lower_bound": "least",
        "above_lower_bound_pct": "above least",
    }
    out: list[Section] = [Text("The jobs", (about,))]
    if any(x is not None and x == x for x in asked["reduction_pct"]):
        out.append(
            Picture(
                "Reduction by number of nodes",
                plots.reduction_boxes(asked, "Bytes between groups, reduction"),
                "Boxes: quartiles; whiskers: 1.5 times their distance.",
            )
        )
    else:
        out.append(
            Text(
                "Reduction by number of nodes",
                (
                    (
                        "There is no picture: the baseline moves nothing between groups in any of "
                        "these jobs."
                    ),
                ),
            )
        )
    out.append(Table("Jobs", jobs, columns, _SHOW))
    if bad:
        out.append(
            Table(
                "Jobs that cannot be used",
                polars.DataFrame(bad, schema=["source", "job", "why"], orient="row"),
                {"source": "where", "job": "job", "why": "why"},
                {},
            )
        )
    return [*out, DEFINITIONS]
