"""Figs. 13 to 15 of the ParLogNa/ParLinNa paper (HPDC'25, Sec. 5.4 and 6), by packets.

Blocks of given sizes, message by message, on a network that queues.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hopbine.machines import load
from hopbine.notation.units import parse_size
from hopbine.simulation import Setup
from parlogna import traffics
from shared import networks, sweeping

COLUMNS = ["case", "ranks", "iteration", "bytes", "algorithm", "seconds"]


def told_of(spec: dict[str, Any], figure: dict[str, Any]) -> dict[str, Any]:
    """Network and algorithms of a figure: its own, or those of all."""
    return dict(spec["networks"][figure["network"]] if "network" in figure else spec["links"])


def topology(told: dict[str, Any], ranks: int) -> str:
    """The network that so many ranks have."""
    return str(told["larger"].get(str(ranks), told)["topology"])


def setup(told: dict[str, Any], ranks: int, per_node: int) -> Setup:
    """The network with consecutive ranks on nodes that are drawn."""
    machine = load(told["machine"])
    on = networks.on_topology(machine, topology(told, ranks), ranks, per_node, told["place"])
    return replace(on, buffers=parse_size(told["buffers"])) if "buffers" in told else on


def blocks(
    figure: dict[str, Any], case: str, iteration: int, ranks: int
) -> str | NDArray[np.int64]:
    """As Setup.of_blocks takes them."""
    kind = figure["cases"][case]
    if kind.startswith("dist:"):
        return str(kind)
    if kind != "chains":
        return np.ravel(getattr(traffics, kind)(ranks))
    return np.ravel(traffics.of_graph(figure, iteration, ranks))


def rows(
    spec: dict[str, Any], figure: dict[str, Any], case: str, ranks: int, iteration: int
) -> list[dict[str, Any]]:
    """One exchange, by every algorithm."""
    told = told_of(spec, figure)
    on = setup(told, ranks, spec["per_node"])
    sizes, out = blocks(figure, case, iteration, ranks), []
    of = told["larger"].get(str(ranks), {})
    for name in of.get("only", told["algorithms"]) + of.get("algorithms", []):
        seconds = on.taken(on.of_blocks(name, sizes, spec["element"]), 1)["seconds"]
        sent = "" if isinstance(sizes, str) else int(sizes.sum())
        row = [case, ranks, iteration, sent, name, f"{seconds:.6g}"]
        out.append(dict(zip(COLUMNS, row, strict=True)))
    return out


def works(spec: dict[str, Any], number: str, quick: bool) -> Iterator[sweeping.Work]:
    """What a figure's file is made of."""
    figure = spec["figure"][number]
    told = told_of(spec, figure)
    for ranks in told["quick"] if quick else figure.get("ranks") or told["ranks"]:
        for case in figure["cases"]:
            for k in figure.get("iterations", [0]):
                name = f"figure {number} {case} {ranks} ranks {k}"
                yield name, partial(rows, spec, figure, case, ranks, k)


def write(spec: dict[str, Any], number: str, out: Path, quick: bool) -> None:
    """The figure's file."""
    sweeping.collect(out / f"fig{number}.csv.xz", works(spec, number, quick), COLUMNS)
