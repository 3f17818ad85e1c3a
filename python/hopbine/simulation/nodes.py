"""MPI_Alltoallv with blocks of given sizes on nodes of several ranks.

The node model (src/simulation/nodes.hpp) over many sizes and algorithms.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

from .. import _core
from ..errors import UsageError
from ..machines import Machine
from ..notation.quantities import split_algorithm
from ..output import progress
from .sweep import Curve

COLLECTIVE = "alltoallv"
#: What a step's time is made of, and the two kinds of steps: those that stay inside nodes and the
#: others.
TERMS = ("latency", "overhead", "inside", "between", "packing")
PHASES = ("inside", "between")


@lru_cache(maxsize=256)
def _counted(algorithm: str, nodes: int, per_node: int) -> _core.OnNodes:
    """_core.OnNodes of 'NAME[:PARAMETER=VALUE...]', which no machine and no size changes.

    UsageError.
    """
    name, parameters = split_algorithm(algorithm)
    return _core.OnNodes(name, nodes, per_node, parameters)


@dataclass(frozen=True)
class Nodes:
    """`nodes` nodes of `per_node` consecutive ranks each, with the speeds of a machine.

    UsageError when its description lacks what the model asks.
    """

    machine: Machine
    nodes: int
    per_node: int
    element: int = 4  #: bytes; blocks are whole elements
    again: bool = False  #: counts are those of the last call

    def __post_init__(self) -> None:
        node = self.machine.links.get("node")
        if (
            self.machine.ranks is None
            or node is None
            or node.bandwidth is None
            or node.latency is None
        ):
            raise UsageError(
                f"{self.machine.name} ({self.machine.source}) does not say what messages cost: "
                "the node model needs [ranks], and bandwidth "
                "and latency in [links.node] (docs/machines.md)"
            )
        if self.ranks > len(self.machine.hosts) * self.per_node:
            raise UsageError(
                f"{self.nodes} nodes are more than the {len(self.machine.hosts)} of "
                f"{self.machine.name} ({self.machine.source})"
            )

    @property
    def ranks(self) -> int:
        """The number of ranks on all nodes."""
        return self.nodes * self.per_node

    @property
    def speeds(self) -> dict[str, float]:
        """Seconds and bytes per second, as _core.OnNodes.time takes them."""
        node, ranks = self.machine.links["node"], self.machine.ranks
        assert ranks is not None
        assert node.latency is not None
        assert node.bandwidth is not None
        return {
            "latency_inside": ranks.latency,
            "latency_between": node.latency,
            "overhead": ranks.overhead,
            "rank": ranks.bandwidth,
            "node": node.bandwidth,
            "block": ranks.pack,
            "copy": ranks.copy,
        }

    def row(self, algorithm: str, blocks: str) -> dict[str, Any]:
        """A row for one algorithm and one distribution of block sizes (bench.sizes.parse_blocks).

        seconds in all; of the steps inside nodes and of the others; and of each by what they are
        spent on, as inside_latency, between_overhead and so on. `bytes` is the mean. UsageError.
        """
        counted, drawn = (
            _counted(algorithm, self.nodes, self.per_node),
            _core.distribution(blocks, self.element),
        )
        times: Mapping[str, Any] = counted.time(blocks, self.element, self.again, self.speeds)
        phases = {phase: sum(times[phase].values()) for phase in PHASES}
        return {
            "collective": COLLECTIVE,
            "machine": self.machine.name,
            "nodes": self.nodes,
            "per_node": self.per_node,
            "ranks": self.ranks,
            "algorithm": algorithm,
            "distribution": drawn["text"],
            "bytes": drawn["mean"],
            "counts": "same" if self.again else "new",
            **counted.sent(),
            "seconds": sum(phases.values()),
            **phases,
            **{f"{phase}_{term}": times[phase][term] for phase in PHASES for term in TERMS},
        }


def parse_nodes(text: str) -> tuple[int, int]:
    """'512x32' -> (512, 32): nodes and ranks on each. UsageError."""
    match = re.fullmatch(r"([0-9]{1,6})x([0-9]{1,4})", text)
    if not match or not int(match[1]) or not int(match[2]):
        raise UsageError(f"--nodes '{text}' is not NODESxRANKS, as 512x32")
    if int(match[1]) * int(match[2]) > 1 << 17:
        raise UsageError(
            f"--nodes {text} are {int(match[1]) * int(match[2]):,} ranks; the node model takes up "
            f"to {1 << 17:,}"
        )
    return int(match[1]), int(match[2])


def default_curves(nodes: Nodes) -> list[Curve]:
    """Every alltoallv that serves so many ranks."""
    found = [
        a["name"]
        for a in _core.algorithms()
        if a["collective"] == COLLECTIVE and _core.fits(COLLECTIVE, a["name"], nodes.ranks)
    ]
    return [Curve(name, (name,)) for name in found]


def sweep(
    nodes: Nodes, curves: Sequence[Curve], blocks: Sequence[str], watched: bool = False
) -> list[dict[str, Any]]:
    """A row per curve and distribution, in the columns of Nodes.row.

    That of its fastest variant, which is told as `variant`; `algorithm` is the curve's name.
    `watched`: as that of simulation.sweep.
    """

    def fastest(of: tuple[Curve, str]) -> dict[str, Any]:
        c, drawn = of
        best = min((nodes.row(v, drawn) for v in c.variants), key=lambda r: r["seconds"])
        return best | {"algorithm": c.label, "variant": best["algorithm"]}

    work = list(product(curves, blocks))
    rows = map(fastest, work)
    return list(
        progress.watched(
            rows, len(work), "times", lambda row: str(row["algorithm"]), told=watched, keep=True
        )
    )
