"""hopbine machine: what a machine's description says, what it leaves open, and what is wrong with
it
"""

from __future__ import annotations

import argparse
from textwrap import fill
from typing import TYPE_CHECKING, Any

from ..output.tables import Column, Reporter, plain
from ._analysis import PICTURES, writable
from ._output import add_format, reporter
from ._parser import count

if TYPE_CHECKING:
    from ..machines import Machine

#: Longest list of hosts in the table for people; programs get the whole.
MOST_SHOWN = 60
#: Columns of sentences.
WIDTH = 100


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb below."""
    parser.description = "Descriptions of machines: docs/machines.md."
    verbs = parser.add_subparsers(dest="what", required=True, metavar="WHAT")
    one = verbs.add_parser(
        "check",
        help="reads a description: what it says and leaves open; exit code 2, with line and key, "
        "where it is wrong",
    )
    one.add_argument(
        "machine",
        help="a file, a name or a formula, as --machine of hopbine traffic takes them",
    )
    one.add_argument("--level", type=count(0, 64), metavar="L", help="as hopbine traffic has it")
    one.add_argument(
        "--plot",
        metavar="FILE",
        help="picture: the groups and their nodes, of a torus its links (svg, png, pdf)",
    )
    add_format(one, "what is said")


def run(args: argparse.Namespace) -> int:
    """Prints what the description says; draws it."""
    from ..machines import load
    from ..machines.summary import KEYS, groups, rows

    writable(args.plot, endings=PICTURES)
    with reporter(args) as report:
        machine = load(args.machine, args.level)
        every = rows(machine)
        report.table(plain(KEYS), every)
        _tell(report, [row for row in every if row["kind"] == "fact"], groups(machine))
        for line in _places(machine):
            report.remark(line)
        if args.plot:
            _draw(machine, groups(machine), args.plot)
            report.remark(f"picture: {args.plot}")
    return 0


def _tell(report: Reporter, facts: list[dict[str, Any]], groups: list[dict[str, Any]]) -> None:
    """The facts and the groups for people; sentences are lines of their own."""
    sentences = [row for row in facts if len(row["value"] or "") > MOST_SHOWN]
    facts = [row for row in facts if row not in sentences]
    fact = [
        Column(None, "", lambda row: row["name"]),
        Column(None, "", lambda row: row["value"] or f"not described: {row['meaning']}"),
    ]
    group = [
        Column(None, "group", lambda row: row["name"]),
        Column(None, "nodes", lambda row: f"{row['nodes']:,}", right=True),
        Column(None, "hosts", lambda row: _shown(row["value"])),
    ]
    report.table(fact, facts)
    for row in sentences:
        report.caption("\n" + fill(f"{row['name']}: {row['value']}", WIDTH))
    report.caption()
    report.table(group, groups)


def _shown(hosts: str) -> str:
    return hosts if len(hosts) <= MOST_SHOWN else hosts[: MOST_SHOWN - 3] + "..."


def _places(machine: Machine) -> list[str]:
    """What the topology lacks for the nodes."""
    from .. import _core

    if not machine.topology:
        return []
    ends, needed = _core.topology_nodes(machine.topology), len(machine.hosts) * machine.cards
    if ends >= needed:
        return []
    return [
        f"topology {machine.topology} has {ends:,} end points, the nodes have {needed:,} cards: "
        "nodes without a place cannot be simulated"
    ]


def _draw(machine: Machine, groups: list[dict[str, Any]], path: str) -> None:
    from ..plots.files import save

    if machine.shape:
        from .. import _core
        from ..plots.network import check_nodes
        from ..plots.topology import topology

        text = f"{machine.kind}:{'x'.join(map(str, machine.shape))}"
        check_nodes(text)
        save(topology(_core.Topology(text), title=f"{machine.name}, {text}"), path)
        return
    from ..plots.machine import tiles

    save(tiles(machine, groups, _links(machine)), path)


def _links(machine: Machine) -> str:
    """The links in a line below the picture."""
    from ..machines.summary import rows

    said = [f"{row['name']} {row['value']}" for row in rows(machine) if row["value"]]
    return "; ".join(one for one in said if one.startswith("links."))
