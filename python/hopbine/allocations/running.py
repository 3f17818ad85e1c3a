"""Job of this process, from Slurm's variables."""

import os
import re
from collections.abc import Mapping
from itertools import chain, repeat

from ..hosts import expand
from .allocation import MOST_RANKS, Allocation


def running(environment: Mapping[str, str] = os.environ) -> Allocation:
    """Allocation of the running Slurm job. ValueError outside a job.

    Ranks fill the nodes of SLURM_JOB_NODELIST in order, as many as SLURM_TASKS_PER_NODE has.
    """
    nodes = environment.get("SLURM_JOB_NODELIST") or environment.get("SLURM_NODELIST")
    if not nodes:
        raise ValueError("this is no Slurm job: SLURM_JOB_NODELIST is not set")
    hosts = expand(nodes)
    said = environment.get("SLURM_TASKS_PER_NODE", "1" if len(hosts) == 1 else f"1(x{len(hosts)})")
    tasks: list[int] = []
    for part in said.split(","):
        m = re.fullmatch(r"([0-9]{1,5})(?:\(x([0-9]{1,6})\))?", part.strip())
        if not m:
            raise ValueError(f"SLURM_TASKS_PER_NODE is '{said}', not like '2(x3),1'")
        tasks += [int(m[1])] * int(m[2] or 1)
        if len(tasks) > len(hosts):
            break  # a number of nodes may be anything
    if len(tasks) != len(hosts):
        raise ValueError(
            f"SLURM_TASKS_PER_NODE '{said}' does not tell of the {len(hosts)} nodes of "
            "SLURM_JOB_NODELIST"
        )
    if sum(tasks) > MOST_RANKS:
        raise ValueError(
            f"SLURM_TASKS_PER_NODE tells of {sum(tasks):,} ranks, more than {MOST_RANKS:,}"
        )
    ranks = tuple(chain.from_iterable(repeat(h, n) for h, n in zip(hosts, tasks, strict=True)))
    return Allocation(environment.get("SLURM_JOB_ID", "running"), ranks, "SLURM_JOB_NODELIST")
