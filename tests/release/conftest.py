"""The release to test, which scripts/release has made, and environments that have nothing else.

HOPBINE_TEST_RELEASE is its folder; HOPBINE_TEST_MPIS="NAME=MPICC=MPIEXEC;..." as for tests/mpi.
"""

import os
import subprocess
import tempfile
import venv
from dataclasses import dataclass
from pathlib import Path

import pytest

from hopbine.bench.launch import quiet_environment

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "tests/mpi/programs/sums.c"
#: The environment of every command: nothing of this project's, and what Open MPI wants.
EMPTY = {"PATH": "/usr/bin:/bin", "HOME": tempfile.gettempdir(), "HOPBINE_LEARN": "none"} | {
    name: value for name, value in os.environ.items() if name.startswith("OMPI_ALLOW_RUN_AS_ROOT")
}


def call(*command, env: dict[str, str] | None = None) -> str:
    """Standard output of a command that succeeds in the empty environment."""
    done = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        env=EMPTY | (env or {}),
        timeout=300,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@dataclass(frozen=True)
class Mpi:
    """An MPI library, and a program of it: sums over the ranks."""

    mpiexec: str
    program: str
    environment: dict[str, str]

    def run(self, *under) -> str:
        """What two ranks print, each after the words of `under`."""
        return call(self.mpiexec, "-n", "2", *under, self.program, env=self.environment)


def pytest_generate_tests(metafunc):
    if "mpi" in metafunc.fixturenames:
        entries = [e.split("=") for e in os.environ.get("HOPBINE_TEST_MPIS", "").split(";") if e]
        if not entries:
            pytest.exit("HOPBINE_TEST_MPIS names no MPI library; see scripts/release", returncode=2)
        metafunc.parametrize("mpi", entries, ids=lambda e: e[0], indirect=True, scope="session")


@pytest.fixture(scope="session")
def mpi(request, tmp_path_factory) -> Mpi:
    """With its program compiled."""
    name, mpicc, mpiexec = request.param
    program = tmp_path_factory.mktemp(name) / "sums"
    subprocess.run([mpicc, "-O1", "-o", program, PROGRAM], check=True)
    family = "openmpi" if "openmpi" in name else "mpich"
    return Mpi(mpiexec, str(program), quiet_environment(family, 2))


@pytest.fixture(scope="session")
def release() -> Path:
    """The folder of the release."""
    folder = os.environ.get("HOPBINE_TEST_RELEASE")
    if not folder:
        pytest.exit("HOPBINE_TEST_RELEASE names no release; scripts/release makes one", 2)
    return Path(folder)


@pytest.fixture(scope="session")
def unpacked(release, tmp_path_factory) -> Path:
    """The runtimes alone, moved once."""
    (file,) = release.glob("hopbine-run-*.tar.gz")
    folder = tmp_path_factory.mktemp("anywhere")
    call("tar", "-xzf", file, "-C", folder)
    (made,) = folder.iterdir()
    return made.rename(folder / "moved")


@pytest.fixture(scope="session")
def installed(release, tmp_path_factory) -> Path:
    """bin of a new environment with the wheel and what it depends on."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    (wheel,) = release.glob("*.whl")
    # pip finds packages as it is told to here.
    told = {k: v for k, v in os.environ.items() if k.startswith(("PIP_", "SSL_", "HTTP", "http"))}
    call(folder / "bin/python", "-m", "pip", "install", "-q", "--no-compile", wheel, env=told)
    return folder / "bin"
