"""The command lines of the jobs that are compared: with hopbine, and without."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from ..errors import UsageError

#: The kinds of jobs. The third is the first again: what it seems to gain is noise.
STOCK, HOPBINE, AGAIN = "stock", "hopbine", "stock again"
#: Stands for `hopbine run` where a command has this word, as find -exec and xargs -I have it.
MARK = "{}"


def hopbine_words() -> list[str]:
    """What starts hopbine: the installed command beside the running one, else this Python."""
    beside = Path(sys.argv[0]).resolve().with_name("hopbine")
    if beside.is_file() and os.access(beside, os.X_OK):
        return [str(beside)]
    return [sys.executable, "-m", "hopbine"]


@dataclass(frozen=True)
class Commands:
    """A user's command, and `hopbine run` with its options, which comes before it or at a mark."""

    given: Sequence[str]
    run: Sequence[str]
    mark: str = MARK

    def stock(self) -> list[str]:
        """The job without hopbine."""
        return [word for word in self.given if word != self.mark]

    def hopbine(self, more: Sequence[str] = ()) -> list[str]:
        """The job with hopbine; `more`: further options of `hopbine run`."""
        run = [*self.run, *more]
        if self.mark not in self.given:
            return [*run, *self.given]
        return [w for word in self.given for w in (run if word == self.mark else [word])]


def check(command: Sequence[str], mark: str) -> None:
    """UsageError where a command cannot be run with and without hopbine."""
    left = [word for word in command if word != mark]
    if not left:
        raise UsageError("no job is given: hopbine compare -- mpiexec -n 4 ./program")
    if command[-1] == mark:
        raise UsageError(f"{mark} stands for `hopbine run`: a program has to follow it")
    for word, after in pairwise(left):
        if Path(word).name == "hopbine" and after == "run":
            raise UsageError(
                f"the job has `{word} run` already: leave it out, or put {mark} in its place"
            )
    if "libhopbine_preload" in os.environ.get("LD_PRELOAD", ""):
        raise UsageError("LD_PRELOAD names hopbine: there would be no job without it; unset it")
