"""System calls that name files: of the command, and of a rank at its start beside one without it.

So are the symbols that it looks up, and the code that runs when a runtime is loaded.

benchmarks/start_up.py measures the times, which no test can on a busy machine.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest
from conftest import UNDER
from test_install import prefix  # noqa: F401  (a fixture)

from hopbine import LIBRARY_FOLDER

#: What `hopbine run true` may make, and a rank more than without hopbine.
MOST = 60
#: What the command itself may: it begins once in every rank, before the program.
MOST_BEFORE = 20

#: Symbols that a rank may look up more than without hopbine: about 110 with MPICH 5 and 220 with
#: Open MPI 5, whose handles are symbols.
MOST_SYMBOLS = 300
#: Functions that may run when a runtime is loaded, of which the C++ library has eight.
MOST_CONSTRUCTORS = 20

#: Settings whose files a rank reads or writes: none; what jobs have learned, kept in a folder of
#: the test's; an algorithm that serves; the program of the watcher.
KINDS = {
    "default": {},
    "learned": {"HOPBINE_LEARN": ""},
    "served": {"HOPBINE_LEARN": "", "HOPBINE_ALGORITHM": "allreduce=ring"},
    "watched": {"HOPBINE_WATCH": "5min"},
}

RUNTIMES = [
    path
    for family in ("openmpi", "mpich", "abi")
    if (path := Path(LIBRARY_FOLDER) / f"libhopbine_{family}.so").exists()
]


@pytest.fixture
def traced(mpi, build, tmp_path):
    """traced(KIND, COMMAND...) -> the words before COMMAND that write its calls into KIND.PID."""
    tracer = build(mpi, "file_calls")
    return lambda kind, *command: [tracer, str(tmp_path / kind), *command]


def calls(folder: Path, kind: str) -> list[list[str]]:
    """The calls of every process of a kind: number and file."""
    return [log.read_text().splitlines() for log in sorted(folder.glob(f"{kind}.*"))]


def test_the_command_alone(traced, prefix, tmp_path):  # noqa: F811
    """However long the way of libraries, which a static program does not search."""
    folders = ":".join(f"{tmp_path}/{i}" for i in range(20))
    command = traced("command", str(prefix / "bin/hopbine"), "run", "--shape", "2x2")
    env = os.environ | {"PATH": "/usr/bin:/bin", "LD_LIBRARY_PATH": folders}
    done = subprocess.run([*command, "env"], capture_output=True, text=True, env=env)
    assert done.returncode == 0, done.stderr
    (lines,) = calls(tmp_path, "command")
    files = [line.split(" ", 1)[1] for line in lines]
    # The program is looked at first, then opened and begun: it has the way of libraries.
    begins = max(i for i, file in enumerate(files) if file.endswith("/bin/env")) + 1
    assert 5 < begins <= MOST_BEFORE, lines


def test_the_command_with_the_program(traced, prefix, tmp_path):  # noqa: F811
    command = traced("true", str(prefix / "bin/hopbine"), "run", "true")
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (lines,) = calls(tmp_path, "true")
    assert 5 < len(lines) <= MOST, lines


@pytest.mark.parametrize("kind", KINDS)
def test_a_rank_beside_one_without_hopbine(mpi, build, traced, tmp_path, kind):
    program = build(mpi, "sums")
    env = KINDS[kind] | {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    most = {}
    for name, under in (("alone", ()), ("first", UNDER), ("second", UNDER)):
        done = mpi.run(2, *traced(name, *under, program), env=env)
        assert done.returncode == 0, done.stderr
        ranks = calls(tmp_path, name)
        assert len(ranks) == 2
        most[name] = max(ranks, key=len)
    for name in ("first", "second"):  # the second finds what the first has learned
        more = [line for line in most[name] if line not in most["alone"]]
        assert len(most[name]) - len(most["alone"]) <= MOST, more


def symbols(mpi, program: Path, log: Path, *under: str) -> int:
    """Symbols that a rank looks up until it ends, as the dynamic linker counts them."""
    debug = ("env", "LD_DEBUG=statistics", f"LD_DEBUG_OUTPUT={log}")
    done = mpi.run(1, *debug, *under, program)
    assert done.returncode == 0, done.stderr
    told = max(log.parent.glob(f"{log.name}.*"))  # of several, the launcher was started again
    return int(re.findall(r"final number of relocations: (\d+)", told.read_text())[-1])


def test_symbols_of_a_rank(mpi, build, tmp_path):
    """It finds the functions that it calls, not all that hopbine has or could call."""
    program = build(mpi, "sums")
    alone = symbols(mpi, program, tmp_path / "alone")
    assert 0 < symbols(mpi, program, tmp_path / "under", *UNDER) - alone <= MOST_SYMBOLS


@pytest.mark.parametrize("library", RUNTIMES, ids=lambda p: p.name)
def test_algorithms_are_made_before_a_runtime_is_loaded(library):
    """By the compiler: as code, 230 records ran, and allocated memory, in every rank's MPI_Init."""
    told = subprocess.run(["readelf", "-d", library], capture_output=True, text=True, check=True)
    size = re.search(r"\(INIT_ARRAYSZ\)\s+(\d+)", told.stdout)
    assert int(size.group(1)) <= MOST_CONSTRUCTORS * 8


@pytest.mark.parametrize("library", sorted(p.name for p in Path(LIBRARY_FOLDER).glob("*.so")))
def test_libraries_load_none_that_programs_in_c_have_not(library):
    """Nor have they the locale of C++ in them, which streams would start in every rank."""
    file = Path(LIBRARY_FOLDER) / library
    if file.read_bytes()[:4] != b"\x7fELF":
        assert library == "libhopbine.so"  # a script of the linker
        return
    told = subprocess.run(["readelf", "-d", file], capture_output=True, text=True, check=True)
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", told.stdout)
    allowed = r"(libc|libm|libdl|libpthread|librt|ld-linux-[\w-]+|libmpi\w*|libhopbine_preload)\.so"
    assert [name for name in needed if not re.match(allowed, name)] == []
    assert b"NSt6locale5facetE" not in file.read_bytes()
