"""The MPI libraries to test with.

HOPBINE_TEST_MPIS="NAME=MPICC=MPIEXEC;..." names them; make test sets it.
"""

import os
import re
import subprocess
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

import pytest

from hopbine import INCLUDE_FOLDER, LIBRARY_FOLDER

os.environ["HOPBINE_LEARN"] = "none"  # no test learns from another, or from the user's jobs

#: Jobs of Open MPI begin without what it has for libfabric, which never carries a message between
#: ranks of one machine: when it finds no network, each rank sleeps for a second in MPI_Init
#: (mca_btl_ofi_component_close). `make run` has the library as it is.
for _kind in ("btl", "mtl"):
    os.environ.setdefault(f"OMPI_MCA_{_kind}", "^ofi")

#: Calls are measured soon, whatever that takes: the account would not allow it in short jobs.
os.environ.setdefault("HOPBINE_BUDGET", "1")

PROGRAMS = Path(__file__).parent / "programs"
#: How to link a program that calls hopbine itself.
LINKED = (
    f"-I{INCLUDE_FOLDER}",
    f"-L{LIBRARY_FOLDER}",
    f"-Wl,-rpath,{LIBRARY_FOLDER}",
    "-lhopbine_preload",
)
#: What GPU libraries without a GPU are made of, and their names.
FAKE = PROGRAMS.parents[1] / "device/fake"
CUDA, HIP, ZE = "libcuda.so.1", "libamdhip64.so.6", "libze_loader.so.1"
HIPRTC = "libhiprtc.so.6"
EXAMPLES = Path(__file__).parents[2] / "examples"
#: HOPBINE_TEST_RANKS="1 2" is for libraries that are slow when ranks outnumber cores.
RANKS = tuple(int(n) for n in os.environ.get("HOPBINE_TEST_RANKS", "1 2 3 4 5 7 8").split())
#: For tests that hardly depend on the number of ranks: 3, 5 and the largest.
FEW = tuple(n for n in RANKS if n > 2 and n in (RANKS[-1], 3, 5))


def never_started(output: str) -> bool:
    """Whether Open MPI's launcher gave up before it started a rank; a warning reports it.

    This happens now and then on a busy machine, with any program.
    """
    failure = "PMIx server's listener thread failed to start"
    if failure not in output:
        return False
    warnings.warn(f"started again, for mpiexec said: {failure}", stacklevel=2)
    return True


@dataclass(frozen=True)
class Mpi:
    """One installed MPI library."""

    name: str
    mpicc: str
    mpiexec: str

    @property
    def is_openmpi(self) -> bool:
        """False: of MPICH's family."""
        return "openmpi" in self.name

    def environment(self, ranks: int) -> dict[str, str]:
        """Environment for more ranks than cores, without busy waiting."""
        from hopbine.bench.launch import quiet_environment

        return os.environ | quiet_environment("openmpi" if self.is_openmpi else "mpich", ranks)

    def run(
        self,
        ranks: int,
        *command: str,
        env: dict[str, str] | None = None,
        timeout: float = 300,
        tries: int = 3,
    ) -> subprocess.CompletedProcess:
        """Runs a job on local ranks and captures its output."""
        done = subprocess.run(
            [self.mpiexec, "-n", str(ranks), *command],
            capture_output=True,
            text=True,
            timeout=timeout,
            env=self.environment(ranks) | (env or {}),
            stdin=subprocess.DEVNULL,
        )
        if tries > 1 and never_started(done.stdout + done.stderr):
            return self.run(ranks, *command, env=env, timeout=timeout, tries=tries - 1)
        return done

    def hopbine(self, ranks: int, *command: str, **kw) -> subprocess.CompletedProcess:
        """Runs a job under hopbine run."""
        return self.run(ranks, *UNDER, *command, **kw)


def passed(done: subprocess.CompletedProcess) -> subprocess.CompletedProcess:
    """A job whose program passed all its checks, and made some; fails otherwise."""
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    assert re.search(r"^[1-9]\d* passed, 0 failed$", done.stdout, re.M), (
        done.stdout[-2000:] + done.stderr[-4000:]
    )
    return done


#: The command line before a program that runs under hopbine: the installed command.
COMMAND = os.environ.get("HOPBINE_TEST_COMMAND") or str(Path(sys.executable).with_name("hopbine"))
UNDER = (COMMAND, "run")


def by_rank(script: str, *command: str) -> list[str]:
    """`command` in each rank after a shell script, in which $R is the rank."""
    line = f'R=${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}; {script}; exec "$@"'
    return ["sh", "-c", line, "sh", *command]


def header(mpi: Mpi) -> str:
    """What the MPI library declares."""
    return subprocess.run(
        [mpi.mpicc, "-E", "-include", "mpi.h", "-x", "c", "/dev/null"],
        capture_output=True,
        text=True,
    ).stdout


def progresses(mpi: Mpi) -> bool:
    """Whether the MPI library has progress that calls hopbine."""
    return "MPIX_Async_start(" in header(mpi) or "ompi_mpi_comm_world" in header(mpi)


def known() -> list[Mpi]:
    """The MPI libraries of HOPBINE_TEST_MPIS."""
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


def pytest_configure(config):
    config.addinivalue_line(
        "markers",
        "dealt: each case runs with one of the MPI libraries, in turns; with HOPBINE_TEST_ALL, as "
        "scripts/release-checks sets it, with all",
    )


def is_dealt(mpi: str, number: int) -> bool:
    """Whether the library of this name has that one of the cases which take turns, or all."""
    names = [one.name for one in known()]
    return bool(os.environ.get("HOPBINE_TEST_ALL")) or number % len(names) == names.index(mpi)


def pytest_collection_modifyitems(config, items):
    """Leaves out what is dealt to another MPI library. pytest counts it as deselected."""
    cases: dict[str, dict[str, int]] = {}
    others = []
    for item in items:
        if not item.get_closest_marker("dealt"):
            continue
        mpi = item.callspec.params["mpi"].name
        case = item.callspec.id.replace(mpi, "", 1)
        numbers = cases.setdefault(item.nodeid.partition("[")[0], {})
        if not is_dealt(mpi, numbers.setdefault(case, len(numbers))):
            others.append(item)
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if item not in others]


def cc(*words):
    """Runs a compiler, which must succeed."""
    done = subprocess.run([*map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def fakes(tmp_path_factory):
    """The folder of the GPU libraries without a GPU."""
    folder = tmp_path_factory.mktemp("fakes")
    made = [folder / f"{source.stem}.o" for source in FAKE.glob("*.c")]
    for one in made:
        cc("cc", "-O1", "-Wall", "-fPIC", "-c", FAKE / f"{one.stem}.c", "-o", one)
    compiler = folder / "hiprtc.o"
    made.remove(compiler)
    for name, of in ((CUDA, made), (HIP, made), (ZE, made), (HIPRTC, [compiler])):
        cc("cc", "-shared", f"-Wl,-soname,{name}", *of, "-lpthread", "-o", folder / name)
    return folder


@pytest.fixture
def served_mpi(mpi):
    """An MPI library whose persistent collectives hopbine serves."""
    if "MPI_Bcast_init(" not in header(mpi):
        pytest.skip(f"{mpi.name} has no persistent collectives")
    if not progresses(mpi):
        pytest.skip(f"{mpi.name} has no progress that calls hopbine: its own collectives serve")
    return mpi


@pytest.fixture(scope="session")
def build(tmp_path_factory):
    """build(mpi, name, folder=..., flags=()) -> path of a C program compiled with that MPI library.

    The source is in tests/mpi/programs, or in `folder`.
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
