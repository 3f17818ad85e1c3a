"""Statistics by call site, and what becomes of a statistics file that is there."""

import json
import re
import subprocess

import pytest
from conftest import COMMAND, PROGRAMS

SERVED = ("--algorithm", "allreduce=ring,bcast=binomial_halving", "--progress", "thread")


def lines():
    """The line of sites.c for each site's name."""
    source = (PROGRAMS / "sites.c").read_text().splitlines()
    sites = re.compile(r"MPI_\w+\(.*; /\* (.*) \*/")
    return {m[1]: n for n, line in enumerate(source, 1) if (m := sites.search(line))}


@pytest.fixture(scope="module")
def recorded(mpi, build, tmp_path_factory):
    file = tmp_path_factory.mktemp(mpi.name) / "s.json"
    done = mpi.hopbine(3, *SERVED, "--stats", str(file), "--sites", build(mpi, "sites"))
    assert done.returncode == 0, done.stderr
    return file


def told(*words):
    return subprocess.run([COMMAND, "stats", *words], capture_output=True, text=True)


def test_calls_are_told_by_the_line_of_the_program(recorded):
    """Served or passed on, blocking or not; all ranks have the same sites."""
    rows = json.loads(told(str(recorded), "--sites", "--format", "json").stdout)
    calls = {(row["called"], row["form"]): row["calls"] for row in rows}
    at = {name: f"{name.split()[0]} (sites.c:{n})" for name, n in lines().items()}
    assert calls == {
        (at["sum"], "blocking"): 1,
        (at["tell"], "blocking"): 3,
        (at["tell again"], "blocking"): 1,
        (at["later"], "nonblocking"): 1,
        (at["alone"], "blocking"): 3,
    }
    assert [row["seconds"] for row in rows] == sorted((r["seconds"] for r in rows), reverse=True)
    assert all(re.search(r"/sites\+0x[0-9a-f]+$", row["site"]) for row in rows)
    assert f"{at['sum']}" in told(str(recorded), "--sites").stdout


def test_without_sites_rows_are_folded(recorded):
    rows = json.loads(told(str(recorded), "--format", "json").stdout)
    assert [r["calls"] for r in rows if r["collective"] == "bcast"] == [4]


def test_sites_have_to_be_recorded(mpi, build, tmp_path):
    file = tmp_path / "s.json"
    assert mpi.hopbine(2, "--stats", str(file), build(mpi, "sites")).returncode == 0
    assert not any("site" in row for row in json.loads(file.read_text())["rows"])
    done = told(str(file), "--sites")
    assert done.returncode == 2
    assert "has no call sites: record with hopbine run --stats FILE --sites" in done.stderr
    done = subprocess.run([COMMAND, "run", "--sites", "true"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "--sites needs --stats FILE" in done.stderr


def test_a_file_that_is_there_is_kept(mpi, build, tmp_path):
    """Under the first free name, and rank 0 tells; an empty one is replaced."""
    file = tmp_path / "s.json"
    file.touch()
    for earlier in ([], [1], [1, 2]):
        done = mpi.hopbine(2, "--stats", str(file), build(mpi, "sites"))
        assert done.returncode == 0, done.stderr
        kept = [f"hopbine: {file} was there: it is {file}.{earlier[-1]} now"] if earlier else []
        assert [line for line in done.stderr.splitlines() if "was there" in line] == kept
        for n in earlier:
            assert json.loads((tmp_path / f"s.json.{n}").read_text())["ranks"] == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["s.json", "s.json.1", "s.json.2"]


def test_calls_by_wrappers_of_the_library_are_where_these_are_called(mpi, tmp_path):
    """As Fortran's bindings are, in a library beside MPI's."""
    (tmp_path / "wrapper.c").write_text(
        "#include <mpi.h>\n"
        "int wrapped(void) { int a = 1, b;\n"
        "  int error = MPI_Allreduce(&a, &b, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);\n"
        "  return error != MPI_SUCCESS || b == 0; }\n"
    )
    (tmp_path / "app.c").write_text(
        "#include <mpi.h>\n"
        "int wrapped(void);\n"
        "int main(void) { MPI_Init(0, 0);\n"
        "  int wrong = wrapped();\n"
        "  MPI_Finalize(); return wrong; }\n"
    )
    for words in (
        ("-shared", "-fPIC", "-o", "libmpi_wrapper.so", "wrapper.c"),
        ("-g", "-o", "app", "app.c", "-L.", "-lmpi_wrapper", f"-Wl,-rpath,{tmp_path}"),
    ):
        subprocess.run([mpi.mpicc, *words], cwd=tmp_path, check=True)
    file = tmp_path / "s.json"
    done = mpi.hopbine(2, "--stats", str(file), "--sites", str(tmp_path / "app"))
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(told(str(file), "--sites", "--format", "json").stdout)
    assert row["called"] == "main (app.c:4)"
