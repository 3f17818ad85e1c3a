"""Slurm's variables about the nodes of the job of this process."""

from collections.abc import Mapping
from itertools import count

#: A part of a job: its nodes, and the variable that tells them; its tasks on each node, if known.
Part = tuple[str, str, str | None]


def parts(environment: Mapping[str, str]) -> list[Part]:
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
