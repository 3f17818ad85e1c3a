"""Networks by packets: a topology with a machine's links and costs of messages, or its own."""

from hopbine.allocations import generate
from hopbine.machines import Machine
from hopbine.simulation import Setup
from hopbine.simulation.on_machine import MachineNetwork
from hopbine.simulation.setup import place_many


def on_topology(
    machine: Machine, topology: str, ranks: int, per_node: int, place: str | None = None
) -> Setup:
    """Consecutive ranks on the nodes of a topology, placed as --place says."""
    bandwidth = machine.costs.get("port_bandwidth", machine.links["node"].bandwidth)
    assert bandwidth is not None
    at = place_many(place, topology, ranks, per_node, 1)
    costs = MachineNetwork(machine).costs(Setup.cable, Setup.router)
    return Setup(topology, at, bandwidth, engine="packet", costs=costs)


def generated(machine: Machine, hosts: str, per_node: int) -> Setup:
    """Ranks of a generated job, 'fragmented:64:seed=1', on the machine's network."""
    network = MachineNetwork(machine)
    at = network.nodes(generate(hosts, network.part).hosts)
    return network.setup(tuple(node for node in at for _ in range(per_node)))
