"""The commands of docs/administrators.md run as they stand there, with its defaults."""

import os
import re
import subprocess

import pytest
from test_install import ROOT, prefix  # noqa: F401  (a fixture)

PAGE = (ROOT / "docs/administrators.md").read_text()
COMMANDS = re.findall(r"^    ((?:[A-Z_]+=\S* )?hopbine .*)$", PAGE, re.M)
(DEFAULTS,) = re.findall(r"```ini\n(.*?)```", PAGE, re.S)


@pytest.mark.parametrize("line", COMMANDS)
def test_commands_run_with_the_defaults(prefix, line):  # noqa: F811
    file = prefix / "etc/hopbine.conf"
    file.parent.mkdir(exist_ok=True)
    file.write_text(DEFAULTS)
    env = os.environ | {"PATH": f"{prefix}/bin:{os.environ['PATH']}"}
    try:
        done = subprocess.run(line, shell=True, capture_output=True, text=True, env=env)
    finally:
        file.unlink()
    assert done.returncode == 0, done.stderr
    assert done.stdout
    if line.endswith(" env"):  # the program env, which prints what is in force
        choice = re.match(r"HOPBINE_CHOICE=(\S*)", line)
        assert f"HOPBINE_CHOICE={choice[1] if choice else 'count'}\n" in done.stdout


def test_the_page_has_commands():
    assert len(COMMANDS) == 5, COMMANDS


def test_nothing_is_written_unless_asked(mpi, build, prefix, tmp_path):  # noqa: F811
    """Into home, the folder of the job, the prefix or the folder for temporary files."""
    folders = [tmp_path / name for name in ("home", "job", "tmp")]
    for folder in folders:
        folder.mkdir()
    before = {path: path.stat().st_mtime_ns for path in prefix.rglob("*")}
    told = [f"HOME={folders[0]}", f"TMPDIR={folders[2]}", "HOPBINE_LIB="]
    command = ["env", "-C", folders[1], *told, prefix / "bin/hopbine", "run", build(mpi, "sums")]
    done = mpi.run(3, *map(str, command))
    assert done.returncode == 0, done.stderr
    assert "sum 3 last 2" in done.stdout
    assert not [path for folder in folders for path in folder.iterdir()]
    assert {path: path.stat().st_mtime_ns for path in prefix.rglob("*")} == before
