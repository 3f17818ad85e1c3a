"""Sources of machines: names, files, formulas, and Slurm's configuration on the node."""

import csv
import os
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..errors import MissingFile, UsageError
from ..notation.hosts import is_file
from ..notation.text import near, read_text
from . import features, ibnet, slurm, slurm_yaml, toml_file, xnames
from .machine import GROUPED, ROUTED, Machine


def _folder() -> Path:
    """Folder systems/ beside the package when it is installed, else in the source tree."""
    import hopbine

    package = Path(hopbine.__file__).parent
    return next(
        (f for f in (package / "systems", package.parents[1] / "systems") if f.is_dir()),
        package / "systems",
    )


def names() -> list[str]:
    """Machines that come with hopbine."""
    return sorted(f.stem for f in _folder().glob("*.toml"))


@lru_cache(maxsize=16)
def load(what: str, level: int | None = None) -> Machine:
    """Machine by name, by a formula, or from the file of a description.

    Names are those of names(); a formula is like dragonfly:groups=16,nodes=64 or torus:8x8x8; a
    description is TOML, Slurm's topology.yaml or topology.conf, the output of scontrol show
    topology, of sinfo -N -o "%N %f" or of ibnetdiscover, nodes with their xnames, or CSV
    host,group. `level`: which switches of Slurm's or ibnetdiscover's network, or which part of an
    xname, make a group, as --level. UsageError, MissingFile.
    """
    if re.fullmatch(r"[\w+-]+", what) and (_folder() / f"{what}.toml").exists():
        path = _folder() / f"{what}.toml"
        return _without(level, what, toml_file.parse(path.read_text(), f"systems/{path.name}"))
    word, colon, _ = what.partition(":")
    if colon and _kind(word) in GROUPED + ROUTED:
        return _without(level, what, _formula(what))
    if not is_file(what):
        kinds = [kind.replace(" ", "_").replace("+", "_plus") for kind in GROUPED + ROUTED]
        raise MissingFile(
            f"machine '{what}' is no file and none of {', '.join(names())}; formulas are "
            f"KIND:groups=K,nodes=N and torus:8x8x8{near(word, kinds if colon else names())}"
        )
    text = read_text(what)
    if ibnet.looks_like(text):
        return ibnet.parse(text, what, level)
    if slurm.looks_like(text):
        return slurm.parse(text, what, level)
    if xnames.looks_like(text) and not features.looks_like(text):
        return xnames.parse(text, what, level)
    return _without(level, what, _described(text, what))


def _without(level: int | None, what: str, machine: Machine) -> Machine:
    """The machine, which has no levels. UsageError when one is asked for."""
    if level is not None:
        raise UsageError(
            f"--level {level}: machine '{what}' has no levels; they are of Slurm's topology, of "
            "ibnetdiscover's network and of xnames"
        )
    return machine


def _described(text: str, what: str) -> Machine:
    """The machine of a file without levels."""
    if features.looks_like(text):
        return features.parse(text, what)
    return (
        toml_file.parse(text, what) if re.search(r"^\s*\w+\s*=", text, re.M) else _csv(text, what)
    )


def _kind(word: str) -> str:
    """The kind of machine that the first word of a formula names."""
    return word.replace("_", " ").replace("dragonfly plus", "dragonfly+")


def _formula(what: str) -> Machine:
    word, _, rest = what.partition(":")
    kind = _kind(word)
    if kind in ROUTED:
        if not re.fullmatch(r"[0-9]{1,9}(x[0-9]{1,9})*", rest):
            raise UsageError(f"machine '{what}': a {kind} is written {kind}:8x8x8")
        data: dict[str, Any] = {"shape": [int(n) for n in rest.split("x")]}
    else:
        m = re.fullmatch(
            r"groups=([0-9]{1,9}),nodes=([0-9]{1,9})(?:,taper=([0-9]{1,9}(?:\.[0-9]{1,9})?))?", rest
        )
        if not m:
            keys = ["groups", "nodes", "taper"]
            odd = [key for key in re.findall(r"([^,=]+)=", rest) if key not in keys]
            raise UsageError(
                f"machine '{what}': write {word}:groups=K,nodes=N[,taper=X], N the nodes of a group"
                f"{near(odd[0], keys) if odd else ''}"
            )
        data = {"groups": int(m[1]), "nodes_per_group": int(m[2])} | (
            {"links": {"global": {"taper": float(m[3])}}} if m[3] else {}
        )
    try:
        return toml_file.machine({"name": what, "kind": kind, **data}, "formula")
    except toml_file.Wrong as error:
        raise UsageError(f"machine '{what}': {error}") from None


#: Files of machines, for the message about another one.
_READ = (
    "TOML (docs/machines.md), Slurm's topology.conf and topology.yaml, the output of scontrol show "
    "topology, sinfo -N -o '%N %f' or ibnetdiscover, lines NODE: XNAME, CSV host,group"
)


def _csv(text: str, source: str) -> Machine:
    hosts: dict[str, int] = {}
    lines: dict[str, int] = {}
    groups: dict[str, int] = {}
    for n, row in enumerate(csv.reader(text.splitlines()), 1):
        cells = [c.strip() for c in row]
        if (
            not any(cells)
            or cells[0].startswith("#")
            or (n == 1 and [c.lower() for c in cells] == ["host", "group"])
        ):
            continue
        if len(cells) != 2 or not all(cells):
            raise UsageError(
                f"{source}:{n}: '{','.join(row)[:60]}' is not HOST,GROUP"
                + ("" if hosts else f", nor is the file anything else that is read: {_READ}")
            )
        host, group = cells
        g = groups.setdefault(group, len(groups))
        if hosts.setdefault(host, g) != g:
            raise UsageError(
                f"{source}:{n}: host '{host}' is in group '{group}' and, by line {lines[host]}, "
                f"in group '{list(groups)[hosts[host]]}'"
            )
        lines.setdefault(host, n)
    if not hosts:
        raise UsageError(f"{source}: lists no hosts")
    return Machine(source, "groups", list(groups), hosts, source=source)


def discover(
    environment: Mapping[str, str] = os.environ, level: int | None = None
) -> Machine | None:
    """Machine of HOPBINE_SYSTEM, else of Slurm's topology, else None.

    topology.yaml beside SLURM_CONF or in /etc/slurm, else topology.conf, as Slurm itself takes
    them. `level`: as of `load`. UsageError, MissingFile.
    """
    if environment.get("HOPBINE_SYSTEM"):
        return load(environment["HOPBINE_SYSTEM"], level)
    from .. import _core

    path = _core.slurm_topology_file(_text(environment))
    try:
        if os.path.isfile(path) and slurm.looks_like(read_text(path)):
            return load(path, level)
    except slurm_yaml.Flat:
        pass
    if level is not None:
        raise UsageError(f"--level {level}: there is no Slurm topology here; give --machine")
    return None


def _text(environment: Mapping[str, str]) -> dict[str, str]:
    """Variables that are text, which the launcher's functions take."""
    return {name: value for name, value in environment.items() if (name + value).isprintable()}


def group_of_this_host(environment: Mapping[str, str] = os.environ) -> str | None:
    """Group of the node that this process runs on.

    The node is HOPBINE_NODE, else SLURMD_NODENAME in a task of srun, else the host. Its group is
    that of discover(), else of Slurm's SLURM_TOPOLOGY_ADDR (top.s3.nid001: the switch below the
    top), else by the node's own xname. None when nothing is known. UsageError when HOPBINE_SYSTEM
    does not know the host.
    """
    from .. import _core

    host = _core.node_name(_text(environment))
    machine = discover(environment)
    if machine:
        try:
            return machine.groups[machine.hosts[machine.find(host)]]
        except UsageError:
            if environment.get("HOPBINE_SYSTEM"):
                raise
    return _core.slurm_group(_text(environment)) or _core.cabinet_of_this_node() or None
