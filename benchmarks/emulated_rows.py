"""Rows of a table that a measuring program prints on the hosts of an emulated network."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

from programs import LIBRARY
from rivals_network import Network

#: Seconds that a job may take.
LIMIT = 500


def built(name: str, folder: Path) -> Path:
    """benchmarks/NAME.c, built for the library of the emulated hosts."""
    program, source = folder / name, Path(__file__).with_name(f"{name}.c")
    subprocess.run([LIBRARY.mpicc, "-O2", "-o", str(program), str(source), "-ldl"], check=True)
    return program


def show_rows(
    network: Network, command: list[str], environment: Mapping[str, str], prefix: str = ""
) -> None:
    """Prints what the program prints, as it comes, each line behind `prefix`.

    RuntimeError when the job fails.
    """
    job = network.start(LIBRARY, dict(environment), command, LIMIT)
    assert job.stdout
    for line in job.stdout:
        print(prefix + line, end="", flush=True)
    if job.wait():
        what = " ".join([Path(command[0]).name, *command[1:]])
        raise RuntimeError(f"{what} ended with {job.returncode}: {network.said()[-1500:]}")
