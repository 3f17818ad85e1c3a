"""hopbine stats: prints the statistics that hopbine run --stats wrote"""

import argparse
from typing import Any

from ..quantities import algorithm_text


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    parser.add_argument("file", nargs="+")


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
        if wrong := [name for name, kind in ROW.items() if not _is(row.get(name, row), kind)]:
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


def table(data: dict[str, Any]) -> tuple[list[str], list[list[object]]]:
    """Header and rows: roots are folded together, largest data first."""
    from ..bench.sizes import show_size

    merged: dict[tuple[str, ...], list[float]] = {}
    for r in data["rows"]:
        size = " to ".join(map(show_size, r["bytes_class"])) if r["bytes_class"] else "any"
        key = (
            r["collective"],
            r["comm_size"],
            size,
            algorithm_text(r["algorithm"], r["parameters"]),
            r["numbering"] or "-",
            r["reason"],
        )
        calls, total, seconds = merged.get(key, (0, 0, 0.0))
        merged[key] = [calls + r["calls"], total + r["bytes"], seconds + r["seconds"]]
    rows = [
        [k[0], k[1], k[2], k[3], k[4], c, b, f"{1e3 * s:.3f}", k[5]]
        for k, (c, b, s) in merged.items()
    ]
    return [
        "collective",
        "ranks",
        "size",
        "served by",
        "ranks as",
        "calls",
        "bytes",
        "ms",
        "why",
    ], rows


def run(args: argparse.Namespace) -> int:
    """One table per file."""
    from ..text import one_line
    from ._common import print_table

    for path in args.file:
        data = load(path)
        print(one_line(f"{path}: {data['mpi']}, {data['ranks']} ranks, hopbine {data['version']}"))
        print_table(*table(data), right={1, 5, 6, 7})
    return 0
