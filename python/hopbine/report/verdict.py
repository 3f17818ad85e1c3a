"""What an analysis comes to: a sentence, and hopbine's choice beside the baseline."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Any

from ..notation.text import many
from ..notation.units import show_bytes

if TYPE_CHECKING:
    import polars

#: How rows of hopbine's choice begin (hopbine.jobs.counting).
AUTO = "auto"


def against(percent: float) -> str:
    """'12.5 % fewer', of a change in per cent."""
    if abs(percent) < 0.05:
        return "as many"
    return f"{abs(percent):.1f} % {'fewer' if percent < 0 else 'more'}"


def side_by_side(traffic: polars.DataFrame) -> list[dict[str, Any]]:
    """Rows of hopbine's choice, each with the bytes of its baseline; empty without a choice."""
    rows = traffic.rows(named=True)
    of = [name for name in ("job", "nodes", "collective", "bytes") if name in traffic.columns]
    known = {
        (*(r[name] for name in of), r["algorithm"]): r["global_bytes"]
        for r in rows
        if r["numbering"] == "given"
    }
    return [
        {name: r[name] for name in of}
        | {
            "baseline": r["baseline"],
            "baseline_bytes": known.get((*(r[name] for name in of), r["baseline"]), _undone(r)),
            "choice": r["algorithm"].removeprefix(f"{AUTO}: "),
            "numbering": r["numbering"],
            "choice_bytes": r["global_bytes"],
            "change_pct": r["change_pct"],
            "least_bytes": r["lower_bound"],
        }
        for r in rows
        if r["algorithm"] == AUTO or r["algorithm"].startswith(f"{AUTO}: ")
    ]


def _undone(row: dict[str, Any]) -> float | None:
    """The baseline's bytes by the change; None where that does not tell them."""
    percent = row["change_pct"]
    return None if percent is None or percent <= -100 else row["global_bytes"] / (1 + percent / 100)


def traffic_verdict(traffic: polars.DataFrame) -> str:
    """One sentence of one job: the choice against its baselines, or the best algorithm."""
    rows = [r for r in side_by_side(traffic) if r["change_pct"] is not None]
    if not rows:
        return _least(traffic)
    best = min(rows, key=lambda r: r["change_pct"])
    worst = max(rows, key=lambda r: r["change_pct"])
    base = "the classic algorithm" if _several(rows) else str(best["baseline"])
    ends = [
        f"{against(r['change_pct'])} ({r['collective']} of {show_bytes(r['bytes'])}, {r['choice']})"
        for r in (best, worst)
    ]
    told = ends[0] if best is worst else f"from {ends[0]} to {ends[1]}"
    fewer = sum(r["change_pct"] <= -0.05 for r in rows)
    return (
        f"hopbine's choice moves fewer bytes between groups than {base} in {fewer} of "
        f"{many(len(rows), 'case')}: {told}. It weighs time as well as bytes."
    )


def _several(rows: list[dict[str, Any]]) -> bool:
    return len({r["baseline"] for r in rows}) > 1


def _least(traffic: polars.DataFrame) -> str:
    """Where no choice was asked for."""
    known = [r for r in traffic.rows(named=True) if r["change_pct"] is not None]
    if not known:
        return "The baseline moves nothing between groups."
    best = min(known, key=lambda r: r["change_pct"])
    return (
        f"The most is saved by {best['algorithm']} ({best['collective']} of "
        f"{show_bytes(best['bytes'])}): {against(best['change_pct'])} bytes between groups than "
        f"{best['baseline']}."
    )


def jobs_verdict(jobs: polars.DataFrame) -> str:
    """One sentence of many jobs: the choice's median change, or the best algorithm's."""
    values: dict[str, list[float]] = {}
    for algorithm, percent in jobs.select("algorithm", "change_pct").rows():
        if percent is not None and percent == percent:
            values.setdefault(algorithm.split(":")[0], []).append(percent)
    if not values:
        return "The baseline moves nothing between groups in any of these jobs."
    name = AUTO if AUTO in values else min(values, key=lambda n: median(values[n]))
    whose = "hopbine's choice" if name == AUTO else name
    known = values[name]
    bases = jobs["baseline"].unique(maintain_order=True).to_list()
    base = bases[0] if len(bases) == 1 else "the classic algorithms"
    return (
        f"{whose} moves {against(median(known))} bytes between groups than {base} in the median "
        f"of {many(len(known), 'job')}, from {against(max(known))} to {against(min(known))}."
    )
