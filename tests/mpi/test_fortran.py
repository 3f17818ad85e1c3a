"""Fortran programs by mpif.h, use mpi and use mpi_f08.

Their bindings call MPI_ in one library and PMPI_ in another.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import progresses

PROGRAM = """
program sums
  {use}
  implicit none
  {include}
  integer :: rank, ranks, error, i
  integer :: mine(3), total(3)
  integer, allocatable :: all(:)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  mine = [rank, 1, 10 * rank]
  call MPI_Allreduce(mine, total, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  call MPI_Allreduce(MPI_IN_PLACE, mine, 3, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, error)
  allocate (all(ranks))
  call MPI_Allgather(rank, 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD, error)
  call MPI_Bcast(total(1), 1, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD, error)
  if (rank == 0) print '(20i5)', total, mine, (all(i), i = 1, ranks)
  call MPI_Finalize(error)
end program sums
"""
WAITING = """
program waiting
  {use}
  implicit none
  {include}
  integer :: rank, error, i, level, seen, request, requests(1), indices(1), n
  real(8) :: mine(50000), total(50000)
  call MPI_Init_thread(MPI_THREAD_FUNNELED, level, error)
  call MPI_Query_thread(seen, error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  do i = 1, 4
    mine = rank + i
    call MPI_Iallreduce(mine, total, 50000, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, &
                        request, error)
    requests(1) = request
    if (i == 1) call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    if (i == 2) call MPI_Waitall(1, requests, MPI_STATUSES_IGNORE, error)
    if (i == 3) call MPI_Waitany(1, requests, n, MPI_STATUS_IGNORE, error)
    if (i == 4) call MPI_Waitsome(1, requests, n, indices, MPI_STATUSES_IGNORE, error)
    if (rank == 0) print *, nint(total(1)), nint(total(50000))
  end do
  if (rank == 0) print *, level == MPI_THREAD_FUNNELED, seen == MPI_THREAD_FUNNELED
  call MPI_Finalize(error)
end program waiting
"""
BINDINGS = {
    "mpif.h": ("", "include 'mpif.h'"),
    "mpi": ("use mpi", ""),
    "mpi_f08": ("use mpi_f08", ""),
}


def compiler(mpi) -> str | None:
    """The Fortran wrapper beside mpicc: mpif90, mpif90.openmpi."""
    wrapper = Path(mpi.mpicc).with_name(Path(mpi.mpicc).name.replace("mpicc", "mpif90"))
    return str(wrapper) if wrapper.exists() and shutil.which("gfortran") else None


def compiled(mpi, source, binding, tmp_path) -> str:
    """The program by one of the bindings."""
    wrapper = compiler(mpi)
    if not wrapper:
        pytest.skip(
            f"{mpi.name} has no Fortran wrapper here (the PyPI wheels have none), or gfortran is "
            "missing"
        )
    use, include = BINDINGS[binding]
    (tmp_path / "sums.f90").write_text(source.format(use=use, include=include))
    # mpif.h has no interfaces, and MPI_IN_PLACE beside an array looks like an error to gfortran.
    done = subprocess.run(
        [wrapper, "-fallow-argument-mismatch", "-o", "sums", "sums.f90"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=os.environ,
    )
    assert done.returncode == 0, done.stderr
    return str(tmp_path / "sums")


@pytest.mark.parametrize("binding", ["mpif.h", "mpi"])
@pytest.mark.parametrize("progress", ["auto", "thread"])
def test_fortran_waits_and_levels(mpi, binding, progress, tmp_path):
    program, stats = compiled(mpi, WAITING, binding, tmp_path), tmp_path / "s.json"
    options = ("--progress", progress, "--stats", str(stats))
    served = mpi.hopbine(2, *options, "--algorithm", "allreduce=recursive_multiplying", program)
    assert served.returncode == 0, served.stderr
    assert served.stdout.split() == ["3", "3", "5", "5", "7", "7", "9", "9", "T", "T"]
    (row,) = json.loads(stats.read_text())["rows"]
    assert (row["form"], row["calls"]) == ("nonblocking", 4)
    if progress == "auto" and not progresses(mpi):
        return
    assert 0 < row["wait_seconds"] <= row["seconds"]


@pytest.mark.parametrize("binding", BINDINGS)
@pytest.mark.parametrize("ranks", [2, 3, 4])
def test_fortran_calls_are_served(mpi, binding, ranks, tmp_path):
    program = compiled(mpi, PROGRAM, binding, tmp_path)
    stats = tmp_path / "stats.json"
    served = mpi.hopbine(
        ranks,
        "--algorithm",
        "allreduce=bine_small,allgather=linear,bcast=bine_small",
        "--stats",
        str(stats),
        program,
    )
    assert served.returncode == 0, served.stderr
    assert served.stdout == mpi.run(ranks, program).stdout != ""
    rows = {r["collective"]: r for r in json.loads(stats.read_text())["rows"]}
    assert rows["allreduce"]["calls"] == 2
    assert {r["served_by"] for r in rows.values()} == {"hopbine"}
