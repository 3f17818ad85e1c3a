"""Namespaces that hold all of a cluster, so that nothing of it outlives one process.

The first process of a namespace of processes is the cluster's own. When it ends, however it does,
the kernel ends all others in it, and with them go networks, devices and mounts. It is killed when
the process that made it ends, and that one when this one does.
"""

import os
import select
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

from . import kernel

#: Signals that end a command; a hang-up is that of its terminal.
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_SPACES = (
    kernel.NEW_MOUNTS | kernel.NEW_NAME | kernel.NEW_IPC | kernel.NEW_PROCESSES | kernel.NEW_NETWORK
)


def apart(work: Callable[[], int]) -> int:
    """What `work` returns, done as the first process of new namespaces. OSError without these.

    A signal that ends this process is passed on, and what `work` makes of it is the result.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    refused, refuse = os.pipe()
    before = {number: signal.getsignal(number) for number in ENDING}
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    child = os.fork()
    if not child:
        os.close(refused)
        _between(work, refuse)
    os.close(refuse)
    _pass_on(child)
    try:
        with os.fdopen(refused) as told:
            said = told.read()  # until the namespaces are made
        _, status = os.waitpid(child, 0)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if said:
        error, _, why = said.partition(" ")
        raise OSError(int(error), why)
    return exit_code(status)


def exit_code(status: int) -> int:
    """A shell's exit code: 128 and the signal for what a signal has ended."""
    code = os.waitstatus_to_exitcode(status)
    return 128 - code if code < 0 else code


def _pass_on(child: int) -> None:
    """Ending signals go to the child from now on."""
    for number in ENDING:
        signal.signal(number, lambda number, _: os.kill(child, number))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)


def _between(work: Callable[[], int], refuse: int) -> NoReturn:
    """The process outside of the new namespaces that makes them and their first process."""
    try:
        kernel.die_with_parent()
        _make_spaces()
        alive, held = os.pipe()  # the first process sees its end as that of this process
        child = os.fork()
    except OSError as error:
        os.write(refuse, f"{error.errno} {error.strerror}".encode())
        os._exit(1)
    os.close(refuse)
    if not child:
        os.close(held)
        _first(work, alive)
    _pass_on(child)
    _, status = os.waitpid(child, 0)
    os._exit(exit_code(status))


def _make_spaces() -> None:
    """Namespaces for the children of this process; without root this user is root there."""
    user, group = os.geteuid(), os.getegid()
    if kernel.may_make_namespaces():
        kernel.unshare(_SPACES)
        return
    kernel.unshare(kernel.NEW_USERS | _SPACES)
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"0 {user} 1"),
        ("gid_map", f"0 {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def _leave(number: int, _: object) -> NoReturn:
    raise SystemExit(128 + number)


def _first(work: Callable[[], int], alive: int) -> NoReturn:
    """The first process inside. The kernel ignores signals for it that it has no handler of."""
    code = 1
    try:
        for number in ENDING:
            signal.signal(number, _leave)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
        kernel.die_with_parent()
        if not select.select([alive], [], [], 0)[0]:
            code = work()
    except BaseException as error:
        from ..cli._failures import tell

        code = tell(error, sys.argv[1:])
    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)
