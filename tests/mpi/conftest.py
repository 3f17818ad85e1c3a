"""The MPI libraries to test with.

HOPBINE_TEST_MPIS="NAME=MPICC=MPIEXEC;..." names them; make test sets it.
"""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from hopbine import INCLUDE_FOLDER, LIBRARY_FOLDER

PROGRAMS = Path(__file__).parent / "programs"
#: As a program is linked that calls hopbine itself.
LINKED = (
    f"-I{INCLUDE_FOLDER}",
    f"-L{LIBRARY_FOLDER}",
    f"-Wl,-rpath,{LIBRARY_FOLDER}",
    "-lhopbine_preload",
)
EXAMPLES = Path(__file__).parents[2] / "examples"
#: HOPBINE_TEST_RANKS="1 2" is for libraries that crawl when ranks outnumber cores.
RANKS = tuple(int(n) for n in os.environ.get("HOPBINE_TEST_RANKS", "1 2 3 4 5 7 8").split())
#: For tests of which one odd number of ranks and the largest show all that hangs on it.
FEW = tuple(n for n in RANKS if n > 2 and n in (RANKS[-1], 3, 5))


@dataclass(frozen=True)
class Mpi:
    """One installed MPI library."""

    name: str
    mpicc: str
    mpiexec: str

    @property
    def is_openmpi(self) -> bool:
        """Or of MPICH's family."""
        return "openmpi" in self.name

    def environment(self, ranks: int) -> dict[str, str]:
        """More ranks than cores, none of them spinning."""
        from hopbine.bench.launch import quiet_environment

        return os.environ | quiet_environment("openmpi" if self.is_openmpi else "mpich", ranks)

    def run(
        self, ranks: int, *command: str, env: dict[str, str] | None = None, timeout: float = 300
    ) -> subprocess.CompletedProcess:
        """A job on local ranks; output captured."""
        return subprocess.run(
            [self.mpiexec, "-n", str(ranks), *command],
            capture_output=True,
            text=True,
            timeout=timeout,
            env=self.environment(ranks) | (env or {}),
            stdin=subprocess.DEVNULL,
        )

    def hopbine(self, ranks: int, *command: str, **kw) -> subprocess.CompletedProcess:
        """The same under hopbine run."""
        return self.run(ranks, sys.executable, "-m", "hopbine", "run", *command, **kw)


def known() -> list[Mpi]:
    """What HOPBINE_TEST_MPIS names."""
    text = os.environ.get("HOPBINE_TEST_MPIS", "")
    return [Mpi(*entry.split("=")) for entry in text.split(";") if entry]


def pytest_generate_tests(metafunc):
    if "mpi" in metafunc.fixturenames:
        libraries = known()
        if not libraries:
            pytest.exit(
                "HOPBINE_TEST_MPIS names no MPI library; run make test, or see "
                "tests/mpi/conftest.py",
                returncode=2,
            )
        metafunc.parametrize("mpi", libraries, ids=lambda m: m.name, scope="session")


@pytest.fixture(scope="session")
def build(tmp_path_factory):
    """build(mpi, name, folder=..., flags=()) -> path of a C program compiled with that MPI.

    A test's, or another folder's.
    """
    made: dict[tuple[str, Path, tuple[str, ...]], str] = {}

    def compile_program(
        mpi: Mpi, name: str, folder: Path = PROGRAMS, flags: tuple[str, ...] = ()
    ) -> str:
        source = folder / f"{name}.c"
        if (mpi.name, source, flags) not in made:
            out = str(tmp_path_factory.mktemp(mpi.name) / name)
            done = subprocess.run(
                [
                    mpi.mpicc,
                    "-O1",
                    "-g",
                    "-Wall",
                    "-Wextra",
                    "-o",
                    out,
                    str(source),
                    "-ldl",
                    "-lpthread",
                    "-lm",
                    *flags,
                ],
                capture_output=True,
                text=True,
            )
            assert done.returncode == 0, done.stderr
            made[mpi.name, source, flags] = out
        return made[mpi.name, source, flags]

    return compile_program
