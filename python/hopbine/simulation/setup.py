"""Where a collective is simulated: a network, speeds, and which ranks are where."""

import math
import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING

from .. import _core
from ..core.records import Flow
from ..errors import UsageError
from ..machines.messages import engine_costs
from ..notation.quantities import algorithm_text
from ..notation.text import near, read_text, short
from .periodic import PeriodicJob

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

ENGINES = ("step", "flow", "packet")
#: What is simulated at all; more takes hours.
MOST_RANKS = 1 << 20


@dataclass(frozen=True)
class Background:
    """Traffic of other jobs, on nodes without ranks (src/simulation/traffic.hpp)."""

    share: float = 0  #: of the bandwidth that a node can send at
    pattern: str = "uniform"  #: permutation or alltoall
    aggressor: str = "none"  #: incast or alltoall
    nodes: int = 0  #: of the aggressor; 0: as many as the job has
    #: Nodes of other jobs, which send to nodes of their own only (simulation/other_jobs.py).
    jobs: tuple[tuple[int, ...], ...] = ()
    about: str = field(default="", compare=False)  #: the jobs, in words
    calls: PeriodicJob | None = None  #: of another job


@dataclass(frozen=True)
class Setup:
    """A network with ranks on it.

    Seconds and bytes per second; the speeds are those of Swing's evaluation (Sec. 5) where nothing
    is said.
    """

    topology: str
    at: tuple[int, ...] = ()  #: node of every rank; empty: one on each, or `per_node`, in order
    bandwidth: float = 50e9  #: of a link, each way
    cable: float = 100e-9  #: latency of a cable
    router: float = 300e-9  #: what a router takes to process a packet
    engine: str = "flow"
    trains: int = 16  #: of packets, into which the packet engine cuts a message at most
    seed: int = 1  #: by which the packet engine decides between what is equal
    routing: str = "minimal"  #: of packets: minimal, valiant or ugal
    cards: int = 1  #: end points of the network that are the network cards of one node
    #: Costs of a message, by packets: keys of [messages] of a machine (machines/messages.py).
    costs: Mapping[str, float] = field(default_factory=dict, hash=False)
    background: Background = Background()  #: by packets
    #: By packets: so many one after the other, each begun by a rank that has completed the one
    #: before. Times are of a call, in the mean.
    calls: int = 1
    #: Bytes of a buffer behind a cable, for each virtual channel, by packets; without one no end.
    buffers: float = math.inf
    _kept: dict[tuple[str, str, int, int], _core.Simulation] = field(
        default_factory=dict, compare=False, repr=False
    )

    def __post_init__(self) -> None:
        if self.engine not in ENGINES:
            raise UsageError(f"engine '{self.engine}' is not one of {', '.join(ENGINES)}")
        if self.engine != "packet" and (
            self.cards > 1
            or self.costs
            or self.calls > 1
            or self.background != Background()
            or self.buffers < math.inf
        ):
            raise UsageError(
                "network cards of nodes, costs of messages, several calls, other jobs' traffic and "
                f"buffers are simulated by packets, not by the {self.engine} engine"
            )

        if self.cards > 1:
            _core.check_cards(self.network, self.cards)

    def __getstate__(self) -> dict[str, object]:
        """What it is told, for another process: networks and simulations are made there."""
        return {f.name: getattr(self, f.name) for f in fields(self)} | {"_kept": {}}

    @cached_property
    def network(self) -> _core.Topology:
        """The topology that `topology` describes. UsageError names what is allowed."""
        return _core.Topology(self.topology)

    @cached_property
    def nodes(self) -> list[int]:
        """Node of every rank."""
        return list(self.at) or list(range(_core.topology_nodes(self.topology) // self.cards))

    @cached_property
    def per_node(self) -> int:
        """The most ranks on a node."""
        return max(Counter(self.at).values()) if self.at else 1

    @property
    def shape(self) -> list[int]:
        """The grid that the ranks are on in row-major order, for algorithms that follow it.

        That of the network when there is one rank on each node in order.
        """
        return self.network.shape if self.nodes == list(range(self.network.nodes)) else []

    def simulation(
        self, collective: str, algorithm: str, root: int = 0, size: float = 0
    ) -> _core.Simulation:
        """_core.Simulation of 'NAME[:PARAMETER=VALUE...]', made once. UsageError.

        Parameters in bytes have an effect where `size`, the bytes of the vector, is known.
        """
        from ..notation.quantities import split_algorithm

        name, parameters = split_algorithm(algorithm)
        problem = _core.Problem(
            collective,
            name,
            len(self.nodes),
            root=root,
            parameters=parameters,
            shape=self.shape,
            bytes=int(size),
        )
        key = collective, algorithm, root, problem.schedule_bytes
        if key not in self._kept:
            self._kept[key] = _core.Simulation(
                problem, self.network, self.nodes, self.cards, calls=self.calls
            )
        return self._kept[key]

    def of_blocks(
        self,
        algorithm: str,
        blocks: "str | Sequence[int] | NDArray[numpy.int64]",
        element: int = 4,
    ) -> _core.Simulation:
        """An alltoallv of blocks of whole elements, drawn as hopbine-bench draws them.

        Or with these bytes, from rank 0 to each rank, then from rank 1, and so on. Its size is 1:
        every message has the bytes that were drawn. UsageError.
        """
        from ..notation.quantities import split_algorithm

        name, given = split_algorithm(algorithm)
        ranks = len(self.nodes)
        problem = _core.Problem("alltoallv", name, ranks, parameters=given, shape=self.shape)
        drawn = (
            _core.DrawnBlocks(blocks, ranks, element)
            if isinstance(blocks, str)
            else _core.DrawnBlocks(_in_a_row(blocks), ranks)
        )
        return _core.Simulation(problem, self.network, self.nodes, self.cards, drawn, self.calls)

    def sized(self, collective: str, algorithm: str, size: float) -> str:
        """'NAME[:PARAMETER=VALUE...]' with the segments of a pipeline, where they are not given.

        The latency of a cable stands for what a message costs, besides its costs on processors.
        """
        start = self.cable + self.costs.get("send", 0) + self.costs.get("receive", 0)
        return self._sized(collective, algorithm, size, len(self.nodes), self.shape, start)

    def _sized(
        self,
        collective: str,
        algorithm: str,
        size: float,
        ranks: int,
        shape: list[int],
        start: float,
    ) -> str:
        from ..notation.quantities import split_algorithm

        name, given = split_algorithm(algorithm)
        problem = _core.Problem(
            collective, name, ranks, parameters=given, shape=shape, bytes=int(size)
        )
        return algorithm_text(name, _core.with_segments(problem, start, 1 / self.bandwidth))

    @cached_property
    def beside(self) -> _core.CallsBeside | None:
        """The calls of another job. UsageError."""
        job = self.background.calls
        if job is None:
            return None
        from ..notation.quantities import split_algorithm

        ranks = len(job.nodes)
        name, given = split_algorithm(
            self._sized(job.collective, job.algorithm, job.size, ranks, [], self.cable)
        )
        problem = _core.Problem(job.collective, name, ranks, parameters=given, bytes=int(job.size))
        return _core.CallsBeside(problem, self.network, job.nodes, self.cards, job.size, job.period)

    def seconds(self, collective: str, algorithm: str, size: float, root: int = 0) -> float:
        """Time of one call by the engine."""
        return self.reached(collective, algorithm, size, root)["seconds"]

    def mean(self, collective: str, algorithm: str, size: float) -> float:
        """Seconds until a rank has completed its part of one call, mean over ranks.

        What OSU's benchmarks print. By packets or by flows.
        """
        s = self.simulation(collective, self.sized(collective, algorithm, size), 0, size)
        return self.followed(s, size)["mean"] / self.calls

    def reached(
        self, collective: str, algorithm: str, size: float, root: int = 0
    ) -> dict[str, float]:
        """seconds; with other jobs' traffic also what its senders reached.

        background, aggressor: shares of a link's bandwidth. aggressor_calls, aggressor_late,
        aggressor_seconds: of another job's calls (core.records.Packet).
        """
        s = self.simulation(collective, self.sized(collective, algorithm, size), root, size)
        return self.taken(s, size)

    def taken(self, s: _core.Simulation, size: float) -> dict[str, float]:
        """What `reached` tells, of a simulation."""
        if self.engine == "step":
            return {"seconds": s.step_time(size, self.bandwidth, self.cable, self.router)}
        told = self.followed(s, size)
        called = self.background.calls is not None
        other = {
            "background": self.background.share > 0,
            "aggressor": self.background.aggressor != "none",
            **dict.fromkeys(("aggressor_calls", "aggressor_late", "aggressor_seconds"), called),
        }
        return {"seconds": told["seconds"] / self.calls} | {
            kind: told[kind]  # type: ignore[literal-required]
            for kind, there in other.items()
            if there
        }

    def followed(self, s: _core.Simulation, size: float, rank: int = -1) -> Flow:
        """The calls, message by message, with those of a rank: by packets or else by flows."""
        if self.engine == "packet":
            options = _core.PacketOptions(
                trains=self.trains,
                seed=self.seed,
                watched=rank,
                routing=self.routing,
                costs=engine_costs(self.costs),
                background=self.background.share,
                pattern=self.background.pattern,
                aggressor=self.background.aggressor,
                aggressor_nodes=self.background.nodes,
                jobs=self.background.jobs,
                calls=self.beside,
                buffer=self.buffers,
            )
            return s.packet(size, self.bandwidth, self.cable, self.router, options)
        return s.flow(size, self.bandwidth, self.cable, self.router, rank)

    def peak(self, collective: str) -> float:
        """The highest goodput that injection allows for large vectors, bytes of vector per second.

        An allreduce sends every byte twice (Swing Sec. 5). Ranks of a node send it for each other.
        """
        ports = self.network.ports * self.cards
        return ports * self.bandwidth / (2 if collective == "allreduce" else 1)


def _in_a_row(blocks: "Sequence[int] | NDArray[numpy.int64]") -> "NDArray[numpy.int64]":
    """Whole numbers of a list or a matrix, without a copy where they lie so. TypeError."""
    import numpy

    flat = numpy.ravel(numpy.asarray(blocks))
    return flat.astype(numpy.int64, casting="safe", copy=False)


def check_ranks(ranks: int, topology: str) -> None:
    """UsageError for more ranks than are simulated, before anything of their number is made."""
    if ranks > MOST_RANKS:
        raise UsageError(
            f"{ranks:,} ranks on {topology}: up to {MOST_RANKS:,} are simulated; fewer with -n"
        )


def place_many(
    text: str | None, topology: str, ranks: int | None, per_node: int, cards: int
) -> tuple[int, ...]:
    """Nodes of the ranks, `per_node` consecutive ones on each.

    As `place`, of nodes with `cards` end points of the network each. UsageError.
    """
    if per_node == 1 and cards == 1:
        return place(text, topology, ranks)
    nodes = _core.topology_nodes(topology) // cards
    if ranks is not None and not 2 <= ranks <= nodes * per_node:
        raise UsageError(
            f"-n {ranks} is not between 2 and the {nodes * per_node} ranks of {nodes} nodes with "
            f"{per_node} each and {cards} network cards each on {topology}"
        )
    check_ranks(nodes * per_node if ranks is None else ranks, topology)
    taken = nodes if ranks is None else -(-ranks // per_node)
    at = place(text, topology, taken, nodes) if taken > 1 else (0,)
    every = [node for node in at or range(nodes) for _ in range(per_node)]
    return tuple(every if ranks is None else every[:ranks])


def place(
    text: str | None, topology: str, ranks: int | None, nodes: int | None = None
) -> tuple[int, ...]:
    """Nodes of the ranks, of the first `nodes` (default: all).

    'linear' (the default), 'random', 'random:seed=N', or a file with a node number per line, rank
    by rank. UsageError.
    """
    nodes = nodes or _core.topology_nodes(topology)
    count = nodes if ranks is None else ranks
    if nodes < 2:
        raise UsageError(f"{topology} has one node; a collective needs at least 2")
    if not 2 <= count <= nodes:
        raise UsageError(f"-n {count} is not between 2 and the {nodes} nodes of {topology}")
    check_ranks(count, topology)
    if text is None or text == "linear":
        return () if count == nodes else tuple(range(count))
    kind, _, seed = text.partition(":seed=")
    if kind == "random" and re.fullmatch("[0-9]{0,18}", seed):
        return tuple(random.Random(int(seed or 0)).sample(range(nodes), count))
    placed = _listed(text, topology, nodes)
    check_ranks(len(placed), topology)
    if ranks is not None and ranks != len(placed):
        raise UsageError(f"--place {text}: tells {len(placed)} ranks, -n {ranks}")
    return placed


def _listed(path: str, topology: str, nodes: int) -> tuple[int, ...]:
    """The nodes that a file lists. UsageError."""
    try:
        words = read_text(path).split()
    except UsageError as error:
        raise UsageError(
            f"--place '{short(path)}' is not linear, random, random:seed=N or a file that can be "
            f"read ({error}){near(path.partition(':')[0], ('linear', 'random'))}"
        ) from None
    if not all(re.fullmatch("[0-9]{1,9}", w) and int(w) < nodes for w in words):
        raise UsageError(f"--place {path}: needs a node 0..{nodes - 1} of {topology} per rank")
    if len(words) < 2:
        raise UsageError(f"--place {path}: tells one rank; a collective needs at least 2")
    return tuple(map(int, words))
