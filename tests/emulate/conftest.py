"""Clusters to test on, as root and as a user who has no more than namespaces of users.

HOPBINE_TEST_MPIS="NAME=MPICC=MPIEXEC;..." names the MPI libraries, as for tests/mpi.
"""

import os
import shutil
import subprocess
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

import pytest

from hopbine.emulate import kernel

CALLS = Path(__file__).with_name("calls.c")
HOPBINE = str(Path(sys.executable).with_name("hopbine"))
#: A user's capabilities: none. CAP_SETFCAP lets root's number, which tests keep so that they can
#: read their files, be mapped, as any user's own number is.
WITHOUT_ROOT = ("setpriv", "--bounding-set=-all,+setfcap", "--inh-caps=-all")
#: Seconds after which a job on a cluster hangs.
LIMIT = 90


@dataclass(frozen=True)
class Mpi:
    """An MPI library, and a program that calls it."""

    name: str
    mpiexec: str
    calls: str

    def words(self, ranks: int, *words: str) -> list[str]:
        """A job's command."""
        return [self.mpiexec, "-n", str(ranks), *words]


@dataclass(frozen=True)
class User:
    """Who makes clusters."""

    name: str
    before: tuple[str, ...]

    def command(self, *words: str) -> list[str]:
        """`hopbine emulate` with these words."""
        return [*self.before, HOPBINE, "emulate", *words]

    def emulate(self, *words: str, **how) -> subprocess.CompletedProcess:
        """Runs it, with what it prints."""
        how = {"stdin": subprocess.DEVNULL, "timeout": LIMIT} | how
        how |= {"capture_output": True, "text": True}
        try:
            return subprocess.run(self.command(*words), **how)
        except subprocess.TimeoutExpired:
            if not any("openmpi" in word for word in words):
                raise
            # Seen in 2 of about 60 jobs: all ranks had printed and ended, mpiexec had not.
            warnings.warn("started again, for Open MPI's launcher did not end", stacklevel=2)
            return subprocess.run(self.command(*words), **how)


def users() -> list[User]:
    """Root if this is root, and one without."""
    if kernel.may_make_namespaces():
        return [User("root", ()), User("user", WITHOUT_ROOT)]
    return [User("user", ())]


def libraries() -> list[list[str]]:
    """Name, compiler and launcher of each MPI library."""
    text = os.environ.get("HOPBINE_TEST_MPIS", "")
    return [entry.split("=") for entry in text.split(";") if entry]


@pytest.fixture(scope="session", params=users(), ids=lambda user: user.name)
def user(request):
    """Who makes clusters. Where the machine allows none, that is the reason of a skip."""
    done = request.param.emulate("--check")
    if done.returncode:
        pytest.skip(done.stdout)
    return request.param


def _compiled(folder: Path, entry: list[str]) -> Mpi:
    name, mpicc, mpiexec = entry
    program = folder / f"calls-{name}"
    if not program.exists():
        subprocess.run([mpicc, "-O1", "-o", program, CALLS], check=True)
    return Mpi(name, mpiexec, str(program))


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Programs are compiled once."""
    return tmp_path_factory.mktemp("programs")


@pytest.fixture(params=libraries(), ids=lambda entry: entry[0])
def mpi(request, folder):
    """Each MPI library."""
    return _compiled(folder, request.param)


@pytest.fixture
def one_mpi(folder):
    """The first, for what depends on none, or takes long: release-checks tries each by itself."""
    return _compiled(folder, libraries()[0])


def _is_again(item, others):
    """Is it a user's test with another MPI library than the first?"""
    given = item.callspec.params if hasattr(item, "callspec") else {}
    by_user = "user" in given and given["user"].name == "user"
    return by_user and "mpi" in given and given["mpi"][0] in others and "bytes" not in item.name


def pytest_collection_modifyitems(config, items):
    """Without tools of the network nothing can be tested.

    What root has tried with each MPI library, a user tries with the first, except for the bytes.
    """
    if len(users()) > 1:
        others = {entry[0] for entry in libraries()[1:]}
        again = [one for one in items if _is_again(one, others)]
        config.hook.pytest_deselected(items=again)
        items[:] = [one for one in items if one not in again]
    if not shutil.which("tc") and not shutil.which("tc", path="/usr/sbin:/sbin"):
        for item in items:
            item.add_marker(pytest.mark.skip(reason="tc is not installed (Debian: iproute2)"))
