"""What an emulated cluster needs of this machine, and what to do where something is missing."""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from .. import LIBRARY_FOLDER
from ..errors import JobError, MissingFile
from . import kernel
from .build import build
from .delays import FILTERS, begin
from .lifetime import apart
from .plan import Delay, Plan
from .tree import tree

#: Files of the package that a cluster cannot do without.
OWN = ("libhopbine_idle.so", "hopbine-enter", "hopbine-delayd")
#: Programs, and the package of Debian that has them.
TOOLS = {"ip": "iproute2", "tc": "iproute2"}
#: Switches of the kernel that keep users from namespaces: value that does, and what to ask for.
SWITCHES = {
    "kernel/unprivileged_userns_clone": ("0", "sysctl kernel.unprivileged_userns_clone=1"),
    "user/max_user_namespaces": ("0", "sysctl user.max_user_namespaces=10000"),
    "kernel/apparmor_restrict_unprivileged_userns": (
        "1",
        "sysctl kernel.apparmor_restrict_unprivileged_userns=0, or a profile for AppArmor",
    ),
}


def _found(tool: str) -> str | None:
    """The administrator's folders are not on every user's PATH."""
    return shutil.which(tool) or shutil.which(tool, path="/usr/sbin:/sbin")


def filters() -> list[str]:
    """Programs that make rules for packets."""
    return [program for program in FILTERS if _found(program)]


def tools(delayed: bool) -> None:
    """MissingFile where something is not installed."""
    for tool, package in TOOLS.items():
        if not _found(tool):
            raise MissingFile(f"hopbine emulate needs {tool} (on Debian: apt install {package})")
    for name in OWN:
        if not (LIBRARY_FOLDER / name).exists():
            raise MissingFile(f"{LIBRARY_FOLDER / name} is missing: install hopbine anew")
    if delayed and not filters():
        raise MissingFile("--delay needs iptables or nft (on Debian: apt install iptables)")


def refusal(error: OSError) -> str:
    """What the kernel has refused, and whom to ask for what."""
    if kernel.may_make_namespaces():
        return f"this root may not make namespaces: {error.strerror}"
    asked = [
        ask for switch, (off, ask) in SWITCHES.items() if _text(Path("/proc/sys", switch)) == off
    ]
    how = (
        f"ask the administrator for {' and '.join(asked)}"
        if asked
        else "be root, or ask for user namespaces; in a container: docker run --privileged, or "
        "--security-opt seccomp=unconfined --security-opt systempaths=unconfined"
    )
    return f"this machine allows users no namespaces ({error.strerror}): {how}"


def _text(path: Path) -> str | None:
    try:
        return path.read_text().strip()
    except OSError:
        return None


def _say(fine: bool, what: str) -> bool:
    print(f"{'yes' if fine else 'no '}  {what}", flush=True)
    return fine


def _tried(what: str, do: Callable[[], object]) -> bool:
    try:
        do()
    except (JobError, MissingFile) as error:
        return _say(False, f"{what}: {error}")
    except OSError as error:
        return _say(False, f"{what}: {refusal(error)}")
    return _say(True, what)


def run() -> int:
    """Prints a line for each thing that is needed. 0 where a cluster can be made."""
    root = kernel.may_make_namespaces()
    fine = _tried("ip, tc and hopbine's own files", lambda: tools(delayed=False))
    fine = fine and _tried("namespaces", lambda: apart(lambda: 0))
    fine = fine and apart(_trial) == 0
    _say(fine, "bytes of links can be counted")
    _say(fine and root, "times can be measured" + ("" if root else ": not without root"))
    delayed = fine and _tried("iptables or nft, for --delay", lambda: tools(delayed=True))
    _say(delayed and apart(_delays) == 0, "latencies (--delay)")
    _say(True, f"{os.cpu_count()} cores: take --rate so that all links carry at most 1 Gb/s a core")
    return 0 if fine else 1


def _plan() -> Plan:
    return tree("a trial", [0, 0, 1, 1], ["g0", "g1"], 1e8, 2, Delay(1e-3, 2e-3))


def _delays() -> int:
    """The daemon of a cluster and its rules."""

    def make() -> None:
        build(_plan())
        begin(_plan(), filters())

    return 0 if _tried("packets can be held", make) else 1


def _trial() -> int:
    """A cluster of four hosts."""

    def make() -> None:
        for one in build(_plan()):
            print(f"     not set: {one}")

    done = _tried("a cluster of four hosts", make)
    sys.stdout.flush()
    return 0 if done else 1
