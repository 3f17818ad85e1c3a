"""What is told of an error: a line where the command is wrong, all of it where hopbine is."""

import errno
import os
import subprocess

import pytest
from commands import hopbine

import hopbine as package
from hopbine import _core
from hopbine.cli import list as verb
from hopbine.errors import JobError, MissingFile, UsageError


def failing(capsys, monkeypatch, error, *words):
    """Code and standard error of a command that meets the error."""

    def run(args):
        raise error

    monkeypatch.setattr(verb, "run", run)
    code, out, err = hopbine(capsys, "list", *words)
    assert out == ""
    return code, err


@pytest.mark.parametrize(
    "error",
    [
        ValueError("x"),
        RuntimeError("x"),
        KeyError("x"),
        RecursionError("x"),
        IndexError("x"),
        AssertionError("x"),
        FileNotFoundError(errno.ENOENT, "No such file", "/somewhere"),
        OSError("x"),
        ModuleNotFoundError("no x", name="x"),
        subprocess.TimeoutExpired("x", 1),
    ],
)
def test_a_fault_of_hopbine_shows_its_traceback(capsys, monkeypatch, error):
    code, err = failing(capsys, monkeypatch, error)
    assert code == 1
    assert err.startswith("Traceback (most recent call last)")
    assert err.splitlines()[-1].startswith("hopbine: this is a fault of hopbine")
    assert "report" in err.splitlines()[-1]


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (UsageError("-n is\nwrong"), 2, "-n is\\nwrong"),
        (MissingFile("x: there is no such file"), 2, "x: there is no such file"),
        (OSError(errno.ENOSPC, "No space left"), 2, "[Errno 28] No space left"),
        (JobError("the job\nended"), 1, "the job\nended"),
        (MemoryError(), 1, "there is not enough memory for this"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_what_is_no_fault_is_told_in_words(capsys, monkeypatch, error, code, said):
    assert failing(capsys, monkeypatch, error) == (code, f"hopbine: {said}\n")


@pytest.mark.parametrize("named", ["/data/set", "/data"])
def test_a_file_that_the_command_names(capsys, monkeypatch, named):
    error = PermissionError(errno.EACCES, os.strerror(errno.EACCES), "/data/set")
    code, err = failing(capsys, monkeypatch, error, "bcast", f"--format={named}")
    assert (code, err.count("\n")) == (2, 1)  # the option is refused
    monkeypatch.setenv("HOPBINE_LIB", named)
    code, err = failing(capsys, monkeypatch, error)
    assert (code, err) == (2, f"hopbine: {error}\n")


def test_users_of_the_package_catch_value_errors():
    assert package.UsageError is UsageError
    with pytest.raises(ValueError, match="colective"):
        package.algorithms("colective")
    with pytest.raises(UsageError, match="unknown algorithm"):
        _core.schedule(_core.Problem("bcast", "rong", 4))
    assert issubclass(MissingFile, FileNotFoundError)
