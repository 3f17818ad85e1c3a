"""Schedules as values: what `hopbine schedule --format csv` prints, read back and compared."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict, Unpack

from .. import _core
from ..errors import UsageError

MODES = ("copy", "reduce")
#: The largest step or channel, and the largest block: what C++ holds in an int and in 63 bits.
MOST_STEP, MOST_BLOCK = 2**31 - 1, 2**63 - 1
_FIELDS = _core.csv_heading.split(",")


class Where(TypedDict, total=False):
    """Where ranks are, for algorithms that follow it."""

    group: Sequence[int]  #: of every rank
    node: Sequence[int]  #: of every rank
    shape: Sequence[int]  #: the torus of the ranks


@dataclass(frozen=True)
class Move:
    """A message as its sender sees it.

    `mode`: the receiver takes a copy of the blocks, or reduces them to its own. `blocks`: runs, the
    last block of each included.
    """

    step: int
    channel: int
    src: int
    dst: int
    mode: str
    blocks: tuple[tuple[int, int], ...]

    def __str__(self) -> str:
        """A line of the text."""
        runs = ";".join(str(lo) if lo == hi else f"{lo}-{hi}" for lo, hi in self.blocks)
        return f"{self.step},{self.channel},{self.src},{self.dst},{self.mode},{runs}"


@dataclass(frozen=True)
class Schedule:
    """The moves of a collective, step by step. Equal where all moves are."""

    moves: tuple[Move, ...]

    @classmethod
    def of(
        cls,
        collective: str,
        algorithm: str,
        p: int,
        root: int = 0,
        parameters: Mapping[str, int] | None = None,
        **where: Unpack[Where],
    ) -> Schedule:
        """The schedule of an algorithm of the registry. UsageError."""
        lines: list[str] = []
        problem = _core.Problem(
            collective, algorithm, p, root=root, parameters=parameters or {}, **where
        )
        _core.export(problem, "csv", lines.append)
        return cls.parse("".join(lines), f"{collective} {algorithm}")

    @classmethod
    def parse(cls, text: str, source: str = "schedule") -> Schedule:
        """Reads what `str` of a schedule gives. UsageError names `source`, line and column."""
        heading, *lines = text.split("\n")
        if heading != _core.csv_heading:
            raise UsageError(f"{source}:1:1: the first line is not '{_core.csv_heading}'")
        if not lines or lines.pop():
            column = len(text) - text.rfind("\n")
            raise UsageError(
                f"{source}:{text.count(chr(10)) + 1}:{column}: the text ends within a line"
            )
        moves: list[Move] = []
        for number, line in enumerate(lines, 2):
            moves.append(_Line(line, f"{source}:{number}").move(moves[-1].step if moves else 0))
        return cls(tuple(moves))

    def __str__(self) -> str:
        """The text, a line for every move."""
        return "".join(f"{line}\n" for line in (_core.csv_heading, *self.moves))

    @property
    def steps(self) -> int:
        """How many steps there are, up to the last move."""
        return self.moves[-1].step + 1 if self.moves else 0


class _Line:
    """A line that is read from left to right."""

    def __init__(self, text: str, where: str) -> None:
        self.text, self.where, self.at = text, where, 0

    def wrong(self, why: str) -> UsageError:
        """What stands here is not what is allowed."""
        return UsageError(f"{self.where}:{self.at + 1}: {why}")

    def number(self, what: str, least: int, most: int) -> int:
        """A whole number without leading zeros."""
        found = re.compile(r"0|[1-9][0-9]{0,18}").match(self.text, self.at)
        if not found or not least <= int(found[0]) <= most:
            raise self.wrong(f"{what} is not a whole number from {least} to {most}")
        self.at = found.end()
        return int(found[0])

    def take(self, sign: str) -> bool:
        """Goes past the sign, if it stands here."""
        here = self.text.startswith(sign, self.at)
        self.at += len(sign) if here else 0
        return here

    def need(self, sign: str, behind: str) -> None:
        """Goes past the sign, which must be here."""
        if not self.take(sign):
            raise self.wrong(f"'{sign}' is needed behind {behind}")

    def move(self, least_step: int) -> Move:
        """All of the line; steps never go back."""
        mosts = (MOST_STEP, MOST_STEP, _core.MOST_RANKS - 1, _core.MOST_RANKS - 1)
        numbers = []
        for name, most in zip(_FIELDS, mosts, strict=False):
            numbers.append(self.number(name, least_step if name == "step" else 0, most))
            self.need(",", name)
        mode = next((mode for mode in MODES if self.take(mode)), None)
        if not mode:
            raise self.wrong(f"mode is not one of {', '.join(MODES)}")
        self.need(",", "mode")
        blocks = self.runs()
        if self.at < len(self.text):
            raise self.wrong("blocks end here, as runs such as 0-3;7; the line does not")
        step, channel, src, dst = numbers
        return Move(step, channel, src, dst, mode, blocks)

    def runs(self) -> tuple[tuple[int, int], ...]:
        """Runs of blocks, with the last of each."""
        runs: list[tuple[int, int]] = []
        while not runs or self.take(";"):
            lo = hi = self.number("block", 0, MOST_BLOCK)
            if self.take("-"):
                hi = self.number("the last block of a run", lo + 1, MOST_BLOCK)
            runs.append((lo, hi))
        return tuple(runs)
