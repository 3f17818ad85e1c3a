"""How far something is, on standard error, where somebody watches."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")

#: What takes less needs no line, and no line changes faster.
QUIET_SECONDS, AGAIN_SECONDS = 3.0, 0.5


def progress(text: str) -> None:
    """A line that the next one writes over; nothing where there is no terminal."""
    if sys.stderr.isatty():
        width = os.get_terminal_size(sys.stderr.fileno()).columns
        print(f"\r\033[K{text[: width - 1]}", end="", file=sys.stderr, flush=True)


def tell(text: str) -> None:
    """A line that stays."""
    print(("\r\033[K" if sys.stderr.isatty() else "") + text, file=sys.stderr, flush=True)


class Progress:
    """Counts what is done of `total` things, None where that is not known beforehand."""

    def __init__(self, total: int | None, things: str) -> None:
        self._total, self._things, self._done = total, things, 0
        self._began = self._shown = time.monotonic()
        self._is_there = False

    def step(self, name: str = "") -> None:
        """One more. `name`: of what is done or next."""
        self._done += 1
        now = time.monotonic()
        if now - self._began >= QUIET_SECONDS and now - self._shown >= AGAIN_SECONDS:
            progress(self.text(now - self._began, name))
            self._shown, self._is_there = now, True

    def text(self, seconds: float, name: str = "") -> str:
        """The line after so many seconds."""
        at = f", at {name}" if name else ""
        if self._total is None:
            return f"{self._done} {self._things}, {seconds:.0f} s{at}"
        left = seconds / max(self._done, 1) * (self._total - self._done)
        return (
            f"{self._done} of {self._total} {self._things}, {seconds:.0f} s, about {left:.0f} s "
            f"left{at}"
        )

    def clear(self) -> None:
        """Takes the line away, before something else is printed."""
        if self._is_there:
            progress("")
        self._is_there = False


def watched(
    items: Iterable[Item],
    total: int,
    things: str,
    name: Callable[[Item], str] = str,
    told: bool = True,
) -> Iterator[Item]:
    """The items, of which there are `total`, with a line that tells which one is done if `told`."""
    if not told:
        yield from items
        return
    done = Progress(total, things)
    try:
        for item in items:
            yield item
            done.step(name(item))
    finally:
        done.clear()
