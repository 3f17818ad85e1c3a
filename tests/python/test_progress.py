"""How far long verbs are: a line on a terminal, after some seconds, and nothing in files."""

import contextlib
import os
import pty
import re
import signal
import subprocess
import sys
import termios
import time

import pytest

from hopbine.cli import main
from hopbine.output import progress
from hopbine.output.progress import Progress

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
AT_ONCE = (
    "from hopbine import cli; from hopbine.output import progress; "
    "progress.QUIET_SECONDS = progress.AGAIN_SECONDS = 0"
)
#: How rich erases its line: it leaves it, and goes back up.
ERASED = "\r\x1b[1A\x1b[2K"
LINE = r"━+ +[1-9][0-9]*/[1-9][0-9]* .*, [0-9]+ s, about [0-9]+ s left"


def on_terminal(command: list[str], columns: int, **how: object) -> tuple[str, str, int]:
    """What a command says on a terminal that is its standard error, its output, and its code."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (50, columns))
    done = subprocess.run(command, stderr=theirs, text=True, **how)
    os.close(theirs)
    said = b""
    with contextlib.suppress(OSError):  # the end
        while more := os.read(ours, 1 << 16):
            said += more
    os.close(ours)
    return said.decode(), done.stdout or "", done.returncode


def test_the_time_left_follows_from_what_is_done():
    told = Progress(12, "algorithms")
    for _ in range(3):
        told.step()
    assert told.text(30) == "30 s, about 90 s left"
    assert told.text(4, "job7") == "4 s, about 12 s left, at job7"


def test_short_work_says_nothing(monkeypatch):
    said: list[str] = []
    monkeypatch.setattr(Progress, "_draw", lambda self, text: said.append(text))
    monkeypatch.setattr(progress.sys.stderr, "isatty", lambda: True, raising=False)
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    told = Progress(100, "times")
    for _ in range(10):
        now[0] += 0.29
        told.step()
    assert said == []
    for _ in range(4):
        now[0] += 0.3
        told.step()
    assert said == ["3 s, about 26 s left", "4 s, about 25 s left"]


@pytest.mark.parametrize("words", LONG)
def test_verbs_tell_how_far_they_are_on_a_terminal_only(words):
    command = [sys.executable, "-c", f"{AT_ONCE}; raise SystemExit(cli.main({words.split()!r}))"]
    quiet = subprocess.run(command, capture_output=True, text=True)
    assert "left" not in quiet.stderr
    seen, out, code = on_terminal(command, 80, stdout=subprocess.PIPE)
    assert code == 0, seen
    assert re.search(LINE, re.sub(r"\x1b\[[0-9]*m", "", seen))
    assert seen.endswith(ERASED)
    drop = [line for line in out.splitlines() if "cases proved" not in line]
    assert drop == [line for line in quiet.stdout.splitlines() if "cases proved" not in line]


def test_an_interrupted_verb_leaves_a_clean_line():
    stop = (
        "import os, signal; from hopbine.cli import stats; load = progress.Progress.step\n"
        # A job in a shell's background begins with this signal ignored.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "def step(self, name=''):\n"
        "    load(self, name); os.kill(os.getpid(), signal.SIGINT)\n"
        "progress.Progress.step = step"
    )
    run = f"raise SystemExit(cli.main(['stats', '{RECORDED}']))"
    seen, _, code = on_terminal([sys.executable, "-c", f"{AT_ONCE}\n{stop}\n{run}"], 80)
    assert code == 130
    assert " left" in seen
    assert seen.endswith(f"{ERASED}hopbine: interrupted\r\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_while_an_item_is_used_waits_for_its_end(monkeypatch, number):
    monkeypatch.setattr(progress, "stopped", [])
    before = {n: signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)}
    for n in before:
        signal.signal(n, signal.default_int_handler)
    used = []
    try:
        for item in progress.watched(iter("abcd"), 4, "letters", keep=True):
            if item == "b":
                os.kill(os.getpid(), number)
            used.append(item)  # the half that an interrupt in the line above would drop
        assert used == ["a", "b"]
        assert progress.stopped == ["after 2 of 4 letters"]
        using = progress.watched(iter("ab"), 2, "letters", keep=True)
        next(using)
        os.kill(os.getpid(), number)
        with pytest.raises(KeyboardInterrupt):  # who asks twice is not kept waiting
            os.kill(os.getpid(), number)
        using.close()
        assert {signal.getsignal(n) for n in before} == {signal.default_int_handler}
    finally:
        for n, handler in before.items():
            signal.signal(n, handler)


@pytest.fixture
def stopped_after(monkeypatch):
    """Ctrl-C when so many things are done."""

    def stop(after: int) -> None:
        step = Progress.step

        def stopping(self, name=""):
            step(self, name)
            if self.done == after:
                raise KeyboardInterrupt

        monkeypatch.setattr(Progress, "step", stopping)

    return stop


@pytest.mark.parametrize(
    ("words", "after", "told", "rows"),
    [
        (
            "simulate allreduce --topology torus:4x4 --algorithms swing,bucket --sizes 4KiB:64KiB",
            7,
            "after 7 of 10 times",
            7,
        ),
        (
            "simulate allreduce --topology torus:4x4 --algorithms swing+bucket,swing "
            "--sizes 4KiB:64KiB",
            6,
            "after 6 of 10 times",
            3 + 3,
        ),
        (f"traffic bcast {MACHINE} fragmented:16:seed=1", 3, "after 3 of ", 3),
        (
            f"traffic bcast {MACHINE} fragmented:16:seed=1 --plot {{folder}}/none.svg",
            3,
            "after 3 of ",
            3,
        ),
        ("jobs {folder}/a {folder}/b {folder}/c --algorithms bine_large", 2, "after 2 of 3 ", 2),
    ],
)
def test_ctrl_c_keeps_the_rows_that_are_done(
    words, after, told, rows, tmp_path, capsys, stopped_after
):
    for name in ("a", "b", "c"):
        (tmp_path / name).write_text("dragonfly-0-0\ndragonfly-1-0\n")
    stopped_after(after)
    asked = [*words.format(folder=tmp_path).split(), "--csv", str(tmp_path / "rows.csv")]
    assert main(asked) == 130
    out, err = capsys.readouterr()
    assert re.search(f"^hopbine: interrupted {told}.*; what was done is kept$", err, re.MULTILINE)
    assert len((tmp_path / "rows.csv").read_text().splitlines()) == 1 + rows
    assert len(out.splitlines()) > 1
    assert not (tmp_path / "none.svg").exists()
    assert main(["list"]) == 0  # nothing of it stays


def test_ctrl_c_before_anything_is_done_leaves_nothing(tmp_path, capsys, stopped_after):
    stopped_after(1)
    file = tmp_path / "rows.csv"
    asked = "simulate allreduce --topology torus:4x4 --algorithms swing+bucket --sizes 64KiB"
    assert main([*asked.split(), "--csv", str(file)]) == 130
    assert capsys.readouterr().err == "hopbine: interrupted\n"
    assert not file.exists()


def test_a_wait_without_parts_is_told_on_a_terminal(monkeypatch):
    said: list[str] = []
    monkeypatch.setattr(progress, "progress", said.append)
    monkeypatch.setattr(progress, "QUIET_SECONDS", 0)
    for watched in (False, True):
        monkeypatch.setattr(progress.sys.stderr, "isatty", lambda told=watched: told, raising=False)
        with progress.elapsed("counting"):
            time.sleep(0.1)
        assert said == ["counting, 0 s"] * watched


def test_jobs_tell_how_many_are_left(tmp_path, capsys, monkeypatch):
    said: list[str] = []
    monkeypatch.setattr(Progress, "step", lambda self, name="": said.append(name))
    for name in ("a", "b", "c"):
        (tmp_path / name).write_text("dragonfly-0-0\ndragonfly-1-0\n")
    main(["jobs", *(str(tmp_path / name) for name in ("a", "b", "c")), "--min-nodes", "2"])
    assert len(said) == 3
