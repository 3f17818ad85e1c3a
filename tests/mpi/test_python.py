"""mpi4py programs: the MPI library is loaded late, and calls may be those with MPI_Count."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import numpy as np
from mpi4py import MPI
c = MPI.COMM_WORLD
r, p = c.rank, c.size
counts = [1 + (k % 2) for k in range(p)]
out = np.empty(counts[r])
c.Reduce_scatter(np.arange(sum(counts), dtype='d') + r, out, counts)
whole = np.empty(p * 3)
c.Allgather(np.arange(3.) + r, whole)
both = np.empty(p, dtype='i')
c.Alltoall(np.arange(p, dtype='i') + 100 * r, both)
lengths, places = [(r + k) % 3 for k in range(p)], [4 * (p - 1 - k) for k in range(p)]
uneven, own = np.full(4 * p, -1), np.full(4 * p, -1)
c.Alltoallv([np.arange(4 * p) + 1000 * r, (lengths, places)], [uneven, (lengths, places)])
own[:] = uneven
c.Alltoallv(MPI.IN_PLACE, [own, (lengths, places)])
ring = c.Create_cart([p], [True])
halo, near = np.full((2, 2), -1.), np.full((2, 1), -1)
ring.Neighbor_alltoall(np.array([[r, 1.], [r, 2.]]), halo)
web = c.Create_dist_graph_adjacent([(r + 1) % p, r], [(r - 1) % p, r])
seen = np.full(3, -1)
web.Neighbor_alltoallv([np.arange(3) + 10 * r, ([1, 2], [0, 1])], [seen, ([1, 2], [0, 1])])
web.Ineighbor_allgather(np.array([r]), near).Wait()
text = c.bcast('x' * 1000 if r == p - 1 else None, root=p - 1)
answers = [c.allgather(r), c.allreduce(r), out.tolist(), whole.sum(), both.sum()]
answers += [uneven.tolist(), own.tolist(), len(text)]
answers += [halo.tolist(), near.tolist(), seen.tolist(), ring.neighbor_allgather(r)]
if r == 0:
    print(*answers)
sub = MPI.COMM_SELF
out = np.zeros(2)
sub.Reduce_scatter(np.ones(2), out, [2])
assert out.sum() == 2
"""


@pytest.mark.dealt
@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--choice", "table", "--algorithm", "alltoallv=parlogna:r=2"],
        ["--algorithm", "neighbor_alltoallv=joined,neighbor_allgather=direct"],
    ],
    ids=["by default", "asked", "neighbours"],
)
@pytest.mark.parametrize("ranks", [1, 3, 4])
def test_mpi4py_gives_the_same_answers(mpi, ranks, options, tmp_path):
    pytest.importorskip("mpi4py")
    library = Path(mpi.mpiexec).resolve().parent.parent / "lib"
    env = {
        "LD_LIBRARY_PATH": f"{library}:{os.environ.get('LD_LIBRARY_PATH', '')}",
        "MPI4PY_MPIABI": "openmpi" if "openmpi" in mpi.name else "mpich",
    }
    (tmp_path / "p.py").write_text(PROGRAM)
    plain = mpi.run(ranks, sys.executable, str(tmp_path / "p.py"), env=env)
    if "ImportError" in plain.stderr:
        pytest.skip(
            "mpi4py's wheel does not find this MPI library, with or without hopbine: "
            f"{plain.stderr.strip().splitlines()[-1][:100]}"
        )
    served = mpi.hopbine(
        ranks,
        *options,
        "--stats",
        str(tmp_path / "s.json"),
        sys.executable,
        str(tmp_path / "p.py"),
        env=env,
    )
    assert plain.returncode == served.returncode == 0, served.stderr
    assert plain.stdout == served.stdout != ""
    table = subprocess.run(
        [sys.executable, "-m", "hopbine", "stats", str(tmp_path / "s.json")],
        capture_output=True,
        text=True,
    ).stdout
    assert "alltoall" in table
    assert "neighbor_allgather" in table
    if "table" in options:
        assert ("bine_" in table) == (ranks > 2)
    if len(options) == 2:
        assert ("joined" in table) == (ranks > 1)
