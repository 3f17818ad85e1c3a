"""How far long verbs are: a line on a terminal, after some seconds, and nothing in files."""

import os
import pty
import subprocess
import sys

import pytest

from hopbine import progress
from hopbine.cli import main
from hopbine.progress import Progress

MACHINE = "--machine dragonfly:groups=4,nodes=8 --hosts"
RECORDED = "examples/data/recorded.json"
#: Verbs whose work has many parts.
LONG = (
    "check bcast -p 1..6 --jobs 1",
    "simulate allreduce --topology torus:4x4 --sizes 64,1KiB,64KiB",
    "simulate allreduce --topology torus:4x4 --deficiencies",
    "simulate alltoallv --topology fattree:4x4 --sizes dist:uniform:1KiB,dist:power:1KiB",
    "model allreduce --kernel recursive_multiplying -n 9 --alpha 1us --beta 1ns/B --gamma 1ns/B "
    "--simulate torus:3x3",
    f"traffic allreduce bcast {MACHINE} fragmented:16:seed=1",
    f"predict {RECORDED} {MACHINE} fragmented:16:seed=1",
    f"predict {RECORDED} --machine lumi --hosts fragmented:4:seed=1 --time simulated",
    f"stats {RECORDED}",
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
    command = [sys.executable, "-c", f"{AT_ONCE}; raise SystemExit(cli.main({words.split()!r}))"]
    quiet = subprocess.run(command, capture_output=True, text=True)
    assert "left" not in quiet.stderr
    ours, theirs = pty.openpty()
    watched = subprocess.run(command, stdout=subprocess.PIPE, stderr=theirs, text=True)
    os.close(theirs)
    seen = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert watched.returncode == 0, seen
    assert " s, about " in seen
    assert seen.endswith("\r\x1b[K")
    drop = [line for line in watched.stdout.splitlines() if "cases proved" not in line]
    assert drop == [line for line in quiet.stdout.splitlines() if "cases proved" not in line]


def test_jobs_tell_how_many_are_left(tmp_path, capsys, monkeypatch):
    said: list[str] = []
    monkeypatch.setattr(progress, "progress", said.append)
    monkeypatch.setattr(progress, "QUIET_SECONDS", 0)
    monkeypatch.setattr(progress, "AGAIN_SECONDS", 0)
    for name in ("a", "b", "c"):
        (tmp_path / name).write_text("dragonfly-0-0\ndragonfly-1-0\n")
    main(["jobs", *(str(tmp_path / name) for name in ("a", "b", "c")), "--min-nodes", "2"])
    assert [line.partition(",")[0] for line in said] == [f"{n} of 3 jobs" for n in (1, 2, 3)] + [""]
