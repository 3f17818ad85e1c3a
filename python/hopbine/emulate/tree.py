"""The plan of groups of hosts: a switch for each group, and one above them."""

from collections.abc import Sequence

from .plan import (
    DEVICE,
    FABRIC,
    LINKS,
    MTU,
    OPEN,
    Commands,
    Delay,
    Link,
    Plan,
    address,
    check_hosts,
    check_rate,
    hardware_address,
    host_name,
    launchers_network,
    own_devices,
    shaped,
)


def tree(
    name: str, group: Sequence[int], groups: Sequence[str], rate: float, taper: float, delay: Delay
) -> Plan:
    """Hosts of these groups with `rate` bits per second each.

    All groups' links upwards are alike, as of equal switches: hosts of the largest group can send
    `taper` times what its link carries. UsageError.
    """
    hosts = check_hosts(len(group), name)
    largest = max(group.count(g) for g in set(group))
    up = check_rate(rate * largest / taper, "a link between groups")
    links = [
        Link(f"{groups[g]} {way}", FABRIC, f"{way}{g}", up, **{side: g})
        for g in range(len(groups))
        for way, side in (("up", "group"), ("down", "into"))
    ]
    in_fabric = [(link.device, up) for link in links] + [(f"port{h}", rate) for h in range(hosts)]
    commands = Commands(
        [
            ("", launchers_network(hosts)),
            (FABRIC, _switches(group, len(groups))),
            *((host_name(host), _host(host, hosts)) for host in range(hosts)),
        ],
        [
            (FABRIC, [line for device, of in in_fabric for line in shaped(device, of)]),
            *((host_name(host), shaped(DEVICE, rate)) for host in range(hosts)),
        ],
    )
    classes = (delay.inside, delay.between)
    class_of = tuple(tuple(int(a != b) for b in group) for a in group)
    return Plan(
        name,
        hosts,
        check_rate(rate, "the rate of a host"),
        tuple(links),
        commands,
        classes,
        class_of,
        group=tuple(group),
        groups=tuple(groups),
        taper=taper,
        delay=delay,
    )


def _switches(group: Sequence[int], groups: int) -> list[str]:
    """Lines for ip in the fabric; hosts' ends of their links are there already made."""
    lines = ["link set lo up", "link add core type bridge", f"link set core mtu {MTU} up"]
    for g in range(groups):
        lines += [
            f"link add leaf{g} type bridge",
            f"link set leaf{g} mtu {MTU} up",
            f"link add up{g} mtu {MTU} type veth peer name down{g} mtu {MTU}",
            f"link set up{g} master leaf{g} up",
            f"link set down{g} master core up",
        ]
    for host, g in enumerate(group):
        lines += [
            f"link add port{host} mtu {MTU} type veth peer name {DEVICE} mtu {MTU} address "
            f"{hardware_address(host)} netns {host_name(host)}",
            f"link set port{host} master leaf{g} up",
        ]
    return lines


def _host(host: int, hosts: int) -> list[str]:
    """Lines for ip on a host. Neighbours are told: the kernel's table of those that are asked for
    has 1,024 entries for all namespaces, too few for 33 hosts.
    """
    return [
        *own_devices(host),
        f"link set {DEVICE} up gso_max_segs 1",
        f"addr add {address(host)}/16 dev {DEVICE}",
        f"route change {LINKS} dev {DEVICE} src {address(host)} {OPEN}",
        *(
            f"neigh add {address(other)} lladdr {hardware_address(other)} dev {DEVICE} "
            "nud permanent"
            for other in range(hosts)
            if other != host
        ),
    ]
