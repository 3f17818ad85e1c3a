"""hopbine run --watch: who is waited for, by name."""

import os
import re
import signal
import socket
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from conftest import COMMAND, by_rank

from hopbine import LIBRARY_FOLDER

RANKS = 4
#: The descriptor that a watcher listens at: kListening of src/watch/rendezvous.hpp.
LISTENING = 3
WATCHER = LIBRARY_FOLDER / "hopbine-watch"
#: In programs that need the dynamic linker, of which a watcher that waits has some pages.
LOADER = b"/ld-linux"
#: Two pretended nodes, whose watchers meet as those of real ones do.
NODES = "export HOPBINE_NODE=n$((R / 2))"
GUILTY = r"rank 2 on n1, process \d+"
LATE = GUILTY + ", has not come: it "
CALM = r"the last call that it left: MPI_Barrier, call 1 of MPI_COMM_WORLD \(4 ranks\), at calm \("

#: What a report says of each fault of faults.c.
FAULTS = {
    "loops": LATE + r"is outside of MPI for .*, running; " + CALM,
    "sleeps": LATE + r"is outside of MPI for .*, sleeping; " + CALM,
    "stops": LATE + r"is stopped, by a signal or a debugger; " + CALM,
    "receives": LATE + r"is in MPI_Recv with rank 3 at receives \(faults.c:\d+\) for .*; " + CALM,
    "another_order": GUILTY
    + r": MPI_Allreduce\(1 MPI_INT, MPI_SUM\), call 1 of .* at another_order",
    "crossed": LATE
    + r"is in MPI_Barrier, call 1 of second \(4 ranks, made by MPI_Comm_dup at crossed",
    "another_root": GUILTY + r": MPI_Bcast\(1 MPI_INT, root 3\), call 1 of .* at another_root",
    "another_count": GUILTY + r": MPI_Gather\(2 MPI_INT, root 1\), call 1 of .* at another_count",
    "another_type": GUILTY + r": MPI_Gather\(4 MPI_SHORT, root 1\), call 1 of .* at another_type",
    "another_operation": GUILTY + r": MPI_Allreduce\(1 MPI_INT, MPI_MAX\), call 1 of .* at ",
    "another_place": GUILTY
    + r": MPI_Allreduce\(1 MPI_INT, MPI_SUM, in place\), call 1 of .* at another_place",
    "another_commutation": GUILTY
    + r": MPI_Allreduce\(1 MPI_INT, an operation of the program that does not commute\), call 1",
    "never_waited_for": GUILTY + r", has started it and does not wait for it: it is outside of MPI",
    "unwinds": GUILTY + r": MPI_Finalize, call 2 of MPI_COMM_WORLD \(4 ranks\), at main",
    "calls_twice": r"by being made at once by two threads:\n.*" + GUILTY,
}


#: What differs in calls that do not match, where rank 2 is alone on its node, so that only a
#: comparison between nodes finds it.
COMPARED = {
    "another_order": ("the function", FAULTS["another_order"]),
    "another_root": ("the root", FAULTS["another_root"]),
    "another_count": ("the number of bytes", FAULTS["another_count"]),
    "another_type": ("the number of bytes", FAULTS["another_type"]),
    "another_vector": ("the number of bytes", GUILTY + r": MPI_Allgatherv\(20 bytes\), call 1 of "),
    "another_derived": (
        "the number of bytes",
        GUILTY + r": MPI_Gather\(2 of a derived datatype, 8 bytes, root 1\), call 1 of ",
    ),
    "another_operation": ("the operation", FAULTS["another_operation"]),
    "another_commutation": ("whether the operation commutes", FAULTS["another_commutation"]),
    "another_place": ("MPI_IN_PLACE on some ranks only", FAULTS["another_place"]),
    "another_started": (
        "the function",
        GUILTY + r": MPI_Iscatter\(1 MPI_INT, root 0\), call 1 of .* at another_started",
    ),
    "unwinds": ("the function", FAULTS["unwinds"]),
}


def watch(mpi, build, kind, *options, ranks=RANKS, nodes=NODES, timeout=60):
    command = (COMMAND, "run", "--quiet", *options, build(mpi, "faults"), kind)
    return mpi.run(ranks, *by_rank(nodes, *command), timeout=timeout)


def processes_of(program):
    """Processes of a program."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if (folder / "exe").samefile(program):
                found.append(int(folder.name))
        except OSError:
            continue  # it has ended
    return found


#: In PATH, which is all that a watcher keeps of its job's variables: others run jobs meanwhile.
MARK = f"/jobs-of-{os.getpid()}"
os.environ["PATH"] += f":{MARK}"


def sleeps(process):
    """How often a process has waited so far."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"\nvoluntary_ctxt_switches:\s+(\d+)", status)[1])


def is_idle(process):
    """Whether a process takes only the time that others leave."""
    return os.sched_getscheduler(process) == os.SCHED_IDLE


def watchers():
    """Watchers of this process's jobs that run."""

    def is_of_this(process):
        try:
            return MARK.encode() in Path(f"/proc/{process}/environ").read_bytes()
        except OSError:
            return False  # it has ended

    return [process for process in processes_of(WATCHER) if is_of_this(process)]


def kill(job, program):
    """Ends a job without warning: its launcher, and then its ranks all at once."""
    job.kill()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if program.encode() in (folder / "cmdline").read_bytes().split(b"\0"):
                os.kill(int(folder.name), signal.SIGKILL)
        except OSError:
            continue  # it has ended
    job.wait()


def ends(condition, seconds=10):
    """Whether a condition ends to hold in time."""
    end = time.monotonic() + seconds
    while condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


@pytest.mark.dealt
@pytest.mark.parametrize("kind", FAULTS)
def test_the_guilty_rank_is_named(mpi, build, kind):
    began = time.monotonic()
    done = watch(mpi, build, kind, "--watch", "1s,abort")
    assert time.monotonic() - began < 30
    # MPICH adds the status of the ranks that its launcher then kills.
    assert done.returncode == 86 or (not mpi.is_openmpi and done.returncode), done.stderr
    assert re.search(FAULTS[kind], done.stderr), done.stderr


@pytest.mark.dealt
@pytest.mark.parametrize("kind", COMPARED)
def test_calls_between_nodes_are_compared(mpi, build, kind):
    """At once: nobody has waited for the hour."""
    alone = "export HOPBINE_NODE=n$((R == 2))"
    done = watch(mpi, build, kind, "--watch", "1h,check,abort", nodes=alone)
    assert done.returncode == 86 or (not mpi.is_openmpi and done.returncode), done.stderr
    what, guilty = COMPARED[kind]
    assert f"hopbine: watch: calls do not match, by {what}:" in done.stderr
    assert re.search(guilty, done.stderr), done.stderr
    assert re.search(r"rank [013] on n0, process \d+: MPI_.* at \w+ \(faults.c:\d+\)", done.stderr)


def test_calls_that_match_are_not_reported(mpi, build):
    """Ranks are in each of them for longer than it takes to look at them."""
    done = watch(mpi, build, "matches", "--watch", "1h,check")
    assert (done.returncode, done.stderr) == (0, "")


def test_the_launcher_ends_a_job_of_which_a_rank_exits(mpi, build):
    assert watch(mpi, build, "ends", "--watch", "1s,abort").returncode != 0
    assert ends(watchers)


@pytest.mark.dealt
def test_a_late_rank_is_told_once_and_is_no_fault(mpi, build):
    done = watch(mpi, build, "late", "--watch", "1s")
    assert done.returncode == 0, done.stderr
    told = [line for line in done.stderr.splitlines() if line.startswith("hopbine: watch:")]
    assert len(told) == 3, told
    assert re.search(r"ranks 0-1,3 have waited for .* in MPI_Barrier, call 2 of MPI_COMM", told[0])
    assert re.search(LATE + "is outside of MPI", told[1])
    assert "nobody waits any more in MPI_Barrier, call 2 of MPI_COMM_WORLD" in told[2]


@contextmanager
def running(mpi, build, kind, *options, before=()):
    """A job of faults.c on the two nodes, while it runs; ended without warning after that.

    Its watchers end at once, not when they look next. `before`: words of a rank's command.
    """
    inner = (COMMAND, "run", "--quiet", *options, build(mpi, "faults"), kind)
    command = by_rank(NODES, *before, *inner)
    job = subprocess.Popen(
        [mpi.mpiexec, "-n", str(RANKS), *command],
        env=mpi.environment(RANKS),
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield job
    finally:
        kill(job, build(mpi, "faults"))
    assert ends(watchers, 5)


@pytest.mark.dealt
def test_jobs_are_watched_unless_the_user_says_not(mpi, build):
    with running(mpi, build, "loops"):
        assert ends(lambda: len(watchers()) < 2, 60)
    with running(mpi, build, "late", "--watch", "none") as job:
        assert ends(lambda: len(processes_of(build(mpi, "faults"))) < RANKS, 60)
        while job.poll() is None:
            assert watchers() == []
            time.sleep(0.1)
        assert (job.returncode, job.stderr.read()) == (0, "")


@pytest.mark.dealt
def test_preloaded_by_hand_only_the_setting_watches(mpi, build):
    preload = f"LD_PRELOAD={LIBRARY_FOLDER / 'libhopbine_preload.so'}"
    for setting, reports in (("HOPBINE_SUMMARY=auto", 0), ("HOPBINE_WATCH=1s", 1)):
        done = mpi.run(RANKS, "env", preload, setting, build(mpi, "faults"), "late")
        assert done.returncode == 0, done.stderr
        assert done.stderr.count("have waited for") == reports, done.stderr


@pytest.mark.dealt
def test_a_job_that_is_stopped_does_not_wait(mpi, build):
    """As by a batch system that lets another job run, for three limits."""
    program = build(mpi, "faults")
    with running(mpi, build, "goes_on", "--watch", "1s") as job:
        assert ends(lambda: len(watchers()) < 2, 60)
        time.sleep(1)
        ranks = processes_of(program)
        assert len(ranks) == RANKS
        for process in ranks:
            os.kill(process, signal.SIGSTOP)
        time.sleep(3)
        for process in ranks:
            os.kill(process, signal.SIGCONT)
        assert job.wait(60) == 0
        assert job.stderr.read() == ""


@pytest.mark.dealt
def test_a_watcher_takes_no_core_and_goes_with_its_job(mpi, build):
    """Ranks are bound to one core, and killed without warning."""
    before = set(os.listdir("/dev/shm"))
    bound = ("taskset", "-c", "0")
    with running(mpi, build, "loops", "--watch", "1h", before=bound):
        assert ends(lambda: len(watchers()) < 2, 60)
        # With so long a limit they look every ten seconds of the system's clock, all at once. They
        # are loaded for the first look, and leave the rank's core then.
        cores = os.sched_getaffinity(0)
        assert ends(lambda: any(os.sched_getaffinity(w) != cores for w in watchers()), 15)
        for process in watchers():
            assert is_idle(process)
            opened = [os.readlink(f) for f in Path(f"/proc/{process}/fd").iterdir()]
            assert not [f for f in opened if f.startswith("/dev/shm")]
        # In between they sleep; the head of the job has what the other node sends at that time.
        assert ends(lambda: not 2 <= time.time() % 10 < 6, 10)
        slept = {process: sleeps(process) for process in watchers()}
        time.sleep(3)
        assert {process: sleeps(process) for process in slept} == slept
    assert not [f for f in set(os.listdir("/dev/shm")) - before if "hopbine" in f]


@pytest.mark.dealt
def test_a_watcher_waits_before_it_is_loaded(mpi, build):
    """Until the first look it has little memory, no file of the rank's, and no core.

    Linux counts it as no load of a core: it takes idle time, and is of no session of its own, to
    which as much is due as to all ranks. The ranks have the cores that they had.
    """
    assert ends(lambda: time.time() % 10 > 4, 10)
    with running(mpi, build, "loops", "--watch", "1h"):
        assert ends(lambda: len(watchers()) < 2, 3)
        time.sleep(0.5)
        ranks = processes_of(build(mpi, "faults"))
        assert all(os.sched_getaffinity(rank) == os.sched_getaffinity(0) for rank in ranks)
        for process in watchers():
            status = Path(f"/proc/{process}/status").read_text()
            memory = int(re.search(r"VmRSS:\s+(\d+) kB", status)[1])
            assert memory < 400 or LOADER in WATCHER.read_bytes(), status
            assert is_idle(process)
            assert os.getsid(process) in {os.getsid(rank) for rank in ranks}
            assert os.getpgid(process) == process
            assert os.sched_getaffinity(process) == os.sched_getaffinity(0)
            assert {f.name for f in Path(f"/proc/{process}/fd").iterdir()} <= set("01234")
            assert sleeps(process) <= 2


def test_a_watcher_that_no_rank_has_started_says_so():
    with open(os.devnull) as nothing:
        done = subprocess.run(
            ["bash", "-c", f'exec "$0" {LISTENING}<&{nothing.fileno()}', WATCHER],
            pass_fds=[nothing.fileno()],
            stderr=subprocess.PIPE,
            text=True,
            timeout=5,
            check=False,
        )
    assert done.returncode == 1
    assert "it is started by a rank of a job, with a socket" in done.stderr


def test_a_watcher_without_descriptors_sleeps():
    """More connect than it may open files for: those wait, and it does not spin."""
    listening = socket.socket(socket.AF_UNIX)
    listening.bind("\0hopbine-test-crowd-" + str(os.getpid()))
    listening.listen(64)
    few = 8
    start = f'ulimit -n {few}; exec "$0" {LISTENING}<&{listening.fileno()}'
    watcher = subprocess.Popen(
        ["bash", "-c", start, WATCHER], pass_fds=[listening.fileno()], stderr=subprocess.PIPE
    )
    crowd = [socket.socket(socket.AF_UNIX) for _ in range(3 * few)]
    try:
        for one in crowd:
            one.connect(listening.getsockname())
        time.sleep(2)
        assert watcher.poll() is None, watcher.stderr.read()
        fields = Path(f"/proc/{watcher.pid}/stat").read_text().rpartition(")")[2].split()
        ticks = int(fields[11]) + int(fields[12])  # utime and stime
        assert ticks / os.sysconf("SC_CLK_TCK") < 0.5
    finally:
        watcher.kill()
        watcher.communicate()
        for one in [listening, *crowd]:
            one.close()


@pytest.mark.dealt
def test_another_shell_asks_what_ranks_do(mpi, build):
    def told():
        return subprocess.run([COMMAND, "hang"], capture_output=True, text=True)

    def all_wait():
        lines = told().stdout.splitlines()
        return sum("it is in MPI_Barrier, call 2 of MPI_COMM_WORLD" in line for line in lines) == 3

    with running(mpi, build, "loops", "--watch", "1h"):
        assert ends(lambda: not all_wait(), 60), told()
        ranks = processes_of(build(mpi, "faults"))
        assert re.search(GUILTY + ": it is outside of MPI for .*; " + CALM, told().stdout)
    after = told()
    assert not any(f"process {rank}" in after.stdout for rank in ranks)
    # Other jobs may be watched meanwhile.
    assert after.stdout or "no job of yours that is watched runs on this node" in after.stderr


@pytest.mark.parametrize("text", ["soon", "-1s", "30s,", "30 parsecs", "abort,check", "1us"])
def test_a_wrong_time_is_refused(text):
    done = subprocess.run(
        [COMMAND, "run", f"--watch={text}", "true"], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert f"--watch is '{text}', not none, a time of 0.1s to a year" in done.stderr
