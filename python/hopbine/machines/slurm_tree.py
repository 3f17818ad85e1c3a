"""Tree of the switches in Slurm's topology."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import UsageError
from ..notation.hosts import expand
from .slurm_lines import pairs

#: Most levels of switches; no network has as many.
_MOST_DEEP = 64


@dataclass(frozen=True)
class Switch:
    """One line of the file: a switch, or a block of hosts."""

    line: int
    nodes: str
    switches: str


class Tree:
    """Switches, and the names of those directly below each.

    UsageError names file and line. A switch below two others is refused: groups would share hosts,
    and there could be too many paths to walk.
    """

    def __init__(self, switches: dict[str, Switch], source: str):
        self.source = source
        self.switches = switches
        self.below = {name: self._children(name) for name in self.switches}
        self._refuse_loops()
        self._refuse_two_parents()

    def wrong(self, name: str, why: object) -> UsageError:
        """Error with the line of the switch."""
        return UsageError(f"{self.source}:{self.switches[name].line}: {why}")

    def hosts(self, name: str) -> list[str]:
        """Hosts in the line of the switch.

        In scontrol's output they include the hosts of the switches below.
        """
        return self._expanded(name, self.switches[name].nodes)

    def tops(self) -> list[str]:
        """Switches below no other."""
        under = {child for children in self.below.values() for child in children}
        return [name for name in self.switches if name not in under]

    def _children(self, name: str) -> list[str]:
        children = self._expanded(name, self.switches[name].switches)
        for child in children:
            if child not in self.switches:
                raise self.wrong(name, f"switch '{child}' below '{name}' is described nowhere")
        return children

    def _expanded(self, name: str, text: str) -> list[str]:
        try:
            return expand(text)
        except UsageError as error:
            raise self.wrong(name, error) from None

    def _refuse_loops(self) -> None:
        done: set[str] = set()

        def visit(name: str, path: list[str]) -> None:
            if name in done:
                return
            if name in path:
                loop = [*path[path.index(name) :], name]
                raise self.wrong(name, f"switches are nested in a loop: {' above '.join(loop)}")
            if len(path) > _MOST_DEEP:
                raise self.wrong(name, f"switches are nested more than {_MOST_DEEP} deep")
            for child in self.below[name]:
                visit(child, [*path, name])
            done.add(name)

        for name in self.below:
            visit(name, [])

    def _refuse_two_parents(self) -> None:
        above: dict[str, str] = {}
        for name, children in self.below.items():
            for child in children:
                if above.get(child) == name:
                    raise self.wrong(name, f"switch '{child}' is listed twice below '{name}'")
                if child in above:
                    raise self.wrong(
                        name,
                        f"switch '{child}' is below '{name}' and, by line "
                        f"{self.switches[above[child]].line}, below '{above[child]}': this is no "
                        "tree; list it below one of them",
                    )
                above[child] = name


def switches(text: str, source: str) -> dict[str, Switch]:
    """Switches and blocks of topology.conf. UsageError names file and line."""
    out: dict[str, Switch] = {}
    for line, fields in pairs(text, source):
        name = fields.get("switchname") or fields.get("blockname")
        if not name:
            if _of_several(fields):
                continue
            raise UsageError(
                f"{source}:{line}: has {', '.join(fields)} but no name (SwitchName=NAME or "
                "BlockName=NAME)"
            )
        if name in out:
            raise UsageError(
                f"{source}:{line}: switch '{name}' is described again (first in line "
                f"{out[name].line})"
            )
        out[name] = Switch(line, fields.get("nodes", ""), fields.get("switches", ""))
    return out


def _of_several(fields: dict[str, str]) -> bool:
    """Whether a line is about all blocks, or about several that scontrol prints together."""
    return not {"switchname", "blockname"} & set(fields) and bool(
        {"blocksizes", "aggregatedblock"} & set(fields)
    )
