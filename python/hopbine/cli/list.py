"""hopbine list: the algorithms, what they serve and where they come from"""

import argparse
import csv
import json
import sys
from typing import Any


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    parser.add_argument("collective", nargs="?", help="only this collective")
    parser.add_argument("--format", choices=("table", "csv", "json"), default="table")


def parameters(record: dict[str, Any]) -> str:
    """'segment=0 (0..1073741824)', separated by semicolons."""
    return "; ".join(
        f"{q['name']}={q['default']} ({q['low']}..{q['high']})" for q in record["parameters"]
    )


def run(args: argparse.Namespace) -> int:
    """Prints the registry."""
    from .. import _core
    from ._common import print_table

    if args.collective:
        _core.rooted(args.collective)  # a wrong name is an error, not an empty table
    records = [a for a in _core.algorithms() if args.collective in (None, a["collective"])]
    if args.format == "json":
        print(json.dumps(records, indent=1))
    elif args.format == "csv":
        out = csv.writer(sys.stdout, lineterminator="\n")
        out.writerow(["collective", "algorithm", "p", "commutes", "parameters", "paper", "section"])
        for a in records:
            out.writerow(
                [
                    a["collective"],
                    a["name"],
                    a["p"],
                    "yes" if a["commutes"] else "no",
                    parameters(a),
                    a["paper"],
                    a["section"],
                ]
            )
    else:
        rows = [
            [
                a["collective"],
                a["name"],
                a["p"],
                "must" if a["commutes"] else "any",
                parameters(a) or "-",
                f"{a['paper']} {a['section']}",
                a["summary"],
            ]
            for a in records
        ]
        print_table(
            ["collective", "algorithm", "p", "commute", "parameters", "source", "summary"], rows
        )
        notes = [(a["collective"], a["name"], a["note"]) for a in records if a["note"]]
        print("\np that is not a power of two:" if notes else "")
        for collective, name, note in notes:
            print(f"  {collective} {name}: {note}")
    return 0
