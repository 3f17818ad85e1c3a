"""The commands of docs/administrators.md run as they stand there, with its defaults."""

import os
import re
import subprocess
from contextlib import contextmanager

import pytest
from conftest import passed
from test_install import ROOT, prefix  # noqa: F401  (a fixture)

from hopbine import _core

PAGE = (ROOT / "docs/administrators.md").read_text()
COMMANDS = re.findall(r"^    ((?:[A-Z_]+=\S* )?hopbine .*)$", PAGE, re.M)
(DEFAULTS,) = re.findall(r"```ini\n(.*?)```", PAGE, re.S)


@contextmanager
def defaults(prefix, text):  # noqa: F811
    """A file of defaults with this text."""
    file = prefix / "etc/hopbine.conf"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    try:
        yield
    finally:
        file.unlink()


@pytest.mark.parametrize("line", COMMANDS)
def test_commands_run_with_the_defaults(prefix, line):  # noqa: F811
    env = os.environ | {"PATH": f"{prefix}/bin:{os.environ['PATH']}"}
    with defaults(prefix, DEFAULTS):
        done = subprocess.run(line, shell=True, capture_output=True, text=True, env=env)
    assert done.returncode == 0, done.stderr
    assert done.stdout
    if line.endswith(" env"):  # the program env, which prints what is in force
        choice = re.match(r"HOPBINE_CHOICE=(\S*)", line)
        assert f"HOPBINE_CHOICE={choice[1] if choice else 'count'}\n" in done.stdout


def test_the_page_has_commands():
    assert len(COMMANDS) == 5, COMMANDS


def written(mpi, build, prefix, folder, *options, env=()):  # noqa: F811
    """Files that a job writes into home, its folder, the prefix or the folder for temporary files.

    It measures: there is something to keep.
    """
    places = [folder / name for name in ("home", "job", "tmp")]
    for place in places:
        place.mkdir(parents=True)
    before = {path: path.stat().st_mtime_ns for path in prefix.rglob("*")}
    told = [f"HOME={places[0]}", f"TMPDIR={places[2]}", "HOPBINE_LIB=", *env]
    own = ["-u", "HOPBINE_LEARN", "-u", "XDG_CACHE_HOME", "-C", places[1]]
    program = (build(mpi, "measured", flags=("-ldl",)), "1600")
    command = ["env", *own, *told, prefix / "bin/hopbine", "run", *options, *program]
    passed(mpi.run(3, *map(str, command)))
    assert {path: path.stat().st_mtime_ns for path in prefix.rglob("*")} == before
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


CACHE = f"home/.cache/hopbine/learned-{_core.version}.json"


ASKED = ("--learn", "learned.json")


def test_one_file_is_written_by_default(mpi, build, prefix, tmp_path):  # noqa: F811
    assert written(mpi, build, prefix, tmp_path / "1") == {CACHE}
    assert written(mpi, build, prefix, tmp_path / "2", *ASKED) == {"job/learned.json"}


def test_an_administrator_turns_it_off(mpi, build, prefix, tmp_path):  # noqa: F811
    with defaults(prefix, "HOPBINE_LEARN=none\n"):
        assert written(mpi, build, prefix, tmp_path / "1") == set()
        assert written(mpi, build, prefix, tmp_path / "2", *ASKED) == {"job/learned.json"}
        away = ("HOPBINE_LEARN=",)
        assert written(mpi, build, prefix, tmp_path / "3", env=away) == {CACHE}
