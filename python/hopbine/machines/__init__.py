"""Machines as data: which host is in which group, and what the links carry.

load("leonardo"), load("my-machine.toml"), load("/etc/slurm/topology.conf"),
load("dragonfly:groups=16,nodes=64").
"""

from .groups import job_groups
from .machine import Link, Machine, Places, Ranks, from_hosts
from .sources import discover, group_of_this_host, load, names

__all__ = [
    "Link",
    "Machine",
    "Places",
    "Ranks",
    "discover",
    "from_hosts",
    "group_of_this_host",
    "job_groups",
    "load",
    "names",
]
