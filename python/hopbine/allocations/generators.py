"""Generated allocations, for machines without a record of jobs."""

import random
import re

from ..errors import UsageError
from ..machines import Machine
from ..notation.hosts import MOST_RANKS
from ..notation.text import near
from .allocation import Allocation

KINDS = ("contiguous", "random", "fragmented")
_OPTIONS = ("seed", "busy")
_SPEC = re.compile(
    rf"({'|'.join(KINDS)}):([0-9]{{1,9}})"
    r"((?::(?:seed=[0-9]{1,9}|busy=[0-9]{0,9}\.?[0-9]{1,18}))*)"
)


def is_generator(what: str) -> bool:
    """Whether the text is a formula such as fragmented:256:seed=1:busy=0.9."""
    return what.partition(":")[0] in KINDS and ":" in what


def generate(what: str, machine: Machine, ranks_per_node: int = 1) -> Allocation:
    """Allocation of KIND:NODES[:seed=N][:busy=X].

    contiguous: neighbours from a random start; random: any nodes; fragmented: the free nodes, in
    order, of a machine filled to `busy` (0.8) with jobs of which some have ended. Nodes are listed
    in the machine's order. UsageError.
    """
    m = _SPEC.fullmatch(what)
    if not m:
        raise UsageError(
            f"'{what}' is not KIND:NODES[:seed=N][:busy=X] with KIND contiguous, random or "
            f"fragmented, N a whole number, X between 0 and 1{_near_option(what)}"
        )
    given = [part.split("=") for part in m[3].split(":") if part]
    options = dict(given)
    if len(options) < len(given) or ("busy" in options and m[1] != "fragmented"):
        raise UsageError(f"'{what}': options are seed, and busy for fragmented, each once")
    n, seed, busy = int(m[2]), int(options.get("seed", 0)), float(options.get("busy", 0.8))
    total = len(machine.hosts)
    if not 1 <= n <= total:
        raise UsageError(f"'{what}': {machine.name} has {total:,} nodes, not {n:,}")
    if n * ranks_per_node > MOST_RANKS:
        raise UsageError(f"'{what}': {n * ranks_per_node:,} ranks are more than {MOST_RANKS:,}")
    if not 0 <= busy < 1:
        raise UsageError(f"'{what}': busy must be at least 0 and below 1")
    rng = random.Random(f"{m[1]} {seed}")
    if m[1] == "contiguous":
        start = rng.randrange(total - n + 1)
        picked = list(range(start, start + n))
    elif m[1] == "random":
        picked = sorted(rng.sample(range(total), n))
    else:
        picked = _free(total, n, busy, rng)
    hosts = list(machine.hosts)
    return Allocation(
        what, tuple(hosts[i] for i in picked for _ in range(ranks_per_node)), "generator"
    )


def _near_option(what: str) -> str:
    """Which option the first unknown one may be."""
    keys = [part.partition("=")[0] for part in what.split(":")[2:]]
    odd = [key for key in keys if key not in _OPTIONS]
    return near(odd[0], _OPTIONS) if odd else ""


def _free(total: int, n: int, busy: float, rng: random.Random) -> list[int]:
    """First n free nodes of a machine filled with jobs, some of which have ended.

    The logarithms of their sizes are uniform, and each job still runs with probability `busy`.
    """
    jobs, at = [], 0
    while at < total:
        length = min(int(2 ** rng.uniform(0, 8)), total - at)
        jobs.append((at, length, rng.random()))
        at += length
    # Jobs with the largest numbers have ended; more of them while too few nodes are free.
    free: list[int] = []
    for start, length, luck in sorted(jobs, key=lambda job: -job[2]):
        if luck <= busy and len(free) >= n:
            break
        free += range(start, start + length)
    return sorted(free)[:n]
