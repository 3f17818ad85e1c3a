"""Collectives by one kernel on each device of a node, on fake devices."""

import json
import re

import pytest
from conftest import CUDA, FAKE, HIP, PROGRAMS, RANKS, UNDER, by_rank, cc, passed
from test_device import SERVED, served, takes_device_memory
from test_registry import fitting, walked

pytestmark = pytest.mark.skipif(max(RANKS) < 2, reason="needs two ranks")


def kernels(mpi, build, fakes, ranks, turns, *words, library=CUDA, **env):
    """Kernels of a node's ranks that rank 0 has begun."""
    program = build(mpi, "node_allreduce", flags=(str(PROGRAMS / "aware_messages.c"), "-rdynamic"))
    command = ["env", *(f"{name}={value}" for name, value in env.items()), program]
    command += [str(turns), *words]
    options = ("--gpu-peers", "1")
    done = passed(served(mpi, fakes, "direct", *options, *command, ranks=ranks, library=library))
    if "this build has no kernels" in done.stderr:
        pytest.skip("no kernels were built")
    return int(re.search(r"^kernels: (\d+)$", done.stdout, re.M)[1])


@pytest.mark.dealt
@pytest.mark.parametrize("ranks", [n for n in (2, 3, 8) if n in RANKS])
@pytest.mark.parametrize("library", [CUDA, HIP])
def test_every_call_is_one_kernel_for_each_piece(mpi, build, fakes, ranks, library):
    """With host and device memory as each rank draws it, and ranks that are late."""
    turns = 40
    # Three to five pieces of 5 MiB: 8 bytes an element in turn 16, 4 in turn 32.
    assert kernels(mpi, build, fakes, ranks, turns, library=library) >= turns


def test_kernels_that_give_up_are_begun_again(mpi, build, fakes):
    """After one look at a flag: ranks that are late keep no device busy."""
    ranks = min(n for n in RANKS if n > 1)
    turns = 20
    assert kernels(mpi, build, fakes, ranks, turns, HOPBINE_TEST_PATIENCE="1") > 2 * turns


@pytest.mark.dealt
@pytest.mark.parametrize("words", [(), ("busy",)])
def test_a_device_that_runs_one_kernel_at_a_time(mpi, build, fakes, tmp_path, words):
    """A kernel that waits has to end before that of the awaited rank can begin.

    With `busy`, kernels of the program's own keep the device, too.
    """
    ranks = max(n for n in RANKS if n < 5)
    turns = 12
    env = {"HOPBINE_TEST_RESIDENT": tmp_path / "device", "HOPBINE_TEST_PATIENCE": "200"}
    assert kernels(mpi, build, fakes, ranks, turns, *words, **env) > turns


#: The collectives that have kernels.
BY_KERNELS = ("bcast", "reduce", "allreduce", "allgather", "reduce_scatter", "alltoall")
#: Ranks of a node, of an even and an odd number.
OF_NODE = [n for n in (2, 3, 8) if n in RANKS]


def walk(mpi, build, fakes, ranks, *flags, library=CUDA, **env):
    """Kernels of a node's ranks that rank 0 has begun in `walk`, of one algorithm each."""
    plans = set(SERVED.split(","))
    names = [
        walked(a, a["name"], ranks)
        for a in fitting(ranks)
        if a["collective"] in BY_KERNELS and f"{a['collective']}={a['name']}" in plans
    ]
    assert len(names) == len(BY_KERNELS)
    program = takes_device_memory(mpi, build, *flags)
    command = ["env", *(f"{name}={value}" for name, value in env.items()), program, *names]
    options = ("--gpu-peers", "1")
    done = passed(served(mpi, fakes, "direct", *options, *command, ranks=ranks, library=library))
    if "this build has no kernels" in done.stderr:
        pytest.skip("no kernels were built")
    return int(re.search(r"^kernels of a node: (\d+)$", done.stdout, re.M)[1])


@pytest.mark.dealt
@pytest.mark.parametrize("ranks", OF_NODE)
@pytest.mark.parametrize("library", [CUDA, HIP])
def test_every_collective_with_buffers_wherever_they_are(mpi, build, fakes, ranks, library):
    """In place, of all roots, uneven, with gaps; the MPI library makes the same calls."""
    assert walk(mpi, build, fakes, ranks, library=library) >= 4 * len(BY_KERNELS)


@pytest.mark.dealt
def test_every_collective_in_several_pieces(mpi, build, fakes):
    """Pieces of 5 MiB, in shares, by kernels that give up when ranks are late."""
    ranks = min(OF_NODE)
    patience = {"HOPBINE_TEST_PATIENCE": "50"}
    assert walk(mpi, build, fakes, ranks, "-DLARGE=1500000", **patience) > 2 * len(BY_KERNELS)


enough = pytest.mark.skipif(max(RANKS) < 8, reason="needs eight ranks")


def on_nodes(mpi, fakes, ranks, node, *command, library=CUDA, **env):
    """Runs a job that pretends that rank R is on the node of a number, such as R / 2."""
    command = by_rank(f"export HOPBINE_NODE=n$(({node}))", *UNDER, *command)
    env |= {"HOPBINE_TEST_DEVICE": str(fakes / library)}
    done = passed(mpi.run(ranks, *command, env=env, timeout=240))
    if "this build has no kernels" in done.stderr:
        pytest.skip("no kernels were built")
    return done


def kernels_on_nodes(mpi, build, fakes, ranks, node, *words, **keys):
    """Kernels that rank 0 has begun in node_allreduce."""
    program = build(mpi, "node_allreduce", flags=(str(PROGRAMS / "aware_messages.c"), "-rdynamic"))
    command = ("--gpu", "direct", "--gpu-peers", "1", program, *words)
    done = on_nodes(mpi, fakes, ranks, node, *command, **keys)
    return int(re.search(r"^kernels: (\d+)$", done.stdout, re.M)[1])


@enough
@pytest.mark.dealt
@pytest.mark.parametrize(
    ("nodes", "each", "library"), [(2, 2, CUDA), (2, 3, HIP), (3, 2, HIP), (2, 4, CUDA)]
)
def test_an_allreduce_of_several_nodes_is_two_kernels_in_each(
    mpi, build, fakes, nodes, each, library
):
    """Beside calls of a node's ranks, by the same arena, and of communicators that come and go."""
    turns = 12
    words = (nodes * each, f"R / {each}", str(turns), str(each))
    assert kernels_on_nodes(mpi, build, fakes, *words, library=library) >= 2 * turns


@enough
@pytest.mark.dealt
def test_ranks_that_are_dealt_to_nodes_in_turns(mpi, build, fakes):
    turns = 12
    assert kernels_on_nodes(mpi, build, fakes, 6, "R % 3", str(turns)) >= 2 * turns


@enough
@pytest.mark.dealt
def test_kernels_of_one_node_that_give_up_wait_for_the_others(mpi, build, fakes):
    turns = 12
    env = {"HOPBINE_TEST_PATIENCE": "1"}
    assert kernels_on_nodes(mpi, build, fakes, 4, "R / 2", str(turns), "2", **env) > 4 * turns


@enough
@pytest.mark.dealt
def test_a_device_of_each_node_that_runs_one_kernel_at_a_time(mpi, build, fakes, tmp_path):
    turns = 6
    env = {"HOPBINE_TEST_RESIDENT": str(tmp_path / "device"), "HOPBINE_TEST_PATIENCE": "200"}
    assert kernels_on_nodes(mpi, build, fakes, 4, "R / 2", str(turns), **env) > 2 * turns


@enough
@pytest.mark.dealt
@pytest.mark.parametrize(("ranks", "node"), [(5, "R / 3"), (3, "R")])
def test_nodes_of_unequal_numbers_or_of_one_rank_have_no_kernels(mpi, build, fakes, ranks, node):
    assert kernels_on_nodes(mpi, build, fakes, ranks, node, "6") == 0


def shown_in_a_job(job, shown):
    """What the choice takes depends on what calls took on this machine: one job in three may do."""
    said = []
    for _ in range(3):
        done = job()
        if all(shown(done.stdout, comm) for comm in ("world", "duplicate")):
            return
        said.append(done.stdout + done.stderr)
    pytest.fail("\n".join(said))


@enough
@pytest.mark.dealt
@pytest.mark.parametrize("library", [CUDA, HIP])
def test_the_choice_tries_kernels_for_long_vectors_of_several_nodes(mpi, build, fakes, library):
    """Half of the data is copied. The fake kernels are too slow to serve for long."""
    program = build(mpi, "kernel_turns", flags=("-DN=1000000", "-DLASTING=1"))
    words = (mpi, fakes, 4, "R / 2", program, "200", "1")
    shown_in_a_job(
        lambda: on_nodes(*words, library=library, HOPBINE_TEST_SLOW="copies:20000"),
        lambda text, comm: f"allreduce on {comm}: gpu_kernels\n" in text,
    )


@pytest.mark.dealt
@pytest.mark.parametrize(("library", "ranks"), [(CUDA, 2), (HIP, 3)])
def test_the_choice_has_kernels_serve_where_that_pays(mpi, build, fakes, library, ranks):
    """Copies take ten times as long as kernels, and the MPI library takes no GPU memory."""
    if ranks not in RANKS:
        pytest.skip(f"{ranks} ranks are not asked for")
    env = {
        "HOPBINE_TEST_DEVICE": str(fakes / library),
        "HOPBINE_TEST_SLOW": "copies:20000",
        "HOPBINE_TEST_ROOM": "65536",
    }
    program = build(mpi, "kernel_turns")

    def job():
        done = passed(mpi.hopbine(ranks, program, "200", env=env, timeout=240))
        if "this build has no kernels" in done.stderr:
            pytest.skip("no kernels were built")
        return done

    shown_in_a_job(job, lambda text, comm: text.count(f" on {comm}: gpu_kernels\n") >= 3)


@pytest.mark.dealt
@pytest.mark.parametrize("ranks", OF_NODE)
@pytest.mark.parametrize("library", [CUDA, HIP])
def test_every_persistent_call_with_buffers_wherever_they_are(
    served_mpi, build, fakes, ranks, library
):
    """Requests that are made and freed one after the other."""
    flags = ("-DFORM_PERSISTENT",)
    assert walk(served_mpi, build, fakes, ranks, *flags, library=library) > len(BY_KERNELS)


def requests(mpi, build, folder, ranks, *options, rounds=12, library=CUDA, seed=1, **env):
    """What node_requests prints of rank 0: kernels, graphs, bytes."""
    program = build(mpi, "node_requests", flags=(str(PROGRAMS / "aware_messages.c"), "-rdynamic"))
    env |= {"HOPBINE_TEST_DEVICE": str(folder / library), "HOPBINE_TEST_SEED": str(seed)}
    done = passed(mpi.hopbine(ranks, *options, program, str(rounds), env=env, timeout=240))
    if "this build has no kernels" in done.stderr:
        pytest.skip("no kernels were built")
    found = dict(re.findall(r"^([a-z ]+): (\d+)$", done.stdout, re.M))
    return {name: int(n) for name, n in found.items()} | {"said": done.stderr}


#: Blocking calls are kernels too, of another arena.
ASKED = ("--gpu", "direct", "--gpu-peers", "1000", "--algorithm", "allreduce=recursive_doubling")


@pytest.mark.dealt
@pytest.mark.parametrize("ranks", [n for n in (2, 3, 5) if n in RANKS])
@pytest.mark.parametrize("library", [CUDA, HIP])
def test_requests_that_are_started_in_any_order(served_mpi, build, fakes, ranks, library):
    """Beside blocking and nonblocking calls, by late ranks, on buffers wherever they are.

    They are freed and made anew in other orders on each rank.
    """
    for seed in (1, 2, 3):
        keys = {"library": library, "seed": seed}
        found = requests(served_mpi, build, fakes, ranks, *ASKED, **keys)
        assert found["graphs"] > 12


@pytest.mark.parametrize("asked", [True, False])
def test_statistics_tell_of_requests_that_are_kernels(served_mpi, build, fakes, asked, tmp_path):
    """`auto` leaves them staged."""
    stats = tmp_path / "stats.json"
    options = (*(ASKED if asked else ()), "--stats", str(stats))
    found = requests(served_mpi, build, fakes, min(3, max(RANKS)), *options)
    rows = [r for r in json.loads(stats.read_text())["rows"] if r["form"] == "persistent"]
    kernels = [r for r in rows if r["algorithm"] == "gpu_kernels"]
    assert rows
    assert bool(kernels) == (found["graphs"] > 12) == asked
    assert all(r["reason"] == "persistent: GPU memory" and r["calls"] > 0 for r in kernels)


@pytest.mark.dealt
def test_kernels_of_requests_that_give_up_are_begun_again(served_mpi, build, fakes):
    """After one look at a flag, beside the graphs that begin each turn."""
    ranks = min(n for n in RANKS if n > 1)
    found = requests(served_mpi, build, fakes, ranks, *ASKED, HOPBINE_TEST_PATIENCE="1")
    assert found["kernels"] > found["graphs"] > 12


@pytest.mark.dealt
def test_requests_on_a_device_that_runs_one_kernel_at_a_time(served_mpi, build, fakes, tmp_path):
    env = {"HOPBINE_TEST_RESIDENT": str(tmp_path / "device"), "HOPBINE_TEST_PATIENCE": "200"}
    ranks = max(n for n in RANKS if n < 5)
    found = requests(served_mpi, build, fakes, ranks, *ASKED, rounds=6, **env)
    assert found["graphs"] > 6


@pytest.mark.dealt
def test_requests_of_a_driver_without_graphs(served_mpi, build, tmp_path):
    """Each start begins the kernel."""
    shared = ("-shared", "-fPIC", f"-Wl,-soname,{CUDA}", "-lpthread", "-DWITHOUT_GRAPHS")
    sources = [one for one in sorted(FAKE.glob("*.c")) if one.stem != "hiprtc"]
    cc("cc", "-O1", "-Wall", *sources, *shared, "-o", tmp_path / CUDA)
    found = requests(served_mpi, build, tmp_path, min(OF_NODE), *ASKED)
    assert found["graphs"] == 0
    assert found["kernels"] > 24


@pytest.mark.dealt
def test_the_memory_of_requests_is_bounded_and_used_again(served_mpi, build, fakes):
    """Requests that find none are staged, on all ranks."""
    most = 5 << 20
    env = {"HOPBINE_TEST_REQUEST_BYTES": str(most)}
    options = (*ASKED[:-1], "allreduce=mpi")  # blocking calls need no arena
    found = requests(served_mpi, build, fakes, min(OF_NODE), *options, rounds=90, **env)
    assert 2 << 20 <= found["bytes"] <= most
    assert found["graphs"] > 40


@pytest.mark.dealt
@pytest.mark.parametrize("how", ["unmade", "refused", "other"])
def test_requests_are_staged_where_ranks_cannot_share_memory(served_mpi, build, fakes, how):
    found = requests(served_mpi, build, fakes, min(OF_NODE), *ASKED, HOPBINE_TEST_OPEN=how)
    assert found["kernels"] == found["graphs"] == 0
    assert found["said"].count("; persistent calls are staged\n") == 1
