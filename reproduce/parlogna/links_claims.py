"""What the ParLogNa/ParLinNa paper says of Figs. 13 to 15, of its buffer and of Fig. 3."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import product

from hopbine import _core
from parlogna.evaluation import FOLDER, SPEC, data
from parlogna.figures import by_family, family, split
from parlogna.links import setup

#: What the three algorithms are compared with: the paper's MPI_Alltoallv, and all at once.
OVER = (SPEC["figure"]["8"]["baseline"], "spread_out")
NORMAL = SPEC["figure"]["13"]["cases"]["normal"]
OVERSUBSCRIBED = int(SPEC["links"]["topology"].partition("oversubscription=")[2])


@dataclass(frozen=True)
class LinkClaim:
    """One sentence of the paper, beside what was counted or simulated by packets."""

    id: str  #: of claims.toml
    simulated: Callable[[], str]
    why: str = ""

    def here(self) -> str:
        """These are not measured."""
        return "-"


def fastest(number: str, case: str, ranks: int) -> dict[str, dict]:
    """By family, its fastest."""
    return {r["algorithm"]: r for r in by_family(number, FOLDER)[case] if r["ranks"] == ranks}


def ratios(of: dict[str, dict]) -> str:
    """Ratios of ParLogNa and both ParLinNa over the baseline and spread_out, as far as there."""
    each = []
    for name in ("ParLogNa", "ParLinNa coalesced", "ParLinNa staggered"):
        if name not in of:
            continue
        over = [f"{of[o]['seconds'] / of[name]['seconds']:.3g}x" for o in OVER if o in of]
        second = "".join(f" ({x})" for x in over[1:])
        each.append(f"{name.removeprefix('ParLinNa ')} {over[0]}{second}")
    return ", ".join(each)


def gains(number: str, case: str) -> Callable[[], str]:
    """For every number of ranks."""

    def told() -> str:
        out = [f"{n}: {ratios(fastest(number, case, n))}" for n in ranks_of(number)]
        return f"over {OVER[0]} (over {OVER[1]}): " + "; ".join(out)

    return told


def on_fugaku(number: str) -> Callable[[], str]:
    """Every case of a figure on the torus with Fugaku's costs."""
    cases = SPEC["figure"][number]["cases"]
    return lambda: ". ".join(f"{case}: {gains(number, case)()}" for case in cases)


def without_links(kind: str) -> Callable[[], str]:
    """By the node model, on both machines, of blocks of one distribution."""

    def told() -> str:
        rows = [r for r in data("13-nodes") if r["distribution"].startswith(f"dist:{kind}:")]
        out = []
        on = split(rows, lambda r: r["machine"]).values()
        for machine, here in zip(SPEC["machines"], on, strict=True):
            each = [
                f"{ranks}: {ratios({family(r): r for r in of})}"
                for ranks, of in split(here, lambda r: r["ranks"]).items()
            ]
            out.append(f"{machine}: " + "; ".join(each))
        return f"over {OVER[0]} (over {OVER[1]}): " + ". ".join(out)

    return told


def ranks_of(number: str) -> list[int]:
    """The numbers of ranks of a figure."""
    return SPEC["figure"][number].get("ranks") or SPEC["links"]["ranks"]


def first(number: str) -> Callable[[], str]:
    """The fastest of each case and number of ranks, where all families are there."""

    def told() -> str:
        out = []
        for case, rows in by_family(number, FOLDER).items():
            best = [
                f"{ranks} {min(of, key=lambda r: r['seconds'])['algorithm']}"
                for ranks in ranks_of(number)
                if (of := [r for r in rows if r["ranks"] == ranks])
            ]
            out.append(f"{case}: " + ", ".join(best))
        return "; ".join(out)

    return told


def on_both(what: Callable[[str], Callable[[], str]], number: str) -> Callable[[], str]:
    """What a figure has on the fat tree, and on Fugaku's torus."""
    return lambda: f"{what(number)()}. On Fugaku: {what(f'{number}-fugaku')()}"


def rounds(ranks: int, radix: int) -> int:
    """K of the paper: rounds of all digits."""
    powers = [radix**x for x in range(ranks) if radix**x < ranks]
    return sum(z * power < ranks for power, z in product(powers, range(1, radix)))


def in_transit(ranks: int, radix: int) -> int:
    """The most blocks that rank 0 has for others at a time, counted in the schedule."""
    schedule = _core.schedule(
        _core.Problem("alltoallv", "parlogna", ranks, parameters={"r": radix})
    )
    have: set[int] = set()
    most = 0
    for step in range(schedule.steps):
        moved: dict[str, set[int]] = {"send": set(), "recv": set()}
        for direction, _, _, _, runs in schedule.moves(0, step):
            moved[direction] |= {b for low, high in runs for b in range(low, high)}
        have = (have - moved["send"]) | {b for b in moved["recv"] if b % ranks}
        most = max(most, len(have))
    return most


def buffers(cases: list[tuple[int, int]]) -> Callable[[], str]:
    """Counted blocks beside the bound."""
    return lambda: ", ".join(
        f"P = {p}, r = {r}: {in_transit(p, r)} of {p - rounds(p, r) - 1}" for p, r in cases
    )


def inside(nodes: int, per_node: int) -> str:
    """Blocks in the messages inside a node, where each goes straight to its rank."""
    ranks = nodes * per_node
    on = [rank // per_node for rank in range(ranks)]
    wanted = {"r": per_node, "batch": nodes - 1}
    schedule = _core.schedule(
        _core.Problem("alltoallv", "parlinna", ranks, parameters=wanted, group=on, node=on)
    )
    sizes = [
        sum(high - low for low, high in runs)
        for step in range(schedule.steps)
        for direction, _, _, peer, runs in schedule.moves(0, step)
        if direction == "send" and peer < per_node
    ]
    return f"{len(sizes)} messages of {', '.join(map(str, sorted(set(sizes))))} blocks"


def full() -> str:
    """With the most ranks and normal blocks: what the fullest switch's links take, of all."""
    ranks, per_node = SPEC["links"]["ranks"][-1], SPEC["per_node"]
    on = setup(SPEC["links"], ranks, per_node)
    leaves = Counter(node // on.network.group_nodes for node in on.nodes)
    sides = max(n * (ranks - n) for n in leaves.values())
    bytes_ = sides * _core.distribution(NORMAL, SPEC["element"])["mean"]
    above = on.network.group_nodes * on.bandwidth / OVERSUBSCRIBED
    told = fastest("13", "normal", ranks)[OVER[1]]["seconds"]
    return f"{ranks}: {1e6 * bytes_ / above:.0f} us of the {1e6 * told:.0f} us of {OVER[1]}"


FULL = (
    "bytes decide, not start-ups (see the row of the links): what is forwarded passes the full "
    "links again"
)
STAGGERED = (
    "staggered sends P - Q messages between nodes, 0.5 us each to send and to receive: 480 of its "
    "528 us at N1 and 512 ranks. Its batch changes less than 1 %: a processor starts one message "
    "after the other, whatever the batch"
)
STARTED = (
    "judged on Fugaku's torus (below), where pairwise pays for empty blocks too. On the fat tree "
    "it takes 1.0 us for each of 8,191 steps, the start-ups of `round`, so that the factor "
    "follows from these: by the node model coalesced has 5.89x with 4,096 power-law ranks, and "
    "36.6x where messages cost ten times as much. The paper's figure is of the application's time, "
    "and how fast a rank computes is not said"
)
SPARSE = (
    "judged on Fugaku's torus with 1,024 ranks, where pairwise sends empty blocks too. On the fat "
    "tree it sends none. With 512 ranks 98 % of the blocks of the first iteration have paths, with "
    "4,096 6 %: 240 messages a rank with 4 KB, where ParLogNa with r = 64 sends 126 with 42 KB, "
    "nine tenths of them sizes. Staggered sends all its 3,969 messages. How long a path is and how "
    "fast paths are joined is not said"
)

TORUS = (
    "what judges: the paper's machine and forms, and a pairwise that sends empty blocks, as MPI's; "
    "with 4,096 ranks hopbine's own forms. A message costs 1.17 us at each end, not 0.5"
)

CLAIMS = [
    LinkClaim(
        "3.3",
        buffers([(8, 2), (8, 3), (8, 4), (64, 8), (512, 2), (512, 8), (512, 512)]),
        "the bound gives each block a place of its own; counted are those that are there at a time",
    ),
    LinkClaim(
        "3",
        lambda: f"N = 3, Q = 3: {inside(3, 3)}; N = 16, Q = 32: {inside(16, 32)}",
    ),
    LinkClaim(
        "13c",
        gains("13", "normal"),
        FULL,
    ),
    LinkClaim("13c.links", full),
    LinkClaim(
        "13c.nodes",
        without_links("normal"),
    ),
    LinkClaim("13d", gains("13", "power"), STAGGERED),
    LinkClaim(
        "13d.nodes",
        without_links("power"),
    ),
    LinkClaim(
        "13.best",
        on_both(first, "13"),
        "mean blocks of the power law are shorter than the normal ones, so that forwarding pays",
    ),
    LinkClaim("13.fugaku", on_fugaku("13-fugaku"), TORUS),
    LinkClaim(
        "14.n1",
        gains("14", "N1"),
        STARTED,
    ),
    LinkClaim("14.n2", gains("14", "N2"), FULL),
    LinkClaim(
        "15",
        on_both(partial(gains, case="closure"), "15"),
        SPARSE,
    ),
    LinkClaim("14.fugaku", on_fugaku("14-fugaku"), TORUS),
    LinkClaim("14.best", on_both(first, "14")),
    LinkClaim("15.best", on_both(first, "15")),
]
