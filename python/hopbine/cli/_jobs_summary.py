"""hopbine jobs: the table of quartiles by number of nodes."""

from __future__ import annotations

from typing import Any

from ..output.tables import Column, plain


def binned(nodes: int) -> int:
    """The power of two at or below."""
    return 1 << (nodes.bit_length() - 1)


def _nodes(row: dict[str, Any]) -> str:
    low, high = row["min_nodes"], row["max_nodes"]
    return "all" if row["all"] else str(low) if low == high else f"{low}-{high}"


#: Per cent of the baseline; a minus is less.
_PCT = {
    "min_pct": "min",
    "low_quartile_pct": "25 %",
    "median_pct": "median",
    "high_quartile_pct": "75 %",
    "max_pct": "max",
    "mean_pct": "mean",
}
COLUMNS = [
    Column("algorithm", "algorithm"),
    Column(None, "nodes", _nodes),
    *plain(("all", "min_nodes", "max_nodes")),
    Column("jobs", "jobs", right=True),
    *(Column(key, heading, "{:+.1f}".format, right=True) for key, heading in _PCT.items()),
    Column("worse", "worse", right=True),
    Column(
        "median_above_lower_bound_pct",
        "% above least",
        lambda x: "-" if x is None else f"{x:.0f}",
        right=True,
    ),
]


def by_nodes(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Change by number of nodes, then of all: quartiles for each algorithm asked for."""
    out = []
    for algorithm in dict.fromkeys(r["algorithm"].partition(":")[0] for r in rows):
        mine = [
            r
            for r in rows
            if r["algorithm"].partition(":")[0] == algorithm and r["change_pct"] is not None
        ]
        for low in sorted({binned(r["nodes"]) for r in mine}):
            part = [r for r in mine if binned(r["nodes"]) == low]
            out.append(_summary(algorithm, False, low, 2 * low - 1, part))
        if mine:
            nodes = [r["nodes"] for r in mine]
            out.append(_summary(algorithm, True, min(nodes), max(nodes), mine))
    return out


def _summary(
    algorithm: str, all_of_them: bool, low: int, high: int, part: list[dict[str, Any]]
) -> dict[str, Any]:
    """A row of the jobs of `low` to `high` nodes."""
    changes = sorted(r["change_pct"] for r in part)
    above = [r["above_lower_bound_pct"] for r in part if r["above_lower_bound_pct"] is not None]
    told = [*quartiles(changes), sum(changes) / len(changes)]
    return {
        "algorithm": algorithm,
        "all": all_of_them,
        "min_nodes": low,
        "max_nodes": high,
        "jobs": len(part),
        **dict(zip(_PCT, told, strict=True)),
        "worse": sum(x > 1e-9 for x in changes),
        "median_above_lower_bound_pct": quartiles(sorted(above))[2] if above else None,
    }


def quartiles(x: list[float]) -> list[float]:
    """min, 25 %, median, 75 %, max of sorted numbers, interpolated."""

    def at(q: float) -> float:
        i = q * (len(x) - 1)
        low = int(i)
        return x[low] + (x[min(low + 1, len(x) - 1)] - x[low]) * (i - low)

    return [at(q) for q in (0, 0.25, 0.5, 0.75, 1)]
