"""Where jobs were compared: what a reader of the report has to know of the machine."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from .. import _core
from ..notation.text import one_line

#: Beginnings of the names of variables that decide how MPI libraries and launchers work.
DECIDE = (
    *("HOPBINE_", "OMPI_MCA_", "PRTE_MCA_", "PMIX_MCA_", "MPIR_CVAR_", "MPICH_", "I_MPI_"),
    *("MV2_", "UCX_", "FI_", "HYDRA_", "OMP_", "SLURM_JOB_NUM_NODES", "SLURM_NTASKS"),
)


def processor() -> str | None:
    """The model of this machine's processor, as Linux tells it."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(errors="replace").splitlines():
            key, _, value = line.partition(":")
            if key.strip().lower() in ("model name", "cpu", "cpu model"):
                return one_line(value.strip())
    return platform.processor() or None


def launcher(command: str) -> str | None:
    """The first line of what a known launcher says of its version."""
    if Path(command).name.partition(".")[0] not in _core.launchers:
        return None
    with suppress(OSError, subprocess.TimeoutExpired):
        said = subprocess.run(
            [command, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=10,
        ).stdout
        lines = [" ".join(line.split()) for line in said.splitlines() if line.strip()]
        # Hydra's first line names no version.
        told = next((line for line in lines if any(c.isdigit() for c in line)), None)
        return one_line(f"{Path(command).name}: {told}") if told else None
    return None


def about(environment: Mapping[str, str]) -> dict[str, Any]:
    """This machine, and what its environment decides."""
    return {
        "host": platform.node(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "processor": processor(),
        "cores": len(os.sched_getaffinity(0)),
        "load": os.getloadavg()[0],
        "environment": {
            name: value for name, value in sorted(environment.items()) if name.startswith(DECIDE)
        },
    }
