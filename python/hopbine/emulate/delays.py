"""Latency between hosts: their firewalls hand packets to a daemon that holds them for a while."""

import os
import select
import subprocess
from collections.abc import Sequence

from .. import LIBRARY_FOLDER
from ..errors import JobError
from . import kernel
from .build import FOLDER, NAMESPACES
from .plan import Plan, address, host_name
from .session import Running, start

#: The programs that make the rule, of which the kernel may serve one and not another.
FILTERS = ("nft", "iptables-legacy", "iptables")
#: Seconds that the daemon takes to open its queues, at most.
_PATIENCE = 10


def specification(plan: Plan) -> str:
    """The daemon's file (src/emulate/delayd.c)."""
    lines = [f"class {seconds * 1e6:g}" for seconds in plan.classes]
    for host, classes in enumerate(plan.class_of):
        letters = "".join(chr(ord("0") + one) for one in classes)
        lines.append(f"host {NAMESPACES / host_name(host)} {address(host)} {letters}")
    return "\n".join([*lines, ""])


def rule(program: str, host: int) -> list[list[str]]:
    """Commands that hand over what comes to a host from others."""
    own = address(host)
    if program == "nft":
        chain = ["ip", "hopbine", "late"]
        packets = ["ip", "daddr", own, "ip", "saddr", "!=", own, "ip", "protocol", "tcp"]
        return [
            ["nft", "add", "table", "ip", "hopbine"],
            ["nft", "add", "chain", *chain, "{ type filter hook input priority 0; }"],
            ["nft", "add", "rule", *chain, *packets, "queue", "num", "0"],
        ]
    packets = ["-p", "tcp", "-d", own, "!", "-s", own]
    return [[program, "-w", "-A", "INPUT", *packets, "-j", "NFQUEUE", "--queue-num", "0"]]


def add_rules(hosts: Sequence[int], programs: Sequence[str]) -> None:
    """The rule on all hosts, by the first of the programs that the kernel serves. JobError."""
    said = []
    for program in programs:
        why = _add(hosts[0], program)
        if why is None:
            for host in hosts[1:]:
                if again := _add(host, program):
                    raise JobError(f"{program} on {host_name(host)}: {again}")
            return
        said.append(f"{program}: {why}")
    raise JobError("--delay: no rule for packets can be made: " + "; ".join(said))


def _add(host: int, program: str) -> str | None:
    """Why it cannot be done, or None."""
    with kernel.network_of(NAMESPACES / host_name(host)):
        for command in rule(program, host):
            try:
                done = subprocess.run(command, capture_output=True, text=True, check=False)
            except OSError as error:
                return error.strerror
            if done.returncode:
                return (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[0]
    return None


def begin(plan: Plan, programs: Sequence[str]) -> Running:
    """The daemon, once packets go through it. JobError."""
    file = FOLDER / "delays"
    file.write_text(specification(plan))
    reader, writer = os.pipe()
    words = [str(LIBRARY_FOLDER / "hopbine-delayd"), str(file)]
    daemon = start("the daemon of --delay", words, dict(os.environ), needed=True, output=writer)
    os.close(writer)
    began = select.select([reader], [], [], _PATIENCE)[0] and os.read(reader, 100)
    os.close(reader)
    if not began:
        raise JobError("--delay: its daemon has not begun; what it said is above")
    add_rules(range(plan.hosts), programs)
    return daemon
