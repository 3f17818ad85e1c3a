"""Machines of the node model: as described, or derived from what packets take."""

from dataclasses import replace

from hopbine.machines import Machine, load
from hopbine.machines.machine import Ranks


def described(name: str) -> Machine:
    """The machine, with speeds of ranks where its description has only costs of messages.

    As packets have them: both ends of a message pay the overhead, inside a node nothing else, and
    the packing of a block nothing but its copy. KeyError where it has no such costs.
    """
    machine = load(name)
    if machine.ranks is not None:
        return machine
    costs, links = machine.costs, machine.links
    ranks = Ranks(
        latency=2 * costs["overhead"],
        bandwidth=costs["rank_bandwidth"],
        overhead=costs["overhead"],
        pack=0,
        copy=costs["memory_bandwidth"],
    )
    node = replace(links["node"], latency=links["local"].latency)
    return replace(machine, ranks=ranks, links={**links, "node": node})
