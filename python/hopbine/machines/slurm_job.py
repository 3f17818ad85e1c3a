"""Slurm's variables about the nodes and tasks of the job of this process."""

import re
from collections.abc import Mapping
from itertools import chain, count, repeat

from ..errors import UsageError
from ..notation.hosts import MOST_RANKS, expand

#: A part of a job: its nodes, and the variable that tells them; its tasks on each node, if known.
Part = tuple[str, str, str | None]


def ranks(environment: Mapping[str, str]) -> tuple[tuple[str, ...], str] | None:
    """The host of each rank, and the variable that tells it; None outside of Slurm's jobs.

    Ranks fill the nodes of SLURM_JOB_NODELIST in order, as many as SLURM_TASKS_PER_NODE has; those
    of a heterogeneous job one component after the other. UsageError.
    """
    parts = _parts(environment)
    if not parts:
        return None
    return tuple(chain.from_iterable(_of_part(*part) for part in parts)), parts[0][1]


def _parts(environment: Mapping[str, str]) -> list[Part]:
    """One part, or the components of a heterogeneous job in their order. Empty outside a job."""
    found: list[Part] = []
    for k in count():
        name = f"SLURM_JOB_NODELIST_HET_GROUP_{k}"
        if not environment.get(name):
            break
        tasks = environment.get(f"SLURM_TASKS_PER_NODE_HET_GROUP_{k}")
        found.append((environment[name], name, tasks))
    if found:
        return found
    for name in ("SLURM_JOB_NODELIST", "SLURM_NODELIST"):
        if environment.get(name):
            return [(environment[name], name, environment.get("SLURM_TASKS_PER_NODE"))]
    return []


def _of_part(nodes: str, source: str, tasks: str | None) -> chain[str]:
    """The host of each rank of one part of a job."""
    hosts = expand(nodes)
    on_each = _tasks(tasks or ("1" if len(hosts) == 1 else f"1(x{len(hosts)})"), len(hosts), source)
    if sum(on_each) > MOST_RANKS:
        raise UsageError(
            f"SLURM_TASKS_PER_NODE tells of {sum(on_each):,} ranks, more than {MOST_RANKS:,}"
        )
    return chain.from_iterable(repeat(h, n) for h, n in zip(hosts, on_each, strict=True))


def _tasks(said: str, hosts: int, source: str) -> list[int]:
    """The tasks on each of the hosts, as in '2(x3),1'."""
    tasks: list[int] = []
    for part in said.split(","):
        m = re.fullmatch(r"([0-9]{1,5})(?:\(x([0-9]{1,6})\))?", part.strip())
        if not m:
            raise UsageError(f"SLURM_TASKS_PER_NODE is '{said}', not like '2(x3),1'")
        tasks += [int(m[1])] * int(m[2] or 1)
        if len(tasks) > hosts:
            break  # a number of nodes may be anything
    if len(tasks) != hosts:
        raise UsageError(
            f"SLURM_TASKS_PER_NODE '{said}' does not tell of the {hosts} nodes of {source}"
        )
    return tasks
