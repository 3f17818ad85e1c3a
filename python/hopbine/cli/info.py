"""hopbine info: version, libraries, every setting with its value and where it comes from"""

import argparse
import os


def configure(parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def run(args: argparse.Namespace) -> int:
    """Prints what is in force."""
    from .. import INCLUDE_FOLDER, _core
    from ..bench.launch import FAMILIES
    from ..settings import SETTINGS
    from ._common import print_table
    from .run import library_folder

    folder = library_folder()
    print(f"hopbine {_core.version}, {len(_core.algorithms())} algorithms")
    print(f"libraries in {folder}")
    for library in ("preload", *FAMILIES):
        name = f"libhopbine_{library}.so"
        print(f"  {name:<24} {'there' if (folder / name).exists() else 'not built'}")
    print(f"headers in {INCLUDE_FOLDER}")
    rows = [
        [
            name,
            os.environ.get(name, default) or "-",
            "environment" if name in os.environ else "default",
            meaning,
        ]
        for name, (meaning, default) in SETTINGS.items()
    ]
    print()
    print_table(["setting", "value", "source", "meaning"], rows)
    print(
        "\nAn option of hopbine run goes before its variable, that before a rules file. What\n"
        "nobody asked for is chosen by counting "
        "(hopbine select explain) where there are several nodes with several ranks or\n"
        "several groups, else by the default table:\n"
    )
    rows = [
        [
            c,
            f">= {ranks}",
            f">= {nodes}" if nodes > 1 else "any",
            f">= {each}" if each > 1 else "any",
            "any" if most > 2**60 else f"<= {most}",
            algorithm,
            why.removeprefix("default: "),
        ]
        for c, ranks, nodes, each, most, algorithm, why in _core.default_rules()
    ]
    print_table(["collective", "ranks", "nodes", "on a node", "bytes", "algorithm", "why"], rows)
    return 0
