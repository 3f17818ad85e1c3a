"""Messages that GPUs of a node copy from one another's memory, on fake devices."""

import re

import pytest
from conftest import CUDA, FAKE, HIP, PROGRAMS, RANKS, by_rank, cc, header, passed, progresses
from test_device import MOST, served, takes_device_memory
from test_registry import fitting, walked

pytestmark = pytest.mark.skipif(MOST < 2, reason="needs two ranks")


@pytest.fixture(autouse=True)
def no_kernels_of_a_node(monkeypatch):
    """Plans serve all calls: tests/mpi/test_node_collectives.py has the kernels."""
    monkeypatch.setenv("HOPBINE_TEST_PATIENCE", "0")


#: Bytes from which on messages are announced in most of the tests.
LEAST = 1000
OF_RANKS = tuple(n for n in (2, 4, 8) if n in RANKS)


def peers(mpi, build, fakes, *arguments, least=LEAST, before="true", **keys):
    """Runs the program `peers`. `before`: a shell script of each rank, in which $R is the rank."""
    flags = (str(PROGRAMS / "aware_messages.c"), "-rdynamic")
    if "MPI_Bcast_init(" not in header(mpi):
        flags += ("-DWITHOUT_PERSISTENT",)
    program = by_rank(before, build(mpi, "peers", flags=flags), *map(str, arguments))
    return served(mpi, fakes, "direct", "--gpu-peers", str(least), *program, **keys)


def by_peers(done):
    """Bytes copied by devices and bytes sent by the MPI library, by the name of the calls."""
    found = re.findall(r"^([a-z ]+): (\d+) (\d+)$", passed(done).stdout, re.M)
    return {name: (int(copied), int(sent)) for name, copied, sent in found}


@pytest.mark.dealt
@pytest.mark.parametrize("ranks", OF_RANKS)
def test_messages_from_the_threshold_on_are_copied_by_the_devices(mpi, build, fakes, ranks):
    found = by_peers(peers(mpi, build, fakes, "counts", LEAST, ranks=ranks))
    others = ranks - 1
    assert found["below"] == (0, (LEAST - 1) * others)
    assert found["at"] == (LEAST * others, 0)
    assert found["above"] == ((3 * LEAST + 1) * others, 0)
    assert found["duplicate"] == (3 * LEAST * others, 0)
    # A receiver without device memory refuses, a sender without sends as ever.
    assert found["to the host"] == (0, 3 * LEAST * others)
    assert found["from the host"] == (0, 0)
    assert found["host"] == (0, 0)
    if ranks == 2:  # more than the workspace holds, and less
        assert found["too long"] == (0, 40 << 20)
        assert found["long"] == (30 << 20, 0)


def test_ranks_that_have_device_memory_late(mpi, build, fakes):
    """Ranks agree at calls 1, 2, 4 and 8."""
    done = passed(peers(mpi, build, fakes, "late", ranks=MOST))
    copied = re.findall(r"^call \d: (\d+)$", done.stdout, re.M)
    assert copied == ["0"] * 7 + [str(65536 * (MOST - 1))] * 2


@pytest.mark.dealt
@pytest.mark.parametrize("mode", ["outstanding", "persistent"])
@pytest.mark.parametrize("library", [CUDA, HIP])
def test_several_calls_at_once(mpi, build, fakes, mode, library):
    if not progresses(mpi) or "MPI_Bcast_init(" not in header(mpi):
        pytest.skip(f"{mpi.name} serves some of these forms itself")
    for seed in (1, 2):
        done = peers(mpi, build, fakes, mode, 20, ranks=MOST, library=library, seed=seed)
        copied, sent = by_peers(done)["all"]
        assert copied > 0
        assert sent > 0  # below the threshold, and refused


@pytest.mark.dealt
@pytest.mark.parametrize(("least", "library"), [(8, CUDA), (100, HIP)])
def test_every_algorithm_with_peers(mpi, build, fakes, least, library):
    """Host, device and managed memory, as each rank draws it."""
    ranks = min(MOST if mpi.is_openmpi else 3, MOST)  # MPICH waits by spinning
    names = [walked(a, a["name"], ranks) for a in fitting(ranks)]
    walk(mpi, build, fakes, *names, least=least, library=library, ranks=ranks)


def walk(mpi, build, fakes, *names, flags=(), least=64, **keys):
    """Runs `walk`, and asserts that there were peers."""
    program = takes_device_memory(mpi, build, *flags)
    done = passed(served(mpi, fakes, "direct", "--gpu-peers", str(least), program, *names, **keys))
    copied = re.search(r"^copied from other processes' memory: (\d+) bytes$", done.stdout, re.M)
    assert copied
    assert int(copied[1]) > 0


def test_an_algorithm_on_several_channels_with_peers(mpi, build, fakes):
    """Swing on a torus: its messages are copied as others are."""
    ranks = max(OF_RANKS)
    names = [walked(a, a["name"], ranks) for a in fitting(ranks) if a["name"] == "swing"]
    assert names
    walk(mpi, build, fakes, *names, ranks=ranks)


@pytest.mark.dealt
@pytest.mark.parametrize(("form", "library"), [("NONBLOCKING", HIP), ("PERSISTENT", CUDA)])
def test_every_algorithm_with_peers_in_other_forms(mpi, build, fakes, form, library):
    if not progresses(mpi) or "MPI_Bcast_init(" not in header(mpi):
        pytest.skip(f"{mpi.name} serves some of these forms itself")
    names = [walked(a, a["name"], 2) for a in fitting(2)]
    walk(mpi, build, fakes, *names, flags=(f"-DFORM_{form}",), ranks=2, library=library)


def test_long_vectors_with_peers(mpi, build, fakes):
    """Data that arrives in chunks on other ranks; several messages in the workspace at once."""
    ranks = min(3, MOST)
    names = [walked(a, a["name"], ranks) for a in fitting(ranks)[::3]]
    walk(mpi, build, fakes, *names, flags=("-DLARGE=200000",), ranks=ranks, seed=3)


@pytest.mark.dealt
@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("unmade", "the GPU's memory cannot be given to other processes"),
        ("refused", "the GPU memory of rank 0 cannot be opened here"),
        ("other", "the GPU memory of rank 0 has other data here"),
    ],
)
def test_a_rank_that_cannot_share_memory_is_no_peer(mpi, build, fakes, how, said):
    before = f'[ "$R" != 1 ] || export HOPBINE_TEST_OPEN={how}'
    done = peers(mpi, build, fakes, "counts", LEAST, ranks=MOST, before=before)
    found = by_peers(done)
    assert f"{said}\n" in done.stderr
    # Rank 2 is the root: its message to rank 1 alone is not copied by the device.
    if MOST > 2:
        assert found["at"] == (LEAST * (MOST - 2), LEAST)
    else:
        assert found["at"] == (0, LEAST)


@pytest.mark.dealt
def test_a_driver_without_handles_is_told_by_a_line(mpi, build, tmp_path):
    shared = ("-shared", "-fPIC", f"-Wl,-soname,{CUDA}", "-lpthread", "-DWITHOUT_HANDLES")
    cc("cc", "-O1", "-Wall", *sorted(FAKE.glob("*.c")), *shared, "-o", tmp_path / CUDA)
    done = peers(mpi, build, tmp_path, "counts", LEAST, ranks=2)
    assert by_peers(done)["at"] == (0, LEAST)
    assert done.stderr.count("the GPU's driver has no handles of memory\n") == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--gpu-peers", "64"), "--gpu-peers needs --gpu direct"),
        (
            ("--gpu", "direct", "--gpu-peers", "0"),
            "--gpu-peers: '0' is not a number of bytes from 1 to 1099511627776",
        ),
        (
            ("--gpu", "direct", "--gpu-peers", "64K"),
            "--gpu-peers: '64K' is not a number of bytes from 1 to 1099511627776",
        ),
    ],
)
def test_wrong_thresholds_are_refused(mpi, build, options, said):
    done = mpi.hopbine(1, *options, build(mpi, "walk"))
    assert done.returncode == 2
    assert said in done.stderr
