"""Nothing is left of a cluster, however it ends."""

import contextlib
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from hopbine.emulate.session import DAEMONS

#: Seconds that the end may take after a signal.
END = 20


def snapshot():
    """What a cluster might leave: devices, mounts, files."""
    return {
        "devices": sorted(os.listdir("/sys/class/net")),
        "mounts": Path("/proc/self/mounts").read_text(),
        **{
            folder: sorted(os.listdir(folder))
            for folder in ("/run", "/run/netns")
            if os.path.isdir(folder)
        },
    }


def marked(mark):
    """Processes with this in their environment: number, and command."""
    out = {}
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if f"EMULATE_TEST={mark}\0".encode() in (process / "environ").read_bytes():
                words = (process / "cmdline").read_bytes().split(b"\0")
                out[int(process.name)] = b" ".join(words).decode()
    return out


@pytest.fixture
def clean(request, tmp_path):
    """Variables that mark processes; whatever the test does, nothing may be left afterwards."""
    made = tmp_path / "temporary"
    made.mkdir()
    mark, before = f"{os.getpid()}-{request.node.name}", snapshot()
    yield {"EMULATE_TEST": mark, "TMPDIR": str(made)}
    end = time.monotonic() + END
    while marked(mark) and time.monotonic() < end:
        time.sleep(0.05)
    assert marked(mark) == {}
    assert snapshot() == before
    assert list(made.iterdir()) == []


def started(user, clean, job, ranks, *options):
    """A cluster with a job whose ranks have all said that they are there."""
    running = subprocess.Popen(
        user.command("--groups", "1,1", *options, "--", *job),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | clean,
        start_new_session=True,
    )
    there = 0
    while there < ranks:
        line = running.stdout.readline()
        assert line, running.stderr.read()
        there += line == "here\n"
    return running


def ended(running):
    """Its status and its errors."""
    _, err = running.communicate(timeout=END)
    return running.returncode, err


def sleeping(mpi):
    """A job that goes on for a minute."""
    return mpi.words(2, mpi.calls, "8", "1", "60")


def test_after_its_job(user, one_mpi, clean):
    job = one_mpi.words(2, one_mpi.calls, "8", "1")
    assert user.emulate("--groups", "1,1", "--", *job, env=os.environ | clean).stdout


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_after_a_signal(user, one_mpi, clean, sent):
    running = started(user, clean, sleeping(one_mpi), 2)
    running.send_signal(sent)
    code, err = ended(running)
    assert code == 128 + sent, err


def test_after_ctrl_c(user, mpi, clean):
    running = started(user, clean, sleeping(mpi), 2)
    os.killpg(running.pid, signal.SIGINT)
    code, err = ended(running)
    assert code == 130, err
    assert "Traceback" not in err


#: Words of the commands of the cluster's processes: of its own, which are the first three, of what
#: starts ranks on a host, and of a rank.
KINDS = ["command", "between", "first", "launcher", "enter", "daemon", "rank"]


def process_of(kind, mpi, clean):
    """A process of this kind."""
    known = sorted(marked(clean["EMULATE_TEST"]).items())
    own = [number for number, command in known if " emulate " in f"{command} "]
    if kind in KINDS[:3]:
        return own[-3:][KINDS.index(kind)]
    of = {
        "launcher": lambda words: os.path.basename(words[0]) != "calls" and mpi.calls in words,
        "enter": lambda words: words[0].endswith("/enter"),
        "daemon": lambda words: os.path.basename(words[0]) in DAEMONS,
        "rank": lambda words: words[0] == mpi.calls,
    }[kind]
    return next((n for n, command in known if n not in own and of(command.split())), None)


@pytest.mark.parametrize("kind", KINDS)
def test_after_a_process_of_it_was_killed(user, one_mpi, clean, kind):
    running = started(user, clean, sleeping(one_mpi), 2)
    number = process_of(kind, one_mpi, clean)
    # Daemons of Open MPI 4 detach themselves from what has started them, which ends.
    assert number or kind == "enter"
    os.kill(number or running.pid, signal.SIGKILL)
    code, err = ended(running)
    assert code or kind == "enter", err  # Open MPI 5's launcher takes that for a good end


def test_after_the_daemon_of_delays_was_killed(user, one_mpi, clean):
    if not any(map(shutil.which, ("iptables", "nft"))):
        pytest.skip("neither iptables nor nft is installed")
    running = started(user, clean, sleeping(one_mpi), 2, "--delay", "1ms")
    known = marked(clean["EMULATE_TEST"])
    os.kill(next(n for n in known if "hopbine-delayd" in known[n]), signal.SIGKILL)
    code, err = ended(running)
    assert code == 1
    assert "the daemon of --delay has ended with 137" in err


@pytest.mark.parametrize("tool", ["ip", "tc"])
def test_after_an_error_half_way(user, clean, tmp_path, tool):
    real = shutil.which(tool) or shutil.which(tool, path="/usr/sbin:/sbin")
    broken = tmp_path / tool
    broken.write_text(
        f'#!/bin/sh\ncase "$*" in *"-netns h1"*) echo "no room" >&2; exit 2;; esac\n'
        f'exec {real} "$@"\n'
    )
    broken.chmod(0o755)
    env = os.environ | clean | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = user.emulate("--groups", "1,1", "--", "true", env=env)
    assert done.returncode == 1
    assert done.stderr == f"hopbine: {tool} on h1: no room\n"
