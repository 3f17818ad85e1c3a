"""Jobs and steps of a real Slurm: every rank knows its node and its group."""

import json
import re
import socket


def stats_of(cluster, name: str) -> dict:
    return json.loads((cluster.folder / name).read_text())


def ran(done, ranks: int) -> None:
    """The program ran, on so many ranks, and hopbine had nothing to complain of."""
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"sum {ranks} last {ranks - 1}\n" in done.stdout, done.stdout + done.stderr
    assert "not used" not in done.stderr, done.stderr


def test_a_step_knows_its_nodes_and_groups(cluster, program, hopbine):
    """All nodes share a host name; topology.conf has the groups."""
    script = f"srun --mpi=pmi2 {hopbine} run --stats step.json {program}"
    ran(cluster.call("salloc", "-Q", "-N", 6, "-n", 6, "sh", "-c", script), 6)
    stats = stats_of(cluster, "step.json")
    assert stats["nodes"] == cluster.nodes
    assert stats["groups"] == cluster.groups
    assert {r["collective"] for r in stats["rows"]} == {"allreduce", "allgather"}


def test_other_launchers_do_not_take_over_the_node_of_the_calling_task(
    cluster, mpich, program, hopbine
):
    """Their ranks inherit SLURMD_NODENAME and SLURM_TOPOLOGY_ADDR from the task that calls them."""
    inner = (
        f"{mpich[1]} -launcher fork -hosts localhost -n 2 {hopbine} run --stats fork.json {program}"
    )
    script = f'srun -N 1 -n 1 sh -c "{inner}"'
    ran(cluster.call("salloc", "-Q", "-N", 1, "sh", "-c", script), 2)
    stats = stats_of(cluster, "fork.json")
    assert stats["nodes"] == [socket.gethostname()] * 2
    assert stats["groups"] == [None, None]


def test_array_jobs_find_their_groups_by_hopbine_env(cluster, program, hopbine):
    """Called once in the batch script; each task of the array has a part of the nodes."""
    script = cluster.folder / "array.sh"
    script.write_text(
        f'#!/bin/sh\neval "$({hopbine} env --choice count)"\n'
        'echo "groups $HOPBINE_GROUPS"\n'
        f"srun --mpi=pmi2 {hopbine} run --stats array-$SLURM_ARRAY_TASK_ID.json {program}\n"
    )
    # The first three nodes; then one of each switch.
    jobs = {
        "array-0": ("n[0-2]", "s0=n[0-2]", ["s0", "s0", "s0"]),
        "array-1": ("n[2-3,5]", "s0=n2;s1=n3;s2=n5", ["s0", "s1", "s2"]),
    }
    for task, (nodes, *_) in zip((0, 1), jobs.values(), strict=True):
        options = (f"--array={task}", "-n", 3, "-w", nodes, "-o", "array-%a.txt")
        done = cluster.call("sbatch", *options, script)
        assert done.returncode == 0, done.stderr
    cluster.wait_for_jobs()
    for name, (_, told, groups) in jobs.items():
        output = (cluster.folder / f"{name}.txt").read_text()
        assert f"groups {told}\n" in output
        assert "sum 3 last 2\n" in output
        assert stats_of(cluster, f"{name}.json")["groups"] == groups


def test_traffic_counts_the_nodes_of_the_allocation(cluster, hopbine):
    """Without --machine and --hosts; the same as with both."""
    script = f"{hopbine} traffic allreduce --sizes 1MiB --format csv"
    done = cluster.call("salloc", "-Q", "-N", 4, "-w", "n[1-4]", "sh", "-c", script)
    assert done.returncode == 0, done.stderr
    told = cluster.call("sh", "-c", f"{script} --machine topology.conf --hosts 'n[1-4]'")
    assert told.returncode == 0, told.stderr
    rows, same = (out.stdout.splitlines() for out in (done, told))
    assert len(rows) > 2
    assert [row.replace("n[1-4]", "the job") for row in same] == [
        re.sub(r"^\d+,", "the job,", row) for row in rows
    ]
