"""Groups of nodes as text: HOPBINE_GROUPS, which the launcher reads without Python."""

from collections.abc import Mapping

from ..hosts import expand
from .machine import Machine


def groups_text(machine: Machine, environment: Mapping[str, str]) -> str:
    """'g0=n[001-004,007];g1=n[005-006]' for the nodes of the Slurm job, else for all.

    ValueError for hosts that the machine does not know.
    """
    from ClusterShell.NodeSet import RESOLVER_NOGROUP, NodeSet

    listed = environment.get("SLURM_JOB_NODELIST") or environment.get("SLURM_NODELIST")
    hosts = expand(listed) if listed else list(machine.hosts)
    members: dict[str, list[str]] = {}
    for host in hosts:
        group = machine.groups[machine.hosts[machine.find(host)]]
        if not group.isprintable() or set("=;[]") & set(group):
            raise ValueError(f"the group '{group[:60]}' of {machine.source} has one of = ; [ ]")
        members.setdefault(group, []).append(host)
    return ";".join(
        f"{group}={NodeSet.fromlist(names, resolver=RESOLVER_NOGROUP)}"
        for group, names in members.items()
    )
