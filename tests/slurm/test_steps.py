"""Jobs and steps of a real Slurm: every rank knows its node and its group."""

import csv
import json
import re
import socket
from pathlib import Path

import pytest


def stats_of(cluster, name: str) -> dict:
    return json.loads((cluster.folder / name).read_text())


def ran(done, ranks: int) -> None:
    """The program ran, on so many ranks, and hopbine had nothing to complain of."""
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"sum {ranks} last {ranks - 1}\n" in done.stdout, done.stdout + done.stderr
    assert "not used" not in done.stderr, done.stderr


def counted(table: str) -> list[dict[str, str]]:
    """A table of hopbine traffic, without the job's name."""
    rows = list(csv.DictReader(table.splitlines()))
    assert len(rows) > 1
    return [{k: v for k, v in row.items() if k != "job"} for row in rows]


def test_a_step_knows_its_nodes_and_groups(cluster, program, hopbine):
    """All nodes share a host name; topology.conf has the groups."""
    script = f"srun --mpi=pmi2 {hopbine} run --stats step.json {program}"
    ran(cluster.call("salloc", "-Q", "-N", 6, "-n", 6, "sh", "-c", script), 6)
    stats = stats_of(cluster, "step.json")
    assert stats["nodes"] == cluster.nodes
    assert stats["groups"] == cluster.groups
    assert {r["collective"] for r in stats["rows"]} == {"allreduce", "allgather"}


@pytest.mark.parametrize("through", ["srun", "script"])
def test_hopbine_run_before_srun(cluster, program, hopbine, through):
    """The ranks find their groups themselves, also where a script calls srun."""
    script = cluster.folder / "steps.sh"
    script.write_text(f"#!/bin/sh\nsrun --mpi=pmi2 {program}\n")
    script.chmod(0o755)
    started = script if through == "script" else f"srun --mpi=pmi2 {program}"
    command = f"{hopbine} run --stats before.json {started}"
    ran(cluster.call("salloc", "-Q", "-N", 6, "-n", 6, "sh", "-c", command), 6)
    stats = stats_of(cluster, "before.json")
    assert stats["nodes"] == cluster.nodes
    assert stats["groups"] == cluster.groups


def test_a_heterogeneous_job(cluster, program, hopbine):
    """One step over both components; their nodes in the order of the components."""
    components = ("-N", 1, "-n", 1, "-w", "n5", ":", "-N", 2, "-n", 2, "-w", "n[0,3]")
    script = f"srun --mpi=pmi2 --het-group=0,1 {hopbine} run --stats het.json {program}"
    ran(cluster.call("salloc", "-Q", *components, "sh", "-c", script), 3)
    stats = stats_of(cluster, "het.json")
    assert stats["nodes"] == ["n5", "n0", "n3"]
    assert stats["groups"] == ["s2", "s0", "s1"]
    script = f"{hopbine} traffic allreduce --sizes 1MiB --format csv"
    done = cluster.call("salloc", "-Q", *components, "sh", "-c", script)
    assert done.returncode == 0, done.stderr
    told = cluster.call("sh", "-c", f"{script} --machine topology.conf --hosts n5,n0,n3")
    assert counted(done.stdout) == counted(told.stdout)


def test_a_prolog_sets_defaults_and_leaves_what_the_user_has_set(cluster, hopbine):
    """The prolog is that of docs/administrators.md."""
    page = (Path(__file__).parents[2] / "docs/administrators.md").read_text()
    prolog = re.search(r"```sh\n(#!/bin/sh\n.*?)```", page, re.DOTALL)[1]
    told = dict(re.findall(r"echo export (\w+)=(\S+)$", prolog, re.MULTILINE))
    assert len(told) == 2
    script = f"srun {hopbine} run printenv {' '.join(told)}"
    cluster.prolog.write_text(prolog)
    try:
        done = cluster.call("salloc", "-Q", "-N", 1, "sh", "-c", script)
        own = cluster.call("salloc", "-Q", "-N", 1, "sh", "-c", script, HOPBINE_CHOICE="table")
    finally:
        cluster.prolog.write_text(cluster.NO_PROLOG)
    assert done.stdout.split() == list(told.values()), done.stderr
    assert own.stdout.split() == ["table", told["HOPBINE_PATIENCE"]], own.stderr


def test_a_prolog_sets_what_the_module_sets(cluster, hopbine):
    """The other one of docs/administrators.md: the command is found, and the machine is known."""
    page = (Path(__file__).parents[2] / "docs/administrators.md").read_text()
    _, prolog = re.findall(r"```sh\n(#!/bin/sh\n.*?)```", page, re.DOTALL)
    machine = cluster.folder / "machine.csv"
    rows = [f"{node},g{i % 2}" for i, node in enumerate(cluster.nodes)]
    machine.write_text("\n".join(["host,group", *rows, ""]))
    for name, here in (
        ("/opt/hopbine/bin", str(Path(hopbine.strip("'")).parent)),
        ("=leonardo", f"={machine}"),
    ):
        assert name in prolog
        prolog = prolog.replace(name, here)
    script = "unset HOPBINE_SYSTEM; PATH=/usr/bin:/bin srun hopbine run printenv HOPBINE_GROUP"
    cluster.prolog.write_text(prolog)
    try:
        done = cluster.call("salloc", "-Q", "-N", 4, "-n", 4, "sh", "-c", script)
    finally:
        cluster.prolog.write_text(cluster.NO_PROLOG)
    assert sorted(done.stdout.split()) == ["g0", "g0", "g1", "g1"], done.stderr


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
    assert counted(done.stdout) == counted(told.stdout)
