"""What the kernel counts on links between groups is what hopbine counts from its schedules."""

import json
import shutil

import pytest

#: Bounds of the ratio of bytes; MPI libraries add headers of their own.
LOW, HIGH = 0.999, 1.03
SIZE, CALLS = 256 << 10, 20


def links(path):
    """The rows of --json, by name."""
    return {row["link"]: row for row in json.loads(path.read_text())["links"]}


def test_bytes_agree_with_hopbines_count(user, mpi, tmp_path):
    out = tmp_path / "links.json"
    job = mpi.words(8, "hopbine", "run", "--choice", "count", mpi.calls, str(SIZE), str(CALLS))
    done = user.emulate("--groups", "3,3,2", "--rate", "200Mbit", "--json", str(out), "--", *job)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("seconds ")
    rows = links(out)
    assert set(rows) == {f"g{g} {way}" for g in range(3) for way in ("up", "down")} | {"all up"}
    for name, row in rows.items():
        assert LOW < row["ratio"] < HIGH, (name, row, done.stderr)
        assert row["bytes"] > row["payload"] > 0
    assert f"{rows['all up']['bytes']:,}" in done.stderr


def test_a_job_without_hopbine_is_counted_too(user, one_mpi, tmp_path):
    out = tmp_path / "links.csv"
    job = one_mpi.words(4, one_mpi.calls, str(SIZE), "4")
    done = user.emulate("--groups", "2,2", "--csv", str(out), "--", *job)
    assert done.returncode == 0, done.stderr
    lines = out.read_text().splitlines()
    assert lines[0] == "link,rate,bytes,packets,peak,payload,hopbine,ratio"
    assert [line.split(",")[0] for line in lines[1:]] == [
        *("g0 up", "g0 down", "g1 up", "g1 down", "all up")
    ]
    assert int(lines[1].split(",")[2]) >= 4 * SIZE


@pytest.mark.parametrize("delay", [None, "3ms"])
def test_latency_is_that_asked_for(user, mpi, delay):
    if delay and not any(map(shutil.which, ("iptables", "nft"))):
        pytest.skip("neither iptables nor nft is installed")
    words = ["--groups", "1,1", *(["--delay", delay] if delay else [])]
    done = user.emulate(*words, "--", *mpi.words(2, mpi.calls, "8", "50"))
    assert done.returncode == 0, done.stderr
    each = float(done.stdout.split()[1]) / 50
    if delay:
        assert 3e-3 < each < 9e-3  # an exchange, or there and back
    else:
        assert each < 3e-3


def test_hosts_of_a_torus_forward(user, mpi, tmp_path):
    out = tmp_path / "links.json"
    job = mpi.words(6, mpi.calls, str(SIZE), "4")
    done = user.emulate("--topology", "torus:2x3", "--json", str(out), "--", *job)
    assert done.returncode == 0, done.stderr
    assert len(links(out)) == 24
    assert sum(row["bytes"] > 0 for row in links(out).values()) > 6


def test_groups_of_a_described_machine(user, one_mpi):
    words = ["--machine", "leonardo", "--hosts", "fragmented:8", "--scale", "1/2000"]
    done = user.emulate(*words, "--", *one_mpi.words(8, "hostname"))
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.split()) == [f"h{host}" for host in range(8)]


def test_hosts_may_have_several_ranks(user, mpi):
    words = ["--groups", "2,2", "--ranks-per-host", "2"]
    done = user.emulate(*words, "--", *mpi.words(8, mpi.calls, "65536", "4"))
    assert done.returncode == 0, done.stderr
    assert float(done.stdout.split()[1]) < 2  # not spinning each other to a crawl


def test_benchmarks_of_several_ranks(user, mpi):
    """With the launcher's own library, wherever hopbine's programs were linked."""
    job = ("hopbine", "bench", "bcast", "--ranks", "5", "--mpiexec", mpi.mpiexec)
    options = ("--sizes", "8KiB", "--algorithms", "auto", "--repetitions", "2", "--timeout", "60")
    done = user.emulate("--groups", "3,2", "--", *job, *options)
    assert done.returncode == 0, done.stderr
    assert [row.split()[2] for row in done.stdout.splitlines()[1:]] == ["mpi:default", "auto"]


def test_as_many_hosts_as_there_may_be(user, one_mpi):
    job = one_mpi.words(64, "hostname")
    done = user.emulate("--groups", "16,16,16,16", "--rate", "20Mbit", "--", *job)
    assert done.returncode == 0, done.stderr
    assert len(set(done.stdout.split())) == 64
