"""Environments of the tasks of a step: what srun gives them."""

import json
import os
import re
import shlex
import sys

#: Writes a task's environment into a file of its own.
SHOW = (
    sys.executable,
    "-c",
    "import json, os, sys\n"
    "with open(f'{sys.argv[1]}-{os.environ[\"SLURM_PROCID\"]}.json', 'w') as out:\n"
    "    json.dump(dict(os.environ), out)",
)
#: Variables whose values no two jobs, or no two tasks, have in common.
OWN = r"SLURM_(\w*ID|\w*PORT|\w*ADDR\w*|\w*NODENAME|\w*HOST|\w*CLUSTER|CPU_BIND\w*)|SLURMD_NODENAME"


def show(name: str) -> str:
    """A command for a shell that writes the environments of tasks under this name."""
    return shlex.join((*SHOW, name))


def shown(cluster, name: str) -> list[dict[str, str]]:
    """The environments that were written under a name, in the order of the tasks."""
    files = list(cluster.folder.glob(f"{name}-*.json"))
    out = [json.loads(file.read_text()) for file in files]
    for file in files:
        file.unlink()
    return sorted(out, key=lambda env: int(env["SLURM_PROCID"]))


def tasks(cluster, count: int, *options: str, **env: str) -> list[dict[str, str]]:
    """Environments of the tasks of srun, one on each node, which says nothing."""
    done = cluster.call("srun", "-Q", "-N", count, "-n", count, *options, *SHOW, "tasks", **env)
    assert (done.returncode, done.stderr) == (0, "")
    out = shown(cluster, "tasks")
    assert len(out) == count
    return out


def common(environment: dict[str, str]) -> dict[str, str]:
    """What a task has in common with those of other jobs of the same command."""
    return {name: value for name, value in environment.items() if not re.fullmatch(OWN, name)}


def of_hopbine(environment: dict[str, str]) -> dict[str, str]:
    """The variables by which it runs under hopbine, beside those of the tests."""
    return {
        name: value
        for name, value in environment.items()
        if name.startswith(("HOPBINE", "LD_PRELOAD")) and name not in os.environ
    }
