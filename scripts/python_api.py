"""The Python API as a page: what the public modules name in __all__, from their sources."""

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from help_text import wrapped

#: Modules whose names are public, in the order of the page. All else may change without notice.
MODULES = (
    "hopbine",
    "hopbine.machines",
    "hopbine.allocations",
    "hopbine.simulation",
    "hopbine.model",
    "hopbine.errors",
)
WIDTH = 88  # of signatures
_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


def page() -> Iterator[str]:
    """The blocks of the page."""
    yield "# Python API"
    yield wrapped(
        "What Python programs may use. These names keep their meaning within a major version; "
        "all other modules are hopbine's own and may change. What is wrong with an argument or "
        "a file raises `UsageError`, a ValueError, whose message says what is allowed. Lists "
        "that a function takes may be any sequence."
    )
    told: set[int] = set()  # what an earlier module has as well
    for name in MODULES:
        yield from _of_module(importlib.import_module(name), told)


def _of_module(module: ModuleType, told: set[int]) -> Iterator[str]:
    yield f"## {module.__name__}"
    yield from _said(module, module.__name__)
    for name in module.__all__:
        value = inspect.unwrap(getattr(module, name))
        if id(value) in told:
            continue
        if inspect.isclass(value):
            yield from _of_class(module, name, value)
        elif inspect.isfunction(value):
            yield f"### {module.__name__}.{name}"
            yield _code(_signature(_tree(value)))
            yield from _said(value, name)
        else:
            yield f"### {module.__name__}.{name}"
            yield wrapped(_comment(module, name))
        if inspect.isclass(value) or inspect.isfunction(value):
            told.add(id(value))


def _said(value: Any, name: str) -> Iterator[str]:
    """The paragraphs of a docstring. ValueError without one."""
    text = inspect.getdoc(value) if not inspect.isclass(value) else inspect.cleandoc(value.__doc__)
    if not text:
        raise ValueError(f"{name} has no docstring")
    for paragraph in re.split(r"\n\s*\n", text):
        yield wrapped(" ".join(paragraph.split()))


def _tree(value: Any) -> Any:
    """The definition in the source."""
    return ast.parse(inspect.cleandoc("\n" + inspect.getsource(value))).body[0]


def _signature(tree: Any) -> str:
    """A function's head as it is written, over several lines where one is too long."""
    returns = f" -> {_type(tree.returns)}" if tree.returns else ""
    parts = list(_parameters(tree.args))
    line = f"{tree.name}({', '.join(parts)}){returns}"
    if len(line) <= WIDTH:
        return line
    return "\n".join([f"{tree.name}(", *(f"    {part}," for part in parts), f"){returns}"])


def _parameters(given: ast.arguments) -> Iterator[str]:
    """Each with its type and its default."""
    plain = [*given.posonlyargs, *given.args]
    defaults = [None] * (len(plain) - len(given.defaults)) + list(given.defaults)
    yield from map(_parameter, plain, defaults)
    if given.vararg or given.kwonlyargs:
        yield f"*{_parameter(given.vararg, None) if given.vararg else ''}"
    yield from map(_parameter, given.kwonlyargs, given.kw_defaults)
    if given.kwarg:
        yield f"**{_parameter(given.kwarg, None)}"


def _parameter(one: ast.arg, default: ast.expr | None) -> str:
    kind = f": {_type(one.annotation)}" if one.annotation else ""
    equals = " = " if kind else "="
    return f"{one.arg}{kind}{equals + _written(default) if default else ''}"


def _type(annotation: Any) -> str:
    """A type as it is written, without quotes around it."""
    quoted = isinstance(annotation, ast.Constant) and isinstance(annotation.value, str)
    return annotation.value if quoted else _written(annotation)


def _written(expression: Any) -> str:
    """An expression as the sources write it, with double quotes."""
    return re.sub(r"'([^'\"]*)'", r'"\1"', ast.unparse(expression))


def _code(text: str) -> str:
    return f"```python\n{text}\n```"


def _of_class(module: ModuleType, name: str, value: type) -> Iterator[str]:
    tree = _tree(value)
    bases = ", ".join(ast.unparse(base) for base in tree.bases)
    yield f"### {module.__name__}.{name}"
    fields = [line for node in tree.body for line in _field(node, value)]
    head = f"class {name}{f'({bases})' if bases else ''}"
    yield _code("\n".join([f"{head}:" if fields else head, *fields]))
    yield from _said(value, name)
    for node in tree.body:
        if isinstance(node, _FUNCTION) and not node.name.startswith("_"):
            kinds = {ast.unparse(d) for d in node.decorator_list}
            text = ast.get_docstring(node)
            if not text:
                raise ValueError(f"{name}.{node.name} has no docstring")
            if kinds & {"property", "cached_property"}:
                yield f"**{name}.{node.name}** -> {_type(node.returns)}"
            else:
                yield _code(f"{name}.{_without_self(node)}")
            yield from (wrapped(" ".join(p.split())) for p in re.split(r"\n\s*\n", text))


def _without_self(node: Any) -> str:
    kinds = {ast.unparse(d) for d in node.decorator_list}
    if "staticmethod" not in kinds:
        node.args.args = node.args.args[1:]
    return _signature(node)


def _field(node: Any, value: type) -> Iterator[str]:
    """A public field of a class, with the comment beside it."""
    if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name):
        return
    if node.target.id.startswith("_"):
        return
    line = inspect.cleandoc("\n" + inspect.getsource(value)).splitlines()[node.end_lineno - 1]
    comment = re.search(r"\s#: (.*)$", line)
    default = f" = {_written(node.value)}" if node.value else ""
    default = re.sub(r"^ = field\((default_factory=(dict|list))\)$", r" = \2()", default)
    default = "" if default.startswith(" = field(") else default
    about = f"  # {comment[1]}" if comment else ""
    yield f"    {node.target.id}: {_type(node.annotation)}{default}{about}"


def _comment(module: ModuleType, name: str) -> str:
    """The comment above a constant, or behind it."""
    for source in _sources(module):
        found = re.search(rf"((?:^ *#: .*\n)+) *{name}\b *[=:]", source, re.M)
        if found:
            return " ".join(line.strip().removeprefix("#: ") for line in found[1].splitlines())
    raise ValueError(f"{module.__name__}.{name} has no comment")


def _sources(module: ModuleType) -> Iterator[str]:
    """The text of a module, and those of the modules that it takes names from."""
    text = inspect.getsource(module)
    yield text
    for other in re.findall(r"^from \.(\w+) import", text, re.M):
        yield inspect.getsource(importlib.import_module(f"{module.__name__}.{other}"))
