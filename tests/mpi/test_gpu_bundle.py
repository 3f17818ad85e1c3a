"""scripts/gpu, with fake devices in the place of real ones."""

import datetime
import os
import re
import subprocess
import sys

import pytest
from conftest import CUDA, PROGRAMS
from test_device import MOST
from test_gpu_auto import preloads

pytestmark = [pytest.mark.skipif(MOST < 2, reason="needs two ranks"), pytest.mark.dealt]

SCRIPT = PROGRAMS.parents[2] / "scripts/gpu"
BEGIN, END = "<!-- scripts/gpu writes this -->\n", "<!-- to here -->\n"


def bundle(mpi, env, docs, *words):
    """Runs the script on two ranks."""
    docs.write_text(f"before\n{BEGIN}a table\n{END}after\n")
    command = [sys.executable, SCRIPT, "--ranks", "2", "--bytes", "8,65536", "--docs", docs]
    return subprocess.run(
        [*command, "--mpi", mpi.name, *words],
        capture_output=True,
        text=True,
        timeout=240,
        env=mpi.environment(2) | env,
    )


@pytest.mark.skipif("HOPBINE_TEST_ALL" not in os.environ, reason="28 s: scripts/release-checks")
def test_the_bundle_writes_what_it_measured(mpi, fakes, tmp_path):
    """On an MPI library that takes messages of GPU memory: all modes are tried."""
    env = {"LD_LIBRARY_PATH": str(fakes), "XDG_CACHE_HOME": str(tmp_path)}
    docs = tmp_path / "page.md"
    aware = preloads(mpi, tmp_path, "aware_messages")
    done = bundle(mpi, env | aware, docs, "--seconds", "230")
    assert done.returncode == 0, done.stdout + done.stderr
    for mode in ("staged", "direct", "peers"):
        assert re.search(rf"^ok .* 2 ranks, {mode}: \d+ passed, 0 failed$", done.stdout, re.M)
    assert re.search(r"^ok .* kernels of a node: \d+ passed, 0 failed$", done.stdout, re.M)
    text = docs.read_text()
    today = datetime.datetime.now(datetime.UTC).date()
    assert re.search(rf"^Measured on {today} at commit \S+, .*{mpi.name}, .+:$", text, re.M)
    assert "- device: fake device 0, 1 on the node of rank 0" in text
    assert len(re.findall(r"^\| (?:8|65536) \| \d", text, re.M)) == 2
    assert text.startswith("before\n")
    assert text.endswith(f"{END}after\n")
    assert "a table" not in text


def test_a_bundle_that_ends_early_writes_nothing(mpi, fakes, tmp_path):
    env = {"LD_LIBRARY_PATH": str(fakes), "XDG_CACHE_HOME": str(tmp_path)}
    docs = tmp_path / "page.md"
    done = bundle(mpi, env, docs, "--seconds", "2")
    assert done.returncode == 1, done.stdout + done.stderr
    assert re.search(r"^FAILED .*: left out: the time is over$", done.stdout, re.M)
    assert "a table" in docs.read_text()


def test_a_bundle_needs_a_gpu(mpi, tmp_path):
    (tmp_path / CUDA).write_text("")  # no driver, wherever the test runs
    done = bundle(mpi, {"LD_LIBRARY_PATH": str(tmp_path)}, tmp_path / "page.md")
    assert done.returncode == 2
    assert "finds no GPU here" in done.stderr
