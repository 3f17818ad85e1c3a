"""The job of this process: its nodes and the host of each rank, as its scheduler tells them.

Slurm, PBS and LSF tell them by variables and the files that these name, Flux by its command.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..errors import UsageError
from ..notation.hostfile import listed, without_comment
from ..notation.hosts import MOST_RANKS
from ..notation.text import read_text
from . import flux, slurm_job

#: What is asked, one scheduler after the other, for messages.
ASKED = "SLURM_JOB_NODELIST, PBS_NODEFILE, LSB_DJOB_HOSTFILE, LSB_MCPU_HOSTS, FLUX_URI"


@dataclass(frozen=True)
class RunningJob:
    """The name of a job, the host of each of its ranks, and what told them."""

    name: str
    hosts: tuple[str, ...]
    source: str


def running_job(environment: Mapping[str, str]) -> RunningJob | None:
    """The job of the first scheduler that has told one; None outside of jobs.

    UsageError when what it tells cannot be read. A Flux instance may be a job of another
    scheduler, so Flux is asked first.
    """
    found = next(filter(None, (ask(environment) for ask in _SCHEDULERS)), None)
    if found and len(found.hosts) > MOST_RANKS:
        raise UsageError(f"{found.source} tells of more than {MOST_RANKS:,} ranks")
    return found


def _flux(environment: Mapping[str, str]) -> RunningJob | None:
    told = flux.running(environment)
    return told and RunningJob(environment.get("FLUX_JOB_ID", "running"), *told)


def _slurm(environment: Mapping[str, str]) -> RunningJob | None:
    told = slurm_job.ranks(environment)
    return told and RunningJob(environment.get("SLURM_JOB_ID", "running"), *told)


def _pbs(environment: Mapping[str, str]) -> RunningJob | None:
    """PBS_NODEFILE: a line for every rank (PBS Professional, OpenPBS, Torque)."""
    return _of_file(environment, "PBS_NODEFILE", "PBS_JOBID")


def _lsf(environment: Mapping[str, str]) -> RunningJob | None:
    """LSB_DJOB_HOSTFILE: a line for every slot; else 'HOST N HOST N' or 'HOST HOST'."""
    if found := _of_file(environment, "LSB_DJOB_HOSTFILE", "LSB_JOBID"):
        return found
    for variable in ("LSB_MCPU_HOSTS", "LSB_HOSTS"):
        if environment.get(variable):
            hosts = _listed(environment[variable], variable)
            return RunningJob(environment.get("LSB_JOBID", "running"), tuple(hosts), variable)
    return None


def _of_file(environment: Mapping[str, str], variable: str, name: str) -> RunningJob | None:
    """The job whose hosts are in the file that a variable names."""
    file = environment.get(variable)
    if not file:
        return None
    try:
        rows = read_text(file).splitlines()
    except UsageError as error:
        raise UsageError(f"{variable}: {error}") from None
    hosts = [
        host
        for n, row in enumerate(rows, 1)
        for host in _listed(without_comment(row), f"{variable}: {file}:{n}")
    ]
    return RunningJob(environment.get(name, "running"), tuple(hosts), f"{variable} ({file})")


def _listed(text: str, where: str) -> list[str]:
    try:
        return listed(text)
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from None


_SCHEDULERS: tuple[Callable[[Mapping[str, str]], RunningJob | None], ...] = (
    _flux,
    _slurm,
    _pbs,
    _lsf,
)
