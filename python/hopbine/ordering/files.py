"""An order of ranks as the files of launchers, which hopbine reads as --hosts too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby


@dataclass(frozen=True)
class Launcher:
    """The text of a file for the hosts of the ranks, and the command that takes it."""

    write: Callable[[Sequence[str]], str]
    command: str  #: with FILE and RANKS
    what: str


def _rankfile(hosts: Sequence[str]) -> str:
    """A line for every rank; its slot counts the ranks before it on the host."""
    used: Counter[str] = Counter()
    out = []
    for rank, host in enumerate(hosts):
        out.append(f"rank {rank}={host} slot={used[host]}\n")
        used[host] += 1
    return "".join(out)


def _counted(hosts: Sequence[str]) -> str:
    """HOST:RANKS for each run of ranks on a host."""
    return "".join(f"{host}:{len(list(run))}\n" for host, run in groupby(hosts))


def _listed(hosts: Sequence[str]) -> str:
    """A line for every rank."""
    return "".join(f"{host}\n" for host in hosts)


LAUNCHERS = {
    "openmpi": Launcher(
        _rankfile,
        "mpirun -n RANKS --map-by rankfile:file=FILE",
        "rankfile of Open MPI, which also binds rank i of a host to its core i",
    ),
    "openmpi-seq": Launcher(
        _listed,
        "mpirun -n RANKS --hostfile FILE --map-by seq",
        "hostfile of Open MPI, a line for every rank, without binding",
    ),
    "mpich": Launcher(
        _counted, "mpiexec -n RANKS -f FILE", "hostfile of MPICH and Intel MPI, HOST:RANKS"
    ),
    "slurm": Launcher(
        _listed,
        "SLURM_HOSTFILE=FILE srun -n RANKS --distribution=arbitrary",
        "SLURM_HOSTFILE, a line for every rank",
    ),
}
