"""The calls of a statistics file as rows: what `hopbine stats` prints, and their total."""

from typing import Any

from ..errors import UsageError
from ..notation.quantities import algorithm_text
from ..output.progress import watched

#: What is added up where rows are folded together; None where one of them has none.
_SUMS = ("calls", "bytes", "seconds", "classic_global_bytes", "global_bytes")


def rows_of(
    path: str, data: dict[str, Any], job: Any = None, sites: bool = False
) -> list[dict[str, Any]]:
    """A row for each kind of call: roots are folded together. `job` counts bytes between groups.

    `sites`: for each call site, in the order of their time.
    """
    from .crossings import crossing

    merged: dict[tuple[object, ...], dict[str, Any]] = {}
    rows = data["rows"]
    for r in watched(rows, len(rows), "kinds of calls", lambda one: one["collective"]):
        low, high = r["bytes_class"] or (None, None)
        crossed = crossing(r, job) if job else None
        kind = {
            "file": path,
            "collective": r["collective"],
            "form": r.get("form"),
            "ranks": r["comm_size"],
            "min_bytes": low,
            "max_bytes": high,
            "algorithm": algorithm_text(r["algorithm"], r["parameters"]),
            "numbering": r["numbering"],
            "reason": r["reason"],
            "site": r.get("site") if sites else None,
            "classic": crossed and crossed.algorithm,
        }
        row = merged.setdefault(
            tuple(kind.values()), kind | dict.fromkeys(_SUMS, 0) | {"wait_seconds": None}
        )
        added = (r["calls"], r["bytes"], r["seconds"]) + (
            (crossed.classic, crossed.served) if crossed else (None, None)
        )
        for what, more in zip(_SUMS, added, strict=True):
            row[what] = None if more is None or row[what] is None else row[what] + more
        if "wait_seconds" in r:
            row["wait_seconds"] = (row["wait_seconds"] or 0) + r["wait_seconds"]
    for row in merged.values():
        row["outside_wait_pct"] = _outside(row["seconds"], row["wait_seconds"])
    rows = list(merged.values())
    return _by_site(rows, data) if sites else rows


def _by_site(rows: list[dict[str, Any]], data: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows with the names of their sites, the longest time first."""
    from .call_sites import describe

    known = describe((r["site"], r.get("function")) for r in data["rows"] if "site" in r)
    named = [row | {"called": known.get(row["site"], "-")} for row in rows]
    return sorted(named, key=lambda row: -row["seconds"])


def check_sites(path: str, data: dict[str, Any]) -> None:
    """UsageError when calls were recorded without their sites."""
    if data["rows"] and not any("site" in row for row in data["rows"]):
        raise UsageError(f"{path} has no call sites: record with hopbine run --stats FILE --sites")


def _outside(seconds: float, waited: float | None) -> float | None:
    """The share of the time in flight that went on outside of MPI_Wait, in percent."""
    return None if waited is None or seconds == 0 else 100 * (1 - waited / seconds)


def total(rows: list[dict[str, Any]], unit: str) -> str:
    """A sentence of all rows: what crossed between units, and how many calls were counted."""
    counted = [r for r in rows if r["global_bytes"] is not None]
    calls, of = sum(r["calls"] for r in counted), sum(r["calls"] for r in rows)
    before = sum(r["classic_global_bytes"] for r in counted)
    after = sum(r["global_bytes"] for r in counted)
    if not before:
        return f"Bytes between {unit}: none."
    return (
        f"Bytes between {unit}: {before:,.0f} with the classic algorithms, {after:,.0f} with "
        f"hopbine ({100 * (after / before - 1):+.1f}%), in {calls:,} of {of:,} calls."
    )
