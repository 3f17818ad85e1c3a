"""The job that a list of hosts, a file or a formula names."""

from ..allocations import BadJob, generate, is_generator, read, running
from ..errors import UsageError
from ..machines import Machine, from_hosts
from ..notation.hosts import is_file
from ..notation.text import short
from .job import Job


def job_of_hosts(
    hosts: str | None,
    machine: Machine | None = None,
    ranks_per_node: int = 1,
    input_format: str | None = None,
) -> Job:
    """The job of what --hosts says; without it the running one. UsageError when it names several.

    Without a machine every node is a group of its own.
    """
    if hosts and is_generator(hosts):
        if machine is None:
            raise UsageError(f"--hosts {hosts} takes nodes of a machine: give --machine")
        allocation = generate(hosts, machine, ranks_per_node)
    elif hosts:
        jobs = list(read(hosts, ranks_per_node, input_format, bare=True))
        if len(jobs) != 1:
            raise UsageError(
                f"--hosts {hosts} holds {len(jobs)} jobs; this is about one (hopbine jobs takes "
                "many)"
            )
        if isinstance(jobs[0], BadJob):
            raise UsageError(f"{jobs[0].source}: {jobs[0].why}")
        allocation = jobs[0]
    else:
        allocation = running()
    job = Job(allocation.job, allocation.hosts, machine or from_hosts(allocation.hosts))
    try:
        _ = job.places  # UsageError for hosts that the machine does not know
    except UsageError as error:
        if hosts is None or is_file(hosts):
            raise UsageError(f"{allocation.source}: {error}") from None
        bare = not set("[, ") & set(hosts)
        also = "there is no such file, and " if bare else ""
        raise UsageError(f"--hosts {short(hosts)}: {also}{error}") from None
    return job
