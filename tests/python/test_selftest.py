"""hopbine selftest without MPI: which libraries are found, what is proved, and what a verdict says.

Its jobs on real libraries are in tests/mpi/test_selftest.py.
"""

import json
import os

import pytest
from commands import hopbine

from hopbine import _core
from hopbine.bench.launch import MissingMpi
from hopbine.cli import selftest as verb
from hopbine.cli.check import check_algorithm
from hopbine.selftest import steps
from hopbine.selftest.libraries import Library, found, number

#: What launchers say of themselves.
SAID = {
    "openmpi": "mpiexec (Open MPI) 5.0.11\n",
    "mpich": "HYDRA build details:\n    Version:      5.0.2\n",
    "other": "some launcher 1.2\n",
}


def launcher(folder, family, name="mpiexec", complaint=""):
    """A program that says what a launcher of the family says, and starts nothing."""
    folder.mkdir(exist_ok=True, parents=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\ncat <<'EOT'\n{SAID[family]}EOT\necho '{complaint}' >&2\nexit 3\n")
    path.chmod(0o755)
    return path


def test_every_library_on_path_is_found_once(tmp_path):
    one = launcher(tmp_path / "a/bin", "openmpi")
    launcher(tmp_path / "a/bin", "openmpi", "mpirun")
    other = launcher(tmp_path / "b/bin", "mpich", "mpiexec.hydra")
    launcher(tmp_path / "c/bin", "other")
    (tmp_path / "d").symlink_to(tmp_path / "a/bin")  # as /bin beside /usr/bin
    (tmp_path / "b/lib").mkdir()
    (tmp_path / "b/lib/libmpi_abi.so.0").touch()
    path = ":".join(str(tmp_path / part) for part in ("a/bin", "b/bin", "c/bin", "d"))
    assert list(found(path=path)) == [
        Library(str(one), "openmpi", "openmpi"),
        Library(str(other), "mpich", "mpich"),
        Library(str(other), "mpich", "abi"),
    ]
    assert [library.version for library in found(path=path)] == ["5.0.11", "5.0.2", "5.0.2"]


def test_a_launcher_that_is_given_must_be_one(tmp_path):
    with pytest.raises(MissingMpi, match="--mpiexec /none/mpiexec: there is no such program"):
        list(found(["/none/mpiexec"]))
    with pytest.raises(MissingMpi, match="is neither Open MPI's nor MPICH's launcher"):
        list(found([str(launcher(tmp_path, "other"))]))


@pytest.mark.parametrize(
    ("text", "version"),
    [("Open MPI v5.0.11, package", "5.0.11"), ("MPICH Version: 4.3", "4.3"), ("none", "")],
)
def test_versions(text, version):
    assert number(text) == version


def test_what_is_proved_are_algorithms_of_all_collectives_that_have_many():
    every = _core.algorithms()
    picked = [every[i] for i in steps.chosen()]
    assert len({(a["collective"], a["name"]) for a in picked}) == steps.PROVED
    assert len({a["collective"] for a in picked}) >= 8
    state, told = steps._proofs(check_algorithm, 60)
    assert state == steps.OK
    assert "cases proved" in told


def test_a_wrong_algorithm_fails_the_proof():
    state, told = steps._proofs(lambda *_: (3, ["bcast x p=3 root=0: lost"]), 60)
    assert (state, told) == (steps.FAILED, "bcast x p=3 root=0: lost")
    state, told = steps._proofs(lambda *_: (3, []), -1)
    assert (state, told) == (steps.FAILED, "1 of 20 within the time")


@pytest.fixture
def quick(monkeypatch):
    """Proofs that take no time."""
    monkeypatch.setattr("hopbine.cli.check.check_algorithm", lambda *_: (1, []))


def test_a_job_that_fails_fails_the_selftest(capsys, tmp_path, quick):
    path = str(launcher(tmp_path, "mpich"))
    code, out, _ = hopbine(capsys, "selftest", "--mpiexec", path, "--format", "json")
    (job,) = (row for row in json.loads(out) if row["step"] == "job")
    assert code == 1
    assert job["state"] == steps.FAILED
    assert "ended with 3" in job["told"]
    assert tuple(job) == verb.KEYS


def test_a_library_of_another_name_is_left_out(capsys, tmp_path, quick):
    """Nothing of it was tried, so that this alone is no pass."""
    said = "hopbine-bench-mpich: error while loading shared libraries: libmpi.so.12: cannot open"
    path = str(launcher(tmp_path, "mpich", complaint=said))
    code, out, _ = hopbine(capsys, "selftest", "--mpiexec", path, "--format", "json")
    (job,) = (row for row in json.loads(out) if row["step"] == "job")
    assert (code, job["state"]) == (1, steps.LEFT)
    assert "needs libmpi.so.12" in job["told"]


def test_without_any_library_nothing_is_passed(capsys, monkeypatch, quick):
    monkeypatch.setenv("PATH", os.devnull)
    code, out, _ = hopbine(capsys, "selftest")
    assert code == 1
    assert "NOT DONE: no launcher of Open MPI or MPICH is on PATH" in out


def test_a_family_that_was_not_built_is_left_out(capsys, tmp_path, monkeypatch, quick):
    path = str(launcher(tmp_path, "mpich"))
    monkeypatch.setenv("HOPBINE_LIB", str(tmp_path))
    code, out, _ = hopbine(capsys, "selftest", "--mpiexec", path)
    assert code == 1
    assert "left out" in out
    assert "was built without a runtime for mpich" in out
    assert "NOT DONE: none of the MPI libraries found" in out


def test_what_comes_after_the_limit_has_failed(monkeypatch):
    monkeypatch.setattr(steps, "LIMIT", 0.0)
    results = list(steps.steps([Library("x", "mpich", "mpich")], lambda *_: (1, [])))
    assert [one.state for one in results] == [steps.FAILED] * 3
    assert "not done within 0 s" in results[-1].told
