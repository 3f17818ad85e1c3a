"""hopbine: MPI collectives that keep bytes off the scarce links.

Functions that answer with polars data frames: algorithms, stats, predict, traffic, choice. They
raise UsageError, a ValueError, for what they are given. Schedule: the moves of an algorithm (Move)
as a value, from and to text.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import UsageError

if TYPE_CHECKING:
    from .core.schedule import Move, Schedule
    from .frames import algorithms, choice, predict, stats, traffic

    #: The version, as `hopbine --version` prints it.
    __version__: str

#: Where the preload library, the runtimes and the benchmark programs lie.
LIBRARY_FOLDER = Path(__file__).resolve().parent / "lib"
#: hopbine/hopbine_mpi.h and hopbine/hopbine.h.
INCLUDE_FOLDER = Path(__file__).resolve().parent / "include"
__all__ = [
    "INCLUDE_FOLDER",
    "LIBRARY_FOLDER",
    "Move",
    "Schedule",
    "UsageError",
    "__version__",
    "algorithms",
    "choice",
    "predict",
    "stats",
    "traffic",
]


def __getattr__(name: str) -> Any:
    """What takes a while to import is found when it is asked for."""
    if name == "__version__":
        from . import _core

        return _core.version
    if name in ("Move", "Schedule"):
        from .core import schedule

        return getattr(schedule, name)
    if name in __all__:
        from . import frames

        return getattr(frames, name)
    raise AttributeError(f"module 'hopbine' has no attribute '{name}'")


def __dir__() -> list[str]:
    """What can be asked for."""
    return sorted({*globals(), *__all__})
