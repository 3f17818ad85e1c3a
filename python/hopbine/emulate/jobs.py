"""The jobs of a cluster, as a command line names them."""

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import MissingFile, UsageError
from ..notation.text import short

#: Names of MPI launchers, with suffixes such as mpiexec.hydra.
_LAUNCHER = re.compile(r"(mpiexec|mpirun)(\.\w+)?")


@dataclass(frozen=True)
class Asked:
    """A job: its command, and the hosts that it has to itself."""

    words: tuple[str, ...]
    hosts: tuple[int, ...]


def hosts_of(text: str, hosts: int) -> tuple[int, ...]:
    """'0-3,8-11' -> hosts, in this order. UsageError."""
    out: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d{1,4})(?:-(\d{1,4}))?\s*", part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if not first <= last < hosts:
            raise UsageError(
                f"--jobs: '{short(part)}' names no hosts of 0 to {hosts - 1}, as in 0-3,8-11"
            )
        out += range(first, last + 1)
    if len(set(out)) < len(out):
        raise UsageError(f"--jobs: '{short(text)}' names a host twice")
    return tuple(out)


def parse(texts: Sequence[str], hosts: int) -> list[Asked]:
    """The jobs of --jobs, 'HOSTS: COMMAND' each; no host is in two. UsageError."""
    out, taken = [], dict[int, str]()
    for text in texts:
        where, colon, command = text.partition(":")
        if not colon:
            raise UsageError(f"--jobs '{short(text)}' is not HOSTS: COMMAND, as in '0-3: mpiexec'")
        try:
            words = tuple(shlex.split(command))
        except ValueError as error:
            raise UsageError(f"--jobs '{short(text)}': {error}") from None
        job = Asked(words, hosts_of(where, hosts))
        for host in job.hosts:
            if host in taken:
                raise UsageError(f"--jobs: host {host} is in '{short(taken[host])}' and '{where}'")
            taken[host] = where
        out.append(job)
    return out


def check(job: Asked, environment: Mapping[str, str]) -> None:
    """Can the command be started here? UsageError, MissingFile."""
    if not job.words:
        raise UsageError("no command: hopbine emulate ... -- mpiexec -n 16 ./program")
    if not shutil.which(job.words[0], path=environment.get("PATH")):
        raise MissingFile(f"no program '{short(job.words[0])}'")
    for word in job.words:
        if _LAUNCHER.fullmatch(Path(word).name) and (path := shutil.which(word)):
            _check_launcher(path)


def _check_launcher(path: str) -> None:
    """UsageError for a launcher whose ranks would wait for each other for ever."""
    said = subprocess.run(
        [path, "--version"],
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
        stdin=subprocess.DEVNULL,
        env=os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"},
    ).stdout
    version = re.search(r"HYDRA build details:\s+Version:\s+(4\.0[.\w]*)", said)
    if version:
        raise UsageError(
            f"{path} is MPICH {version[1]}, whose ranks hang between network namespaces; MPICH 4.3 "
            "and 5 and Open MPI 4.1 and 5 are tested"
        )
