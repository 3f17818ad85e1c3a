"""Files that are written whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replaced(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A name to write to: at the end it takes the place of `path`, after an error that stays.

    Links are followed. What is no regular file (a device, a pipe), or is in a folder where nothing
    can be made, is written as it is.
    """
    there = Path(path).resolve()
    if (there.exists() and not there.is_file()) or not os.access(there.parent, os.W_OK):
        yield Path(path)
        return
    handle, name = tempfile.mkstemp(
        dir=there.parent, prefix=f".{there.stem}.", suffix=f".tmp{there.suffix}"
    )
    os.close(handle)
    made = Path(name)
    try:
        yield made
        made.chmod(there.stat().st_mode & 0o7777 if there.exists() else 0o666 & ~_umask())
        made.replace(there)
    except BaseException:
        made.unlink()
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
