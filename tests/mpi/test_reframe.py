"""packaging/reframe, as a site runs it, on the ranks that there are here."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hopbine.cli import main

ROOT = Path(__file__).parents[2]
CHECKS = ROOT / "packaging/reframe"
SMALL = ("ranks=2", "sizes=8,1024", "Collective.repetitions=5", "Tune.budget=2s")


@pytest.fixture(scope="module")
def output(mpi, tmp_path_factory) -> dict[str, Path]:
    """The folder of each check's results."""
    folder = tmp_path_factory.mktemp("reframe")
    command = [Path(sys.executable).with_name("reframe"), "-C", CHECKS / "settings.py"]
    command += ["-c", CHECKS / "hopbine_checks.py", "--prefix", folder, "--nocolor", "-r"]
    family = f"family={'openmpi' if mpi.is_openmpi else 'mpich'}"
    command += [word for one in (*SMALL, family) for word in ("-S", one)]
    folders = [Path(sys.executable).parent, Path(mpi.mpiexec).parent]
    path = ":".join([*map(str, folders), os.environ["PATH"]])
    env = mpi.environment(3) | {"PATH": path, "HOME": str(folder), "TMPDIR": str(folder)}
    done = subprocess.run(
        [*command, "-n", "%collective=allreduce"], capture_output=True, text=True, env=env
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    assert "WARNING" not in done.stdout
    return {f.name.partition("_")[0]: f for f in (folder / "output").glob("*/*/*/*")}


def test_a_site_measures_and_hopbine_reads_what_comes_back(output, capsys):
    assert set(output) == {"Collective", "Tune"}
    assert main(["select", "show", str(output["Tune"] / "rules.json")]) == 0
    assert "allreduce" in capsys.readouterr().out
    stats = output["Collective"] / "stats.json"
    assert main(["predict", str(stats), "--machine", "leonardo", "--hosts", "fragmented:32"]) == 0
    assert "allreduce" in capsys.readouterr().out
    samples = (output["Collective"] / "samples.csv").read_text().splitlines()
    assert len([line for line in samples if line.startswith("allreduce,")]) == 2 * 2 * 5
    told = json.loads((output["Collective"] / "machine.json").read_text())
    assert {"kind", "name", "value"} <= set(told[0])
