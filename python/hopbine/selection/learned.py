"""The file that keeps what jobs have learned: where it is, and how it is forgotten."""

import os
from pathlib import Path

from .. import _core
from ..errors import UsageError
from .file import Rule, read


def learned_file() -> Path:
    """Where the next job begins: the file of HOPBINE_LEARN, else that in the user's cache.

    UsageError where nothing is kept.
    """
    setting = os.environ.get("HOPBINE_LEARN", "")
    path, _ = _core.learned_file(setting)
    if path:
        return Path(path)
    if setting:
        raise UsageError(f"nothing is kept: HOPBINE_LEARN is {setting}")
    raise UsageError("nothing is kept: neither XDG_CACHE_HOME nor HOME is an absolute path")


def learned() -> list[Rule]:
    """The rules of that file; none where no job has written it."""
    path = learned_file()
    return read(path) if path.exists() else []


def forget() -> list[Path]:
    """Deletes what every version of hopbine keeps in the user's cache; returns the files' paths.

    UsageError where there is no cache, OSError.
    """
    path, _ = _core.learned_file("")
    files = sorted(Path(path).parent.glob("learned-*.json*")) if path else []
    for file in files:
        file.unlink(missing_ok=True)
    return files
