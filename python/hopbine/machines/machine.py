"""What is known of a machine, and where it puts hosts."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, field

#: Topologies that have groups with scarce links between them, and those that have coordinates.
GROUPED = ("groups", "dragonfly", "dragonfly+", "fat tree")
ROUTED = ("torus", "hyperx")


@dataclass(frozen=True)
class Link:
    """Bandwidth in bytes/s each way, latency in s of a message, taper: what nodes can send over what the links carry. None: not described."""

    bandwidth: float | None = None
    latency: float | None = None
    taper: float | None = None


@dataclass(frozen=True)
class Places:
    """Where hosts are, one entry per host asked for (one rank each). Nodes are numbered in the order of their first appearance, groups index
    the machine's groups; coordinates are those of a torus or hyperx, else None."""

    node: list[int]
    group: list[int]
    coordinates: list[tuple[int, ...]] | None = None


@dataclass(frozen=True)
class Machine:
    """A machine: hosts (name -> index into groups), link classes node, local, global, and where the description was read."""

    name: str
    kind: str
    groups: list[str]
    hosts: dict[str, int] = field(repr=False)
    links: dict[str, Link] = field(default_factory=dict)
    shape: tuple[int, ...] | None = None
    pattern: str | None = None  #: makes a host's name of its number
    source: str = ""
    note: str = ""

    def find(self, host: str) -> str:
        """The machine's name of a host that may be given with its domain or as a bare number. ValueError names the nearest known."""
        for name in (host, host.partition(".")[0], self.pattern.format(int(host)) if self.pattern and host.isascii() and host.isdecimal() and len(host) < 19 else host):
            if name in self.hosts:
                return name
        near = difflib.get_close_matches(host, self.hosts, n=1, cutoff=0) if len(self.hosts) < 20_000 else list(self.hosts)[:1]
        raise ValueError(f"host '{host}' is not one of {self.name}'s {len(self.hosts):,} ({self.source}); the nearest known is {near[0] if near else 'none'}")

    def place(self, hosts: Sequence[str]) -> Places:
        """Where `hosts` are. ValueError for an unknown one, or when there are none."""
        if not hosts:
            raise ValueError("an allocation without hosts cannot be placed")
        names = [h if h in self.hosts else self.find(h) for h in hosts]
        number: dict[str, int] = {}
        node = [number.setdefault(n, len(number)) for n in names]
        coordinates = None
        if self.shape:
            index = {name: i for i, name in enumerate(self.hosts)}
            coordinates = [self._coordinates(index[n]) for n in names]
        return Places(node, [self.hosts[n] for n in names], coordinates)

    def _coordinates(self, index: int) -> tuple[int, ...]:
        out = []
        for extent in reversed(self.shape):
            index, c = divmod(index, extent)
            out.append(c)
        return tuple(reversed(out))

    def network(self) -> str:
        """What the description says of links, as the runtime reads it (HOPBINE_NETWORK); empty when it says nothing."""
        node, local, far = (self.links.get(c, Link()) for c in ("node", "local", "global"))
        said = {"node_bandwidth": node.bandwidth, "taper": far.taper, "node_latency": node.latency, "local_latency": local.latency,
                "global_latency": far.latency}
        return ":".join(f"{k}={v:.6g}" for k, v in said.items() if v)


def from_hosts(hosts: Sequence[str]) -> Machine:
    """Nothing is known but the hosts: each is a group of its own."""
    distinct = list(dict.fromkeys(hosts))
    return Machine("nodes only", "groups", distinct, {h: i for i, h in enumerate(distinct)}, source="no description")
