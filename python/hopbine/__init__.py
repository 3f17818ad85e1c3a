"""hopbine: MPI collectives that keep bytes off the scarce links."""

from pathlib import Path
from typing import Any

#: Where the preload library, the runtimes and the benchmark programs lie.
LIBRARY_FOLDER = Path(__file__).resolve().parent / "lib"
#: hopbine/hopbine_mpi.h and hopbine/hopbine.h.
INCLUDE_FOLDER = Path(__file__).resolve().parent / "include"


def __getattr__(name: str) -> Any:
    """hopbine.traffic, found when it is asked for: what it needs takes a while to import."""
    if name == "traffic":
        from .counting import traffic

        return traffic
    raise AttributeError(f"module 'hopbine' has no attribute '{name}'")
