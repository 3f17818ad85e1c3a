"""The plan of a torus: no switches, hosts forward for each other on the shortest way."""

from collections.abc import Sequence
from math import prod

from .plan import (
    DEVICE,
    MTU,
    OPEN,
    Commands,
    Delay,
    Link,
    Plan,
    address,
    check_hosts,
    check_rate,
    host_name,
    launchers_network,
    own_devices,
    shaped,
)


def torus(shape: Sequence[int], rate: float, delay: Delay) -> Plan:
    """A torus whose links carry `rate` bits per second each way. UsageError.

    Hosts are numbered with the last dimension fastest. Routes take the dimensions in their order;
    a tie at half way round goes up from even coordinates, down from odd ones.
    """
    name = "torus:" + "x".join(map(str, shape))
    hosts = check_hosts(prod(shape), name)
    check_rate(rate, "the rate of a link")
    used = [k for k, extent in enumerate(shape) if extent > 1]
    links = tuple(
        Link(
            f"{host_name(host)} {'+' if up else '-'}{k}",
            host_name(host),
            device(k, up),
            rate,
        )
        for host in range(hosts)
        for k in used
        for up in (True, False)
    )
    class_of = tuple(
        tuple(max(distance(a, b, shape) - 1, 0) for b in range(hosts)) for a in range(hosts)
    )
    farthest = max(map(max, class_of)) + 1
    return Plan(
        name,
        hosts,
        rate,
        links,
        _commands(shape, used, rate),
        tuple(delay.inside * (hops + 1) for hops in range(farthest)),
        class_of,
        shape=tuple(shape),
        delay=delay,
    )


def _commands(shape: Sequence[int], used: Sequence[int], rate: float) -> Commands:
    """What makes the torus; `used`: dimensions with links."""
    hosts, ends = prod(shape), [device(k, up) for k in used for up in (True, False)]
    return Commands(
        [
            ("", launchers_network(hosts)),
            *((host_name(host), _devices(host, shape, used)) for host in range(hosts)),
            # once all devices are there
            *((host_name(host), _routes(host, shape, used)) for host in range(hosts)),
        ],
        [
            (host_name(host), [line for end in ends for line in shaped(end, rate)])
            for host in range(hosts)
        ],
    )


def device(dimension: int, up: bool) -> str:
    """The device of a host's link to its neighbour."""
    return f"d{dimension}{'p' if up else 'm'}"


def coordinates(host: int, shape: Sequence[int]) -> list[int]:
    """The host's place in each dimension."""
    out = []
    for extent in reversed(shape):
        host, c = divmod(host, extent)
        out.append(c)
    return out[::-1]


def neighbour(host: int, dimension: int, step: int, shape: Sequence[int]) -> int:
    """The host one step up (1) or down (-1)."""
    at = coordinates(host, shape)
    at[dimension] = (at[dimension] + step) % shape[dimension]
    out = 0
    for c, extent in zip(at, shape, strict=True):
        out = out * extent + c
    return out


def distance(one: int, other: int, shape: Sequence[int]) -> int:
    """Hops between two hosts."""
    return sum(
        min((a - b) % extent, (b - a) % extent)
        for a, b, extent in zip(
            coordinates(one, shape), coordinates(other, shape), shape, strict=True
        )
    )


def first_hop(host: int, to: int, shape: Sequence[int]) -> tuple[int, bool]:
    """The dimension of the next hop, and whether it goes up."""
    here, there = coordinates(host, shape), coordinates(to, shape)
    for k, extent in enumerate(shape):
        if ahead := (there[k] - here[k]) % extent:
            back = extent - ahead
            return k, ahead < back or (ahead == back and here[k] % 2 == 0)
    raise ValueError(f"no hop from host {host} to itself")


def _devices(host: int, shape: Sequence[int], used: Sequence[int]) -> list[str]:
    """Lines for ip: the address, on a bridge without ports, and links upwards.

    Not on a dummy device, which not every kernel has.
    """
    return [
        *own_devices(host),
        f"link add {DEVICE} type bridge",
        f"link set {DEVICE} mtu {MTU} up",
        f"addr add {address(host)}/32 dev {DEVICE}",
        *(
            f"link add {device(k, True)} mtu {MTU} type veth peer name {device(k, False)} "
            f"mtu {MTU} netns {host_name(neighbour(host, k, 1, shape))}"
            for k in used
        ),
    ]


def _routes(host: int, shape: Sequence[int], used: Sequence[int]) -> list[str]:
    """Lines for ip: devices up, and the way to each other host."""
    lines = [f"link set {device(k, up)} up gso_max_segs 1" for k in used for up in (True, False)]
    for other in range(prod(shape)):
        if other != host:
            k, up = first_hop(host, other, shape)
            via = neighbour(host, k, 1 if up else -1, shape)
            lines.append(
                f"route add {address(other)}/32 via {address(via)} dev {device(k, up)} onlink "
                f"src {address(host)} {OPEN}"
            )
    return lines
