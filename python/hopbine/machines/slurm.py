"""Slurm's topology: topology.conf, and what `scontrol show topology` prints."""

import re

from ..hosts import expand
from .machine import Machine

_WORD = re.compile(r"(\w+)\s*=\s*(\S+)")


class Switch:
    """One line of the file: a switch, or a block of hosts."""

    def __init__(self, line: int, fields: dict[str, str]):
        self.line, self.nodes, self.switches = line, fields.get("nodes", ""), fields.get("switches", "")


def looks_like(text: str) -> bool:
    """Is there a line that names a switch or a block?"""
    return re.search(r"^\s*(SwitchName|BlockName)\s*=", text, re.I | re.M) is not None


def _switches(text: str, source: str) -> dict[str, Switch]:
    out: dict[str, Switch] = {}
    held, first = "", 0
    for n, row in enumerate(text.splitlines(), 1):
        row = row.partition("#")[0].rstrip()
        first = first or n
        if row.endswith("\\"):
            held += row[:-1]
            continue
        fields = {k.lower(): v for k, v in _WORD.findall(held + row)}
        line, held, first = first, "", 0
        name = fields.get("switchname") or fields.get("blockname")
        if name is None:
            continue
        if name in out:
            raise ValueError(f"{source}:{line}: switch '{name}' is described again (first in line {out[name].line})")
        out[name] = Switch(line, fields)
    return out


def _below(switches: dict[str, Switch], source: str) -> dict[str, list[str]]:
    """The switches below each one. In scontrol's output a switch also repeats the hosts of those below."""
    out = {}
    for name, s in switches.items():
        try:
            out[name] = expand(s.switches) if s.switches else []
        except ValueError as error:
            raise ValueError(f"{source}:{s.line}: {error}") from None
        for below in out[name]:
            if below not in switches:
                raise ValueError(f"{source}:{s.line}: switch '{below}' below '{name}' is described nowhere")
    return out


def _ordered(below: dict[str, list[str]], switches: dict[str, Switch], source: str) -> None:
    """ValueError names the switches of a loop."""
    state: dict[str, int] = {}

    def visit(name: str, path: list[str]) -> None:
        if state.get(name) == 2:
            return
        if name in path:
            loop = [*path[path.index(name):], name]
            raise ValueError(f"{source}:{switches[name].line}: switches are nested in a loop: {' above '.join(loop)}")
        if len(path) > 64:
            raise ValueError(f"{source}:{switches[name].line}: switches are nested more than 64 deep")
        for child in below[name]:
            visit(child, [*path, name])
        state[name] = 2

    for name in below:
        visit(name, [])


def parse(text: str, source: str, level: int | None = None) -> Machine:
    """Groups are the switches `level` levels below the top (the default: 1, the children of the top switch; without a top switch, the
    switches themselves). ValueError names file and line."""
    switches = _switches(text, source)
    below = _below(switches, source)
    _ordered(below, switches, source)
    under = {child for children in below.values() for child in children}
    chosen = [name for name in switches if name not in under]
    if level is not None and level < 0:
        raise ValueError(f"--level {level} needs at least 0")
    depth = level if level is not None else int(len(chosen) == 1 and bool(below[chosen[0]]))
    above: list[str] = []
    for n in range(depth):
        if not any(below[name] for name in chosen):
            raise ValueError(f"{source}: --level {depth} is deeper than its switches ({n} levels below the top)")
        above += [name for name in chosen if below[name]]
        chosen = [child for name in chosen for child in (below[name] or [name])]
    hosts: dict[str, int] = {}
    lines: dict[str, int] = {}

    def listed(s: Switch) -> list[str]:
        try:
            return expand(s.nodes)
        except ValueError as error:
            raise ValueError(f"{source}:{s.line}: {error}") from None

    def collect(name: str, group: int) -> None:
        for child in below[name]:
            collect(child, group)
        s = switches[name]
        for host in listed(s):
            if hosts.setdefault(host, group) != group:
                raise ValueError(f"{source}:{s.line}: host '{host}' is in group '{chosen[group]}' and, by line {lines[host]}, in group '{chosen[hosts[host]]}'")
            lines.setdefault(host, s.line)

    for group, name in enumerate(chosen):
        collect(name, group)
    for name in above:  # scontrol repeats the hosts of the switches below
        for host in listed(switches[name]):
            if host not in hosts:
                raise ValueError(f"{source}:{switches[name].line}: host '{host}' is on switch '{name}' itself, above the groups; choose another --level")
    if not hosts:
        raise ValueError(f"{source}: describes switches but no hosts")
    return Machine(source, "groups", chosen, hosts, source=source)
