"""How far long verbs are: a line on a terminal, after some seconds, and nothing in files."""

import os
import pty
import subprocess
import sys

import pytest

from hopbine import progress
from hopbine.progress import Progress

#: Verbs whose work has many parts.
LONG = (
    "check bcast -p 1..6 --jobs 1",
    "simulate allreduce --topology torus:4x4 --sizes 64,1KiB,64KiB",
)
AT_ONCE = "from hopbine import progress, cli; progress.QUIET_SECONDS = progress.AGAIN_SECONDS = 0"


def test_the_time_left_follows_from_what_is_done():
    told = Progress(12, "algorithms")
    for _ in range(3):
        told.step()
    assert told.text(30) == "3 of 12 algorithms, 30 s, about 90 s left"
    assert Progress(None, "jobs").text(4, "job7") == "0 jobs, 4 s, at job7"


def test_short_work_says_nothing(monkeypatch):
    said: list[str] = []
    monkeypatch.setattr(progress, "progress", said.append)
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    told = Progress(100, "times")
    for _ in range(10):
        now[0] += 0.29
        told.step()
    told.clear()
    assert said == []
    for _ in range(4):
        now[0] += 0.3
        told.step()
    told.clear()
    assert said == [
        "11 of 100 times, 3 s, about 26 s left",
        "13 of 100 times, 4 s, about 25 s left",
        "",
    ]


@pytest.mark.parametrize("words", LONG)
def test_verbs_tell_how_far_they_are_on_a_terminal_only(words):
    command = [sys.executable, "-c", f"{AT_ONCE}; cli.main({words.split()!r})"]
    quiet = subprocess.run(command, capture_output=True, text=True)
    assert "left" not in quiet.stderr
    ours, theirs = pty.openpty()
    watched = subprocess.run(command, stdout=subprocess.PIPE, stderr=theirs, text=True)
    os.close(theirs)
    seen = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert " s, about " in seen
    assert seen.endswith("\r\x1b[K")
    drop = [line for line in watched.stdout.splitlines() if "cases proved" not in line]
    assert drop == [line for line in quiet.stdout.splitlines() if "cases proved" not in line]
