"""MPI libraries on this machine, by their launchers."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ..bench.launch import MissingMpi, family_of

#: Names of launchers: of all libraries, of MPICH's and Intel's Hydra, and of Debian's.
NAMES = ("mpiexec", "mpirun", "mpiexec.hydra", "mpiexec.openmpi", "mpiexec.mpich")
#: The library of programs of the MPI-5 ABI.
_ABI = "libmpi_abi.so*"


@dataclass(frozen=True)
class Library:
    """A launcher, its family, and which of hopbine's runtimes its programs take."""

    launcher: str
    family: str
    runtime: str  #: the family, or abi

    @cached_property
    def version(self) -> str:
        """What the launcher says, as 5.0.11; empty when it says none."""
        done = subprocess.run([self.launcher, "--version"], capture_output=True, text=True)
        return number(done.stdout)

    @property
    def name(self) -> str:
        """The family and the launcher."""
        abi = " (MPI-5 ABI)" if self.runtime == "abi" else ""
        return f"{self.family}{abi}: {self.launcher}"


def number(text: str) -> str:
    """The first version in a text, as 5.0.11; empty when there is none."""
    m = re.search(r"(?<![\d.])\d+\.\d+(\.\d+)?", text)
    return m[0] if m else ""


def found(given: Iterable[str] = (), path: str | None = None) -> Iterator[Library]:
    """Libraries of the launchers that are given, else of all on PATH; each once.

    Launchers of other libraries are passed over, unless they are given. UsageError.
    """
    seen: set[tuple[str, Path]] = set()
    given = list(given)
    for launcher in given or _on_path(os.environ.get("PATH", "") if path is None else path):
        try:
            family = family_of(_existing(launcher))
        except (MissingMpi, OSError, subprocess.TimeoutExpired) as error:
            if given:
                raise MissingMpi(f"--mpiexec {launcher}: {error}") from None
            continue
        folder = Path(launcher).resolve().parent  # links in /bin and of Debian's alternatives
        if (family, folder) in seen:
            continue
        seen.add((family, folder))
        yield Library(launcher, family, family)
        if any(folder.parent.glob(f"lib/{_ABI}")):
            yield Library(launcher, family, "abi")


def _existing(launcher: str) -> str:
    if not shutil.which(launcher):
        raise MissingMpi("there is no such program")
    return launcher


def _on_path(path: str) -> Iterator[str]:
    """Programs of these names in the folders of PATH, in their order."""
    for folder in dict.fromkeys(path.split(":")):
        for name in NAMES:
            program = os.path.join(folder, name)
            if folder and os.access(program, os.X_OK):
                yield program
