"""The rank that this process is, where a launcher has started it, and what it tells."""

import os
import socket
import sys

from ..text import one_line


def world_rank() -> int | None:
    """This process's rank, where the launcher tells it."""
    return _told(
        "OMPI_COMM_WORLD_RANK",
        "PMIX_RANK",
        "PMI_RANK",
        "PALS_RANKID",
        "FLUX_TASK_RANK",
        "JSM_NAMESPACE_RANK",
        "SLURM_PROCID",
    )


def world_size() -> int | None:
    """The number of ranks.

    Slurm tells that of the allocation also where this is no step of it, so it is not asked.
    """
    return _told("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "FLUX_JOB_SIZE", "JSM_NAMESPACE_SIZE")


def _told(*names: str) -> int | None:
    text = next((os.environ[name] for name in names if name in os.environ), "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def say(what: str) -> None:
    """A message; of a rank of a job with the rank and its host, for the others may be fine."""
    rank = world_rank()
    where = (
        ""
        if rank is None
        else f"rank {rank} on {os.environ.get('HOPBINE_NODE') or socket.gethostname()}: "
    )
    print(f"hopbine: {one_line(where + what)}", file=sys.stderr)


def warn(what: str) -> None:
    """A message that is the same on all ranks: one tells it."""
    if not world_rank():
        print(f"hopbine: {one_line(what)}", file=sys.stderr)
