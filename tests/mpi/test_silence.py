"""A job in which hopbine does nothing says so in one line, and why; errors are told by every rank that has them."""

import subprocess
import sys

import pytest

MPI = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    int one = 1, sum = 0;
    const char *how = argc > 1 ? argv[1] : "";
    if (!strcmp(how, "dlsym")) {
        void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_NOLOAD);
        int (*init)(int *, char ***), (*finalize)(void), (*allreduce)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
        *(void **)&init = dlsym(library, "MPI_Init");
        *(void **)&finalize = dlsym(library, "MPI_Finalize");
        *(void **)&allreduce = dlsym(library, "MPI_Allreduce");
        init(&argc, &argv);
        allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        return finalize();
    }
    MPI_Init(&argc, &argv);
    if (!strcmp(how, "served")) MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (!strcmp(how, "self")) MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    if (!strcmp(how, "abort")) MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Finalize();
    return 0;
}
"""
SAYS = "hopbine: no collective was served: "


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """app(mpi) -> the program above."""
    made = {}

    def compile_app(mpi):
        if mpi.name not in made:
            folder = tmp_path_factory.mktemp("silent" + mpi.name)
            (folder / "app.c").write_text(MPI)
            library = "libmpi.so.40" if mpi.is_openmpi else "libmpi.so.12"
            for name in ([library] if mpi.is_openmpi else [library, "libmpich.so.12"]):
                subprocess.run([mpi.mpicc, f'-DLIBRARY="{name}"', "-o", str(folder / "app"), str(folder / "app.c"), "-ldl"], check=True)
                if name in subprocess.run(["ldd", str(folder / "app")], capture_output=True, text=True, check=True).stdout:
                    break
            made[mpi.name] = str(folder / "app")
        return made[mpi.name]

    return compile_app


@pytest.mark.parametrize("how, why", [("served", None), ("none", "the MPI library served all of its collectives"), ("self", "the MPI library served all"),
                                      ("dlsym", "the program's MPI calls do not come by the dynamic linker"), ("abort", "the program was aborted")])
def test_a_job_that_was_not_served_says_why(mpi, app, how, why):
    for _ in range(5):
        done = mpi.hopbine(2, "--algorithm", "allreduce=ring", app(mpi), how, timeout=60)
        if how != "abort" or SAYS in done.stderr:
            break  # MPICH's launcher may end before it has read what an aborted rank said
    assert (done.returncode == 0) == (how != "abort")
    assert done.stderr.count(SAYS) == bool(why) and f"{SAYS}{why}" in done.stderr + f"{SAYS}None"


def test_programs_without_mpi_and_their_children(mpi, app):
    """A script is told of only where nothing below it can be an MPI program."""
    assert mpi.hopbine(2, sys.executable, "-c", "print(1)").stderr.count(SAYS + "no MPI library is loaded") == 1
    for script in ('"$0" served; exit 0', 'exec "$0" served', '"$0" served & wait'):
        done = mpi.hopbine(2, "--algorithm", "allreduce=ring", "sh", "-c", script, app(mpi))
        assert SAYS not in done.stderr, (script, done.stderr)


def test_a_static_program_is_warned_of(mpi, tmp_path):
    (tmp_path / "s.c").write_text("int main(void) { return 0; }")
    if subprocess.run(["cc", "-static", "-o", str(tmp_path / "s"), str(tmp_path / "s.c")], capture_output=True).returncode:
        pytest.skip("there is no static C library")
    done = mpi.hopbine(2, str(tmp_path / "s"))
    assert done.returncode == 0 and done.stderr.count("is linked statically, so that nothing is preloaded into it") == 1


def test_every_rank_tells_its_own_error(mpi, app):
    """Rank 1 has a variable that nobody reads; all have a wrong rule."""
    script = 'if [ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 1 ]; then export HOPBINE_ALGORTIHM=x; fi; exec "$@"'
    done = mpi.run(3, "sh", "-c", script, "sh", sys.executable, "-m", "hopbine", "run", "sh", "-c", "sleep 5", timeout=60)
    assert done.returncode and done.stderr.count("hopbine: rank ") == 1
    assert "rank 1 on " in done.stderr and "HOPBINE_ALGORTIHM is set, but hopbine has no such setting; is HOPBINE_ALGORITHM meant?" in done.stderr


def test_a_shape_that_holds_more_ranks_is_refused_at_the_start(mpi, app):
    done = mpi.hopbine(2, "--shape", "3x3", app(mpi), "served", timeout=60)
    assert done.returncode and "rank 0 on " in done.stderr and "--shape 3x3 holds 9 ranks, the job has 2" in done.stderr


@pytest.mark.parametrize("file, says", [("/", "/: is a folder"), ("/proc/x", "/proc/x: cannot be written"), ("/nowhere/x", "/nowhere/x: its folder does not exist")])
def test_statistics_that_cannot_be_written_are_warned_of_at_the_start(mpi, app, file, says):
    """The job goes on: were rank 0 refused alone, the others would wait for it in MPI_Init."""
    done = mpi.hopbine(2, "--stats", file, app(mpi), "served", timeout=60)
    assert done.returncode == 0 and f"there will be no statistics: {says}" in done.stderr


def test_a_shape_for_part_of_the_ranks_is_warned_of(mpi, app):
    done = mpi.hopbine(4, "--shape", "2x1", app(mpi), "served")
    assert done.returncode == 0 and done.stderr.count("--shape 2x1 holds 2 ranks, the job has 4: it is used for communicators of 2 ranks only") == 1
