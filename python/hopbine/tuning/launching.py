"""How ranks are started: here, or by the user's own launcher."""

import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from ..bench import launch
from ..errors import UsageError
from .session import Session

#: What somebody has set for their programs must not serve the library's calls here.
_OURS = ("HOPBINE_ALGORITHM", "HOPBINE_RULES", "HOPBINE_STATS")


@dataclass(frozen=True)
class Launcher:
    """The words before the program, and which MPI's program it is."""

    prefix: tuple[str, ...]
    family: str
    environment: dict[str, str]

    def start(
        self, arguments: Sequence[str], silence: float, options: Sequence[str] = ()
    ) -> Session:
        """hopbine-bench serving requests under `hopbine run` with these options.

        Lost, MissingFile.
        """
        command = [
            *self.prefix,
            sys.executable,
            "-m",
            "hopbine",
            "run",
            *options,
            str(launch.measuring_program(self.family)),
            "serve",
            *arguments,
        ]
        return Session(command, self.environment, silence)


def launcher(
    given: str | None, mpi: str | None, mpiexec: str | None, ranks: int | None
) -> Launcher:
    """From --launch, or from --mpiexec and --ranks. UsageError says what goes together."""
    environment = {k: v for k, v in os.environ.items() if k not in _OURS}
    environment["HOPBINE_LEARN"] = "none"
    if given is None:
        path = launch.find_launcher(mpiexec)
        family = mpi or launch.family_of(path)
        count = 2 if ranks is None else ranks
        if count < 2:
            raise UsageError(f"--ranks {count} needs at least 2")
        own = launch.quiet_environment(family, count) | launch.library_environment(path, family)
        return Launcher((path, "-n", str(count)), family, environment | own)
    if mpiexec or ranks is not None:
        raise UsageError(
            "--launch says how ranks are started and how many; --mpiexec and --ranks do not go "
            "with it"
        )
    prefix = tuple(shlex.split(given))
    if not prefix:
        raise UsageError("--launch is empty")
    return Launcher(prefix, mpi or _family(prefix), environment)


def _family(prefix: Sequence[str]) -> str:
    """The launcher's own MPI, else the only one that hopbine is built for."""
    path = launch.find_launcher(prefix[0])
    try:
        return launch.family_of(path)
    except launch.MissingMpi:
        pass
    built = []
    for family in ("openmpi", "mpich"):
        try:
            launch.measuring_program(family)
        except launch.MissingMpi:
            continue
        built.append(family)
    if len(built) == 1:
        return built[0]
    raise UsageError(
        f"--launch {prefix[0]} does not tell which MPI it starts: give --mpi, one of "
        f"{', '.join(built) or 'none, for hopbine is built without'}"
    )
