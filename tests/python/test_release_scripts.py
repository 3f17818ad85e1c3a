"""What scripts/release and scripts/support read, and what they refuse."""

import json
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
VERSION = (ROOT / "VERSION").read_text().strip()
RUN = {
    "mpi": "Open MPI v5.0.11",
    "compiler": "GCC 12.2.0",
    "machine": "x86_64",
    "libc": "glibc 2.36",
    "ranks": "3",
    "files": {
        "tests/mpi/test_tools.py": {"passed": 2},
        "tests/emulate/test_links.py": {"passed": 5, "skipped": 1, "failed": 2},
    },
    "on": "2026-11-26",
    "tools": {"test_a_tool_that_is_linked_sees_every_call": "passed"},
}
PART = {"part": "C++ tests", "machine": "aarch64", "passed": 8, "on": "2026-11-26"}


def script(name: str, *words) -> subprocess.CompletedProcess[str]:
    """Runs a script of the repository."""
    command = [sys.executable, ROOT / "scripts" / name, *words]
    return subprocess.run([str(w) for w in command], capture_output=True, text=True)


@pytest.fixture
def packed(tmp_path) -> Path:
    """A tar file with a program of this machine."""
    with tarfile.open(tmp_path / "true.tar.gz", "w:gz") as archive:
        archive.add(shutil.which("true"), "some/true")
    return tmp_path / "true.tar.gz"


def test_a_program_that_needs_a_newer_glibc_is_refused(packed):
    done = script("glibc-of", "2.2", packed)
    assert done.returncode == 1
    assert re.search(
        r"^true.tar.gz/some/true: glibc [\d.]+; needs glibc [\d.]+$", done.stdout, re.M
    )
    assert done.stdout.endswith("1 programs and libraries, 1 refused\n")


def test_a_program_that_needs_an_older_glibc_is_not(packed):
    done = script("glibc-of", "2.999", packed)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("symbol", "refused"), [("newer", True), ("slurm_error", False)])
def test_symbols_without_a_version_are_refused(tmp_path, symbol, refused):
    """Such as a function of a glibc that the linker did not know; not what Slurm has."""
    source, library = tmp_path / "a.c", tmp_path / "liba.so"
    source.write_text(f"int {symbol}(void);\nint a(void) {{ return {symbol}(); }}\n")
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, source], check=True)
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as archive:
        archive.add(library, "liba.so")
    told = script("glibc-of", "2.999", tmp_path / "a.tar.gz").stdout
    assert bool(re.search(rf"/liba.so: [^;]*; undefined: {symbol}$", told, re.M)) == refused


def test_an_archive_without_programs_is_refused(tmp_path):
    with tarfile.open(tmp_path / "empty.tar.gz", "w:gz"):
        pass
    assert script("glibc-of", "2.28", tmp_path / "empty.tar.gz").returncode == 1


def test_the_support_page_has_what_every_file_said_last(tmp_path):
    later = RUN | {
        "on": "2026-11-27",
        "ranks": "2 3",
        "files": {"tests/emulate/test_links.py": {"passed": 7}},
        "tools": {},
    }
    other = RUN | {"mpi": "MPICH 5.0.2", "tools": {}}
    lines = (RUN, PART, later, other, PART | {"passed": 9})
    (tmp_path / "runs").write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = script("support", tmp_path / "runs", "-o", tmp_path / "page.md")
    assert (done.returncode, done.stderr) == (0, "")
    page = (tmp_path / "page.md").read_text()
    where = "GCC 12.2.0 | x86_64, glibc 2.36"
    assert f"| 1 | MPICH 5.0.2 | {where} | 3 | 7 | 1 | 2 | 2026-11-26 |\n" in page
    assert f"| 2 | Open MPI v5.0.11 | {where} | 2 3 | 9 | 0 | 0 | 2026-11-27 |\n" in page
    assert re.search(
        r"^\| .* \(emulate/test_links.py\) \| 5, 1 skipped, 2 failed \| 7 \|$", page, re.M
    )
    assert re.search(r"^\| .* use PMPI\. \(mpi/test_tools.py\) \| 2 \| 2 \|$", page, re.M)
    assert "| C++ tests | aarch64 | 9 | 2026-11-26 |\n" in page
    assert "| C++ tests | aarch64 | 8 |" not in page
    assert "| a PMPI tool that is linked sees every call | passed: Open MPI v5.0.11 |\n" in page
    assert "gdb: calls are served in it | not run |" in page


def test_the_support_page_knows_tests_that_there_are():
    text = (ROOT / "scripts/support").read_text()
    names = re.findall(r'^    "(test_\w+)":', text, re.M)
    tests = [(ROOT / "tests/mpi" / f"test_{f}.py").read_text() for f in ("tools", "beside")]
    assert sorted(names) == sorted(re.findall(r"^def (test_\w+)\(mpi", "".join(tests), re.M))


def test_nothing_recorded_is_told(tmp_path):
    done = script("support", tmp_path / "none")
    assert done.returncode == 2
    assert "scripts/release-checks writes it" in done.stderr


def test_the_version_stands_in_one_place_and_the_changelog():
    """And where scripts/reference writes it."""
    tracked = subprocess.run(
        ["git", "grep", "-lF", VERSION, "--", ".", ":!packaging/requirements", ":!packaging/share"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    ).stdout.split()
    words = re.compile(rf"hopbine[^\n]{{0,20}}\b{re.escape(VERSION)}\b")
    named = [f for f in tracked if words.search((ROOT / f).read_text(errors="ignore"))]
    assert named == []
    assert re.search(rf"^## {re.escape(VERSION)} \(\d{{4}}-\d\d-\d\d\)$", changelog(), re.M)


def changelog() -> str:
    """What has changed, by version."""
    return (ROOT / "CHANGELOG.md").read_text()
