"""Machines from what ibnetdiscover prints of an InfiniBand network (man 8 ibnetdiscover).

Switches that hosts are plugged into are on tier 1, their neighbours on tier 2, and so on. Groups
are what falls apart where the network is cut: in a dragonfly+ the links between switches of the top
tier are cut, in a fat tree the switches of the top tier, then those of the next.
"""

import re
from dataclasses import dataclass, field

from ..errors import UsageError, warn
from ..notation.text import many, short
from .machine import Machine

#: A node of the network: Switch or Ca, ports, and "S-GUID" or "H-GUID"; then its description.
_NODE = re.compile(r'(Switch|Ca|Rt)\s+\d+\s+"([SHR]-[0-9a-fA-F]+)"\s*(?:#\s*"([^"]*)")?')
#: A link of the node before: [PORT](GUID) "S-GUID"[PORT]...
_LINK = re.compile(r'\[\d+\](?:\[[^\]]*\])?(?:\([0-9a-fA-F]+\))?\s+"([SHR]-[0-9a-fA-F]+)"\[\d+\]')
#: After a host's name, what rdma-ndd and drivers write of the adapter.
_ADAPTER = re.compile(r"(HCA-?\d*|(mlx|hfi|qib|ib|irdma|bnxt|mthca|cxgb)\w*)?$", re.I)
#: Adapters inside switches, for reductions.
_IN_SWITCH = re.compile(r"aggregation node", re.I)


@dataclass
class _Network:
    """Switches and their neighbours, and the switches of each host in the order of the file."""

    links: dict[str, set[str]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    hosts: dict[str, list[str]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    adapters: dict[str, str] = field(default_factory=dict)  #: the host of each; empty: not told

    def add(self, guid: str, kind: str, description: str, line: int) -> None:
        """A switch, or the adapter of a host."""
        if kind == "Switch":
            self.links.setdefault(guid, set())
            self.names[guid] = description or guid
        elif kind == "Ca" and not _IN_SWITCH.search(description):
            host = self.adapters[guid] = _host(description)
            self.lines.setdefault(host, line)

    def connect(self, guid: str, other: str) -> None:
        """A link of a switch or an adapter that was added; to an adapter its own lines tell it."""
        if not other.startswith("S-"):
            return
        self.links.setdefault(other, set())
        if guid in self.links:
            self.links[guid].add(other)
            self.links[other].add(guid)
        elif self.adapters.get(guid):
            self.hosts.setdefault(self.adapters[guid], []).append(other)


def looks_like(text: str) -> bool:
    """Whether a line describes a switch or an adapter of such a network."""
    return re.search(r'^(Switch|Ca)\s+\d+\s+"[SH]-[0-9a-fA-F]+"', text, re.M) is not None


def parse(text: str, source: str, level: int | None = None) -> Machine:
    """Machine whose groups are what the cut of a level leaves; 0 is the whole network.

    The default is the first cut that divides the hosts. UsageError names file and line.
    """
    network = _read(text, source)
    cuts = _cuts(network)
    if level is not None and not 0 <= level < len(cuts):
        raise UsageError(
            f"{source}: --level {level}: the network has the levels 0 to {len(cuts) - 1}"
        )
    part = cuts[min(1, len(cuts) - 1) if level is None else level]
    groups: dict[str, int] = {}
    hosts = {
        host: groups.setdefault(part[switches[0]], len(groups))
        for host, switches in network.hosts.items()
    }
    _warn_of_rails(network, part, source)
    return Machine(source, "groups", list(groups), hosts, source=source)


def _read(text: str, source: str) -> _Network:
    """The switches and hosts of the text. UsageError names file and line."""
    network, at = _Network(), ""
    for n, row in enumerate(text.splitlines(), 1):
        if m := _NODE.match(row):
            at = m[2]
            network.add(at, m[1], m[3] or "", n)
        elif at and (m := _LINK.match(row)):
            network.connect(at, m[1])
    nameless = network.lines.get("")
    if nameless:
        raise UsageError(
            f"{source}:{nameless}: the description of this adapter names no host (so it is with "
            f"{list(network.adapters.values()).count('')}); let rdma-ndd describe nodes, or call "
            "ibnetdiscover --node-name-map"
        )
    if not network.hosts:
        raise UsageError(f"{source}: has no host (Ca) that is plugged into a switch")
    return network


def _host(description: str) -> str:
    """The host of an adapter by its description: 'node1 HCA-1', 'node1 mlx5_0'; empty: none."""
    name, _, rest = description.strip().partition(" ")
    named = re.fullmatch(r"[A-Za-z0-9][\w.-]*", name) and _ADAPTER.match(rest.strip())
    return name if named else ""


def _cuts(network: _Network) -> list[dict[str, str]]:
    """The part of each switch, by the part's name, for each cut that divides the hosts further."""
    tiers = _tiers(network)
    cuts = [_parts(network, network.links)]
    for tier in range(max(tiers.values()), 0, -1):
        # first the links inside the top tier, then that tier itself, unless hosts are on it
        for highest in (tier, tier - 1) if tier > 1 else (tier,):
            cut = _parts(network, _below(network, tiers, highest, tier))
            if _number(network, cut) > _number(network, cuts[-1]):
                cuts.append(cut)
    return cuts


def _below(
    network: _Network, tiers: dict[str, int], highest: int, tier: int
) -> dict[str, set[str]]:
    """Switches up to the highest tier that stays, and their links that have an end below `tier`."""
    return {
        name: {o for o in links if tiers[o] <= highest and min(tiers[name], tiers[o]) < tier}
        for name, links in network.links.items()
        if tiers[name] <= highest
    }


def _number(network: _Network, part: dict[str, str]) -> int:
    """Parts that have hosts."""
    return len({part[switches[0]] for switches in network.hosts.values()})


def _tiers(network: _Network) -> dict[str, int]:
    """Tier of every switch: 1 where hosts are, and one more with each link further away."""
    edge = {switch for switches in network.hosts.values() for switch in switches}
    tiers, tier = dict.fromkeys(edge, 1), 1
    while edge:
        tier += 1
        edge = {other for name in edge for other in network.links[name] if other not in tiers}
        tiers |= dict.fromkeys(edge, tier)
    return tiers | {name: tier for name in network.links if name not in tiers}


def _parts(network: _Network, links: dict[str, set[str]]) -> dict[str, str]:
    """The connected part of each switch, called by the switch that comes first in the file."""
    part: dict[str, str] = {}
    named: set[str] = set()
    for first in links:
        if first in part:
            continue
        found, edge = {first}, {first}
        while edge:
            edge = {other for name in edge for other in links[name]} - found
            found |= edge
        name = network.names.get(first, first)
        if name in named:  # descriptions of switches may be alike
            name = f"{name} {first}"
        named.add(name)
        part |= dict.fromkeys(found, name)
    return part


def _warn_of_rails(network: _Network, part: dict[str, str], source: str) -> None:
    """Warns of hosts that are plugged into several groups, as those with two rails are."""
    rails = {
        host: list(dict.fromkeys(part[switch] for switch in switches))
        for host, switches in network.hosts.items()
    }
    several = [host for host, groups in rails.items() if len(groups) > 1]
    if several:
        first = several[0]
        warn(
            f"{source}:{network.lines[first]}: host '{short(first)}' is in "
            f"{' and '.join(repr(group) for group in rails[first])}; the first counts"
            + (f"; so it is with {many(len(several) - 1, 'other host')}" if several[1:] else "")
        )
