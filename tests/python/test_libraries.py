"""What the libraries show to a user's process: hopbine's own names and nothing else."""

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
    assert names
    assert [n for n in names if not n.startswith(allowed) and n not in launchers] == []


def test_the_stub_needs_no_mpi_and_no_cxx():
    needed = subprocess.run(
        ["readelf", "-d", str(LIBRARY_FOLDER / "libhopbine_preload.so")],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "libmpi" not in needed
    assert "libstdc++" not in needed
