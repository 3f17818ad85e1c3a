"""Where a collective is simulated: a network, speeds, and which ranks are where."""

import random
import re
from dataclasses import dataclass, field
from functools import cached_property

from .. import _core
from ..quantities import algorithm_text
from ..records import Flow
from ..text import read_text, short

ENGINES = ("step", "flow", "packet")


@dataclass(frozen=True)
class Setup:
    """A network with ranks on it.

    Seconds and bytes per second; the speeds are those of Swing's evaluation (Sec. 5) where nothing
    is said.
    """

    topology: str
    at: tuple[int, ...] = ()  #: node of every rank; empty: rank r on node r, one on each
    bandwidth: float = 50e9  #: of a link, each way
    cable: float = 100e-9  #: latency of a cable
    router: float = 300e-9  #: what a router takes to process a packet
    engine: str = "flow"
    trains: int = 16  #: of packets, into which the packet engine cuts a message at most
    seed: int = 1  #: by which the packet engine decides between what is equal
    routing: str = "minimal"  #: of packets: minimal, valiant or ugal
    _kept: dict[tuple[str, str, int, int], _core.Simulation] = field(
        default_factory=dict, compare=False, repr=False
    )

    def __post_init__(self) -> None:
        if self.engine not in ENGINES:
            raise ValueError(f"engine '{self.engine}' is not one of {', '.join(ENGINES)}")

    @cached_property
    def network(self) -> _core.Topology:
        """The topology that `topology` describes. ValueError names what is allowed."""
        return _core.Topology(self.topology)

    @cached_property
    def nodes(self) -> list[int]:
        """Node of every rank."""
        return list(self.at) or list(range(self.network.nodes))

    @property
    def shape(self) -> list[int]:
        """The grid that the ranks are on in row-major order, for algorithms that follow it.

        That of the network when there is one rank on each node in order.
        """
        return self.network.shape if self.nodes == list(range(self.network.nodes)) else []

    def simulation(
        self, collective: str, algorithm: str, root: int = 0, size: float = 0
    ) -> _core.Simulation:
        """_core.Simulation of 'NAME[:PARAMETER=VALUE...]', made once. ValueError.

        Parameters in bytes have an effect where `size`, the bytes of the vector, is known.
        """
        from ..counting import split_algorithm

        name, parameters = split_algorithm(algorithm)
        known = _core.schedule_bytes(collective, name, parameters, int(size))
        key = collective, algorithm, root, known
        if key not in self._kept:
            self._kept[key] = _core.Simulation(
                collective, name, self.network, self.nodes, root, parameters, self.shape, known
            )
        return self._kept[key]

    def sized(self, collective: str, algorithm: str, size: float) -> str:
        """'NAME[:PARAMETER=VALUE...]' with the segments of a pipeline, where they are not given.

        A message costs nothing by itself here; the latency of a cable stands for what it costs.
        """
        from ..counting import split_algorithm

        name, given = split_algorithm(algorithm)
        return algorithm_text(
            name,
            _core.with_segments(
                collective, name, given, len(self.nodes), int(size), self.cable, 1 / self.bandwidth
            ),
        )

    def seconds(self, collective: str, algorithm: str, size: float, root: int = 0) -> float:
        """Time of one call by the engine."""
        s = self.simulation(collective, self.sized(collective, algorithm, size), root, size)
        if self.engine == "step":
            return s.step_time(size, self.bandwidth, self.cable, self.router)
        return float(self.followed(s, size)["seconds"])

    def followed(self, s: _core.Simulation, size: float, rank: int = -1) -> Flow:
        """One call, message by message, with those of a rank: by packets or else by flows."""
        if self.engine == "packet":
            return s.packet(
                size,
                self.bandwidth,
                self.cable,
                self.router,
                rank,
                self.trains,
                self.seed,
                self.routing,
            )
        return s.flow(size, self.bandwidth, self.cable, self.router, rank)

    def peak(self, collective: str) -> float:
        """The highest goodput that injection allows for large vectors, bytes of vector per second.

        An allreduce sends every byte twice (Swing Sec. 5).
        """
        return self.network.ports * self.bandwidth / (2 if collective == "allreduce" else 1)


def place(text: str | None, topology: str, ranks: int | None) -> tuple[int, ...]:
    """Nodes of the ranks.

    'linear' (the default), 'random', 'random:seed=N', or a file with a node number per line, rank
    by rank. ValueError.
    """
    nodes = _core.Topology(topology).nodes
    count = nodes if ranks is None else ranks
    if nodes < 2:
        raise ValueError(f"{topology} has one node; a collective needs at least 2")
    if not 2 <= count <= nodes:
        raise ValueError(f"-p {count} is not between 2 and the {nodes} nodes of {topology}")
    if text is None or text == "linear":
        return () if count == nodes else tuple(range(count))
    kind, _, seed = text.partition(":seed=")
    if kind == "random" and re.fullmatch("[0-9]{0,18}", seed):
        return tuple(random.Random(int(seed or 0)).sample(range(nodes), count))
    placed = _listed(text, topology, nodes)
    if ranks is not None and ranks != len(placed):
        raise ValueError(f"--place {text}: tells {len(placed)} ranks, -p {ranks}")
    return placed


def _listed(path: str, topology: str, nodes: int) -> tuple[int, ...]:
    """The nodes that a file lists. ValueError."""
    try:
        words = read_text(path).split()
    except (ValueError, OSError) as error:
        raise ValueError(
            f"--place '{short(path)}' is not linear, random, random:seed=N or a file that can be "
            f"read ({error})"
        ) from None
    if not all(re.fullmatch("[0-9]{1,9}", w) and int(w) < nodes for w in words):
        raise ValueError(f"--place {path}: needs a node 0..{nodes - 1} of {topology} per rank")
    if len(words) < 2:
        raise ValueError(f"--place {path}: tells one rank; a collective needs at least 2")
    return tuple(map(int, words))
