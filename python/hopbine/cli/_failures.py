"""What a command that fails says, and its exit code.

What is wrong with the command or with what it names is one line. Any other error is a fault of
hopbine, told with its traceback.
"""

import errno
import os
import sys
import traceback
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..errors import InputWarning, JobError, UsageError
from ..notation.text import one_line, printable

#: 128 and the number of SIGINT, as shells have it.
INTERRUPTED = 130
NO_PICTURES = "pictures need matplotlib, which is not there: pip install 'hopbine[plot]'"
NO_MEMORY = "there is not enough memory for this"
REPORT = (
    "this is a fault of hopbine, not of the command: please report it with the lines above and "
    "the command"
)
#: What the operating system refuses whatever a program does, and names that no file can have.
_REFUSED = {
    errno.EAGAIN,
    errno.EDQUOT,
    errno.EIO,
    errno.EMFILE,
    errno.ENAMETOOLONG,
    errno.ENFILE,
    errno.ENOMEM,
    errno.ENOSPC,
    errno.EROFS,
}


def tell(error: BaseException, words: Iterable[str]) -> int:
    """Says on standard error why the command of these words failed. Its exit code."""
    match error:
        case SystemExit():
            return error.code if isinstance(error.code, int) else 2
        case KeyboardInterrupt():
            return _said("interrupted", INTERRUPTED)
        case BrokenPipeError():
            sys.stderr.close()  # the reader (head, less) has left; that is its right
            return 0
        case UsageError():
            return _said(one_line(str(error)), 2)
        case OSError() if error.errno in _REFUSED or _is_named(error, words):
            return _said(one_line(str(error)), 2)
        case ModuleNotFoundError() if (error.name or "").split(".")[0] == "matplotlib":
            return _said(NO_PICTURES, 2)
        case MemoryError():
            return _said(NO_MEMORY, 1)
        case JobError():  # with what the job said, line by line
            return _said(printable(str(error), keep="\n"), 1)
    traceback.print_exception(error)
    return _said(REPORT, 1)


def tell_warnings() -> None:
    """Warnings of inputs become lines of standard error, as failures do."""
    plain = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
        if issubclass(category, InputWarning):
            print(f"hopbine: {one_line(str(message))}", file=sys.stderr)
        else:
            plain(message, category, *where, **more)

    warnings.showwarning = show


def _said(message: str, code: int) -> int:
    print(f"hopbine: {message}", file=sys.stderr)
    return code


def _is_named(error: OSError, words: Iterable[str]) -> bool:
    """Whether the file is one that the command or a setting names, or lies below one."""
    if not isinstance(error.filename, str | bytes):
        return False
    file = Path(os.fsdecode(error.filename))
    settings = (value for name, value in os.environ.items() if name.startswith("HOPBINE_"))
    named = {
        Path(name)
        for word in (*words, *settings)
        for name in (word, word.partition("=")[2], word.rpartition("=")[2])
        if name
    }
    return not named.isdisjoint((file, *file.parents[:-1]))
