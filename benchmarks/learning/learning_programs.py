"""The programs of jobs of their own: what each is given, and which of its times are told."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from rivals_library import Library

HERE = Path(__file__).resolve().parent
#: Calls of each kind of the job that finds the usual time of every kind, for `skewed`.
USUAL_CALLS = 30


@dataclass(frozen=True)
class Program:
    """One row of the benchmark; `summary` says what its job does.

    `given` are its words on one node, `on_network` on an emulated one, whose links are slow. A
    program that is made `by_calls` gets the calls of a kind as first word. `ranks` where it has
    a number of its own. `shows`: times and memory of the table; what follows a `/` in the name of a
    time is a cell, and cells are shown together.
    """

    name: str
    source: str
    summary: str
    shows: tuple[str, ...]
    given: tuple[str, ...] = ()
    on_network: tuple[str, ...] = ()
    by_calls: bool = False
    ranks: int | None = None
    skewed: bool = False

    def words(self, calls: int | None, one_node: bool) -> list[str]:
        """The program's own words on the command line."""
        given = self.given if one_node else self.on_network
        return [*([str(calls)] if self.by_calls else []), *given]


PROGRAMS = [
    Program(
        "many_kinds",
        "many_kinds",
        "four communicators, eight collectives, seven sizes",
        ("collectives",),
        on_network=("most=32768",),
        by_calls=True,
    ),
    Program(
        "skewed",
        "many_kinds",
        "the same where each rank computes before a call, for 0 to 10 times the call's usual time",
        ("collectives", "last_arriver"),
        on_network=("most=32768",),
        by_calls=True,
        skewed=True,
    ),
    Program(
        "cells",
        "cells",
        "a collective at a size: 20 calls, the next 200, and warm",
        ("first", "next", "warm"),
        on_network=("32768",),
    ),
    Program(
        "training",
        "training",
        "allreduces of 256 KiB and 8 B, and a bcast in every fourth of 40 steps",
        ("collectives",),
    ),
    Program(
        "many_communicators",
        "many_communicators",
        "split, dup, five small collectives, free: 3,000 times",
        ("loop", "growth"),
        on_network=("300",),
        ranks=5,
    ),
    Program(
        "memory",
        "memory",
        "2,000 communicators with 50 kinds of calls each, freed",
        ("growth", "resident"),
        on_network=("200",),
    ),
]


def build(library: Library, source: str, folder: Path) -> Path:
    """A program of this folder, made once for a library. CalledProcessError when it fails."""
    program = folder / f"{source}-{library.name}"
    if not program.exists():
        code = str(HERE / f"{source}.c")
        subprocess.run([library.mpicc, "-O2", "-o", str(program), code], check=True)
    return program
