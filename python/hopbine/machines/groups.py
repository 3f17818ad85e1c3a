"""Groups of nodes as text: HOPBINE_GROUPS, which the launcher reads without Python."""

from collections.abc import Iterable, Mapping

from ..errors import UsageError
from .machine import Machine
from .running_job import running_job

#: Characters of a variable that every kernel passes on with its name.
_MOST = 100_000


def job_groups(machine: Machine, environment: Mapping[str, str]) -> str:
    """'g0=n[001-004,007];g1=n[005-006]' for the nodes of the running job, else for all.

    UsageError for hosts that the machine does not know, and for a text that is too long.
    """
    from ClusterShell.NodeSet import RESOLVER_NOGROUP, NodeSet

    job = running_job(environment)
    hosts = _as_nodes_call_themselves(job.hosts) if job else list(machine.hosts)
    members: dict[str, list[str]] = {}
    for host in hosts:
        group = machine.groups[machine.hosts[machine.find(host)]]
        if not group.isprintable() or set("=;[]") & set(group):
            raise UsageError(f"the group '{group[:60]}' of {machine.source} has one of = ; [ ]")
        members.setdefault(group, []).append(host)
    out = ";".join(
        f"{group}={NodeSet.fromlist(names, resolver=RESOLVER_NOGROUP)}"
        for group, names in members.items()
    )
    if len(out) > _MOST:
        raise UsageError(
            f"the groups of {machine.name} have {len(out):,} characters, more than the {_MOST:,} "
            "of a variable: call hopbine env inside the job, which has fewer nodes, or put "
            "hopbine run --system behind the launcher"
        )
    return out


def _as_nodes_call_themselves(hosts: Iterable[str]) -> list[str]:
    """Hosts without their domains where these stay apart.

    A node that calls itself by its domain finds itself without it too (src/location/groups.cpp).
    """
    distinct = list(dict.fromkeys(hosts))
    short = list(dict.fromkeys(host.partition(".")[0] for host in distinct))
    return short if len(short) == len(distinct) else distinct
