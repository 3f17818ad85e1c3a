"""Text from outside.

Files of bounded size, and messages that echo input without what steers a terminal.
"""

import os
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..errors import MissingFile, UsageError

#: Bytes of a text file that is read at all; the largest lists of real machines are some MiB.
MOST_BYTES = 64 << 20
#: Characters of a message that are shown.
MOST_SHOWN = 2000
#: Categories of characters that steer a terminal or change what its neighbours look like.
_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def printable(text: str, keep: str = "") -> str:
    r"""Control characters as escapes (\x1b, \u202e), so that they reach no terminal.

    Those in `keep` stay.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        c.encode("unicode_escape").decode()
        if unicodedata.category(c) in _HIDDEN and c not in keep
        else c
        for c in text
    )


def one_line(text: str, most: int = MOST_SHOWN) -> str:
    """Printable, without line breaks, with the middle left out where it is very long."""
    text = printable(text if len(text) <= 2 * most else text[:most] + text[-most:])
    return text if len(text) <= most else f"{text[: most // 2]} ... {text[-most // 2 :]}"


def short(text: str) -> str:
    """The beginning of a text that a message names."""
    return text if len(text) <= 60 else text[:57] + "..."


def many(n: int, noun: str) -> str:
    """'1 group', '2 groups'."""
    return f"{n} {noun}{'' if n == 1 else 's'}"


def near(word: str, names: Iterable[str]) -> str:
    """'; is NAME meant?', to end a message about an unknown word; empty if no name is near."""
    from .. import _core

    return _core.is_meant(printable(word[:MOST_SHOWN]), list(names))


def read_bytes(path: str | os.PathLike[str], most: int = MOST_BYTES) -> bytes:
    """A file of at most `most` bytes; devices and pipes that never end are left there.

    UsageError, OSError.
    """
    # A pipe that nobody writes to would keep a plain open() waiting for ever.
    with open(path, "rb", opener=lambda name, how: os.open(name, how | os.O_NONBLOCK)) as file:
        os.set_blocking(file.fileno(), True)
        raw = file.read(most + 1)
    if len(raw) > most:
        raise UsageError(f"{path}: has more than the {most >> 20} MiB that are read of a file")
    return raw


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a file of at most MOST_BYTES.

    UsageError or MissingFile name the file and what is wrong with it.
    """
    path = Path(path)
    try:
        if path.is_dir():
            raise UsageError(f"{path}: is a directory, a file is needed")
        raw = read_bytes(path)
        text = raw.decode("utf-8-sig")
    except FileNotFoundError:
        raise MissingFile(f"{short(str(path))}: there is no such file") from None
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise UsageError(
            f"{path}:{line}: is not UTF-8 text (byte {raw[error.start]:#04x})"
        ) from None
    except OSError as error:
        raise UsageError(f"{short(str(path))}: cannot be read: {error.strerror}") from None
    if "\0" in text:
        raise UsageError(
            f"{path}:{text.count(chr(10), 0, text.index(chr(0))) + 1}: holds a zero byte; this is "
            "no text file"
        )
    if not text.strip():
        raise UsageError(f"{path}: is empty")
    return text


def read_json(path: str | os.PathLike[str], what: str) -> Any:
    """The value of a JSON file. UsageError names the file and `what` it is not."""
    import json

    text = read_text(path)
    try:
        return json.loads(text)
    except ValueError as error:  # no JSON, or a number of thousands of digits
        raise UsageError(f"{path} is not {what}: {error}") from None
    except RecursionError:
        raise UsageError(f"{path} is not {what}: it is nested too deeply") from None


def check_writable(path: str | os.PathLike[str]) -> None:
    """UsageError when no file of this name can be written.

    What is there stays as it is.
    """
    from .. import _core

    _core.check_writable(os.fsencode(path))
