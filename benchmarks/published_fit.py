"""Choices of the model on published cells, and the costs of links that explain the times best."""

import math
from statistics import fmean

from published_cells import Cell
from published_names import OTHERS

from hopbine import _core
from hopbine.machines import load

#: What is fitted, where a machine has groups and where it is a torus. A description has the rest,
#: or the defaults.
FITTED = {
    False: (
        "local_latency",
        "global_latency",
        "rank_bandwidth",
        "memory_bandwidth",
        "reduce_bandwidth",
        "overhead",
        "rendezvous",
    ),
    True: ("local_latency", "overhead", "port_overhead", "pack", "memory_bandwidth"),
}
_STEPS = (0.25, 0.5, 0.7, 0.85, 0.95, 1.05, 1.2, 1.4, 2.0, 4.0)

Costs = dict[str, float]


def described(machine: str) -> Costs:
    """The costs that a machine's description gives."""
    return {k: float(v) for k, v in (x.split("=") for x in load(machine).network().split(":"))}


def network(costs: Costs) -> str:
    """As HOPBINE_NETWORK."""
    return ":".join(f"{key}={value:.12g}" for key, value in costs.items())


def modelled(cells: list[Cell], costs: Costs) -> list[list[float]]:
    """Seconds of the algorithms of every cell."""
    text, known = network(costs), {}
    for cell in cells:
        for model in cell.models:
            known.setdefault(id(model), (model, set()))[1].add(cell.bytes)
    answers = {
        key: dict(zip(sizes, model.seconds(list(sizes), text), strict=True))
        for key, (model, sizes) in known.items()
    }
    return [[answers[id(model)][cell.bytes] for model in cell.models] for cell in cells]


def choice(cell: Cell, seconds: list[float], patience: float) -> int:
    """The runtime's rule among the measured algorithms: the least bytes within the patience.

    What a library makes of other collectives is no candidate of a job's, where there is another.
    """
    single = [i for i, name in enumerate(cell.seconds) if name[0] != OTHERS]
    candidates = single or range(len(seconds))
    longest = min(seconds[i] for i in candidates) * cell.models[0].patience(patience)
    fit = [i for i in candidates if seconds[i] <= longest]
    return min(fit, key=lambda i: (cell.models[i].scarce_blocks, seconds[i]))


def log_ratios(cells: list[Cell], costs: Costs, patience: float) -> list[float]:
    """Logarithm of the time of each cell's choice over its best."""
    out = []
    for cell, seconds in zip(cells, modelled(cells, costs), strict=True):
        measured = list(cell.seconds.values())
        out.append(math.log(measured[choice(cell, seconds, patience)] / min(measured)))
    return out


def _misfit(cells: list[Cell], costs: Costs) -> float:
    """Errors of logarithms: within a cell, and a little of those that a cell shares."""
    errors = []
    for cell, seconds in zip(cells, modelled(cells, costs), strict=True):
        off = [math.log(s / t) for s, t in zip(seconds, cell.seconds.values(), strict=True)]
        shared = fmean(off)
        errors += [e - shared for e in off] + [0.3 * shared]
    return fmean(e * e if abs(e) < 0.5 else abs(e) - 0.25 for e in errors)


def fit(cells: list[Cell], given: Costs, patience: float, rounds: int = 4) -> Costs:
    """Costs that explain the times and choose well, one after the other from the defaults."""
    keys = FITTED[bool(cells[0].job.shape)]
    costs = given | {key: _core.network_defaults[key] for key in keys}

    def wrong(trial: Costs) -> float:
        return 0.5 * fmean(log_ratios(cells, trial, patience)) + _misfit(cells, trial)

    best = wrong(costs)
    for _ in range(rounds):
        before = best
        for key in keys:
            for step in _STEPS:
                trial = costs | {key: costs[key] * step}
                if (now := wrong(trial)) < best - 1e-5:
                    best, costs = now, trial
        if best > before - 1e-4:
            break
    return costs
