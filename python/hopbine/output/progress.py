"""How far something is, on standard error, where somebody watches."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from types import FrameType
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live
    from rich.progress import Progress as Bar

Item = TypeVar("Item")

#: What takes less needs no line, and no line changes faster.
QUIET_SECONDS, AGAIN_SECONDS = 3.0, 0.5


class _Line:
    """The terminal's last line, as long as something is drawn there.

    Nothing draws between two calls: a thread that did would take time from what is measured.
    """

    def __init__(self) -> None:
        self._live: Live | None = None

    def draw(self, what: RenderableType) -> None:
        """Draws over what stands there."""
        if self._live is None:
            from rich.console import Console
            from rich.live import Live

            self._live = Live(
                console=Console(stderr=True, highlight=False),
                auto_refresh=False,
                transient=True,
                redirect_stdout=False,  # standard output may be a file
                redirect_stderr=False,
            )
            self._live.start()
            self._live.console.show_cursor(True)  # as it is left if the command is killed
        self._live.update(what, refresh=True)

    def clear(self) -> None:
        """Takes it away."""
        live, self._live = self._live, None
        if live is not None:
            live.stop()


_LINE = _Line()


def progress(text: str) -> None:
    """A line that the next one writes over; nothing where there is no terminal."""
    if sys.stderr.isatty():
        from rich.text import Text

        _LINE.draw(Text(text, no_wrap=True, overflow="ellipsis"))


def clear() -> None:
    """Takes the line away, before something else is printed."""
    _LINE.clear()


def tell(text: str) -> None:
    """A line that stays."""
    clear()
    print(text, file=sys.stderr, flush=True)


class Progress:
    """Counts what is done of `total` things."""

    def __init__(self, total: int, things: str) -> None:
        self._total, self._things, self._done = total, things, 0
        self._began = self._shown = time.monotonic()
        self._bar: Bar | None = None

    @property
    def done(self) -> int:
        """How many are done."""
        return self._done

    def step(self, name: str = "") -> None:
        """One more. `name`: of what is done or next."""
        self._done += 1
        now = time.monotonic()
        quiet = now - self._began < QUIET_SECONDS or now - self._shown < AGAIN_SECONDS
        if not quiet and sys.stderr.isatty():
            self._shown = now
            self._draw(self.text(now - self._began, name))

    def text(self, seconds: float, name: str = "") -> str:
        """What stands behind the bar after so many seconds."""
        left = seconds / max(self._done, 1) * (self._total - self._done)
        return f"{seconds:.0f} s, about {left:.0f} s left{f', at {name}' if name else ''}"

    def _draw(self, text: str) -> None:
        if self._bar is None:
            from rich import progress as rich

            self._bar = rich.Progress(
                rich.BarColumn(20),
                rich.MofNCompleteColumn(),
                rich.TextColumn("{task.description}", markup=False),
            )
            self._bar.add_task("", total=self._total)
        told = f"{self._things}, {text}"
        self._bar.update(self._bar.task_ids[0], completed=self._done, description=told)
        _LINE.draw(self._bar.get_renderable())


def watched(
    items: Iterable[Item],
    total: int,
    things: str,
    name: Callable[[Item], str] = str,
    told: bool = True,
    keep: bool = False,
) -> Iterator[Item]:
    """The items, of which there are `total`, with a line that tells which one is done if `told`.

    `keep`: Ctrl-C ends them where some are done, and is in `stopped`. While an item is used, it
    waits for the end of that: what is kept would lack the item's half.
    """
    if not told:
        yield from items
        return
    done = Progress(total, things)
    try:
        for item in items:
            with _uninterrupted() if keep else nullcontext():
                yield item
                done.step(name(item))
    except KeyboardInterrupt:
        if not keep or not done.done:
            raise
        stopped.append(f"after {done.done} of {total} {things}")
    finally:
        clear()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """An interrupt within is KeyboardInterrupt at the end; a second one does not wait."""
    if threading.current_thread() is not threading.main_thread():  # the only one with signals
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    handlers = {number: handler for number, handler in before.items() if callable(handler)}
    waiting: list[int] = []

    def wait(number: int, frame: FrameType | None) -> None:
        if waiting:
            handlers[signal.Signals(number)](number, frame)
        waiting.append(number)

    try:
        for number in handlers:
            signal.signal(number, wait)
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    if waiting:
        raise KeyboardInterrupt


#: Where Ctrl-C has ended loops whose work is kept; the command line empties it and tells it.
stopped: list[str] = []


@contextmanager
def elapsed(text: str) -> Iterator[None]:
    """A line that tells how long something takes which is not done in parts.

    A thread draws it, seldom: the work is one call of the core, or of another process.
    """
    over, began = threading.Event(), time.monotonic()

    def draw() -> None:
        wait = QUIET_SECONDS
        while not over.wait(wait):
            progress(f"{text}, {time.monotonic() - began:.0f} s")
            wait = 2 * AGAIN_SECONDS

    drawing = threading.Thread(target=draw, daemon=True)
    if sys.stderr.isatty():
        drawing.start()
    try:
        yield
    finally:
        over.set()
        if drawing.is_alive():
            drawing.join()
        clear()
