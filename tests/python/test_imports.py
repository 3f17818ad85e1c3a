"""Imports inside the package: modules and packages depend on others one way."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import hopbine

FOLDER = Path(hopbine.__file__).parent


def modules() -> dict[str, Path]:
    """Every module, by the name that it is imported by."""
    found = {}
    for file in FOLDER.rglob("*.py"):
        parts = file.relative_to(FOLDER.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


MODULES = modules()


def imported(name: str) -> set[str]:
    """Modules of hopbine that a module imports when it is imported itself."""
    tree = ast.parse(MODULES[name].read_text())
    package = name if MODULES[name].name == "__init__.py" else name.rpartition(".")[0]
    found = set()
    for node in tree.body:  # not what functions import, or what only mypy reads
        if isinstance(node, ast.ImportFrom) and node.level:
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            whole = ".".join([*above, *filter(None, [node.module])])
            for one in (f"{whole}.{alias.name}" for alias in node.names):
                found.add(one if one in MODULES else whole)
    return found & MODULES.keys()


def test_modules_are_imported_one_way():
    graph = {name: imported(name) for name in MODULES}
    assert sum(map(len, graph.values())) > 200
    assert len(list(TopologicalSorter(graph).static_order())) == len(MODULES)


def test_packages_are_imported_one_way():
    def room(name: str) -> str:
        return ".".join(name.split(".")[:2])

    graph: dict[str, set[str]] = {}
    for name in MODULES:
        inside = graph.setdefault(room(name), set())
        inside |= {room(other) for other in imported(name)} - {room(name), "hopbine"}
    assert graph["hopbine.recorded"]
    list(TopologicalSorter(graph).static_order())
