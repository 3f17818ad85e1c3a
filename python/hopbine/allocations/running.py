"""Job of this process, from Slurm's variables."""

import os
import re
from collections.abc import Iterable, Mapping
from itertools import chain, repeat

from ..errors import UsageError
from ..machines import slurm_job
from ..notation.hosts import expand
from .allocation import MOST_RANKS, Allocation


def running(environment: Mapping[str, str] = os.environ) -> Allocation:
    """Allocation of the running Slurm job. UsageError outside a job.

    Ranks fill the nodes of SLURM_JOB_NODELIST in order, as many as SLURM_TASKS_PER_NODE has; those
    of a heterogeneous job one component after the other.
    """
    parts = slurm_job.parts(environment)
    if not parts:
        raise UsageError("this is no Slurm job (SLURM_JOB_NODELIST is not set): give --hosts")
    ranks = tuple(chain.from_iterable(_ranks(*part) for part in parts))
    if len(ranks) > MOST_RANKS:
        raise UsageError(f"Slurm's variables tell of more than {MOST_RANKS:,} ranks")
    return Allocation(environment.get("SLURM_JOB_ID", "running"), ranks, parts[0][1])


def _ranks(nodes: str, source: str, tasks: str | None) -> Iterable[str]:
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
