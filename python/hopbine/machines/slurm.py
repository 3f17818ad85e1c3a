"""Slurm's topology: topology.conf, topology.yaml, and what `scontrol show topology` prints."""

from ..errors import UsageError, warn
from ..notation.text import many
from . import slurm_lines, slurm_yaml
from .machine import Machine
from .slurm_tree import Tree, switches

__all__ = ["looks_like", "parse"]


def looks_like(text: str) -> bool:
    """Whether the text describes switches or blocks, in either format."""
    return slurm_yaml.looks_like(text) or slurm_lines.looks_like(text)


def parse(text: str, source: str, level: int | None = None) -> Machine:
    """Machine whose groups are the switches `level` levels below the top.

    The default is the first level of several switches: the children of the top switch; without a
    top switch, the switches themselves. UsageError names file and line.
    """
    read = slurm_yaml.switches if slurm_yaml.looks_like(text) else switches
    tree = Tree(read(text, source), source)
    above, groups = _cut(tree, level)
    hosts = _hosts(tree, groups)
    _refuse_hosts_above(tree, above, hosts)
    if not hosts:
        raise UsageError(f"{source}: describes switches but no hosts")
    return Machine(source, "groups", groups, hosts, source=source)


def _cut(tree: Tree, level: int | None) -> tuple[list[str], list[str]]:
    """Switches above a level, and those of the level with the leaves that end above it."""
    chosen = tree.tops()
    if level is not None and level < 0:
        raise UsageError(f"--level {level} needs at least 0")
    above: list[str] = []
    depth = _first_of_several(tree) if level is None else level
    for n in range(depth):
        inner = [name for name in chosen if tree.below[name]]
        if not inner:
            raise UsageError(
                f"{tree.source}: --level {depth} is deeper than its switches ({n} levels below the "
                "top)"
            )
        above += inner
        chosen = [child for name in chosen for child in (tree.below[name] or [name])]
    return above, chosen


def _first_of_several(tree: Tree) -> int:
    """Levels below the top to the first one of several switches, or to a switch without others."""
    chosen, level = tree.tops(), 0
    while len(chosen) == 1 and tree.below[chosen[0]]:
        chosen, level = tree.below[chosen[0]], level + 1
    return level


def _hosts(tree: Tree, groups: list[str]) -> dict[str, int]:
    """Group of each host: the first switch that it is on or below.

    A host below two of them, as with two rails or by a slip, is warned of, as Slurm does.
    """
    hosts: dict[str, int] = {}
    at: dict[str, str] = {}  # the switch that lists each host
    again: list[tuple[str, str]] = []

    def collect(name: str, group: int) -> None:
        for child in tree.below[name]:
            collect(child, group)
        for host in tree.hosts(name):
            if hosts.setdefault(host, group) != group:
                again.append((host, name))
            at.setdefault(host, name)

    for group, name in enumerate(groups):
        collect(name, group)
    if again:
        host, name = again[0]
        more = len({host for host, _ in again}) - 1
        warn(
            f"{tree.source}:{tree.switches[name].line}: host '{host}' is below switch '{name}' "
            f"and, by line {tree.switches[at[host]].line}, below '{at[host]}', which counts"
            + (f"; so it is with {many(more, 'other host')}" if more else "")
        )
    return hosts


def _refuse_hosts_above(tree: Tree, above: list[str], hosts: dict[str, int]) -> None:
    """Refuses hosts on a switch above the groups; scontrol repeats those from below there."""
    for name in above:
        for host in tree.hosts(name):
            if host not in hosts:
                raise tree.wrong(
                    name,
                    f"host '{host}' is on switch '{name}' itself, above the groups; choose another "
                    "--level",
                )
