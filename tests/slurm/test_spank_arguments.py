"""What an administrator writes behind the plug-in of Slurm in plugstack.conf."""

import sys

import pytest
from environments import SHOW, of_hopbine, shown, tasks


def test_an_administrators_default(cluster, plugged):
    """Users can leave it out, and their own variable goes before it."""
    with plugged("default=count"):
        (by_default,) = tasks(cluster, 1)
        (own,) = tasks(cluster, 1, HOPBINE_CHOICE="table")
        (off,) = tasks(cluster, 1, "--hopbine=off")
        wrong = cluster.call("srun", "-Q", "echo", "started", HOPBINE_BUGDET="1")
    assert by_default["HOPBINE_CHOICE"] == "count"
    assert (own["HOPBINE_CHOICE"], "LD_PRELOAD" in own) == ("table", True)
    assert not of_hopbine(off)
    # Nobody has asked for hopbine: the job runs, and is told.
    assert (wrong.returncode, wrong.stdout) == (0, "started\n")
    assert "is HOPBINE_BUDGET meant?" in wrong.stderr
    assert "hopbine: the tasks run without" in wrong.stderr


def test_programs_that_are_denied(cluster, plugged):
    with plugged("default=count", "deny=vasp*,python*"):
        (by_default,) = tasks(cluster, 1)
        asked = cluster.call("srun", "-Q", "--hopbine", *SHOW, "asked")
        other = cluster.call("srun", "-Q", "printenv", "HOPBINE_CHOICE")
    assert not of_hopbine(by_default)
    assert asked.returncode == 0
    assert not of_hopbine(shown(cluster, "asked")[0])
    assert f"hopbine: {sys.executable} runs without: plugstack.conf denies it\n" in asked.stderr
    assert other.stdout == "count\n", other.stderr


@pytest.mark.parametrize(
    ("argument", "why"),
    [
        ("default=fast", "default=fast is not default=measure, count, table or off"),
        ("deny=", "deny= names no program, as in deny=vasp*,lmp"),
        ("command=hopbine", "command=hopbine is not an absolute path"),
        (
            "defaults=count",
            "defaults=count is not default=CHOICE, deny=PROGRAM,... or command=PATH",
        ),
    ],
)
def test_a_wrong_line_of_plugstack_harms_no_job_without_the_option(cluster, plugged, argument, why):
    with plugged(argument):
        plain = cluster.call("srun", "-Q", "printenv", "LD_PRELOAD")
        asked = cluster.call("srun", "-Q", "--hopbine", "echo", "started")
    assert plain.stdout == ""
    assert f"hopbine: plugstack.conf: {why}\n" in plain.stderr
    assert (asked.returncode != 0, asked.stdout) == (True, "")
    assert f"hopbine: plugstack.conf: {why}\n" in asked.stderr


def test_a_command_that_is_missing(cluster, plugged):
    with plugged("command=/nowhere/hopbine"):
        done = cluster.call("srun", "-Q", "--hopbine", "echo", "started")
    assert (done.returncode != 0, done.stdout) == (True, "")
    assert "/nowhere/hopbine does not answer: No such file or directory\n" in done.stderr
