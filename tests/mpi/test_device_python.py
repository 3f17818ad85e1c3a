"""Python programs on device memory, through mpi4py, on fake devices."""

import os
import re
import sys
from pathlib import Path

import pytest
from conftest import CUDA, EXAMPLES, PROGRAMS, passed, progresses
from test_device import MOST, SERVED
from test_gpu_auto import preloads

pytestmark = [pytest.mark.skipif(MOST < 2, reason="needs two ranks"), pytest.mark.dealt]

PEERS = ("--gpu", "direct", "--gpu-peers", "64")


def python(mpi, fakes, tmp_path, *command, before=(), aware=False):
    """Runs a Python program under hopbine; `aware`: on an MPI library that takes GPU memory."""
    library = Path(mpi.mpiexec).resolve().parent.parent / "lib"  # of wheels
    path = f"{library}:{os.environ.get('LD_LIBRARY_PATH', '')}"
    env = {
        "HOPBINE_TEST_DEVICE": str(fakes / CUDA),
        "LD_LIBRARY_PATH": path,
        "MPI4PY_MPIABI": "openmpi" if mpi.is_openmpi else "mpich",
        "PYTHONPATH": str(PROGRAMS / "fake_cupy"),
        "XDG_CACHE_HOME": str(tmp_path),
    }
    env |= preloads(mpi, tmp_path, "aware_messages") if aware else {}
    words = (*before, "--algorithm", SERVED, sys.executable, *map(str, command))
    return mpi.hopbine(2, *words, env=env)


@pytest.mark.parametrize(
    ("options", "aware"), [((), False), (("--gpu", "staged"), False), (PEERS, True)]
)
def test_tensors_of_every_protocol(mpi, fakes, tmp_path, options, aware):
    """Whose MPI library would crash with them without hopbine, where it is not aware."""
    if not progresses(mpi):
        pytest.skip("nonblocking calls of such memory need the library's progress")
    passed(python(mpi, fakes, tmp_path, PROGRAMS / "tensors.py", before=options, aware=aware))


@pytest.mark.parametrize(("options", "aware"), [((), False), (PEERS, True)])
def test_the_example_learns_as_in_host_memory(mpi, fakes, tmp_path, options, aware):
    script = EXAMPLES / "gradients.py"
    done = python(mpi, fakes, tmp_path, script, 20, before=options, aware=aware)
    assert done.returncode == 0, done.stderr
    plain = python(mpi, fakes, tmp_path, "-P", "-E", script, 20)
    assert plain.returncode == 0, plain.stderr
    said = r"mean squared error (\S+) after 20 steps, by (\w+)\n"
    (error, by), (same, by_numpy) = (re.fullmatch(said, d.stdout).groups() for d in (done, plain))
    assert (by, by_numpy) == ("cupy", "numpy")
    assert float(error) == pytest.approx(float(same), rel=1e-3)
    assert float(error) < 100
