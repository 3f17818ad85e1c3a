"""What the C++ core answers, as typed dictionaries: the keys of each, and what they hold."""

from typing import TypedDict


class Parameter(TypedDict):
    """A parameter of an algorithm. `probes`: the default, then other values that tests try."""

    name: str
    kind: str
    low: int
    high: int
    default: int
    probes: list[int]
    meaning: str


class Algorithm(TypedDict):
    """A record of the registry (src/schedule/algorithm.hpp)."""

    collective: str
    name: str
    summary: str
    paper: str
    section: str
    published: int  #: the paper's year; without one 9999
    p: str
    commutes: bool
    bitwise_reproducible: bool
    note: str
    follows_placement: bool
    by_name_only: bool
    follows_shape: bool
    parameters: list[Parameter]


class Verdict(TypedDict):
    """The result of checking one schedule; counts of all ranks together."""

    ok: bool
    why: str
    steps: int
    messages: int
    blocks: int


class Distribution(TypedDict):
    """A distribution of the block sizes of an alltoallv, in bytes."""

    text: str
    mean: float
    longest: int


#: A group's or node's volume: its number, blocks and messages.
Volume = tuple[int, float, int]


class Traffic(TypedDict):
    """Blocks and messages inside nodes, between nodes of a group (local) and between groups."""

    steps: int
    groups: int
    nodes: int
    blocks: float
    messages: int
    inside_blocks: float
    inside_messages: int
    local_blocks: float
    local_messages: int
    global_blocks: float
    global_messages: int
    group_out: list[Volume]
    group_in: list[Volume]
    node_out: list[Volume]
    node_in: list[Volume]
    #: From, to, blocks, messages; of groups.
    pairs: list[tuple[int, int, float, int]]
    pairs_kept: bool
    #: Step, times, blocks, messages, largest uplink, largest pair.
    by_step: list[tuple[int, int, float, int, float, float]]
    lower_bound: int


class PeakStep(TypedDict):
    """What the busiest rank of a step sends or receives; `times` equal steps share an entry."""

    step: int
    times: int
    messages: int
    blocks: float
    reduced: float


class Peaks(TypedDict):
    """What the busiest ranks of all steps send or receive."""

    steps: list[PeakStep]


class RouteTraffic(TypedDict):
    """Blocks on the links of a torus or hyperx."""

    block_hops: float
    worst_blocks: float
    links: int
    worst_from: int
    worst_to: int


class Candidate(TypedDict):
    """A candidate of the choice by counting; seconds for each size, also beside computation."""

    algorithm: str
    numbering: str
    commutes: bool
    bitwise_reproducible: bool
    global_blocks: float
    local_blocks: float
    seconds: list[float]
    beside_seconds: list[float]
    reason: str


class Explanation(TypedDict):
    """The choice by counting.

    For each size: `chosen` is an index into `candidates`, -1: none. `library_first` is why the MPI
    library serves the first calls all the same; empty: it does not. `least` has a lower bound of
    the seconds and what limits them. `lower_bound` is the least number of blocks between groups, or
    between nodes where there is one group.
    """

    candidates: list[Candidate]
    chosen: list[int]
    library_first: list[str]
    least: list[tuple[float, str]]
    scarce: bool
    numberings: list[tuple[str, list[int]]]
    lower_bound: int


class Route(TypedDict):
    """Between two nodes: links with their shares of the bytes."""

    hops: list[tuple[int, float]]
    cables: int
    routers: int


class StepLoad(TypedDict):
    """`times` equal simulated steps: the longest way, the load of the most loaded link."""

    step: int
    times: int
    cables: int
    routers: int
    load: float
    link: int
    hops: int


class Deficiencies(TypedDict):
    """Swing (NSDI'24), eq. 1: Lambda, Psi and Xi."""

    latency: float
    bandwidth: float
    congestion: float


class Event(TypedDict):
    """A message of the watched rank; times in seconds."""

    sent: bool
    channel: int
    step: int
    peer: int
    begin: float
    end: float
    bytes: float


class Flow(TypedDict):
    """A simulation by flows. `shared`: links were shared by flows of several messages.

    `seconds`: until the last rank has completed its part; `mean`: until a rank has, in the mean.
    """

    seconds: float
    mean: float
    shared: bool
    messages: int
    events: list[Event]


class Packet(Flow):
    """A simulation by packets.

    `processed`: events; `waited`: seconds of trains in queues, summed; `busy`: seconds that each
    link sent. None processed and no link: times follow step by step, as nothing ever queues.
    `background`, `aggressor`: what other jobs' senders reached, as a share of a link's bandwidth.
    Of an aggressor's calls of a collective: how many all its ranks completed, how many one began
    after they were due, and seconds of one, in the mean, on its slowest rank.
    `channels`: virtual channels that were used; 0 without finite buffers.
    """

    processed: int
    waited: float
    busy: list[float]
    channels: int
    background: float
    aggressor: float
    aggressor_calls: int
    aggressor_late: int
    aggressor_seconds: float


class NodeTime(TypedDict):
    """Seconds of an alltoallv in one part of the node model."""

    latency: float
    overhead: float
    inside: float
    between: float
    packing: float


class NodeTimes(TypedDict):
    """Times of the steps whose messages stay inside nodes, and of those between nodes."""

    inside: NodeTime
    between: NodeTime


class Sent(TypedDict):
    """What the busiest rank of each step sends, all steps together."""

    steps: int
    messages: int
    blocks: int


class RunSetting(TypedDict):
    """A variable of programs under hopbine; `allowed`: the words that it may be, if any."""

    name: str
    meaning: str
    default: str
    allowed: list[str]


class RunOption(TypedDict):
    """An option of `hopbine run`.

    `metavar`: of its value; None: a flag; empty: the words of its setting. `value`: that a flag
    gives its setting.
    """

    name: str
    metavar: str | None
    setting: str
    meaning: str
    value: str | None
