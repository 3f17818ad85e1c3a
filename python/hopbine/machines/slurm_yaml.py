"""Slurm's topology.yaml (Slurm 25.05 and newer; man 5 topology.yaml).

A list of topologies. Each has a name, at most one is the cluster's default, and each is one of
tree, block and flat.
"""

import re

from ..errors import UsageError
from .slurm_tree import Switch
from .yaml_lines import Node, parse

#: Keys of a topology: its name, whether it is the cluster's default, and one for its kind.
_KINDS = ("tree", "block", "flat")
_KEYS = ("topology", "cluster_default", *_KINDS)
#: By kind: the key of the list, then keys of its entries; the first is the name.
_LISTS = {
    "tree": ("switches", ("switch", "children", "nodes")),
    "block": ("blocks", ("block", "nodes")),
}
_TOP = re.compile(r"^\s*-\s+topology\s*:", re.M)


class Flat(UsageError):
    """The cluster's default topology is flat: a valid one, without groups."""


def looks_like(text: str) -> bool:
    """Whether the text is a list of topologies."""
    return _TOP.search(text) is not None


def switches(text: str, source: str) -> dict[str, Switch]:
    """The switches of the tree, or the blocks, of the topology that is the cluster's default.

    UsageError names file and line; Flat where there are no groups.
    """
    topology = _default(parse(text, source), source)
    kind = next(k for k in _KINDS if k in topology.value)
    if kind == "flat":
        raise Flat(
            f"{source}:{topology.line}: the topology is flat, which has no groups; allowed are "
            "tree and block"
        )
    key, fields = _LISTS[kind]
    entries = _mapping(topology.value[kind], source, (key, "block_sizes")).get(key)
    if entries is None or not isinstance(entries.value, list):
        raise UsageError(f"{source}:{topology.line}: {kind} needs a list '{key}:'")
    out: dict[str, Switch] = {}
    for entry in entries.value:
        given = {k: _text(v, source) for k, v in _mapping(entry, source, fields).items()}
        name = given.get(fields[0], "")
        if not name:
            raise UsageError(
                f"{source}:{entry.line}: has no name; allowed is '- {fields[0]}: NAME'"
            )
        if name in out:
            raise UsageError(
                f"{source}:{entry.line}: {fields[0]} '{name}' is described again (first in line "
                f"{out[name].line})"
            )
        out[name] = Switch(entry.line, given.get("nodes", ""), given.get("children", ""))
    return out


def _default(document: Node, source: str) -> Node:
    """The cluster's default topology, or the only one."""
    topologies: list[Node] = document.value if isinstance(document.value, list) else []
    names: dict[str, Node] = {}
    for one in topologies:
        fields = _mapping(one, source, _KEYS)
        kinds = [k for k in _KINDS if k in fields]
        if "topology" not in fields or len(kinds) != 1:
            raise UsageError(
                f"{source}:{one.line}: a topology needs the key 'topology' and one of "
                f"{', '.join(_KINDS)}"
            )
        names[_text(fields["topology"], source)] = one
        default = fields.get("cluster_default")
        if default and _text(default, source).lower() in ("true", "yes", "on"):
            return one
    if len(names) != 1:
        raise UsageError(
            f"{source}: has the topologies {', '.join(names) or '(none)'}, and none of them has "
            "'cluster_default: true'"
        )
    return next(iter(names.values()))


def _mapping(node: Node, source: str, keys: tuple[str, ...]) -> dict[str, Node]:
    if not isinstance(node.value, dict):
        raise UsageError(f"{source}:{node.line}: keys are needed here: {', '.join(keys)}")
    fields: dict[str, Node] = node.value
    for key, value in fields.items():
        if key not in keys:
            raise UsageError(
                f"{source}:{value.line}: unknown key '{key[:60]}' (known: {', '.join(keys)})"
            )
    return fields


def _text(node: Node, source: str) -> str:
    if not isinstance(node.value, str):
        raise UsageError(f"{source}:{node.line}: plain text is needed here, not keys or a list")
    return node.value
