"""The plan that the arguments of `hopbine emulate` ask for."""

from __future__ import annotations

import argparse
import re

from ..errors import UsageError
from ..notation.quantities import whole
from ..notation.text import short
from ..notation.units import parse_bandwidth, parse_time
from .plan import MOST_HOSTS, Delay, Plan, check_rate
from .torus import torus
from .tree import tree

#: Where nothing is said: a rate that two cores carry for 16 hosts, and the taper of such networks.
RATE, TAPER = "100Mbit", 4.0
MOST_TAPER = 64.0


def parse_rate(text: str, what: str = "--rate") -> float:
    """Bits per second of '100Mbit' or '100Mb/s'. UsageError."""
    bits = re.sub(r"(?<=[kMG])bit(/s)?\s*$", "b/s", text)
    return check_rate(8 * parse_bandwidth(bits, what), f"{what} {text}")


def parse_delay(text: str | None) -> Delay:
    """'0.2ms,1ms': inside a group and between groups; one time is both. UsageError."""
    if text is None:
        return Delay()
    parts = text.split(",")
    if len(parts) > 2:
        raise UsageError(f"--delay '{short(text)}' is not INSIDE,BETWEEN, as in 0.2ms,1ms")
    times = [parse_time(part, "--delay") for part in parts]
    if max(times) > 1:
        raise UsageError(f"--delay '{short(text)}': at most 1 s")
    return Delay(times[0], times[-1])


def parse_scale(text: str) -> float:
    """'1/1000' or '0.001'. UsageError."""
    above, slash, below = text.partition("/")
    try:
        value = float(above) / float(below) if slash else float(above)
    except (ValueError, ZeroDivisionError):
        value = 0
    if not 0 < value <= 1:
        raise UsageError(f"--scale '{short(text)}' is not more than 0 and at most 1, as in 1/1000")
    return value


def parse_groups(text: str) -> list[int]:
    """'5,6,5' -> hosts of each group. UsageError."""
    sizes = [whole(part, "--groups", 1, MOST_HOSTS) for part in text.split(",")]
    if len(sizes) < 2:
        raise UsageError(f"--groups '{short(text)}' is one group; give at least two, as in 5,6,5")
    return sizes


def plan_of(args: argparse.Namespace) -> Plan:
    """The cluster of --groups, --topology or --machine. UsageError."""
    given = [name for name in ("groups", "topology", "machine") if getattr(args, name)]
    if len(given) != 1:
        raise UsageError(
            "give one of --groups 5,6,5, --topology torus:4x4, and --machine NAME --hosts HOSTS"
            + (f", not {' and '.join(f'--{name}' for name in given)}" if given else "")
        )
    delay = parse_delay(args.delay)
    if args.machine:
        return _machine(args, delay)
    if args.hosts or args.scale or args.input_format:
        raise UsageError(
            "--hosts, --input-format and --scale are of a described machine: give --machine"
        )
    rate = parse_rate(args.rate or RATE)
    if args.topology:
        return _torus(args, rate, delay)
    sizes = parse_groups(args.groups)
    group = [g for g, n in enumerate(sizes) for _ in range(n)]
    names = [f"g{g}" for g in range(len(sizes))]
    return tree(f"--groups {args.groups}", group, names, rate, _taper(args.taper, None), delay)


def _taper(given: float | None, of_machine: float | None) -> float:
    taper = given or of_machine or TAPER
    if not 1 <= taper <= MOST_TAPER:
        raise UsageError(f"--taper {taper:g} is not from 1 to {MOST_TAPER:g}")
    return taper


def _torus(args: argparse.Namespace, rate: float, delay: Delay) -> Plan:
    """--topology."""
    from .. import _core

    form, _, dimensions = args.topology.partition(":")
    if form != "torus":
        raise UsageError(
            f"--topology '{short(args.topology)}' is not torus:AxB; groups of hosts are --groups"
        )
    if args.taper is not None:
        raise UsageError("--taper is of links between groups, which a torus has not")
    if delay.inside != delay.between:
        raise UsageError("--delay of a torus is one time, that of a hop")
    return torus(_core.parse_shape(dimensions, "--topology"), rate, delay)


def _machine(args: argparse.Namespace, delay: Delay) -> Plan:
    """--machine, --hosts and --scale."""
    from ..jobs.of_hosts import job_of_hosts
    from ..machines import Link, load

    machine = load(args.machine)
    if not args.hosts:
        raise UsageError(f"--machine {args.machine} needs --hosts, as in fragmented:16")
    if args.rate and args.scale:
        raise UsageError("--rate and --scale both say what a host sends; give one")
    job = job_of_hosts(args.hosts, machine, input_format=args.input_format)
    if machine.shape:
        raise UsageError(f"{machine.name} is a torus or HyperX: give --topology torus:AxB")
    group_of = dict(zip(dict.fromkeys(job.hosts), _first(job.places.group, job.hosts), strict=True))
    used = list(dict.fromkeys(group_of.values()))
    if len(used) < 2:
        raise UsageError(f"--hosts {short(args.hosts)}: all are in one group of {machine.name}")
    bandwidth = machine.links.get("node", Link()).bandwidth
    if args.scale and not bandwidth:
        raise UsageError(f"{machine.name} does not say what a node sends: give --rate")
    rate = (
        check_rate(8 * (bandwidth or 0) * parse_scale(args.scale), f"--scale {args.scale}")
        if args.scale
        else parse_rate(args.rate or RATE)
    )
    return tree(
        f"{machine.name} {args.hosts}",
        [used.index(g) for g in group_of.values()],
        [machine.groups[g] for g in used],
        rate,
        _taper(args.taper, machine.links.get("global", Link()).taper),
        delay,
    )


def _first(groups: list[int], hosts: tuple[str, ...]) -> list[int]:
    """The group of each different host."""
    return list(dict(zip(hosts, groups, strict=True)).values())
