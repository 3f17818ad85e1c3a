"""Job of this process, as its scheduler tells it."""

import os
from collections.abc import Mapping

from ..errors import UsageError
from ..machines.running_job import ASKED, running_job
from .allocation import Allocation


def running(environment: Mapping[str, str] = os.environ) -> Allocation:
    """Allocation of the running job of Slurm, PBS, LSF or Flux. UsageError outside a job."""
    job = running_job(environment)
    if job is None:
        raise UsageError(f"this is no job of a scheduler (none of {ASKED} is set): give --hosts")
    return Allocation(job.name, job.hosts, job.source)
