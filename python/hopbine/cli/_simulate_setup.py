"""hopbine simulate: the network, the nodes of the ranks and what else is simulated."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import UsageError

if TYPE_CHECKING:
    from ..simulation.on_machine import MachineNetwork
    from ..simulation.setup import Setup

#: Options that mean something by packets only.
_OF_PACKETS = (
    *("trains", "seed", "routing", "buffers", "ranks_per_node", "cards", "messages"),
    *("background", "background_jobs", "background_busy"),
    *("aggressor", "aggressor_size", "aggressor_period", "aggressor_nodes", "calls"),
)
_BANDWIDTH = "400Gb/s"
#: Ranks up to which packets are the default: seconds for most algorithms. In an alltoall every rank
#: sends to every other one.
_AFFORDABLE, _AFFORDABLE_ALLTOALL = 4096, 512


def setup_of(args: argparse.Namespace) -> Setup:
    """The network and ranks of the arguments. UsageError."""
    engine = args.engine or "packet"
    _only_by_packets(args, engine)
    base = _on_topology(args, engine) if args.topology else _on_machine(args, engine)
    if not args.engine and not _affordable(args, base):
        base = replace(base, engine="flow")
    if base.engine != "packet":
        return base
    _counted(args, base)
    from ..machines.messages import parse_costs
    from ._simulate_others import others_of

    told = parse_costs(args.messages) if args.messages else {}
    seed = within("seed", args.seed, 0, 2**63 - 1, base.seed)
    return replace(
        base,
        trains=within("trains", args.trains, 1, 65535, base.trains),
        seed=seed,
        routing=args.routing or base.routing,
        buffers=_buffers(args.buffers) if args.buffers else base.buffers,
        costs={**base.costs, **told},
        background=others_of(args, base, seed),
        calls=args.calls or base.calls,
    )


def _buffers(text: str) -> int:
    """--buffers. UsageError."""
    from ..notation.units import parse_size

    try:
        size = parse_size(text)
    except UsageError as error:
        raise UsageError(f"--buffers: {error}") from None
    if size < 1:
        raise UsageError(f"--buffers {text}: a buffer has at least 1 byte")
    return size


def _affordable(args: argparse.Namespace, setup: Setup) -> bool:
    """Whether packets are the default: they are on machines, and for options of theirs."""
    alltoall = args.collective.startswith("alltoall")
    told = any(getattr(args, name) is not None for name in (*_OF_PACKETS, "machine"))
    return told or len(setup.nodes) <= (_AFFORDABLE_ALLTOALL if alltoall else _AFFORDABLE)


def _only_by_packets(args: argparse.Namespace, engine: str) -> None:
    """UsageError for options that another engine does not know."""
    for name in (*_OF_PACKETS, "machine") if engine != "packet" else ():
        if getattr(args, name) is not None:
            option = name.replace("_", "-")
            raise UsageError(f"--{option} is for --engine packet, not for --engine {engine}")


def _counted(args: argparse.Namespace, setup: Setup) -> None:
    """UsageError for counts of links that do not know nodes, nor calls."""
    several = setup.cards > 1 or setup.per_node > 1 or (args.calls or 1) > 1
    for name in ("deficiencies", "heat_map") if several else ():
        if getattr(args, name):
            option = name.replace("_", "-")
            raise UsageError(
                f"--{option} counts one rank and one network card on each node, and one call"
            )


def _on_topology(args: argparse.Namespace, engine: str) -> Setup:
    """--topology, with the costs of --machine."""
    from ..machines import load
    from ..notation.units import parse_bandwidth, parse_time
    from ..simulation import Setup
    from ..simulation.on_machine import MachineNetwork
    from ..simulation.setup import place_many

    cards = args.cards or 1
    setup = Setup(
        args.topology,
        place_many(args.place, args.topology, args.ranks, args.ranks_per_node or 1, cards),
        parse_bandwidth(args.bandwidth or _BANDWIDTH, "--bandwidth"),
        parse_time(args.latency, "--latency"),
        parse_time(args.processing, "--processing"),
        engine,
        cards=cards,
    )
    if not args.machine:
        return setup
    return replace(setup, costs=MachineNetwork(load(args.machine)).costs(setup.cable, setup.router))


def _on_machine(args: argparse.Namespace, engine: str) -> Setup:
    """--machine with --hosts."""
    from ..allocations import is_generator
    from ..notation.units import parse_bandwidth, parse_time
    from ..simulation.setup import check_ranks
    from ._analysis import one_job

    on = machine_network(args)
    # Counted before there is a name for each; a running job has its ranks already.
    each = (args.ranks_per_node or 1) if args.hosts else 1
    args.ranks_per_node = 1
    drawn = bool(args.hosts) and is_generator(args.hosts)
    hosts = one_job(args, on.part if drawn else on.machine).hosts
    check_ranks(len(hosts) * each, on.text)
    hosts = tuple(host for host in hosts for _ in range(each))
    if len(hosts) < 2:
        raise UsageError(f"--hosts {args.hosts}: tells one rank; a collective needs at least 2")
    return on.setup(
        on.nodes(hosts),
        parse_bandwidth(args.bandwidth, "--bandwidth") if args.bandwidth else None,
        parse_time(args.latency, "--latency"),
        parse_time(args.processing, "--processing"),
        engine,
    )


def machine_network(args: argparse.Namespace) -> MachineNetwork:
    """--machine, with --cards. UsageError."""
    from ..machines import load
    from ..simulation.on_machine import MachineNetwork

    machine = load(args.machine, args.level)
    return MachineNetwork(replace(machine, cards=args.cards) if args.cards else machine)


def within(name: str, value: int | None, low: int, high: int, otherwise: int) -> int:
    """An option, or what it is by default. UsageError for a number that is too low or high."""
    if value is None:
        return otherwise
    if not low <= value <= high:
        raise UsageError(f"--{name} {value} is not between {low} and {high}")
    return value
