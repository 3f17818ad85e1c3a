"""Files of hopbine order with the real launchers: every rank is where the file says."""

import os
import subprocess
from pathlib import Path

import pytest

from hopbine.emulate.report import out_of_groups
from hopbine.jobs.job import Job
from hopbine.machines import Machine
from hopbine.ordering.files import LAUNCHERS
from hopbine.ordering.pattern import of_messages
from hopbine.ordering.search import orders, placed

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
#: Hosts of an emulated cluster of groups of 2, in turns, and twice.
HOSTS = ["h2", "h0", "h3", "h1", "h0", "h2", "h1", "h3"]
MACHINE = Machine("two", "groups", ["g0", "g1"], {f"h{i}": i // 2 for i in range(4)})
CLUSTER = ("--groups", "2,2", "--ranks-per-host", "2")
RANK = "echo ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} $(hostname)"


def of_family(mpi) -> list[str]:
    family = "openmpi" if "openmpi" in mpi.name else "mpich"
    return [name for name in LAUNCHERS if name.startswith(family)]


def words(mpi, name: str, hosts: list[str], path: Path) -> list[str]:
    """The command that the verb prints, with this launcher."""
    path.write_text(LAUNCHERS[name].write(hosts))
    form = LAUNCHERS[name].command.replace("RANKS", str(len(hosts))).replace("FILE", str(path))
    return [mpi.mpiexec, *form.split()[1:]]


def test_ranks_are_where_the_file_says(user, mpi, tmp_path):
    os.chmod(tmp_path, 0o755)
    for name in of_family(mpi):
        job = words(mpi, name, HOSTS, tmp_path / name)
        done = user.emulate(*CLUSTER, "--", *job, "sh", "-c", RANK)
        told = dict(line.split() for line in done.stdout.splitlines())
        assert [told[str(rank)] for rank in range(len(HOSTS))] == HOSTS, (name, done.stderr)


def test_the_bytes_between_groups_are_those_of_the_order(user, mpi, tmp_path, folder):
    """A ring of messages, whose given order has all of them between groups."""
    program = folder / f"messages-{mpi.name}"
    mpicc = next(
        e.split("=")[1] for e in os.environ["HOPBINE_TEST_MPIS"].split(";") if mpi.name in e
    )
    subprocess.run([mpicc, "-O1", "-o", program, BENCHMARKS / "messages.c"], check=True)
    size, loops, p = 1 << 16, 5, 4
    file = tmp_path / "messages.csv"
    file.write_text("".join(f"{r},{(r + s) % p},{size}\n" for r in range(p) for s in (1, p - 1)))
    job = Job("ring", tuple(HOSTS[:p]), MACHINE)
    best = orders(of_messages(str(file), p), job)[0]
    assert best.global_bytes == 4 * size  # 2 of 4 links, both ways; the given order has all
    for hosts, expected in ((HOSTS[:p], 8 * size), (placed(job, best.slots).hosts, 4 * size)):
        links = tmp_path / "links.json"
        run = words(mpi, of_family(mpi)[-1], list(hosts), tmp_path / "order")
        done = user.emulate(
            *("--groups", "2,2", "--json", str(links), "--", *run, str(program), str(file)),
            str(loops),
        )
        assert done.returncode == 0, done.stderr
        # headers, and what the loops' barriers and reductions send
        assert out_of_groups(links)["bytes"] / loops == pytest.approx(expected, rel=0.15)
