"""A command that several ranks of an MPI job start: the first runs it, the others simulate for it.

By mpi4py, if it joins the ranks; else the first works alone.
"""

import os
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from contextvars import ContextVar
from multiprocessing import parent_process
from typing import cast

from .. import progress

#: As src/preload/rank_names.h and src/launcher/rank.cpp have them.
RANK = (
    *("OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "PALS_RANKID"),
    *("FLUX_TASK_RANK", "JSM_NAMESPACE_RANK"),
)
SIZE = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "FLUX_JOB_SIZE", "JSM_NAMESPACE_SIZE")
#: Slurm tells them to batch scripts too, which are no step.
SLURM = ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS")

#: The other ranks, on the first one.
POOL: ContextVar[Executor | None] = ContextVar("POOL", default=None)


def place(environment: Mapping[str, str] = os.environ) -> tuple[int, int]:
    """Rank of this process, and how many there are, as the launcher tells: (0, 1) without one."""

    def told(names: tuple[str, ...], otherwise: int) -> int:
        found = next((environment[n] for n in names if n in environment), "")
        return int(found) if found.isdecimal() else otherwise

    step = bool(environment.get("SLURM_STEP_ID"))
    rank = told(RANK + SLURM[:step], 0)
    return rank, max(told(SIZE + SLURM[1 : 1 + step], 1), rank + 1)


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
    rank, ranks = place()
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
