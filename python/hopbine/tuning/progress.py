"""What a tuning says while it runs, on standard error."""

import os
import sys


def progress(text: str) -> None:
    """A line that the next one writes over; nothing where there is no terminal."""
    if sys.stderr.isatty():
        width = os.get_terminal_size(sys.stderr.fileno()).columns
        print(f"\r\033[K{text[: width - 1]}", end="", file=sys.stderr, flush=True)


def tell(text: str) -> None:
    """A line that stays."""
    print(("\r\033[K" if sys.stderr.isatty() else "") + text, file=sys.stderr, flush=True)
