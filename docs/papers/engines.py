"""The time of an algorithm on a place, by any engine that hopbine has."""

from math import isfinite

from places import Place

from hopbine import _core
from hopbine.quantities import split_algorithm
from hopbine.simulation import Setup
from hopbine.simulation.setup import ENGINES

#: The model that the runtime chooses by: costs of messages, copies and reducing, links by loads.
COSTS = "model"
NAMES = (*ENGINES, COSTS)
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


def times(
    on: Setup,
    place: Place,
    engine: str,
    collective: str,
    algorithm: str,
    sizes: list[int],
    packing: bool = False,
) -> list[float | None]:
    """Seconds of each size; None where the vector has fewer elements than the algorithm parts.

    `packing`: the model counts the copies of messages of several runs of blocks. ValueError where
    the algorithm does not fit.
    """
    if engine != COSTS:
        return simulated(on, collective, algorithm, sizes)
    least = ELEMENT * divides(on, place, collective, algorithm)
    name, parameters = split_algorithm(algorithm)
    modelled = _core.Modelled(
        collective,
        name,
        list(place.group),
        [rank // place.per_node for rank in range(place.ranks)],
        parameters=parameters,
        shape=list(place.shape),
        packing=packing,
    ).seconds(list(map(float, sizes)), place.costs)
    return [t if s >= least and isfinite(t) else None for s, t in zip(sizes, modelled, strict=True)]


def simulated(on: Setup, collective: str, algorithm: str, sizes: list[int]) -> list[float | None]:
    """`times` on links."""
    least = ELEMENT * on.simulation(collective, algorithm).divides
    return [on.seconds(collective, algorithm, s) if s >= least else None for s in sizes]


def divides(on: Setup, place: Place, collective: str, algorithm: str) -> int:
    """Parts of the vector. The network knows one rank on each node; blocks stand for parts else."""
    if place.per_node == 1:
        return on.simulation(collective, algorithm).divides
    return _core.blocks(collective, place.ranks)
