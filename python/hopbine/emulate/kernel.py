"""Calls of the Linux kernel that Python 3.11 has no functions for."""

import ctypes
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NEW_MOUNTS, NEW_NAME, NEW_IPC = 0x00020000, 0x04000000, 0x08000000
NEW_USERS, NEW_PROCESSES, NEW_NETWORK = 0x10000000, 0x20000000, 0x40000000
PRIVATE = 0x00040000 | 0x4000  #: MS_PRIVATE | MS_REC
BIND = 0x1000
_DEATH_SIGNAL = 1  #: PR_SET_PDEATHSIG
#: Capability to make namespaces, by its number.
_SYS_ADMIN, _SYS_NICE = 21, 23

_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> None:
    if result:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def unshare(flags: int) -> None:
    """This process gets namespaces of its own. OSError."""
    _checked(_libc.unshare(flags), "unshare")


def mount(source: str, target: str, kind: str | None, flags: int = 0, options: str = "") -> None:
    """OSError."""
    words = [os.fsencode(source), os.fsencode(target), kind.encode() if kind else None]
    _checked(
        _libc.mount(*words, ctypes.c_ulong(flags), options.encode() or None), f"mount {target}"
    )


def set_host_name(name: str) -> None:
    """The name of this machine, in a namespace of its own. OSError."""
    _checked(_libc.sethostname(name.encode(), len(name)), "sethostname")


def die_with_parent() -> None:
    """This process is killed when the thread that made it ends."""
    _checked(_libc.prctl(_DEATH_SIGNAL, int(signal.SIGKILL), 0, 0, 0), "prctl")


@contextmanager
def network_of(path: Path | str) -> Iterator[None]:
    """What is opened or written inside belongs to this network namespace. OSError."""
    here = os.open("/proc/self/ns/net", os.O_RDONLY)
    try:
        there = os.open(path, os.O_RDONLY)
        try:
            _checked(_libc.setns(there, NEW_NETWORK), f"setns {path}")
        finally:
            os.close(there)
        try:
            yield
        finally:
            _checked(_libc.setns(here, NEW_NETWORK), "setns")
    finally:
        os.close(here)


def _may(capability: int) -> bool:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("CapEff:"):
            return bool(int(line.split()[1], 16) >> capability & 1)
    return False


def may_make_namespaces() -> bool:
    """Is this root that may? Else users need a namespace of users first."""
    return os.geteuid() == 0 and _may(_SYS_ADMIN)


def may_set_classes() -> bool:
    """May processes here be of the real-time class?"""
    return _may(_SYS_NICE)
