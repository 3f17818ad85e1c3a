"""What hopbine reads of a real Slurm's squeue, scontrol and sacct."""

import time
from dataclasses import dataclass

import pytest

from hopbine.allocations import Allocation, read
from hopbine.machines import load

ARRAY_NODES, WIDE_NODES = ("n0", "n1"), ("n2", "n3", "n5")


@dataclass(frozen=True)
class Queue:
    """Numbers of jobs: an array of two tasks and a job with blanks in its name that run; a held."""

    array: str
    wide: str
    held: str


@pytest.fixture(scope="module")
def queue(cluster):
    def submit(*options: str) -> str:
        done = cluster.call(
            "sbatch", "--parsable", "-o", "/dev/null", *options, "--wrap=exec sleep 60"
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    jobs = Queue(
        submit("-w", "n[0-1]", "--array=1-2"),
        submit("-w", "n[2-3,5]", "-J", "my wide job"),
        submit("-H", "-N", "2"),
    )
    end = time.monotonic() + 20
    while cluster.call("squeue", "-h", "-t", "R", "-o", "%i").stdout.count("\n") < 3:
        assert time.monotonic() < end, cluster.call("squeue").stdout
        time.sleep(0.1)
    yield jobs
    cluster.cancel_all()


def hosts_in(cluster, name: str, *command: str) -> dict[str, tuple[str, ...]]:
    """Hosts of each job in what a command prints."""
    done = cluster.call(*command)
    assert done.returncode == 0, done.stderr
    path = cluster.folder / name
    path.write_text(done.stdout)
    jobs = list(read(str(path)))
    assert all(isinstance(job, Allocation) for job in jobs), jobs
    return {job.job: job.hosts for job in jobs}


@pytest.mark.parametrize("options", [(), ("-o", "%i|%j|%r|%N"), ("-h", "-t", "R", "-o", "%i %N")])
def test_squeue(cluster, queue, options):
    assert hosts_in(cluster, "squeue.txt", "squeue", *options) == {
        f"{queue.array}_1": ARRAY_NODES,
        f"{queue.array}_2": ARRAY_NODES,
        queue.wide: WIDE_NODES,
    }


def test_scontrol_show_job(cluster, queue):
    jobs = hosts_in(cluster, "jobs.txt", "scontrol", "show", "job")
    assert jobs.pop(queue.wide) == WIDE_NODES
    assert list(jobs.values()).count(ARRAY_NODES) == 2, jobs
    assert queue.held not in jobs


def test_scontrol_show_topology(cluster):
    path = cluster.folder / "topology.txt"
    path.write_text(cluster.call("scontrol", "show", "topology").stdout)
    machine = load(str(path))
    groups = [machine.groups[machine.hosts[machine.find(node)]] for node in cluster.nodes]
    assert groups == cluster.groups


@pytest.mark.parametrize("options", [("-P",), ()])
def test_sacct(cluster, queue, options):
    """It reads ended jobs from jobcomp/filetxt: slurmdbd, which knows more, needs a database."""
    cluster.call("scancel", queue.wide)
    end = time.monotonic() + 10
    command = ("sacct", "-c", *options, "-o", "jobid,state,nodelist")
    while queue.wide not in cluster.call(*command).stdout:
        assert time.monotonic() < end
        time.sleep(0.1)
    assert hosts_in(cluster, "sacct.txt", *command)[queue.wide] == WIDE_NODES
