"""A machine's network, link by link, with the hosts of a job on it."""

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property

from .. import _core
from ..errors import UsageError
from ..machines import Machine
from ..machines.messages import costs_of
from .setup import Setup


@dataclass(frozen=True)
class MachineNetwork:
    """The network that a description tells. UsageError where it does not."""

    machine: Machine

    @cached_property
    def text(self) -> str:
        """As --topology has it."""
        if self.machine.topology:
            return self.machine.topology
        if self.machine.shape:
            return f"{self.machine.kind}:{'x'.join(map(str, self.machine.shape))}"
        raise UsageError(
            f"{self.machine.name} ({self.machine.source}) does not say how its switches are "
            "linked: it needs topology (docs/machines.md; hopbine simulate also takes "
            "--topology)"
        )

    @cached_property
    def network(self) -> _core.Topology:
        """The links and routes."""
        network = _core.Topology(self.text)
        _core.check_cards(network, self.cards)
        return network

    @property
    def cards(self) -> int:
        """Network cards of a node, each of which is an end point."""
        return self.machine.cards

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Number of every host on the network: groups one after the other, filled in order.

        Hosts of groups that the network lacks, or beyond the places of theirs, have none.
        """
        seen: Counter[int] = Counter()
        each, out = self.network.group_nodes // self.cards, {}
        if self.machine.shape:
            return {host: i for i, host in enumerate(self.machine.hosts)}
        for host, group in self.machine.hosts.items():
            number = group * each + seen[group]
            if seen[group] < each and number < self.network.nodes // self.cards:
                out[host] = number
            seen[group] += 1
        return out

    @cached_property
    def part(self) -> Machine:
        """The machine with the hosts only that are on the network."""
        return replace(
            self.machine,
            hosts={h: g for h, g in self.machine.hosts.items() if h in self.numbers},
        )

    def nodes(self, hosts: tuple[str, ...]) -> tuple[int, ...]:
        """Node of every rank, whose hosts are these. UsageError."""
        found = {host: self.machine.find(host) for host in dict.fromkeys(hosts)}
        for host in found.values():
            if host not in self.numbers:
                raise UsageError(
                    f"host '{host}' of {self.machine.name} is not on its network {self.text}, "
                    f"which has {len(self.numbers):,} of its {len(self.machine.hosts):,} hosts"
                )
        return tuple(self.numbers[found[host]] for host in hosts)

    @property
    def bandwidth(self) -> float:
        """Bandwidth of a link: of one of a node's cards, or ports. UsageError."""
        node, port = self.machine.links.get("node"), self.machine.costs.get("port_bandwidth")
        if self.network.switches == 0 and port is not None:
            return port
        if node is None or node.bandwidth is None:
            raise UsageError(
                f"{self.machine.name} ({self.machine.source}) does not say the bandwidth of a "
                "node: it needs bandwidth in [links.node] (hopbine simulate also takes --bandwidth)"
            )
        return node.bandwidth / (self.cards if self.network.switches else self.network.ports)

    def costs(self, cable: float, router: float) -> dict[str, float]:
        """What a message costs, by the keys of [messages]."""
        return costs_of(self.machine, 3 * cable + 2 * router)

    def setup(
        self,
        at: tuple[int, ...],
        bandwidth: float | None = None,
        cable: float = Setup.cable,
        router: float = Setup.router,
        engine: str = "packet",
    ) -> Setup:
        """Ranks at these places of `nodes`, on links as fast as described where not given.

        UsageError when the machine does not say how fast.
        """
        return Setup(
            self.text,
            at,
            self.bandwidth if bandwidth is None else bandwidth,
            cable,
            router,
            engine,
            cards=self.cards,
            costs=self.costs(cable, router),
        )
