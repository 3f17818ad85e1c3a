"""hopbine info: version, libraries, every setting with its value and where it comes from"""

import os

#: Every variable that hopbine reads: what it is for and its default.
SETTINGS = {
    "HOPBINE_ALGORITHM": ("algorithms asked for by name", ""),
    "HOPBINE_RULES": ("file of rules", ""),
    "HOPBINE_STATS": ("file for statistics", ""),
    "HOPBINE_RENUMBER": ("1: treat ranks as numbered node by node", "0"),
    "HOPBINE_PERSISTENT": ("1: serve MPI_Alltoallv_init", "0"),
    "HOPBINE_CHOICE": ("count: choose by counting traffic; table: by ranks and size", "count"),
    "HOPBINE_SYSTEM": ("the machine: name, description or formula", "Slurm's topology, else node names only"),
    "HOPBINE_GROUP": ("this node's group", "what the machine's description says"),
    "HOPBINE_NODE": ("this node's name", "what MPI_Get_processor_name says"),
    "HOPBINE_SHAPE": ("the torus that the ranks are on", "a Cartesian communicator's, else one dimension"),
    "HOPBINE_NETWORK": ("what links carry", "what the machine's description says"),
    "HOPBINE_LIB": ("folder of the preload library", "inside the package"),
    "HOPBINE_MPIEXEC": ("launcher of hopbine bench", "mpiexec"),
}


def configure(parser) -> None:
    """No arguments."""


def run(args) -> int:
    """Prints what is in force."""
    from .. import INCLUDE_FOLDER, _core
    from ..bench.launch import FAMILIES
    from ._common import print_table
    from .run import library_folder

    folder = library_folder()
    print(f"hopbine {_core.version}, {len(_core.algorithms())} algorithms")
    print(f"libraries in {folder}")
    for library in ("preload", *FAMILIES):
        name = f"libhopbine_{library}.so"
        print(f"  {name:<24} {'there' if (folder / name).exists() else 'not built'}")
    print(f"headers in {INCLUDE_FOLDER}")
    rows = [[name, os.environ.get(name, default) or "-", "environment" if name in os.environ else "default", meaning]
            for name, (meaning, default) in SETTINGS.items()]
    print()
    print_table(["setting", "value", "source", "meaning"], rows)
    print("\nAn option of hopbine run goes before its variable, that before a rules file. What\nnobody asked for is chosen by counting "
          "(hopbine select explain) where there are several nodes with several ranks or\nseveral groups, else by the default table:\n")
    rows = [[c, f">= {ranks}", f">= {nodes}" if nodes > 1 else "any", f">= {each}" if each > 1 else "any", "any" if most > 2**60 else f"<= {most}", algorithm, why.removeprefix("default: ")]
            for c, ranks, nodes, each, most, algorithm, why in _core.default_rules()]
    print_table(["collective", "ranks", "nodes", "on a node", "bytes", "algorithm", "why"], rows)
    return 0
