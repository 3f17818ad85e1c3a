"""Machines as the figures of docs/papers were simulated on them."""

from dataclasses import replace

from hopbine import machines
from hopbine.machines import Machine

#: Costs that figures were made with where systems/ has learned others since; None: there were none.
#: Bytes/s, and seconds.
BEFORE = {
    "fugaku": {
        "rank_bandwidth": 28e9,
        "memory_bandwidth": 256e9,
        "port_overhead": None,
        "pack": None,
    }
}


def load(name: str) -> Machine:
    """The machine of this name, with the costs that it had when the figures were made."""
    machine = machines.load(name)
    costs = machine.costs | BEFORE.get(name, {})
    return replace(machine, costs={key: cost for key, cost in costs.items() if cost is not None})
