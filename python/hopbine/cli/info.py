"""hopbine info: version, libraries, every setting with its value and where it comes from"""

import argparse
import os
from typing import Any

from ..errors import UsageError
from ..output.tables import Column, Reporter, plain
from ._output import add_format, reporter

#: Keys of a row for programs; the last four are what a default rule asks for.
KEYS = (
    *("kind", "name", "value", "source", "meaning"),
    *("min_ranks", "min_nodes", "min_ranks_per_node", "max_bytes"),
)
SETTINGS = [
    Column(None, "setting", lambda row: row["name"]),
    Column(None, "value", lambda row: row["value"] or "-"),
    Column(None, "source", lambda row: row["source"]),
    Column(None, "meaning", lambda row: row["meaning"]),
]


def _least(key: str, always: bool = False) -> Any:
    return lambda row: f">= {row[key]}" if always or row[key] > 1 else "any"


RULES = [
    Column(None, "collective", lambda row: row["name"]),
    Column(None, "ranks", _least("min_ranks", always=True)),
    Column(None, "nodes", _least("min_nodes")),
    Column(None, "on a node", _least("min_ranks_per_node")),
    Column(
        None,
        "bytes",
        lambda row: "any" if row["max_bytes"] is None else f"<= {row['max_bytes']}",
    ),
    Column(None, "algorithm", lambda row: row["value"]),
    Column(None, "why", lambda row: row["meaning"]),
]


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    add_format(parser, "what is in force")


def run(args: argparse.Namespace) -> int:
    """Prints what is in force."""
    with reporter(args) as report:
        _built(report)
        _settings(report)
        _default_rules(report)
    return 0


def _tell(report: Reporter, rows: list[dict[str, Any]]) -> None:
    """Rows for programs; what a row has not is nothing."""
    report.table(plain(KEYS), [dict.fromkeys(KEYS) | row for row in rows])


def _built(report: Reporter) -> None:
    """Version and files."""
    from .. import INCLUDE_FOLDER, _core
    from ..bench.launch import FAMILIES
    from .run import library_folder

    folder = library_folder()
    known = len(_core.algorithms())
    there = {
        f"libhopbine_{library}.so": (folder / f"libhopbine_{library}.so").exists()
        for library in ("preload", *FAMILIES)
    }
    report.caption(f"hopbine {_core.version}, {known} algorithms")
    report.caption(f"libraries in {folder}")
    for name, found in there.items():
        report.caption(f"  {name:<24} {'there' if found else 'not built'}")
    report.caption(f"headers in {INCLUDE_FOLDER}")
    _tell(
        report,
        [
            {"kind": "version", "name": "hopbine", "value": _core.version},
            {"kind": "algorithms", "name": "hopbine", "value": known},
            *(
                {"kind": "library", "name": name, "value": str(folder / name) if found else None}
                for name, found in there.items()
            ),
            {"kind": "headers", "name": "hopbine", "value": str(INCLUDE_FOLDER)},
        ],
    )


def _value(name: str, default: str) -> str:
    """What holds; of HOPBINE_LEARN the path, or why nothing is kept."""
    value = os.environ.get(name, default)
    if name != "HOPBINE_LEARN" or os.environ.get(name):
        return value
    from ..selection.learned import learned_file

    try:
        return str(learned_file())
    except UsageError as error:
        return f"none: {str(error).removeprefix('nothing is kept: ')}"


def _settings(report: Reporter) -> None:
    from ..core.settings import SETTINGS as known

    file, _, names = os.environ.get("HOPBINE_DEFAULTS", "").rpartition(":")
    sources = dict.fromkeys(os.environ, "environment") | dict.fromkeys(names.split(","), file)
    rows = [
        {
            "kind": "setting",
            "name": name,
            "value": _value(name, setting.default) or None,
            "source": sources.get(name, "default"),
            "meaning": setting.meaning,
        }
        for name, setting in known.items()
    ]
    report.caption()
    report.table(SETTINGS, rows)
    _tell(report, rows)


def _default_rules(report: Reporter) -> None:
    from .. import _core

    rows = [
        {
            "kind": "rule",
            "name": collective,
            "value": algorithm,
            "source": "default",
            "meaning": why.removeprefix("default: "),
            "min_ranks": ranks,
            "min_nodes": nodes,
            "min_ranks_per_node": each,
            "max_bytes": None if most > 2**60 else most,
        }
        for collective, ranks, nodes, each, most, algorithm, why in _core.default_rules()
    ]
    report.caption(
        "\nAn option of hopbine run goes before its variable, that before a rules file. What\n"
        "nobody asked for is chosen by counting (hopbine select explain) and by measuring in the\n"
        "job. The default table decides for alltoallv, and with --choice table for all:\n"
    )
    report.table(RULES, rows)
    _tell(report, rows)
