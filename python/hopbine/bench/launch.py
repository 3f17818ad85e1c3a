"""Starting hopbine-bench and hopbine-calibrate on local ranks under either MPI family."""

import csv
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from .. import LIBRARY_FOLDER
from ..errors import JobError, UsageError

#: What runtimes and benchmarks are built for, and the library that their programs ask for. abi:
#: programs of the MPI-5 ABI, which today MPICH's launcher starts.
SONAMES = {"openmpi": "libmpi.so.40", "mpich": "libmpi.so.12", "abi": "libmpi_abi.so.1"}
FAMILIES = tuple(SONAMES)


class BenchError(JobError):
    """A run that could not be made; the message says why."""


class MissingMpi(UsageError):
    """No launcher, or none that hopbine was built for."""


@dataclass(frozen=True)
class Sample:
    """One timed repetition.

    `seconds` is a call's, the mean of `calls`, of the rank that took longest. `distribution`: of an
    alltoallv's blocks, of `bytes` in the mean.
    """

    collective: str
    algorithm: str
    ranks: int
    bytes: int
    repetition: int
    seconds: float
    calls: int = 1
    distribution: str = ""

    @classmethod
    def of(cls, row: dict[str, str]) -> "Sample":
        """The sample in a line of hopbine-bench's CSV. BenchError when the answer was wrong."""
        if row["correct"] != "1":
            raise BenchError(
                f"wrong result: {row['collective']} {row['algorithm']}, {row['bytes']} bytes, "
                f"{row['ranks']} ranks"
            )
        return cls(
            row["collective"],
            row["algorithm"],
            int(row["ranks"]),
            int(row["bytes"]),
            int(row["repetition"]),
            float(row["seconds"]),
            int(row["calls"]),
            row["distribution"],
        )


def find_launcher(given: str | None) -> str:
    """--mpiexec, else HOPBINE_MPIEXEC, else the first mpiexec on PATH."""
    wanted = given or os.environ.get("HOPBINE_MPIEXEC") or "mpiexec"
    path = shutil.which(wanted)
    if not path:
        raise MissingMpi(
            f"no MPI launcher '{wanted}' (give --mpiexec PATH, or set HOPBINE_MPIEXEC; make run "
            "puts one at .mpi/openmpi/bin/mpiexec)"
        )
    return path


def family_of(launcher: str) -> str:
    """'openmpi' or 'mpich', from what the launcher says of itself."""
    text = subprocess.run(
        [launcher, "--version"], capture_output=True, text=True, timeout=30
    ).stdout
    if "Open MPI" in text or "OpenRTE" in text or "PRRTE" in text or "prte" in text:
        return "openmpi"
    if "HYDRA" in text or "MPICH" in text:
        return "mpich"
    raise MissingMpi(
        f"{launcher} is neither Open MPI's nor MPICH's launcher; it says: {text.strip()[:80]!r}"
    )


def quiet_environment(family: str, ranks: int) -> dict[str, str]:
    """Settings for jobs that measure or test.

    More ranks than cores do not spin each other to a crawl, and no job learns from another.
    """
    crowded = ranks > (os.cpu_count() or 1)
    env = {"HOPBINE_LEARN": "none"}
    if family == "openmpi":
        env |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        if "PRTE_MCA_prte_default_hostfile" not in os.environ:  # as on an emulated cluster
            env |= {
                "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
                "OMPI_MCA_rmaps_base_oversubscribe": "1",
            }
        return env | ({"OMPI_MCA_mpi_yield_when_idle": "1"} if crowded else {})
    throttle = {
        "MPIR_CVAR_POLLS_BEFORE_YIELD": "1",
        "MPIR_CVAR_CH4_PROGRESS_THROTTLE": "1",
        "MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT": "64",
    }
    return env | (throttle if crowded else {})


def library_environment(launcher: str, family: str) -> dict[str, str]:
    """The folder of the launcher's MPI library: hopbine's programs may be linked to another.

    Under a launcher of Open MPI 4, ranks of Open MPI 5 wait for each other for ever.
    """
    prefix = Path(launcher).resolve().parent.parent
    folders = [str(f) for f in (prefix / "lib", prefix / "lib64") if any(f.glob("libmpi*.so*"))]
    # A distribution's folder has libraries of all families, and much else.
    shared = prefix / "lib" / (sysconfig.get_config_var("MULTIARCH") or "")
    if not folders and (shared / SONAMES[family]).exists():
        folders = [str(shared)]
    if not folders:
        return {}
    before = [f for f in (os.environ.get("LD_LIBRARY_PATH"),) if f]
    return {"LD_LIBRARY_PATH": ":".join(before + folders)}


def measuring_program(family: str, name: str = "bench") -> Path:
    """hopbine-bench or hopbine-calibrate built for one of FAMILIES, beside the preload library."""
    folder = Path(os.environ.get("HOPBINE_LIB") or LIBRARY_FOLDER)
    program = folder / f"hopbine-{name}-{family}"
    if not program.exists():
        raise MissingMpi(
            f"{program} is missing: this hopbine was built without {family} (CMake option "
            "HOPBINE_MPI)"
        )
    return program


def csv_rows(
    launcher: str,
    family: str,
    ranks: int,
    command: list[str],
    environment: dict[str, str],
    timeout: float,
) -> Iterator[dict[str, str]]:
    """What a program on local ranks writes as CSV, row by row as it comes.

    BenchError with the program's own words when it fails or takes longer than `timeout` seconds.
    """
    command = [launcher, "-n", str(ranks), *command]
    own = quiet_environment(family, ranks) | library_environment(launcher, family)
    env = os.environ | own | environment
    is_late, last = threading.Event(), deque[str](maxlen=50)
    with (
        tempfile.TemporaryFile("w+") as errors,
        subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=env,
        ) as running,
    ):

        def end() -> None:
            if running.poll() is None:
                is_late.set()
                _end(running)

        late = threading.Timer(timeout, end)
        late.start()
        try:
            assert running.stdout
            yield from csv.DictReader(_with_commas(running.stdout, last))
            running.wait()
        finally:
            late.cancel()
            _end(running)
        if is_late.is_set():
            raise BenchError(f"no result within {timeout:g} s: {' '.join(command)}")
        if running.returncode:
            errors.seek(0)
            said = errors.read() or "".join(last)
            raise BenchError(
                f"{' '.join(command)} ended with {running.returncode}:\n{said.strip()[-2000:]}"
            )


def _with_commas(lines: Iterable[str], last: deque[str]) -> Iterator[str]:
    """The lines of a table; all of the last ones are kept for a message."""
    for line in lines:
        last.append(line)
        if "," in line:
            yield line


def _end(running: subprocess.Popen[str]) -> None:
    """Ends a launcher that still runs, which ends its ranks if it is asked to."""
    for end in (running.terminate, running.kill):
        if running.poll() is not None:
            return
        end()
        with suppress(subprocess.TimeoutExpired):
            running.wait(5)


def run(
    launcher: str,
    family: str,
    ranks: int,
    arguments: list[str],
    environment: dict[str, str],
    timeout: float,
) -> Iterator[Sample]:
    """The samples of one launch of hopbine-bench under `hopbine run`, as they come.

    BenchError with the program's own words when it fails.
    """
    command = [sys.executable, "-m", "hopbine", "run", str(measuring_program(family)), *arguments]

    def sample(row: dict[str, str]) -> Sample:
        found = Sample.of(row)
        if found.ranks == ranks:
            return found
        raise BenchError(
            f"{launcher} was to start a job of {ranks} ranks, and the program is in one of "
            f"{found.ranks}: its MPI library is not the launcher's; give --mpiexec PATH"
        )

    return map(sample, csv_rows(launcher, family, ranks, command, environment, timeout))
