"""The time of an algorithm on a place, by any engine that hopbine has."""

from dataclasses import replace
from math import isfinite

from hopbine import _core
from hopbine.machines import load
from hopbine.machines.messages import costs_of
from hopbine.notation.quantities import split_algorithm
from hopbine.simulation import Setup
from hopbine.simulation.setup import ENGINES
from shared.places import Place

#: The model that the runtime chooses by: costs of messages, copies and reducing, links by loads.
COSTS = "model"
NAMES = (*ENGINES, COSTS)
#: With costs of messages.
PACKETS = "packet"
#: Bytes of an element: a vector of fewer elements than parts cannot be divided.
ELEMENT = 4


def fits(place: Place, collective: str, algorithm: str) -> bool:
    """Whether it serves so many ranks in this shape."""
    name, _ = split_algorithm(algorithm)
    return _core.fits(collective, name, place.ranks, list(place.shape))


def setup(place: Place, engine: str) -> Setup:
    """The place's network, for all algorithms of it. ValueError for an unknown engine."""
    return Setup(
        place.topology,
        place.at,
        bandwidth=place.bandwidth,
        engine=ENGINES[0] if engine == COSTS else engine,
    )


def by_packets(machine: str, place: Place) -> Setup:
    """The place's network, with the costs of messages that the machine's description has.

    Where it has none, with those that the model takes.
    """
    on = setup(place, PACKETS)
    transit = 3 * on.cable + 2 * on.router
    return replace(on, costs=costs_of(load(machine), transit) or default_costs(transit))


def default_costs(transit: float) -> dict[str, float]:
    """The model's, by keys of [messages]; `transit`: cables and routers in a group."""
    known = _core.network_defaults
    each = known["overhead"]
    return {
        "send": each,
        "receive": each,
        "latency": max(0.0, known["local_latency"] - transit - 2 * each),
        "reduce_bandwidth": known["reduce_bandwidth"],
    }


def times(
    on: Setup,
    place: Place,
    engine: str,
    collective: str,
    algorithm: str,
    sizes: list[int],
    copies: str = "",
) -> list[float | None]:
    """Seconds of each size; None where the vector has fewer elements than the algorithm parts.

    `copies`: those that the model counts, as _core.Modelled. ValueError where the algorithm does
    not fit.
    """
    if engine != COSTS:
        return simulated(on, collective, algorithm, sizes)
    least = ELEMENT * divides(on, place, collective, algorithm)
    modelled: dict[int, float] = {}
    for parameters, of in in_segments(place, collective, algorithm, sizes):
        problem = _core.Problem(
            collective,
            split_algorithm(algorithm)[0],
            parameters=parameters,
            group=place.group,
            node=[rank // place.per_node for rank in range(place.ranks)],
            shape=place.shape,
        )
        told = _core.Modelled(problem, copies).seconds(list(map(float, of)), place.costs)
        modelled |= dict(zip(of, told, strict=True))
    return [modelled[s] if s >= least and isfinite(modelled[s]) else None for s in sizes]


def in_segments(
    place: Place, collective: str, algorithm: str, sizes: list[int]
) -> list[tuple[dict[str, int], list[int]]]:
    """Parameters, and the sizes that have these: a pipeline's segments as the runtime has them."""
    name, given = split_algorithm(algorithm)
    costs = _core.network_defaults | told_costs(place.costs)
    start = max(costs["overhead"], costs["node_latency"])
    of: dict[tuple, list[int]] = {}
    for size in sizes:
        problem = _core.Problem(
            collective,
            name,
            place.ranks,
            parameters=given,
            shape=place.shape,
            bytes=size,
        )
        own = _core.with_segments(problem, start, 1 / costs["node_bandwidth"])
        of.setdefault(tuple(own.items()), []).append(size)
    return [(dict(key), each) for key, each in of.items()]


def told_costs(text: str) -> dict[str, float]:
    """'overhead=1e-06:taper=2' by key."""
    parts = (part.partition("=") for part in text.split(":") if part)
    return {key: float(value) for key, _, value in parts}


def simulated(
    on: Setup, collective: str, algorithm: str, sizes: list[int], mean: bool = False
) -> list[float | None]:
    """`times` on links. `mean`: of what each rank waits, not of the last one."""
    least = ELEMENT * on.simulation(collective, algorithm).divides
    time = on.mean if mean else on.seconds
    return [time(collective, algorithm, s) if s >= least else None for s in sizes]


def divides(on: Setup, place: Place, collective: str, algorithm: str) -> int:
    """Parts of the vector. The network knows one rank on each node; blocks stand for parts else."""
    if place.per_node == 1:
        return on.simulation(collective, algorithm).divides
    return _core.blocks(collective, place.ranks)
