"""hopbine stats: prints the statistics that hopbine run --stats wrote"""

import json


def configure(parser) -> None:
    """Arguments of the verb."""
    parser.add_argument("file", nargs="+")


def load(path: str) -> dict:
    """The statistics file as a dict. ValueError when it is no such file."""
    try:
        with open(path, encoding="utf-8") as f:
            data = json.load(f)
    except (UnicodeDecodeError, json.JSONDecodeError, IsADirectoryError) as error:
        raise ValueError(f"{path} is not a statistics file: {error}") from None
    if not isinstance(data, dict) or data.get("hopbine_stats") != 1:
        raise ValueError(f"{path} is not a statistics file (no \"hopbine_stats\": 1)")
    return data


def table(data: dict) -> tuple[list[str], list[list[str]]]:
    """Header and rows: roots are folded together, largest data first."""
    from ..bench.sizes import show_size

    merged: dict[tuple, list[float]] = {}
    for r in data["rows"]:
        parameters = "".join(f":{k}={v}" for k, v in r["parameters"].items())
        size = " to ".join(map(show_size, r["bytes_class"])) if r["bytes_class"] else "any"
        key = (r["collective"], r["comm_size"], size, r["algorithm"] + parameters, r["numbering"] or "-", r["reason"])
        calls, total, seconds = merged.get(key, (0, 0, 0.0))
        merged[key] = [calls + r["calls"], total + r["bytes"], seconds + r["seconds"]]
    rows = [[k[0], k[1], k[2], k[3], k[4], c, b, f"{1e3 * s:.3f}", k[5]] for k, (c, b, s) in merged.items()]
    return ["collective", "ranks", "size", "served by", "ranks as", "calls", "bytes", "ms", "why"], rows


def run(args) -> int:
    """One table per file."""
    from ._common import print_table

    for path in args.file:
        data = load(path)
        print(f"{path}: {data['mpi']}, {data['ranks']} ranks, hopbine {data['version']}")
        print_table(*table(data), right={1, 5, 6, 7})
    return 0
