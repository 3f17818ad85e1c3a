"""Machines, and the places of hosts on them."""

import bisect
import difflib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ..errors import UsageError

#: Topologies that have groups with scarce links between them, and those that have coordinates.
GROUPED = ("groups", "dragonfly", "dragonfly+", "fat tree")
ROUTED = ("torus", "hyperx")
#: Keys of HOPBINE_NETWORK that the classes of links give: class and what of it.
NETWORK_OF_LINKS = {
    "node_bandwidth": ("node", "bandwidth"),
    "taper": ("global", "taper"),
    "node_latency": ("node", "latency"),
    "local_latency": ("local", "latency"),
    "global_latency": ("global", "latency"),
}


#: Messages of a rank in flight together reach at most so many times the bandwidth of one: 2 on
#: Leonardo, whose nodes have two cards, 1.4 on LUMI, which has four (docs/choice.md).
MOST_TOGETHER = 2


@dataclass(frozen=True)
class Link:
    """Bandwidth in bytes/s each way, latency of a message in s, and taper of a class of links.

    Taper is what nodes can send over what the links carry. None: not described.
    """

    bandwidth: float | None = None
    latency: float | None = None
    taper: float | None = None


@dataclass(frozen=True)
class Ranks:
    """Costs of the ranks of a node, in seconds and bytes per second."""

    latency: float  #: of a message inside a node
    bandwidth: float  #: of a rank's messages inside a node
    overhead: float  #: of every further message of a rank in flight
    pack: float  #: to put a block into a message, or take it out
    copy: float  #: bytes that are put into messages, or taken out


@dataclass(frozen=True)
class Places:
    """Places of hosts, one entry per host in the list (one rank each).

    Nodes are numbered in the order of their first appearance, groups index the machine's groups;
    coordinates are those of a torus or hyperx, else None.
    """

    node: list[int]
    group: list[int]
    coordinates: list[tuple[int, ...]] | None = None


@dataclass(frozen=True)
class Machine:
    """Machine: its hosts, their groups, and its classes of links.

    hosts: name -> index into groups; the classes are node, local and global; source is where the
    description was read.
    """

    name: str
    kind: str
    groups: list[str]
    hosts: dict[str, int] = field(repr=False)
    links: dict[str, Link] = field(default_factory=dict)
    shape: tuple[int, ...] | None = None
    pattern: str | None = None  #: makes a host's name of its number
    source: str = ""
    note: str = ""
    ranks: Ranks | None = None  #: None: not described
    costs: dict[str, float] = field(default_factory=dict)  #: further keys of HOPBINE_NETWORK
    topology: str | None = None  #: links and switches, as hopbine simulate --topology has them
    cards: int = 1  #: network cards of a node
    messages: dict[str, float] = field(default_factory=dict)  #: [messages], by key
    unknown: str = ""  #: what no source of the description tells
    facts: str = ""  #: where the facts of the description come from

    def find(self, host: str) -> str:
        """Name of a host that may be given with its domain, in capitals or as a bare number.

        UsageError names the nearest known host.
        """
        name = self._known(host)
        if name is None:
            raise UsageError(self._unknown([host], 1))
        return name

    def place(self, hosts: Sequence[str]) -> Places:
        """Places of `hosts`. UsageError for unknown ones, or when there are none."""
        if not hosts:
            raise UsageError("an allocation without hosts cannot be placed")
        found = {h: h if h in self.hosts else self._known(h) for h in dict.fromkeys(hosts)}
        names = {h: name for h, name in found.items() if name is not None}
        if len(names) < len(found):
            raise UsageError(self._unknown([h for h in found if h not in names], len(found)))
        if len(set(names.values())) < len(names):
            self._refuse_two_of_a_name(names)
        number: dict[str, int] = {}
        node = [number.setdefault(names[h], len(number)) for h in hosts]
        coordinates = (
            [self._coordinates(self._index[names[h]]) for h in hosts] if self.shape else None
        )
        return Places(node, [self.hosts[names[h]] for h in hosts], coordinates)

    def _known(self, host: str) -> str | None:
        numbered = host.isascii() and host.isdecimal() and len(host) < 19
        for name in (
            host,
            _label(host),
            self.pattern.format(int(host)) if self.pattern and numbered else host,
        ):
            if name in self.hosts:
                return name
        # Names of hosts have no case (RFC 1123), and the description may be the one with domains.
        alike = self._labels.get(_label(host).lower(), [])
        whole = [name for name in alike if name.lower() == host.lower()]
        same = whole or [name for name in alike if "." not in name or "." not in host]
        return same[0] if len(same) == 1 else None

    @cached_property
    def _labels(self) -> dict[str, list[str]]:
        """Hosts by the first label of their names, in lower case."""
        out: dict[str, list[str]] = {}
        for name in self.hosts:
            out.setdefault(_label(name).lower(), []).append(name)
        return out

    def _refuse_two_of_a_name(self, names: dict[str, str]) -> None:
        """UsageError where hosts of two domains would be one host of the machine."""
        first: dict[str, str] = {}
        for given, name in names.items():
            other = first.setdefault(name, given)
            if given.count(".") and other.count(".") and given.lower() != other.lower():
                raise UsageError(
                    f"hosts '{other}' and '{given}' would both be '{name}' of {self.name} "
                    f"({self.source}), which has no domains: list them there by their whole names"
                )

    def _unknown(self, hosts: list[str], of: int) -> str:
        """Message about unknown `hosts` among `of` different ones."""
        near = difflib.get_close_matches(hosts[0], self._around(hosts[0]), n=1, cutoff=0)
        one = (
            f"host '{hosts[0]}' is not one of {self.name}'s {len(self.hosts):,} ({self.source}); "
            f"the nearest known is {near[0] if near else 'none'}"
        )
        if len(hosts) == 1:
            return one
        more = f" and {len(hosts) - 3:,} more" if len(hosts) > 3 else ""
        return (
            f"{one}; nor are {', '.join(repr(h) for h in hosts[1:3])}{more} ({len(hosts):,} "
            f"unknown of {of:,})"
        )

    def _around(self, host: str) -> list[str]:
        """Hosts near `host` in alphabetical order, at most 128.

        Comparing with every host takes a tenth of a second on a large machine, and many jobs may
        have unknown hosts.
        """
        at = bisect.bisect(self._sorted, host)
        return self._sorted[max(0, at - 64) : at + 64]

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(self.hosts)

    @cached_property
    def _index(self) -> dict[str, int]:
        """Number of each host in the machine's order.

        Cached, because 100,000 jobs may be placed on a torus of 100,000 nodes.
        """
        return {name: i for i, name in enumerate(self.hosts)}

    def _coordinates(self, index: int) -> tuple[int, ...]:
        out = []
        for extent in reversed(self.shape or ()):
            index, c = divmod(index, extent)
            out.append(c)
        return tuple(reversed(out))

    def network(self) -> str:
        """Links as the runtime reads them (HOPBINE_NETWORK); empty without a description."""
        said = {
            key: getattr(self.links.get(of, Link()), what)
            for key, (of, what) in NETWORK_OF_LINKS.items()
        } | self.costs
        if self.cards > 1:
            said["cards"] = min(self.cards, MOST_TOGETHER)
        return ":".join(f"{k}={v:.6g}" for k, v in said.items() if v)

    def settings(self) -> dict[str, str]:
        """What the runtime needs besides the groups."""
        out = {"HOPBINE_NETWORK": self.network()}
        if self.shape:
            out["HOPBINE_SHAPE"] = "x".join(map(str, self.shape))
        return {name: value for name, value in out.items() if value}


def _label(host: str) -> str:
    """Name without its domain; an address is its own name."""
    return host if host.replace(".", "").isdecimal() else host.partition(".")[0]


def from_hosts(hosts: Sequence[str]) -> Machine:
    """Machine of which only the hosts are known: each is a separate group."""
    distinct = list(dict.fromkeys(hosts))
    return Machine(
        "nodes only",
        "groups",
        distinct,
        {h: i for i, h in enumerate(distinct)},
        source="no description",
    )
