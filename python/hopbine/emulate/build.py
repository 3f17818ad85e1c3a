"""Making a cluster, inside namespaces that end with it: mounts, networks, devices, settings."""

import subprocess
from pathlib import Path

from ..errors import JobError
from . import kernel
from .plan import FABRIC, HEAD, Plan, host_name, launcher_address

#: Files of the cluster, and the programs' folder for temporary ones; in memory.
FOLDER = Path("/run/hopbine")
TEMPORARY = FOLDER / "tmp"
NAMESPACES = Path("/run/netns")
#: The name of where the launcher runs.
HEAD_NAME = "head"
#: Settings of TCP on hosts. Nothing is ever lost, so what is late is not sent again; no slow start
#: after a pause. A send buffer of 64 KiB: with more, flows of one host overlap that a program has
#: one after the other. The kernel drops data whose acknowledgement was overtaken by more than a
#: receive window (RFC 5961), and timestamps that go back, as where acknowledgements go first.
_WINDOW = 64 << 10
SETTINGS = {
    "net/ipv6/conf/all/disable_ipv6": "1",
    "net/ipv4/tcp_slow_start_after_idle": "0",
    "net/ipv4/tcp_recovery": "0",
    "net/ipv4/tcp_early_retrans": "0",
    "net/ipv4/tcp_reordering": "127",
    "net/ipv4/tcp_max_reordering": "300",
    "net/ipv4/tcp_timestamps": "0",
    "net/ipv4/tcp_no_metrics_save": "1",
    "net/ipv4/tcp_congestion_control": "reno",
    "net/ipv4/tcp_autocorking": "0",
    "net/ipv4/tcp_limit_output_bytes": f"{_WINDOW}",
    "net/ipv4/tcp_moderate_rcvbuf": "0",
    "net/ipv4/tcp_wmem": f"4096 {_WINDOW} {_WINDOW}",
    "net/ipv4/tcp_rmem": f"4096 {8 << 20} {8 << 20}",
    "net/ipv4/conf/all/rp_filter": "0",
    "net/ipv4/conf/default/rp_filter": "0",
    "net/ipv4/conf/all/send_redirects": "0",
}


def build(plan: Plan) -> list[str]:
    """Makes the cluster. What the kernel refused and the cluster can do without. JobError."""
    refused = _mounts(plan.hosts)
    kernel.set_host_name(HEAD_NAME)
    names = [FABRIC] * (not plan.shape) + [host_name(host) for host in range(plan.hosts)]
    _batch("ip", "", [f"netns add {name}" for name in names])
    # Before devices: an address of IPv6 would be asked for on each.
    refused += _settings(names, forward=bool(plan.shape))
    for tool, every in (("ip", plan.commands.ip), ("tc", plan.commands.tc)):
        for namespace, lines in every:
            _batch(tool, namespace, lines)
    return refused


def _mounts(hosts: int) -> list[str]:
    """Folders of the cluster's own, seen in it alone."""
    try:
        kernel.mount("none", "/", None, kernel.PRIVATE)
        kernel.mount("tmpfs", "/run", "tmpfs", options="mode=755")
        for folder in (FOLDER, TEMPORARY, NAMESPACES):
            folder.mkdir()
        TEMPORARY.chmod(0o1777)
        (FOLDER / "hopbine-shell").symlink_to("/bin/sh")
        known = [f"{HEAD} {HEAD_NAME}"]
        known += [f"{launcher_address(host)} {host_name(host)}" for host in range(hosts)]
        (FOLDER / "hosts").write_text("\n".join(["127.0.0.1 localhost", *known, ""]))
        kernel.mount(str(FOLDER / "hosts"), "/etc/hosts", None, kernel.BIND)
    except OSError as error:
        raise JobError(f"the cluster's own folders cannot be made: {error}") from None
    refused = []
    # Names in shared memory are of a host's name and a number, which two clusters may both have.
    for kind, target in (("tmpfs", "/dev/shm"), ("proc", "/proc")):
        try:
            kernel.mount(kind, target, kind)
        except OSError as error:
            refused.append(str(error))
    return refused


def _batch(tool: str, namespace: str, lines: list[str]) -> None:
    """Runs lines of ip or tc in a namespace. JobError with what it said."""
    command = [tool, *(["-netns", namespace] if namespace else []), "-batch", "-"]
    done = subprocess.run(
        command, input="\n".join(lines) + "\n", text=True, capture_output=True, check=False
    )
    if done.returncode:
        said = (done.stderr or done.stdout).strip() or f"exit code {done.returncode}"
        where = f" on {namespace}" if namespace else ""
        raise JobError(f"{tool}{where}: {said}")


def _settings(names: list[str], forward: bool) -> list[str]:
    """Writes SETTINGS. Those that the kernel refuses, once each."""
    refused: dict[str, str] = {}
    settings = SETTINGS | {"net/ipv4/ip_forward": str(int(forward))}
    for name in names:
        with kernel.network_of(NAMESPACES / name):
            for setting, value in settings.items():
                try:
                    Path("/proc/sys", setting).write_text(value)
                except OSError as error:
                    refused[setting] = error.strerror or "refused"
    return [f"{setting}: {why}" for setting, why in refused.items()]
