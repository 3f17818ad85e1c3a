"""Programs that run in other programs and in containers: what docs/faq.md says of them."""

import json
import shutil
import subprocess

import pytest
from conftest import UNDER
from test_install import prefix  # noqa: F401  (a fixture)

OPTIONS = ("--algorithm", "allreduce=ring,allgather=bruck")
SERVED = {"ring", "bruck"}


@pytest.fixture
def served(mpi, tmp_path):
    """Runs two ranks with statistics, and returns what served the program's calls."""

    def run(*command: str, hopbine: tuple[str, ...] = UNDER, **how) -> tuple[set[str], str]:
        stats = tmp_path / "stats.json"
        stats.unlink(missing_ok=True)
        under = (*hopbine, *OPTIONS, "--stats", str(stats))
        done = mpi.run(
            2, *(word for c in command for word in (under if c == "UNDER" else [c])), **how
        )
        said = done.stdout + done.stderr
        rows = json.loads(stats.read_text())["rows"] if stats.exists() else []
        return {row["algorithm"] for row in rows if row["served_by"] == "hopbine"}, said

    return run


def test_calls_are_served_in_the_debugger(mpi, build, served):
    if not shutil.which("gdb"):
        pytest.skip("gdb is not installed: nothing can run in it")
    gdb = ("gdb", "-q", "--batch", "-ex", "run")
    if (
        "exited normally"
        not in subprocess.run([*gdb, "true"], capture_output=True, text=True).stdout
    ):
        pytest.skip("gdb may not trace here")
    algorithms, said = served("UNDER", *gdb, build(mpi, "sums"))
    assert algorithms == SERVED
    assert "sum 2 last 1" in said


def test_the_address_sanitizer_needs_not_be_first(mpi, build, served):
    program = build(mpi, "sums", flags=("-fsanitize=address",))
    assert "ASan runtime does not come first" in served("UNDER", program)[1]
    relaxed = {"ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=0"}
    algorithms, said = served("UNDER", program, env=relaxed)
    assert algorithms == SERVED
    assert "sum 2 last 1" in said


def test_containers_may_bind_it_elsewhere(mpi, build, served, prefix, tmp_path):  # noqa: F811
    """A mount namespace, in which the prefix has another path and its own is empty."""
    if subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode:
        pytest.skip("mount namespaces may not be made here: there is no container to try")
    inside = tmp_path / "opt"
    inside.mkdir()
    mounts = f"mount --bind {prefix} {inside} && mount -t tmpfs none {prefix}"
    container = ("unshare", "-m", "sh", "-c", f'{mounts} && exec "$@"', "sh")
    env = {"HOPBINE_LIB": ""}
    program = build(mpi, "sums")
    command = (str(inside / "bin/hopbine"), "run")
    algorithms, said = served(*container, "UNDER", program, hopbine=command, env=env)
    assert algorithms == SERVED
    assert "sum 2 last 1" in said
    outside = (str(prefix / "bin/hopbine"), "run")
    algorithms, said = served("UNDER", *container, program, hopbine=outside, env=env)
    assert algorithms == set()
    assert "cannot be preloaded" in said
    assert "sum 2 last 1" in said
