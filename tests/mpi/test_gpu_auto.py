"""--gpu auto, the default: fake devices, MPI libraries that take their memory, or do not."""

import re
import subprocess
from pathlib import Path

import pytest
from conftest import COMMAND, CUDA, HIP, PROGRAMS, cc, passed, progresses
from test_device import LIBRARY, MOST, SERVED, takes_device_memory
from test_registry import fitting, walked

pytestmark = pytest.mark.skipif(MOST < 2, reason="needs two ranks")

STAGED = "hopbine: collectives on GPU memory go through host memory: "
NOT_KNOWN = f"{STAGED}whether the MPI library takes it is not known, which hopbine gpu probe finds"
SAYS_NO = f"{STAGED}the MPI library says that it takes none\n"
PROBED = f"{STAGED}the MPI library takes none (hopbine gpu probe)\n"


@pytest.fixture
def cache(tmp_path):
    """An empty cache folder, as a setting."""
    return {"XDG_CACHE_HOME": str(tmp_path / "cache")}


def run(mpi, fakes, env, *command, library=CUDA, ranks=MOST):
    """Runs a job in the default mode."""
    own = {"HOPBINE_TEST_DEVICE": str(fakes / library)}
    return mpi.hopbine(ranks, *command, env=env | own, timeout=240)


def tells_of_staging(done):
    """The one line that says why."""
    lines = [line for line in done.stderr.splitlines(keepends=True) if STAGED in line]
    assert len(lines) == 1, done.stderr
    return lines[0]


@pytest.mark.dealt
@pytest.mark.parametrize(("library", "by"), [(HIP, "hopbine"), (CUDA, "mpi")])
def test_a_library_that_takes_no_device_memory(mpi, build, fakes, cache, library, by):
    """Its collectives crash without hopbine. Every call that there is, in every form."""
    algorithm = SERVED if by == "hopbine" else LIBRARY
    forms = "progress" if progresses(mpi) else "blocking"
    # The GPU's library is there in MPI_Init: persistent calls of the MPI library need that.
    env = cache | {"LD_PRELOAD": str(fakes / library)}
    command = ("--algorithm", algorithm, build(mpi, "staged"), forms, by)
    done = passed(run(mpi, fakes, env, *command, library=library))
    told = tells_of_staging(done)
    assert told == SAYS_NO or told.startswith(NOT_KNOWN)


def test_a_persistent_call_whose_gpu_library_comes_late_is_told_by_a_line(mpi, build, fakes, cache):
    if not progresses(mpi) or mpi.is_openmpi:
        pytest.skip(f"{mpi.name}: the program makes persistent calls with MPI 4 only")
    command = ("--algorithm", LIBRARY, build(mpi, "staged"), "progress", "mpi")
    done = run(mpi, fakes, cache, *command, ranks=2)
    assert done.returncode != 0
    assert "load it before, or use --gpu staged" in done.stderr


@pytest.fixture(scope="session")
def unaware(tmp_path_factory):
    """unaware(mpi, *flags) -> the program `device` with the MPI library as it is."""
    made = {}

    def compile_it(mpi, *flags):
        if (mpi.name, flags) not in made:
            out = tmp_path_factory.mktemp("unaware") / "device"
            cc(mpi.mpicc, "-O1", *flags, "-rdynamic", PROGRAMS / "device.c", "-ldl", "-o", out)
            made[mpi.name, flags] = str(out)
        return made[mpi.name, flags]

    return compile_it


@pytest.mark.dealt
@pytest.mark.parametrize(("algorithm", "by"), [(SERVED, 1), (LIBRARY, 0)])
def test_a_gpu_library_that_is_loaded_after_a_thousand_calls(
    mpi, unaware, fakes, cache, algorithm, by
):
    """What was remembered of calls on host memory ends then, and nothing looked for it before."""
    command = ("--algorithm", algorithm, unaware(mpi), "late", str(fakes / CUDA), str(by))
    tells_of_staging(passed(run(mpi, fakes, cache, *command)))


def test_a_program_that_takes_the_word_of_loaded_libraries(mpi, unaware, fakes, cache, tmp_path):
    """Compiled with -pg it has a function of its own for what tells of libraries."""
    command = ("--algorithm", LIBRARY, unaware(mpi, "-pg"), "late", str(fakes / CUDA), "0")
    env = cache | {"GMON_OUT_PREFIX": str(tmp_path / "gmon")}
    tells_of_staging(passed(run(mpi, fakes, env, *command)))


def test_first_calls_of_communicators(mpi, build, fakes, cache):
    """Which the MPI library serves: a rank that stages one keeps in step with the others."""
    forms = "nonblocking" if progresses(mpi) else "blocking"
    tells_of_staging(passed(run(mpi, fakes, cache, build(mpi, "first_calls_on_device"), forms)))


def probe(mpi, env, *options):
    """Runs hopbine gpu probe."""
    command = [COMMAND, "gpu", "probe", "--mpiexec", mpi.mpiexec, "--timeout", "20", *options]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=120, env=mpi.environment(2) | env
    )


def preloads(mpi, folder, *sources):
    """An MPI library that takes device memory, as a setting."""
    made = folder / f"lib{'_'.join(sources)}.so"
    files = [PROGRAMS / f"{name}.c" for name in sources]
    cc(mpi.mpicc, "-O1", "-shared", "-fPIC", *files, "-ldl", "-o", made)
    return {"LD_PRELOAD": str(made)}


def answers(cache):
    """The answers that are recorded: of the library, then of its MPI-5 ABI where it has one."""
    text = Path(cache["XDG_CACHE_HOME"], "hopbine/gpu.txt").read_text()
    return [line.partition("\t")[0] for line in text.splitlines()]


def test_a_probe_survives_a_library_that_takes_no_device_memory(mpi, build, fakes, cache):
    done = probe(mpi, cache | {"LD_LIBRARY_PATH": str(fakes)})
    assert done.returncode == 0, done.stderr
    assert re.search(r"not taken +messages: ", done.stdout), done.stdout
    assert answers(cache)[0] == "nothing"
    command = ("--algorithm", SERVED, build(mpi, "staged"), "blocking", "hopbine")
    assert tells_of_staging(passed(run(mpi, fakes, cache, *command))) == PROBED


def test_messages_of_device_memory_are_used_once_a_probe_has_shown_them(
    mpi, build, fakes, cache, tmp_path
):
    """Long vectors are served in the device's memory: `walk` counts messages from there.

    What the MPI library serves is served by copies.
    """
    aware = preloads(mpi, tmp_path, "aware_messages")
    done = probe(mpi, cache | aware | {"LD_LIBRARY_PATH": str(fakes)})
    assert done.returncode == 0, done.stderr
    assert re.search(r"in messages +collectives: ", done.stdout), done.stdout
    assert answers(cache)[0] == "messages"
    program = takes_device_memory(mpi, build, "-DLARGE=200000")
    names = [walked(a, a["name"], 2) for a in fitting(2)[::9]]
    done = passed(run(mpi, fakes, cache, program, *names, ranks=2))
    assert STAGED not in done.stderr
    command = ("--algorithm", LIBRARY, build(mpi, "staged"), "blocking", "mpi")
    assert STAGED not in passed(run(mpi, fakes, cache, *command)).stderr


@pytest.mark.dealt
@pytest.mark.parametrize(
    ("size", "calls", "slow", "staged"),
    [(32768, 40, "copies:20000", (8, 0)), (65536, 40, "device:20000", (2, 10))],
)
def test_the_faster_place_serves(mpi, build, fakes, cache, tmp_path, size, calls, slow, staged):
    """By the model the other one is faster, by little.

    A trial is made in calls 5 to 12, first where the model says.
    """
    aware = preloads(mpi, tmp_path, "aware_messages")
    done = probe(mpi, cache | aware | {"LD_LIBRARY_PATH": str(fakes)})
    assert done.returncode == 0, done.stderr
    env = cache | aware | {"HOPBINE_TEST_SLOW": slow}
    command = ("--algorithm", "allreduce=recursive_doubling", build(mpi, "places"))
    done = passed(run(mpi, fakes, env, *command, str(size), str(calls), ranks=2))
    assert f"staged: {staged[0]}, then {staged[1]}\n" in done.stdout


def test_collectives_of_device_memory_are_passed_on_once_a_probe_has_shown_them(
    mpi, fakes, cache, tmp_path, unaware
):
    aware = preloads(mpi, tmp_path, "aware_messages", "device_aware")
    done = probe(mpi, cache | aware | {"LD_LIBRARY_PATH": str(fakes)})
    assert done.returncode == 0, done.stderr
    assert "in messages and collectives" in done.stdout
    assert answers(cache)[0] == "all"
    command = ("--algorithm", LIBRARY, unaware(mpi), "late", str(fakes / CUDA), "0")
    done = passed(run(mpi, fakes, cache | aware, *command))
    assert STAGED not in done.stderr


def test_a_probe_needs_a_gpu(mpi, cache, tmp_path):
    (tmp_path / CUDA).write_text("")  # no driver, wherever the test runs
    done = probe(mpi, cache | {"LD_LIBRARY_PATH": str(tmp_path)})
    assert done.returncode == 2
    assert "it has no GPU" in done.stderr
