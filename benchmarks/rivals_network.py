"""Where the comparison runs: an emulated network, or one node."""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from emulated_choice import describe
from emulated_network import emulating
from rivals_library import Library

from hopbine.bench.launch import quiet_environment
from hopbine.emulate.report import out_of_groups

RATE, OVERSUBSCRIPTION = 100.0, 4.0
#: Variables that hopbine reads, and those of them that hold for one host or process.
OWN, OF_HOST = ("HOPBINE",), ("HOPBINE_GROUP", "HOPBINE_SYSTEM", "HOPBINE_PROGRAM")
#: Jobs of Open MPI on one node begin without what it has for libfabric, which makes each rank sleep
#: for a second where it finds no network: as in tests/mpi/conftest.py.
WITHOUT_LIBFABRIC = {"OMPI_MCA_btl": "^ofi", "OMPI_MCA_mtl": "^ofi"}
ON_FIRST_HOST = 'hostname h0; exec "$@"'
#: One-way delays in microseconds: inside and between groups; of a hop of a torus.
OF_TREE = (200, 1000)
DELAYS = {"tree": "{}us,{}us".format(*OF_TREE), "torus": "200us"}


def empty_cache(folder: Path) -> dict[str, str]:
    """Settings of a job under hopbine's default, for a user who has never run one.

    What it keeps is in a new folder inside `folder`.
    """
    return {"HOPBINE_LEARN": "", "XDG_CACHE_HOME": tempfile.mkdtemp(dir=folder)}


class Network:
    """`text`: "5,6,5" or "4x4" (a torus), with "+delay"; or "node:4", ranks on one node.

    A context in which programs can be started on it.
    """

    def __init__(self, text: str, ranks_per_host: int, folder: Path):
        self.text, self.ranks_per_host, self.folder = text, ranks_per_host, folder
        form, _, self.delay = text.partition("+")
        self.one_node = form.startswith("node:")
        self.torus = "x" in form
        self.form = form.removeprefix("node:")
        self.group_of_host = (
            [g for g, n in enumerate(self.form.split(",")) for _ in range(int(n))]
            if not self.one_node and not self.torus
            else []
        )

    @property
    def ranks(self) -> int:
        """Ranks of a job."""
        if self.one_node:
            return int(self.form)
        if self.torus:
            across, down = map(int, self.form.split("x"))
            return across * down * self.ranks_per_host
        return len(self.group_of_host) * self.ranks_per_host

    def __enter__(self):
        if not self.one_node:
            command = [sys.executable, "-m", "hopbine", "emulate", "--check"]
            check = subprocess.run(command, capture_output=True, text=True)
            if check.returncode:
                raise RuntimeError(f"network {self.text}: {check.stdout}{check.stderr}")
        return self

    def __exit__(self, *_):
        """Every job has had a cluster of its own."""

    def cluster(self) -> list[str]:
        """Command that emulates the network for one job, up to the job's own command."""
        if self.torus:
            where, delay = ["--topology", f"torus:{self.form}"], DELAYS["torus"]
        else:
            where = ["--groups", self.form, "--taper", str(OVERSUBSCRIPTION)]
            delay = DELAYS["tree"]
        late = delay if self.delay else None
        told = ["--json", str(self.folder / "links.json")]
        return [*emulating(where, RATE, late, self.ranks_per_host), *told, "--"]

    def between_groups(self) -> int:
        """Bytes that the kernel has counted out of all groups in the last job."""
        return out_of_groups(self.folder / "links.json")["bytes"]

    def hopbine_options(self) -> list[str]:
        """What a user tells hopbine about it."""
        if self.one_node or self.torus:  # an emulated torus tells its shape
            return []
        delays = OF_TREE if self.delay else (0, 0)
        machine = describe(str(self.folder), self.form, RATE, OVERSUBSCRIPTION, delays)
        return ["--system", str(machine)]

    def hopbine_settings(self) -> dict[str, str]:
        """The environment that `hopbine run` gives to a program on host h0, less the host's own.

        Asked for once, not on every rank: ranks share few cores.
        """
        on_host = [] if self.one_node else ["unshare", "--uts", "sh", "-c", ON_FIRST_HOST, "sh"]
        done = subprocess.run(
            [*on_host, sys.executable, "-m", "hopbine", "run", *self.hopbine_options(), "env"],
            capture_output=True,
            text=True,
            env={k: v for k, v in os.environ.items() if k.split("_")[0] not in OWN}
            | {"HOPBINE_LEARN": "none"},
        )
        if done.returncode:
            raise RuntimeError(f"hopbine run: {done.stderr.strip()}")
        lines = (line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)
        return {k: v for k, v in lines if k.split("_")[0] in OWN and k not in OF_HOST} | {
            "LD_PRELOAD": re.findall(r"^LD_PRELOAD=(.*)$", done.stdout, re.M)[0]
        }

    def group_setting(self) -> str:
        """Shell: what `hopbine run` would say of the group of this host."""
        cases = "".join(f"h{i}) g={g};; " for i, g in enumerate(self.group_of_host))
        return f"case $(hostname) in {cases}esac; export HOPBINE_GROUP=g$g; " if cases else ""

    def said(self) -> str:
        """What the last job wrote on standard error."""
        return (self.folder / "said").read_text(errors="replace")

    def start(
        self, library: Library, environment: dict[str, str], command: Sequence[str], limit: float
    ) -> subprocess.Popen[str]:
        """A job on all ranks, with hopbine preloaded; its output can be read as it comes."""
        given = self.hopbine_settings()
        preload = given.pop("LD_PRELOAD")
        loaded = f'LD_PRELOAD="{preload}${{LD_PRELOAD:+:$LD_PRELOAD}}" exec "$@"'
        ranks = ["sh", "-c", f"{self.group_setting()}{loaded}", "sh", *command]
        return self.launch(library, given | environment, ranks, limit)

    def launch(
        self, library: Library, given: dict[str, str], ranks: Sequence[str], limit: float
    ) -> subprocess.Popen[str]:
        """A job on all ranks, with nothing but this environment."""
        if self.one_node:
            full = [library.mpiexec, "-n", str(self.ranks), *ranks]
            quiet = quiet_environment(library.family, self.ranks)
            environ = WITHOUT_LIBFABRIC | os.environ | quiet | given
        else:
            job = [library.mpiexec, "-n", str(self.ranks), *ranks]
            full = ["timeout", str(limit), *self.cluster(), *job]
            # Nor are statistics kept, which hopbine emulate else asks for.
            environ = os.environ | {"HOPBINE_STATS": ""} | given
        return subprocess.Popen(
            full,
            stdout=subprocess.PIPE,
            stderr=(self.folder / "said").open("w"),
            stdin=subprocess.DEVNULL,
            text=True,
            env=environ,
            start_new_session=True,
        )
