"""Slurm's topology: topology.conf, and what `scontrol show topology` prints."""

from ..hosts import expand
from .machine import Machine
from .slurm_lines import looks_like, pairs

__all__ = ["looks_like", "parse"]


class Switch:
    """One line of the file: a switch, or a block of hosts."""

    def __init__(self, line: int, fields: dict[str, str]):
        self.line, self.nodes, self.switches = (
            line,
            fields.get("nodes", ""),
            fields.get("switches", ""),
        )


def _switches(text: str, source: str) -> dict[str, Switch]:
    out: dict[str, Switch] = {}
    for line, fields in pairs(text, source):
        name = fields.get("switchname") or fields.get("blockname")
        if (
            not name
            and not {"switchname", "blockname"} & set(fields)
            and {"blocksizes", "aggregatedblock"} & set(fields)
        ):
            continue  # of all blocks, and what scontrol tells of several together
        if not name:
            raise ValueError(
                f"{source}:{line}: has {', '.join(fields)} but no name (SwitchName=NAME or "
                "BlockName=NAME)"
            )
        if name in out:
            raise ValueError(
                f"{source}:{line}: switch '{name}' is described again (first in line "
                f"{out[name].line})"
            )
        out[name] = Switch(line, fields)
    return out


def _below(switches: dict[str, Switch], source: str) -> dict[str, list[str]]:
    """The switches below each one.

    In scontrol's output a switch also repeats the hosts of those below.
    """
    out = {}
    for name, s in switches.items():
        try:
            out[name] = expand(s.switches) if s.switches else []
        except ValueError as error:
            raise ValueError(f"{source}:{s.line}: {error}") from None
        for below in out[name]:
            if below not in switches:
                raise ValueError(
                    f"{source}:{s.line}: switch '{below}' below '{name}' is described nowhere"
                )
    return out


def _ordered(below: dict[str, list[str]], switches: dict[str, Switch], source: str) -> None:
    """ValueError names the switches of a loop."""
    state: dict[str, int] = {}

    def visit(name: str, path: list[str]) -> None:
        if state.get(name) == 2:
            return
        if name in path:
            loop = [*path[path.index(name) :], name]
            raise ValueError(
                f"{source}:{switches[name].line}: switches are nested in a loop: "
                f"{' above '.join(loop)}"
            )
        if len(path) > 64:
            raise ValueError(
                f"{source}:{switches[name].line}: switches are nested more than 64 deep"
            )
        for child in below[name]:
            visit(child, [*path, name])
        state[name] = 2

    for name in below:
        visit(name, [])


def _tree(below: dict[str, list[str]], switches: dict[str, Switch], source: str) -> None:
    """ValueError names a switch below two others, or twice below one.

    Groups would share its hosts, and paths to them can be too many to walk.
    """
    above: dict[str, str] = {}
    for name, children in below.items():
        for child in children:
            if above.get(child) == name:
                raise ValueError(
                    f"{source}:{switches[name].line}: switch '{child}' is listed twice below "
                    f"'{name}'"
                )
            if child in above:
                raise ValueError(
                    f"{source}:{switches[name].line}: switch '{child}' is below '{name}' and, by "
                    f"line {switches[above[child]].line}, "
                    f"below '{above[child]}': this is no tree; list it below one of them"
                )
            above[child] = name


def parse(text: str, source: str, level: int | None = None) -> Machine:
    """The machine whose groups are the switches `level` levels below the top.

    The default is 1, the children of the top switch; without a top switch, the switches themselves.
    ValueError names file and line.
    """
    switches = _switches(text, source)
    below = _below(switches, source)
    _ordered(below, switches, source)
    _tree(below, switches, source)
    under = {child for children in below.values() for child in children}
    chosen = [name for name in switches if name not in under]
    if level is not None and level < 0:
        raise ValueError(f"--level {level} needs at least 0")
    depth = level if level is not None else int(len(chosen) == 1 and bool(below[chosen[0]]))
    above: list[str] = []
    for n in range(depth):
        if not any(below[name] for name in chosen):
            raise ValueError(
                f"{source}: --level {depth} is deeper than its switches ({n} levels below the top)"
            )
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
                raise ValueError(
                    f"{source}:{s.line}: host '{host}' is in group '{chosen[group]}' and, by line "
                    f"{lines[host]}, "
                    f"in group '{chosen[hosts[host]]}'"
                )
            lines.setdefault(host, s.line)

    for group, name in enumerate(chosen):
        collect(name, group)
    for name in above:  # scontrol repeats the hosts of the switches below
        for host in listed(switches[name]):
            if host not in hosts:
                raise ValueError(
                    f"{source}:{switches[name].line}: host '{host}' is on switch '{name}' itself, "
                    "above the groups; "
                    "choose another --level"
                )
    if not hosts:
        raise ValueError(f"{source}: describes switches but no hosts")
    return Machine(source, "groups", chosen, hosts, source=source)
