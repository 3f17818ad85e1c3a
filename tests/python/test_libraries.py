"""What the libraries show to a user's process: hopbine's own names and nothing else."""

import re
import subprocess

import pytest

from hopbine import LIBRARY_FOLDER


@pytest.mark.parametrize(
    "library", sorted(LIBRARY_FOLDER.glob("libhopbine_*.so")), ids=lambda p: p.name
)
def test_only_hopbines_names_are_exported(library):
    listed = subprocess.run(
        ["nm", "-D", "--defined-only", str(library)], capture_output=True, text=True, check=True
    ).stdout
    names = [line.split()[-1].partition("@")[0] for line in listed.splitlines()]
    allowed = ("hopbine_", "MPI_", "PMPI_") if "preload" in library.name else ("hopbine_",)
    # By these two the launcher's key-value store is reached: src/preload/pmix.c, src/preload/pmi.c.
    launchers = {"PMIx_Init", "write"} if "preload" in library.name else set()
    # What it is there for: src/emulate/idle.c and realtime.c stand in for these.
    waits = {"sched_yield", "nanosleep", "poll", "__poll_chk", "epoll_wait", "epoll_pwait"}
    ranks = {f"{p}MPI_{name}" for p in ("", "P") for name in ("Init", "Init_thread", "Finalize")}
    emulated = waits | ranks | {"setpgid"} if "idle" in library.name else set()
    assert bool(names) != library.name.endswith("_mpi.so")  # these bring libraries, and no code
    # By this one libraries that are loaded are noticed: src/preload/loads.c.
    loads = {"__gmon_start__"} if "preload" in library.name else set()
    known = launchers | emulated | loads
    assert [n for n in names if not n.startswith(allowed) and n not in known] == []


def test_the_stub_needs_no_mpi_and_no_cxx():
    needed = subprocess.run(
        ["readelf", "-d", str(LIBRARY_FOLDER / "libhopbine_preload.so")],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "libmpi" not in needed
    assert "libstdc++" not in needed


#: Functions of MPI 4, which libraries of MPICH 3's ABI (Cray MPICH 8, MVAPICH2) do not have.
OF_MPI_4 = re.compile(
    r"PMPI_(\w+_c|Session_\w+|(all|bcast|barrier|gather|scatter|reduce|scan|exscan|neighbor)\w*"
    r"_init|Isendrecv\w*|Info_get_string|Info_create_env|Comm_idup_with_info|P(ready|send|recv)\w*"
    r")",
    re.IGNORECASE,
)


@pytest.mark.parametrize("family", ["openmpi", "mpich"])
def test_runtimes_load_with_libraries_of_mpi_3(family):
    """One symbol that is missing would refuse the whole runtime; weak ones may be missing."""
    command = ["nm", "-D", "--undefined-only", str(LIBRARY_FOLDER / f"libhopbine_{family}.so")]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    needed = re.findall(r" U (PMPI_\w+)", listed)
    assert "PMPI_Allreduce" in needed
    assert not [name for name in needed if OF_MPI_4.fullmatch(name)]
