"""What an emulated cluster is made of: hosts, links, and the commands that make them.

Nothing here touches the machine.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..errors import UsageError
from ..notation.units import show_rate

#: Hosts of a cluster: as many as were tried on two cores.
MOST_HOSTS = 64
#: Bits per second of a link: from where a frame takes 72 ms to more than two cores carry.
LEAST_RATE, MOST_RATE = 1e6, 1e10
#: The name of the namespace with the switches.
FABRIC = "fabric"
#: The device of a host that has its address, whatever links it has.
DEVICE = "eth0"
#: Bytes of a frame's payload: few frames, so that few cores carry them.
MTU = 9000
#: Bytes of a frame besides what a program sends: headers of Ethernet, IP and TCP, without options.
HEADERS = 14 + 20 + 20


@dataclass(frozen=True)
class Link:
    """One direction of a link: the device that sends into it, and bits per second."""

    name: str
    namespace: str
    device: str
    rate: float
    group: int | None = None  #: of a link out of a group
    into: int | None = None  #: of a link into a group


@dataclass(frozen=True)
class Delay:
    """One-way latencies in seconds: in a group or of a hop of a torus, and between groups."""

    inside: float = 0
    between: float = 0


@dataclass(frozen=True)
class Commands:
    """Lines for ip and for tc, with the namespace in which they are to be run; "": the first."""

    ip: list[tuple[str, list[str]]] = field(default_factory=list)
    tc: list[tuple[str, list[str]]] = field(default_factory=list)


@dataclass(frozen=True)
class Plan:
    """A cluster. `group`: of each host, nothing on a torus, which has a shape."""

    name: str
    hosts: int
    rate: float  #: bits per second of a host's link
    links: tuple[Link, ...]  #: those that are counted
    commands: Commands
    classes: tuple[float, ...]  #: seconds of each class of latency
    class_of: tuple[tuple[int, ...], ...]  #: its class, of each host from each other one
    group: tuple[int, ...] = ()
    groups: tuple[str, ...] = ()  #: their names
    taper: float | None = None
    shape: tuple[int, ...] = ()
    delay: Delay = Delay()

    @property
    def delayed(self) -> bool:
        """Is there any latency to add?"""
        return any(self.classes)


def host_name(host: int) -> str:
    """Its namespace, and its name for programs."""
    return f"h{host}"


def address(host: int) -> str:
    """Its address on the links."""
    return f"10.77.0.{host + 1}"


def hardware_address(host: int) -> str:
    """Its Ethernet address."""
    return f"02:77:00:00:00:{host:02x}"


def launcher_address(host: int) -> str:
    """Its address on the network of the launchers, whose traffic is not counted."""
    return f"10.78.0.{host + 1}"


#: Both networks as programs are told them, and the address of where the launcher runs.
LINKS, LAUNCHERS, HEAD = "10.77.0.0/16", "10.78.0.0/16", "10.78.255.254"
#: A connection begins with the whole window: no slow start in any measurement.
OPEN = "initcwnd 1000 initrwnd 1000 rto_min 1s"


def check_rate(rate: float, what: str) -> float:
    """`rate` in bits per second, or UsageError."""
    if not LEAST_RATE <= rate <= MOST_RATE:
        raise UsageError(
            f"{what} is {show_rate(rate / 8)}, not from {show_rate(LEAST_RATE / 8)} to "
            f"{show_rate(MOST_RATE / 8)}"
        )
    return rate


def check_hosts(hosts: int, what: str) -> int:
    """The number of hosts, or UsageError."""
    if not 2 <= hosts <= MOST_HOSTS:
        raise UsageError(f"{what}: an emulated cluster has 2 to {MOST_HOSTS} hosts, not {hosts}")
    return hosts


def launchers_network(hosts: int) -> list[str]:
    """Lines for ip where the launcher runs: a network to all hosts, which is not shaped."""
    lines = ["link set lo up", "link add switch type bridge", "link set switch up"]
    lines.append(f"addr add {HEAD}/16 dev switch")
    for host in range(hosts):
        lines.append(f"link add to{host} type veth peer name launch netns {host_name(host)}")
        lines.append(f"link set to{host} master switch up")
    return lines


def own_devices(host: int) -> list[str]:
    """Lines for ip on a host, for what every network has."""
    return [
        "link set lo up",
        "link set launch up",
        f"addr add {launcher_address(host)}/16 dev launch",
    ]


def shaped(device: str, rate: float) -> list[str]:
    """Lines for tc that let a device send `rate` bits per second, and never drop.

    Acknowledgements alone (an IP packet of 40 bytes) go first. Behind the data of the other
    direction, as in one queue, they would halve the rate of an exchange, which no fabric does.
    A burst is two frames, so that flows share smoothly, and the queue is longer than all windows.
    """
    burst = 2 * (MTU + 14)
    root = f"class add dev {device} parent"
    size = f"burst {burst} cburst {burst}"
    part = f"ceil {rate:.0f}bit {size} quantum {MTU + 100}"
    queue = f"bfifo limit {256 << 20}"
    return [
        f"qdisc add dev {device} root handle 1: htb default 20",
        f"{root} 1: classid 1:1 htb rate {rate:.0f}bit {size}",
        f"{root} 1:1 classid 1:10 htb rate {rate * 0.05:.0f}bit prio 0 {part}",
        f"{root} 1:1 classid 1:20 htb rate {rate * 0.95:.0f}bit prio 1 {part}",
        f"qdisc add dev {device} parent 1:10 handle 10: {queue}",
        f"qdisc add dev {device} parent 1:20 handle 20: {queue}",
        f"filter add dev {device} parent 1: protocol ip prio 1 u32 match u16 40 0xffff at 2 "
        "flowid 1:10",
    ]


def sizes_text(sizes: Sequence[int]) -> str:
    """'5,6,5'."""
    return ",".join(map(str, sizes))
