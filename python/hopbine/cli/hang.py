"""hopbine hang: what the ranks of running jobs on this node do, and where"""

import argparse
import os
import socket
from pathlib import Path

from ..errors import UsageError

#: Names of the sockets of watchers, as Linux lists them (src/watch/rendezvous.hpp).
SOCKETS = Path("/proc/net/unix")
PREFIX = "@hopbine-watch-"
#: Seconds that a watcher may take: it may wait for its first look, up to ten seconds, and have to
#: look up lines of a large program.
PATIENCE = 60


def configure(parser: argparse.ArgumentParser) -> None:
    """The verb has no arguments."""


def watchers() -> list[str]:
    """The sockets of this user's watchers on this node."""
    own = f"{PREFIX}{os.geteuid()}-"
    words = (line.split()[-1] for line in SOCKETS.read_text().splitlines())
    return sorted({name for name in words if name.startswith(own)})


def asked(name: str) -> str:
    """What a watcher answers; nothing where it has ended meanwhile."""
    answer = b""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as to:
        to.settimeout(PATIENCE)
        try:
            to.connect("\0" + name[1:])
            to.send(b"?")
            while part := to.recv(1 << 16):
                answer += part
        except ConnectionError:
            pass
    return answer.decode(errors="replace")


def run(args: argparse.Namespace) -> int:
    """Prints a line for each rank."""
    answers = [text for name in watchers() if (text := asked(name))]
    if not answers:
        raise UsageError(
            "no job of yours that is watched runs on this node (hopbine run --watch 30s)"
        )
    print("\n".join(answers), end="")
    return 0
