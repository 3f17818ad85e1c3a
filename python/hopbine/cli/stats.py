"""hopbine stats: prints the statistics that hopbine run --stats wrote"""

import argparse
from typing import Any

from ..quantities import algorithm_text
from ..tables import Column
from ._output import add_format, reporter


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    parser.add_argument("file", nargs="+")
    add_format(parser)


#: What a row of the file has, and of which type; None: nothing was the same for all.
ROW = {
    "collective": str,
    "comm_size": int,
    "bytes_class": (list, None),
    "algorithm": str,
    "parameters": dict,
    "numbering": (str, None),
    "reason": str,
    "calls": int,
    "bytes": int,
    "seconds": (int, float),
}
#: What rows have had since some version, and of which type.
LATER = {"form": str, "wait_seconds": (int, float)}


def load(path: str) -> dict[str, Any]:
    """The statistics file as a dict. ValueError when it is no such file."""
    from ..text import read_json

    data = read_json(path, "a statistics file")
    if not isinstance(data, dict) or data.get("hopbine_stats") != 1:
        raise ValueError(f'{path} is not a statistics file (no "hopbine_stats": 1)')
    wrong = [
        name
        for name, kind in (("mpi", str), ("ranks", int), ("version", str), ("rows", list))
        if not isinstance(data.get(name), kind)
    ]
    if wrong:
        raise ValueError(f"{path} is not a whole statistics file: {wrong[0]} is missing or wrong")
    for n, row in enumerate(data["rows"], 1):
        if not isinstance(row, dict):
            raise ValueError(f"{path}: row {n} is none")
        wrong = [name for name, kind in ROW.items() if not _is(row.get(name, row), kind)]
        wrong += [name for name, kind in LATER.items() if name in row and not _is(row[name], kind)]
        if wrong:
            raise ValueError(f"{path}: row {n}: {wrong[0]} is missing or wrong")
    return data


def _is(value: object, kinds: Any) -> bool:
    """Is the value of one of the kinds? Numbers are from 0 to 10^18, a list is two of them."""
    if value is None or isinstance(value, bool):
        return value is None and isinstance(kinds, tuple) and None in kinds
    if not isinstance(
        value, tuple(k for k in (kinds if isinstance(kinds, tuple) else (kinds,)) if k)
    ):
        return False
    if isinstance(value, list):
        return len(value) == 2 and all(_is(x, int) for x in value)
    return not isinstance(value, (int, float)) or 0 <= value <= 10**18


def _size(row: dict[str, Any]) -> str:
    from ..units import show_size

    if row["min_bytes"] is None:
        return "any"
    return f"{show_size(row['min_bytes'])} to {show_size(row['max_bytes'])}"


def columns(waits: bool) -> list[Column]:
    """Those of a table; for people with times in MPI_Wait, where there are some."""
    return [
        Column("file"),
        Column("collective", "collective"),
        Column("form"),
        Column("ranks", "ranks", right=True),
        Column("min_bytes"),
        Column("max_bytes"),
        Column(None, "size", _size),
        Column("algorithm", "served by"),
        Column("numbering", "ranks as", lambda name: name or "-"),
        Column("calls", "calls", right=True),
        Column("bytes", "bytes", right=True),
        Column("seconds", "ms", lambda s: f"{1e3 * s:.3f}", right=True, raw=float),
        Column("wait_seconds", "ms in wait" if waits else None, _milliseconds, right=True),
        Column("outside_wait_pct", "outside" if waits else None, _share, right=True),
        Column("reason", "why"),
    ]


def _milliseconds(seconds: float | None) -> str:
    return "-" if seconds is None else f"{1e3 * seconds:.3f}"


def _share(percent: float | None) -> str:
    return "-" if percent is None else f"{percent:.1f}%"


def rows_of(path: str, data: dict[str, Any]) -> list[dict[str, Any]]:
    """A row for each kind of call: roots are folded together."""
    merged: dict[tuple[object, ...], dict[str, Any]] = {}
    for r in data["rows"]:
        low, high = r["bytes_class"] or (None, None)
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
        }
        row = merged.setdefault(
            tuple(kind.values()),
            kind | {"calls": 0, "bytes": 0, "seconds": 0, "wait_seconds": None},
        )
        for what in ("calls", "bytes", "seconds"):
            row[what] += r[what]
        if "wait_seconds" in r:
            row["wait_seconds"] = (row["wait_seconds"] or 0) + r["wait_seconds"]
    for row in merged.values():
        row["outside_wait_pct"] = _outside(row["seconds"], row["wait_seconds"])
    return list(merged.values())


def _outside(seconds: float, waited: float | None) -> float | None:
    """The share of the time in flight that went on outside of MPI_Wait, in percent."""
    return None if waited is None or seconds == 0 else 100 * (1 - waited / seconds)


def run(args: argparse.Namespace) -> int:
    """One table per file."""
    from ..text import one_line

    with reporter(args) as report:
        for path in args.file:
            data = load(path)
            report.caption(
                one_line(f"{path}: {data['mpi']}, {data['ranks']} ranks, hopbine {data['version']}")
            )
            rows = rows_of(path, data)
            report.table(columns(any(r["wait_seconds"] is not None for r in rows)), rows)
    return 0
