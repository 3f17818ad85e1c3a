"""A command that several ranks of an MPI job start: the first runs it, the others simulate for it.

By mpi4py, if it joins the ranks; else the first works alone.
"""

import os
import sys
from collections.abc import Callable
from concurrent.futures import Executor
from contextvars import ContextVar
from multiprocessing import parent_process
from typing import cast

from .. import _core
from ..output import progress

#: The other ranks, on the first one.
POOL: ContextVar[Executor | None] = ContextVar("POOL", default=None)


def joined() -> bool:
    """Whether this is a rank of several, by mpi4py."""
    return "mpi4py.MPI" in sys.modules and sys.modules["mpi4py.MPI"].COMM_WORLD.size > 1


def at_once() -> int:
    """How many simulations this process does at a time.

    As many as it has cores; one where other processes share the work with it.
    """
    return 1 if parent_process() is not None or joined() else len(os.sched_getaffinity(0))


def shared(command: Callable[[], int]) -> int:
    """Exit code of a command, which only rank 0 runs."""
    rank, ranks = _core.rank_in_job(dict(os.environ))
    if ranks == 1:
        return command()
    if not _join():
        if rank:
            return 0
        progress.tell(
            f"hopbine: rank 0 of {ranks} simulates alone, the others have nothing to do: mpi4py "
            "does not join them"
        )
        return command()
    from mpi4py.futures import MPICommExecutor

    with MPICommExecutor() as entered:
        pool = cast(Executor | None, entered)
        if pool is None:
            return 0
        others = POOL.set(pool)
        try:
            return command()
        finally:
            POOL.reset(others)


def _join() -> bool:
    """Whether mpi4py is there, for the MPI library of this job."""
    try:
        import mpi4py.futures  # noqa: F401
    except (ImportError, RuntimeError):
        return False
    return joined()
