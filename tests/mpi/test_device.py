"""Device memory, with libraries that imitate CUDA's, HIP's and Level Zero's.

Device memory is pages that the CPU cannot touch.
"""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from conftest import COMMAND, CUDA, HIP, PROGRAMS, RANKS, ZE, cc, header, passed, progresses
from test_registry import fitting, walked
from test_sums import check

from hopbine.selection.file import Rule, write

MOST = max(n for n in RANKS if n <= 4)
#: Algorithms for any number of ranks and operations in order: no call is passed on for another
#: reason.
SERVED = (
    "bcast=knomial,reduce=binomial_in_order,allreduce=knomial,gather=linear,scatter=linear,"
    "allgather=ring,reduce_scatter=pairwise,alltoall=linear,alltoallv=linear"
)
REDUCING = ("reduce", "allreduce", "reduce_scatter", "scan", "exscan")
#: The MPI library for every call.
LIBRARY = ",".join(f"{part.split('=')[0]}=mpi" for part in SERVED.split(","))

pytestmark = pytest.mark.skipif(MOST < 2, reason="needs two ranks")


@pytest.fixture(scope="session")
def program(tmp_path_factory, fakes):
    """program(mpi) -> the folder with `device` and the libraries that it uses."""
    made = {}

    def compile_all(mpi):
        if mpi.name not in made:
            folder = tmp_path_factory.mktemp("device" + mpi.name)
            for name in (CUDA, HIP, ZE):
                (folder / name).symlink_to(fakes / name)
            cc(
                mpi.mpicc,
                "-O1",
                "-Wall",
                "-shared",
                "-fPIC",
                "-o",
                folder / "libmpi_aware.so",
                PROGRAMS / "device_aware.c",
                "-ldl",
            )
            cc(
                mpi.mpicc,
                "-O1",
                "-Wall",
                "-rdynamic",
                "-o",
                folder / "device",
                PROGRAMS / "device.c",
                f"-L{folder}",
                f"-Wl,-rpath,{folder}",
                "-Wl,--no-as-needed",
                "-lmpi_aware",
                "-ldl",
            )
            made[mpi.name] = folder
        return made[mpi.name]

    return compile_all


def run(mpi, folder, mode, library=CUDA, *options, ranks=MOST, algorithm=SERVED):
    done = mpi.hopbine(
        ranks,
        "--gpu",
        "pass",
        "--algorithm",
        algorithm,
        *options,
        str(folder / "device"),
        mode,
        str(folder / library),
        timeout=120,
    )
    passed(done)
    return done


@pytest.mark.dealt
@pytest.mark.parametrize("library", [CUDA, HIP, ZE])
@pytest.mark.parametrize("mode", ["first", "mixed"])
def test_the_library_serves_device_memory_from_the_first_call_on(mpi, program, mode, library):
    run(mpi, program(mpi), mode, library)


@pytest.mark.dealt
@pytest.mark.parametrize("library", [CUDA, HIP])
def test_between_agreements_calls_are_served_by_copies(mpi, program, library):
    """Host and device memory in every combination, gaps, in place, MPI_BOTTOM.

    Managed memory is not copied.
    """
    run(mpi, program(mpi), "later", library)


@pytest.mark.dealt
@pytest.mark.parametrize("library", [CUDA, HIP])
@pytest.mark.parametrize("mode", ["changing", "late"])
def test_ranks_that_change_their_memory_as_they_like(mpi, program, mode, library):
    """Also where the library is loaded after a thousand calls."""
    run(mpi, program(mpi), mode, library)


@pytest.mark.dealt
@pytest.mark.parametrize("library", [CUDA, HIP])
def test_calls_that_the_library_has_won_are_counted_alike(mpi, program, tmp_path, library):
    """One rank alone has devices, and uses them now and then."""
    learned = tmp_path / "l.json"
    write(learned, [Rule("allreduce", "mpi")], "by hand")
    options = ("--learn", str(learned))
    run(mpi, program(mpi), "one", library, *options, algorithm="bcast=knomial")


def test_nothing_is_asked_where_nothing_is_loaded(mpi, program):
    run(mpi, program(mpi), "host")


def test_the_statistics_tell_why(mpi, program, tmp_path):
    run(mpi, program(mpi), "first", CUDA, "--stats", str(tmp_path / "stats.json"))
    rows = [
        r
        for r in json.loads((tmp_path / "stats.json").read_text())["rows"]
        if r["reason"] == "device memory"
    ]
    assert {r["collective"] for r in rows} >= {"bcast", "allreduce", "alltoallv", "reduce_scatter"}
    assert all(r["served_by"] == "mpi" and r["calls"] > 0 for r in rows)


def test_repeated_exchanges_do_not_take_device_memory(mpi, program):
    assert "device memory" in run(mpi, program(mpi), "repeated", CUDA).stderr


def served(mpi, fakes, mode, *command, library=CUDA, ranks=MOST, seed=1, timeout=240):
    """Runs a job whose calls on device memory hopbine serves."""
    env = {"HOPBINE_TEST_DEVICE": str(fakes / library), "HOPBINE_TEST_SEED": str(seed)}
    return mpi.hopbine(ranks, "--gpu", mode, *command, env=env, timeout=timeout)


def staged(mpi, fakes, *command, **keys):
    """Runs a job that stages calls on device memory."""
    done = served(mpi, fakes, "staged", *command, **keys)
    passed(done)
    return done


@pytest.mark.dealt
@pytest.mark.parametrize("options", [(), ("--gpu", "staged")])
@pytest.mark.parametrize("library", [CUDA, HIP])
def test_exact_sums_are_those_of_host_memory(mpi, build, fakes, tmp_path, library, options):
    """In all forms; each rank draws where its buffers are."""
    if not progresses(mpi):
        pytest.skip("nonblocking sums are refused where the library's progress calls nobody")
    env = {"HOPBINE_TEST_DEVICE": str(fakes / library)}
    check(tmp_path, mpi, build, MOST, "double", 30 * MOST, *options, env=env)


@pytest.mark.dealt
@pytest.mark.parametrize(("library", "by"), [(HIP, "hopbine"), (CUDA, "mpi")])
def test_staged_calls_need_no_library_that_takes_device_memory(mpi, build, fakes, library, by):
    """Each rank draws where its buffers are; one rank alone, neighbours, no data, large data.

    In all forms, and where the MPI library serves the calls.
    """
    algorithm = SERVED if by == "hopbine" else LIBRARY
    command = ("--algorithm", algorithm, build(mpi, "staged"), "progress", by)
    staged(mpi, fakes, *command, library=library)


def test_a_rank_alone_is_staged_too(mpi, build, fakes):
    staged(mpi, fakes, build(mpi, "staged"), "blocking", "mpi", ranks=1)


def test_modes_that_do_not_exist_are_refused(mpi, build):
    done = mpi.hopbine(1, "--gpu", "mixed", build(mpi, "walk"))
    assert done.returncode == 2
    assert "--gpu is 'mixed', not auto, direct, staged or pass" in done.stderr


def test_every_algorithm_on_staged_device_memory(mpi, build, fakes):
    names = [walked(a, a["name"], MOST) for a in fitting(MOST)]
    staged(mpi, fakes, build(mpi, "walk"), *names)


def test_every_algorithm_on_data_that_arrives_in_chunks(mpi, build, fakes):
    """Two chunks of a vector: steps begin before all have arrived, and results leave early."""
    ranks = min(3, MOST)
    names = [walked(a, a["name"], ranks) for a in fitting(ranks)]
    staged(mpi, fakes, build(mpi, "walk", flags=("-DLARGE=200000",)), *names, ranks=ranks)


@pytest.mark.dealt
@pytest.mark.parametrize(("form", "library"), [("NONBLOCKING", HIP), ("PERSISTENT", CUDA)])
def test_data_that_arrives_in_chunks_in_other_forms(mpi, build, fakes, form, library):
    if not progresses(mpi) or "MPI_Bcast_init(" not in header(mpi):
        pytest.skip(f"{mpi.name} serves some of these forms itself")
    names = [walked(a, a["name"], 2) for a in fitting(2)[::5]]
    flags = (f"-DFORM_{form}", "-DLARGE=200000")
    staged(mpi, fakes, build(mpi, "walk", flags=flags), *names, library=library, ranks=2)


@pytest.mark.dealt
@pytest.mark.parametrize(("form", "library"), [("NONBLOCKING", HIP), ("PERSISTENT", CUDA)])
def test_every_algorithm_on_device_memory_in_other_forms(mpi, build, fakes, form, library):
    if not progresses(mpi) or "MPI_Bcast_init(" not in header(mpi):
        pytest.skip(f"{mpi.name} serves some of these forms itself")
    # MPICH waits by spinning: no more ranks than cores.
    ranks = min(3 if mpi.is_openmpi else 2, MOST)
    names = [walked(a, a["name"], ranks) for a in fitting(ranks)]
    program = build(mpi, "walk", flags=(f"-DFORM_{form}",))
    staged(mpi, fakes, program, *names, library=library, ranks=ranks)


def takes_device_memory(mpi, build, *flags):
    """The program `walk` with an MPI library that sends and receives device memory."""
    return build(mpi, "walk", flags=(str(PROGRAMS / "aware_messages.c"), "-rdynamic", *flags))


def test_every_algorithm_in_device_memory(mpi, build, fakes):
    names = [walked(a, a["name"], MOST) for a in fitting(MOST)]
    done = passed(served(mpi, fakes, "direct", takes_device_memory(mpi, build), *names))
    without = "reductions are staged, for this build has no kernels" in done.stderr
    assert f"kernels: {int(not without)}\n" in done.stdout


def kernels_of_calls(mpi, build, fakes, ranks, *names):
    """Kernels and bytes of them for each byte of the vector, of all ranks, by algorithm.

    The program compares the results with those of calls on host memory, bit by bit.
    """
    flags = (str(PROGRAMS / "aware_messages.c"), "-rdynamic")
    program = build(mpi, "kernels_of_calls", flags=flags)
    done = passed(served(mpi, fakes, "direct", program, *names, ranks=ranks))
    if "this build has no kernels" in done.stderr:
        pytest.skip("no kernels were built")
    rows = re.findall(r"^(\w+:\S+) (\d+) (\d+\.\d{4})$", done.stdout, re.M)
    return {name: (int(kernels), float(read)) for name, kernels, read in rows}


def test_contributions_of_a_step_are_added_by_one_kernel(mpi, build, fakes):
    reducing = [a for a in fitting(MOST) if a["collective"] in REDUCING]
    names = [f"{a['collective']}:{a['name']}" for a in reducing]
    found = kernels_of_calls(mpi, build, fakes, MOST, *names)
    assert set(found) == set(names)
    assert found["reduce:linear"] == (1, MOST + 1)
    # One block after the other: two reads and a write.
    assert found["reduce_scatter:pairwise"] == (MOST * (MOST - 1), 3 * (MOST - 1))


#: On eight ranks, as in docs/device-memory.md.
KERNELS_OF_EIGHT = {
    "reduce:linear": (1, 9),
    "reduce:knomial": (3, 13),
    "allreduce:recursive_multiplying": (18, 68),
    "allreduce:bine_radix/steps=3": (13, 10.25),
    "reduce_scatter:recursive_multiplying": (18, 17.5),
}


@pytest.mark.skipif(max(RANKS) < 8, reason="needs eight ranks")
def test_kernels_on_eight_ranks(mpi, build, fakes):
    assert kernels_of_calls(mpi, build, fakes, 8, *KERNELS_OF_EIGHT) == KERNELS_OF_EIGHT


@pytest.mark.skipif(max(RANKS) < 8, reason="needs eight ranks")
def test_more_contributions_than_a_kernel_adds(mpi, build, fakes):
    """Nine: of eight and of one. To their place, and in the order of ranks."""
    found = kernels_of_calls(
        mpi, build, fakes, 10, "reduce:linear", "allreduce:recursive_multiplying/k=10"
    )
    assert found["reduce:linear"] == (2, 10 + 3)
    # Two on each rank: contributions of lower ranks are added to one another first.
    assert found["allreduce:recursive_multiplying/k=10"][0] == 20


@pytest.mark.skipif(max(RANKS) < 5, reason="needs five ranks")
def test_several_messages_of_a_step_are_packed_in_device_memory(mpi, build, fakes):
    """On fewer ranks a step with packed messages is a single exchange."""
    program = takes_device_memory(mpi, build)
    names = ["alltoall:bruck/k=3:0:0"] * 4  # each rank draws where its buffers are
    passed(served(mpi, fakes, "direct", program, *names, ranks=5))


@pytest.mark.dealt
@pytest.mark.parametrize(("form", "library"), [("NONBLOCKING", HIP), ("PERSISTENT", CUDA)])
def test_every_algorithm_in_device_memory_in_other_forms(mpi, build, fakes, form, library):
    if not progresses(mpi) or "MPI_Bcast_init(" not in header(mpi):
        pytest.skip(f"{mpi.name} serves some of these forms itself")
    names = [walked(a, a["name"], 2) for a in fitting(2)]
    program = takes_device_memory(mpi, build, f"-DFORM_{form}")
    passed(served(mpi, fakes, "direct", program, *names, ranks=2, library=library))


def test_a_library_that_takes_no_device_memory_is_told_by_a_line(mpi, build, fakes):
    """The process crashes in the library, as without hopbine."""
    done = served(mpi, fakes, "direct", build(mpi, "walk"), "bcast:knomial:0:1", ranks=1)
    assert done.returncode != 0
    assert (
        "hopbine: the MPI library crashed when it was given GPU memory: use --gpu staged\n"
        in done.stderr
    )


def compared(mpi, *options, env):
    """A run of benchmarks/gpu.py."""
    script = PROGRAMS.parents[2] / "benchmarks/gpu.py"
    command = [sys.executable, script, "--mpicc", mpi.mpicc, "--mpiexec", mpi.mpiexec, *options]
    return subprocess.run(
        [*command, "--hopbine", COMMAND],
        capture_output=True,
        text=True,
        timeout=240,
        env=mpi.environment(2) | env,
    )


@pytest.mark.dealt
def test_the_comparison_says_what_runs_and_what_does_not(mpi, fakes):
    """A device that NCCL does not know, and an MPI library that takes no device memory."""
    env = {"LD_LIBRARY_PATH": str(fakes)}
    options = ("--ranks", "2", "--bytes", "8,65536", "--repetitions", "3", "--peers", "64")
    done = compared(mpi, *options, env=env)
    assert done.returncode == 0, done.stderr
    assert "- device: fake device 0, 1 on the node of rank 0" in done.stdout
    assert "- NCCL failed: " in done.stdout
    assert "- MPI library failed: " in done.stdout
    for mode in ("direct", "peers"):
        assert f"- hopbine, {mode} failed: the MPI library crashed when it was" in done.stdout
    assert "hopbine, auto failed" not in done.stdout
    assert "hopbine, staged failed" not in done.stdout
    time = r"\d+\.\d\d \(\S+\)"
    row = rf"^\| (\d+) \| {time} \|  \| {time} \|  \|  \|  \|$"
    assert re.findall(row, done.stdout, re.M) == ["8", "65536"], done.stdout


def test_the_comparison_needs_a_device(mpi, tmp_path):
    (tmp_path / CUDA).write_text("")  # no driver, wherever the test runs
    done = compared(mpi, env={"LD_LIBRARY_PATH": str(tmp_path)})
    assert done.returncode == 2
    assert done.stderr == "gpu.py: CUDA's driver finds no device here: nothing is measured\n"


@pytest.mark.dealt
@pytest.mark.skipif(
    bool(shutil.which("hipcc", path=f"{os.environ['PATH']}:/opt/rocm/bin")),
    reason="with hipcc, kernels are built before",
)
@pytest.mark.parametrize(("how", "kernels"), [("whole", 1), ("broken", 0)])
def test_kernels_of_hip_are_compiled_where_the_build_has_none(mpi, build, fakes, how, kernels):
    """By the compiler that lies beside HIP's library; where it fails, reductions are staged."""
    program = takes_device_memory(mpi, build)
    names = [walked(a, a["name"], 2) for a in fitting(2) if a["name"] == "recursive_doubling"]
    command = ["env", f"HOPBINE_TEST_COMPILER={how}", program, *names]
    done = passed(served(mpi, fakes, "direct", *command, library=HIP, ranks=2))
    assert f"kernels: {kernels}\n" in done.stdout
    fault = "reductions are staged, for hiprtc cannot compile the kernels of i32: it is broken\n"
    assert (fault in done.stderr) == (kernels == 0)
