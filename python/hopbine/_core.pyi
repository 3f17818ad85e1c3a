"""What src/bindings makes of the C++ core: the docstrings are there."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .core.records import (
    Algorithm,
    Deficiencies,
    Distribution,
    Explanation,
    Flow,
    NodeTimes,
    Packet,
    Peaks,
    Route,
    RouteTraffic,
    RunOption,
    RunSetting,
    Sent,
    StepLoad,
    Traffic,
    Verdict,
)

version: str

MOST_RANKS: int

MOST_DIMENSIONS: int

def parse_shape(text: str, source: str) -> list[int]: ...
def algorithms() -> list[Algorithm]: ...
def fits(collective: str, algorithm: str, p: int, shape: Sequence[int] = ...) -> bool: ...
def with_segments(
    collective: str,
    algorithm: str,
    parameters: Mapping[str, int],
    p: int,
    bytes: int,
    alpha: float,
    beta: float,
    shape: Sequence[int] = ...,
) -> dict[str, int]: ...
def schedule_bytes(
    collective: str, algorithm: str, parameters: Mapping[str, int], bytes: int
) -> int: ...
def blocks(collective: str, p: int) -> int: ...
def rooted(collective: str) -> bool: ...
def check(
    collective: str,
    algorithm: str,
    p: int,
    root: int = 0,
    parameters: Mapping[str, int] = ...,
    group: Sequence[int] = ...,
    node: Sequence[int] = ...,
    shape: Sequence[int] = ...,
) -> Verdict: ...
def export(
    collective: str,
    algorithm: str,
    p: int,
    root: int,
    parameters: Mapping[str, int],
    format: str,
    write: Callable[[str], object],
    group: Sequence[int] = ...,
    node: Sequence[int] = ...,
    shape: Sequence[int] = ...,
) -> None: ...
def export_goal(
    collective: str,
    algorithm: str,
    p: int,
    root: int,
    parameters: Mapping[str, int],
    bytes: int,
    write: Callable[[str], object],
    group: Sequence[int] = ...,
    node: Sequence[int] = ...,
    shape: Sequence[int] = ...,
) -> None: ...
def distribution(text: str, element: int = 1) -> Distribution: ...
def draw(text: str, origin: int, destination: int, round: int, element: int = 1) -> int: ...
def count(
    collective: str,
    algorithm: str,
    group: Sequence[int],
    node: Sequence[int] = ...,
    root: int = 0,
    parameters: Mapping[str, int] = ...,
    order: Sequence[int] = ...,
    shape: Sequence[int] = ...,
) -> Traffic: ...
def peaks(
    collective: str, algorithm: str, p: int, root: int = 0, parameters: Mapping[str, int] = ...
) -> Peaks: ...
def routes(
    collective: str,
    algorithm: str,
    grid: str,
    shape: Sequence[int],
    at: Sequence[int],
    root: int = 0,
    parameters: Mapping[str, int] = ...,
) -> RouteTraffic: ...
def numberings(group: Sequence[int], node: Sequence[int] = ...) -> list[tuple[str, list[int]]]: ...
def chosen_by_counting(collective: str) -> bool: ...
def explain(
    collective: str,
    group: Sequence[int],
    node: Sequence[int],
    sizes: Sequence[float],
    root: int = 0,
    network: str = "",
    commutes: bool = True,
    exact: bool = False,
    patience: float = ...,
    shape: Sequence[int] = ...,
    form: str = "blocking",
) -> Explanation: ...

class Modelled:
    def __init__(
        self,
        collective: str,
        algorithm: str,
        group: Sequence[int],
        node: Sequence[int],
        root: int = 0,
        parameters: Mapping[str, int] = ...,
        shape: Sequence[int] = ...,
        packing: bool = False,
    ) -> None: ...
    def seconds(self, sizes: Sequence[float], network: str = "") -> list[float]: ...
    @property
    def scarce_blocks(self) -> float: ...

def check_patience(text: str, source: str) -> float: ...
def check_network(text: str, source: str) -> None: ...

network_keys: str
network_defaults: dict[str, float]

def message_costs() -> dict[str, float]: ...
def topology_forms() -> list[tuple[str, str]]: ...
def topology_nodes(text: str) -> int: ...

class Topology:
    def __init__(self, text: str) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def nodes(self) -> int: ...
    @property
    def switches(self) -> int: ...
    @property
    def shape(self) -> list[int]: ...
    @property
    def ports(self) -> int: ...
    @property
    def group_nodes(self) -> int: ...
    def links(self) -> list[tuple[int, int, float, float]]: ...
    def route(self, source: int, target: int) -> Route: ...

def check_cards(topology: Topology, cards: int) -> None: ...

class PacketOptions:
    def __init__(
        self,
        *,
        trains: int = ...,
        seed: int = ...,
        watched: int = ...,
        routing: str = ...,
        costs: Mapping[str, float] = ...,
        background: float = ...,
        pattern: str = ...,
        aggressor: str = ...,
        aggressor_nodes: int = ...,
        jobs: Sequence[Sequence[int]] = ...,
    ) -> None: ...

class Simulation:
    def __init__(
        self,
        collective: str,
        algorithm: str,
        topology: Topology,
        at: Sequence[int],
        root: int = 0,
        parameters: Mapping[str, int] = ...,
        shape: Sequence[int] = ...,
        bytes: int = ...,
        cards: int = ...,
        blocks: str = ...,
        element: int = ...,
        sizes: NDArray[np.int64] | None = None,
    ) -> None: ...
    @property
    def parts(self) -> int: ...
    @property
    def divides(self) -> int: ...
    @property
    def channels(self) -> int: ...
    @property
    def step_count(self) -> int: ...
    def steps(self) -> list[StepLoad]: ...
    def deficiencies(self) -> Deficiencies: ...
    def link_loads(self, first: int, last: int) -> list[float]: ...
    def step_time(self, bytes: float, bandwidth: float, cable: float, router: float) -> float: ...
    def flow(
        self,
        bytes: float,
        bandwidth: float,
        cable: float,
        router: float,
        watched: int = -1,
        resolution: float = ...,
    ) -> Flow: ...
    def packet(
        self,
        bytes: float,
        bandwidth: float,
        cable: float,
        router: float,
        options: PacketOptions = ...,
    ) -> Packet: ...

class OnNodes:
    def __init__(
        self, algorithm: str, nodes: int, per_node: int, parameters: Mapping[str, int] = ...
    ) -> None: ...
    def time(
        self, blocks: str, element: int, again: bool, speeds: Mapping[str, float]
    ) -> NodeTimes: ...
    def sent(self) -> Sent: ...

def parse_algorithms(text: str, source: str) -> list[tuple[str, str, list[tuple[str, int]]]]: ...
def read_rules(path: str) -> list[dict[str, Any]]: ...
def rules_text(rules: Sequence[Mapping[str, Any]], note: str) -> str: ...
def placement_shape(group: Sequence[int], node: Sequence[int]) -> str: ...
def machine_word(system: str) -> str: ...
def answer(
    path: str,
    collective: str,
    ranks: int,
    sizes: Sequence[int],
    commutes: bool = True,
    exact: bool = False,
    nodes: int = 1,
    ranks_per_node: int = 1,
    words: Mapping[str, str] = ...,
) -> list[dict[str, Any]]: ...
def learned_file(setting: str) -> tuple[str, bool]: ...
def classics() -> dict[str, tuple[tuple[float, str], ...]]: ...
def classic(collective: str, p: int, size: float) -> str: ...
def choose_default(
    collective: str, p: int, bytes: int, commutes: bool = True, exact: bool = False
) -> tuple[str, str]: ...
def default_rules() -> list[tuple[str, int, int, int, int, str, str]]: ...
def rank2nb(r: int, p: int) -> int: ...
def nb2rank(digits: int, p: int) -> int: ...
def nu(r: int, p: int) -> int: ...

class Schedule:
    @property
    def steps(self) -> int: ...
    @property
    def parts(self) -> int: ...
    @property
    def fingerprint(self) -> int: ...
    def moves(
        self, rank: int, step: int
    ) -> list[tuple[str, str, int, int, list[tuple[int, int]]]]: ...

def schedule(
    collective: str,
    algorithm: str,
    p: int,
    root: int = 0,
    parameters: Mapping[str, int] = ...,
    group: Sequence[int] = ...,
    node: Sequence[int] = ...,
    shape: Sequence[int] = ...,
) -> Schedule: ...

class Launch:
    @property
    def messages(self) -> list[str]: ...
    @property
    def refused(self) -> bool: ...
    @property
    def help(self) -> bool: ...
    @property
    def command(self) -> list[bytes]: ...
    @property
    def environment(self) -> dict[bytes, bytes]: ...

def rank_in_job(environment: Mapping[str, str]) -> tuple[int, int]: ...

launchers: list[str]
run_summary: str
internal_settings: list[str]

def prepare_run(
    words: Sequence[bytes],
    libraries: bytes,
    read_place: Callable[[dict[str, str], bool], tuple[dict[str, str], str, bool]],
) -> Launch: ...
def become(launch: Launch) -> str: ...
def run_settings() -> list[RunSetting]: ...
def run_options() -> list[RunOption]: ...
def run_help() -> str: ...
def check_writable(path: bytes) -> None: ...
def node_name(environment: Mapping[str, str]) -> str: ...
def slurm_group(environment: Mapping[str, str]) -> str | None: ...
def slurm_topology_file(environment: Mapping[str, str]) -> str: ...
def parse_xname(name: str, source: str) -> tuple[str, str]: ...
def cabinet_of_this_node(file: str = ...) -> str: ...
def is_meant(word: str, names: Sequence[str]) -> str: ...
def group_in(groups: str, host: str) -> str: ...
