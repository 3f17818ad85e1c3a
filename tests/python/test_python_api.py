"""The page of the Python API has all that is public, and all that is public says what it is."""

import ast
import importlib
import inspect
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import python_api  # noqa: E402

PAGE = (ROOT / "docs/reference/python-api.md").read_text()
NAMES = [(m, name) for m in python_api.MODULES for name in importlib.import_module(m).__all__]


def members(value: object) -> Iterator[tuple[str, object]]:
    """The public methods and properties of a class, without those of its bases."""
    for name, member in vars(value).items() if inspect.isclass(value) else ():
        if not name.startswith("_") and (callable(member) or hasattr(member, "__get__")):
            inner = getattr(member, "__func__", getattr(member, "fget", None))
            inner = inner or getattr(member, "func", member)
            if inspect.isfunction(inner):
                yield name, inner


@pytest.mark.parametrize(("module", "name"), NAMES)
def test_a_public_name_is_on_the_page_and_says_what_it_is(module, name):
    value = getattr(importlib.import_module(module), name)
    at = [f"### {other}.{name}\n" for other, same in NAMES if same == name]
    assert sum(PAGE.count(heading) for heading in at) == 1
    if callable(value):
        assert value.__doc__
        assert not re.match(r"\w+\(.*\)$", value.__doc__), "dataclass has made this text"
    for member, function in members(value):
        assert function.__doc__, f"{name}.{member}"
        assert f"{name}.{member}" in PAGE


def imported(code: str) -> Iterator[tuple[str, str]]:
    """What of hopbine a program imports or uses: module and name."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "hopbine":
            yield from ((node.module, alias.name) for alias in node.names)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "hopbine":
            yield "hopbine", node.attr


def test_examples_use_public_names_only():
    codes = [
        code
        for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"))
        if page.parent.name != "reference"
        for code in re.findall(r"^```python\n(.*?)^```", page.read_text(), re.M | re.S)
    ]
    for notebook in (ROOT / "examples").glob("*.ipynb"):
        cells = json.loads(notebook.read_text())["cells"]
        codes += ["".join(c["source"]) for c in cells if c["cell_type"] == "code"]
    used = {use for code in codes for use in imported(code)}
    assert len(used) > 5
    assert {(m, n) for m, n in used if f"{m}.{n}" not in python_api.MODULES} <= set(NAMES)


def test_a_name_without_a_text_is_refused():
    def silent():
        pass

    with pytest.raises(ValueError, match="silent has no docstring"):
        list(python_api._said(silent, "silent"))
