"""A Slurm cluster on this machine: one slurmctld, and one slurmd for each node.

All nodes have this machine's host name, so that only Slurm's own variables tell a rank its node. No
munge is needed: users are not authenticated. Heterogeneous jobs wait for the backfill scheduler.
"""

import getpass
import os
import shutil
import socket
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path

DAEMONS = ("slurmctld", "slurmd")
#: Seconds for all nodes to be idle.
PATIENCE = 30
#: Debian's daemons are where users other than root do not look.
PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"

CONFIGURATION = """
ClusterName=hopbinetests
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
JobCompType=jobcomp/filetxt
JobCompLoc={folder}/completed
ProctrackType=proctrack/pgid
TaskPlugin=task/none
TaskProlog={folder}/prolog.sh
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=1
SchedulerParameters=defer_batch=0,sched_interval=1,bf_interval=1
TopologyPlugin=topology/tree
PartitionName=all Nodes=ALL Default=YES State=UP OverSubscribe=FORCE:8
"""


def missing() -> str:
    """What is not installed, in words; empty if nothing is missing."""
    absent = [name for name in (*DAEMONS, "srun") if not shutil.which(name, path=PATH)]
    return ", ".join(absent)


def free_ports(count: int) -> list[int]:
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


class Cluster:
    """Nodes n0, n1, ... under switches of `sizes` nodes: s0, s1, ... below the switch top."""

    NO_PROLOG = "#!/bin/sh\n"

    def __init__(self, folder: Path, sizes: tuple[int, ...]):
        self.folder = folder
        self.prolog = folder / "prolog.sh"  # runs before every task
        self.prolog.write_text(self.NO_PROLOG)
        self.prolog.chmod(0o755)
        self.nodes = [f"n{i}" for i in range(sum(sizes))]
        self.groups = [f"s{s}" for s, size in enumerate(sizes) for _ in range(size)]
        self.daemons: list[subprocess.Popen] = []
        self._write(sizes)

    def _write(self, sizes: tuple[int, ...]) -> None:
        host = socket.gethostname().partition(".")[0]
        port, *ports = free_ports(1 + len(self.nodes))
        text = CONFIGURATION.format(
            host=host, port=port, folder=self.folder, user=getpass.getuser()
        )
        for node, its_port in zip(self.nodes, ports, strict=True):
            (self.folder / node).mkdir()
            text += (
                f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={its_port} CPUs=4\n"
            )
        (self.folder / "state").mkdir()
        (self.folder / "slurm.conf").write_text(text)
        members = {f"s{s}": [] for s in range(len(sizes))}
        for node, group in zip(self.nodes, self.groups, strict=True):
            members[group].append(node)
        lines = [f"SwitchName={group} Nodes={','.join(nodes)}" for group, nodes in members.items()]
        lines.append(f"SwitchName=top Switches={','.join(members)}")
        (self.folder / "topology.conf").write_text("\n".join(lines) + "\n")

    def environment(self, **more: str) -> dict[str, str]:
        """This process's, without another Slurm job's variables."""
        own = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM", "HOPBINE_GROUP"))}
        return own | {"PATH": PATH, "SLURM_CONF": str(self.folder / "slurm.conf")} | more

    def call(self, *command: object, **env: str) -> subprocess.CompletedProcess:
        """Runs a command in the cluster's environment and captures its output."""
        return subprocess.run(
            [str(word) for word in command],
            capture_output=True,
            text=True,
            timeout=60,
            cwd=self.folder,
            env=self.environment(**env),
            stdin=subprocess.DEVNULL,
        )

    def start(self) -> None:
        """Starts the daemons and waits for the nodes. RuntimeError with their logs."""
        self._daemon("slurmctld")
        for node in self.nodes:
            self._daemon("slurmd", "-N", node)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            states = self.call("sinfo", "-h", "-N", "-o", "%T").stdout.split()
            if states == ["idle"] * len(self.nodes):
                return
            time.sleep(0.1)
        logs = "".join(log.read_text()[-2000:] for log in sorted(self.folder.glob("*.log")))
        raise RuntimeError(f"Slurm's nodes are not idle after {PATIENCE} s: {states}\n{logs}")

    def _daemon(self, name: str, *words: str) -> None:
        self.daemons.append(
            subprocess.Popen(
                [name, "-D", *words],
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        )

    def cancel_all(self) -> None:
        """Ends all jobs, and waits until they are gone with their processes."""
        self.call("scancel", "--full", "--user", getpass.getuser())
        self.wait_for_jobs()

    def wait_for_jobs(self) -> None:
        """Waits until no job runs or waits."""
        end = time.monotonic() + PATIENCE
        while (jobs := self.call("squeue", "-h").stdout) and time.monotonic() < end:
            time.sleep(0.1)
        if jobs:
            raise RuntimeError(f"these jobs did not end in {PATIENCE} s:\n{jobs}")

    def stop(self) -> None:
        """Ends all jobs and daemons."""
        try:
            self.cancel_all()
        finally:
            for daemon in reversed(self.daemons):
                daemon.kill()
                daemon.wait()
