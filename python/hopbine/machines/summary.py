"""What a description says, and what it leaves open: rows of `hopbine machine check`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..notation.units import show_rate, show_time
from .machine import GROUPED, Machine

#: Keys of a row: a fact or a group; what is said; its value; how many nodes; what that means.
KEYS = ("kind", "name", "value", "nodes", "meaning")
#: What follows where a description does not have it.
WITHOUT = {
    "links.node.bandwidth": "the choice takes its default; hopbine simulate asks for --bandwidth",
    "links.global.taper": "links between groups count as wide as those inside",
    "topology": "hopbine simulate asks for --topology",
    "source": "nobody can tell where the facts come from",
    "note": "nothing is said to be simplified",
    "unknown": "nothing is said to be unknown",
}
_SHOWN: dict[str, Callable[[float], str]] = {
    "bandwidth": show_rate,
    "latency": show_time,
    "taper": str,
}


def rows(machine: Machine) -> list[dict[str, Any]]:
    """A row for every fact, those that are not described included, then one for every group."""
    return [*(_row("fact", *fact) for fact in _facts(machine)), *groups(machine)]


def groups(machine: Machine) -> list[dict[str, Any]]:
    """A row for every group, with its hosts as a list that --hosts takes."""
    from ClusterShell.NodeSet import RESOLVER_NOGROUP, NodeSet

    members: dict[int, list[str]] = {}
    for host, group in machine.hosts.items():
        members.setdefault(group, []).append(host)
    return [
        _row("group", name, str(NodeSet.fromlist(hosts, resolver=RESOLVER_NOGROUP)))
        | {"nodes": len(hosts)}
        for name, hosts in ((name, members.get(g, [])) for g, name in enumerate(machine.groups))
    ]


def _row(kind: str, name: str, value: str | None) -> dict[str, Any]:
    meaning = WITHOUT.get(name) if value is None else None
    return dict.fromkeys(KEYS) | {"kind": kind, "name": name, "value": value, "meaning": meaning}


def _facts(machine: Machine) -> list[tuple[str, str | None]]:
    """Names and values; None where the description says nothing."""
    hosts = list(machine.hosts)
    facts: list[tuple[str, str | None]] = [
        ("name", machine.name),
        ("kind", machine.kind),
        ("read from", machine.source),
        ("nodes", f"{len(hosts):,}, {hosts[0]} to {hosts[-1]}"),
        ("shape", "x".join(map(str, machine.shape)))
        if machine.shape
        else ("groups", f"{len(machine.groups):,}"),
    ]
    for of, link in machine.links.items():
        said = ((what, getattr(link, what)) for what in _SHOWN)
        facts += [
            (f"links.{of}.{what}", _SHOWN[what](value)) for what, value in said if value is not None
        ]
    facts += [(f"costs.{key}", f"{value:.4g}") for key, value in machine.costs.items()]
    facts += [(f"messages.{key}", f"{value:.4g}") for key, value in machine.messages.items()]
    texts = {
        "topology": machine.topology,
        "source": machine.facts,
        "note": machine.note,
        "unknown": machine.unknown,
    }
    facts += [(name, text) for name, text in texts.items() if text]
    told = {name for name, _ in facts} | (set() if machine.kind in GROUPED else {"topology"})
    needless = set() if machine.kind in GROUPED else {"links.global.taper", "topology"}
    return [*facts, *((name, None) for name in WITHOUT if name not in told | needless)]
