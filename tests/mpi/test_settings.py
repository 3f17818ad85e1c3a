"""Settings and their errors, inside a running job."""

import json
import subprocess

import pytest
from conftest import UNDER, by_rank, passed


def run(mpi, build, tmp_path, *options, env=None, ranks=4):
    """Statistics rows by collective, and the job."""
    stats = tmp_path / "stats.json"
    done = mpi.hopbine(ranks, "--stats", str(stats), *options, build(mpi, "sums"), env=env)
    assert f"sum {ranks} last {ranks - 1}" in done.stdout, done.stderr
    return {r["collective"]: r for r in json.loads(stats.read_text())["rows"]}, done


def test_statistics_tell_what_served(mpi, build, tmp_path):
    rows, _ = run(
        mpi, build, tmp_path, "--algorithm", "allreduce=bine_large:segment=64,allgather=mpi"
    )
    assert rows["allreduce"]["algorithm"] == "bine_large"
    assert rows["allreduce"]["parameters"] == {"segment": 64}
    assert rows["allreduce"]["calls"] == 10
    assert rows["allreduce"]["bytes"] == 40
    assert rows["allreduce"]["bytes_class"] == [3, 4]
    assert rows["allreduce"]["seconds"] > 0
    assert rows["allreduce"]["served_by"] == "hopbine"
    assert rows["allgather"]["served_by"] == "mpi"
    assert rows["allgather"]["bytes"] == 16


def test_statistics_count_calls_whose_types_differ(mpi, build, tmp_path):
    """MPI_Alltoallw, which hopbine does not serve, in its blocking and its nonblocking form."""
    stats = tmp_path / "stats.json"
    passed(mpi.hopbine(3, "--stats", str(stats), build(mpi, "alltoallw")))
    rows = {
        r["form"]: r
        for r in json.loads(stats.read_text())["rows"]
        if r["collective"] == "alltoallw"
    }
    assert {form: (r["calls"], r["bytes"], r["served_by"]) for form, r in rows.items()} == {
        "blocking": (2, 2 * (4 + 8 + 4), "mpi"),
        "nonblocking": (1, 4 + 8 + 4, "mpi"),
    }
    assert rows["blocking"]["seconds"] > 0
    assert all("types" in r["reason"] for r in rows.values())


def test_a_rules_file_decides(mpi, build, tmp_path):
    rules = tmp_path / "rules.json"
    rules.write_text(
        json.dumps(
            {
                "hopbine_rules": 1,
                "rules": [
                    {"collective": "allreduce", "bytes": [5, None], "algorithm": "ring"},
                    {
                        "collective": "allreduce",
                        "ranks": [2, 4],
                        "algorithm": "recursive_doubling",
                        "note": "small",
                    },
                ],
            }
        )
    )
    rows, _ = run(mpi, build, tmp_path, "--rules", str(rules))
    assert rows["allreduce"]["algorithm"] == "recursive_doubling"
    assert str(rules) in rows["allreduce"]["reason"]


def test_an_unfit_rule_is_reported_once_and_the_library_serves(mpi, build, tmp_path):
    rows, done = run(mpi, build, tmp_path, "--algorithm", "allgather=bine_permute", ranks=3)
    assert rows["allgather"]["served_by"] == "mpi"
    assert "power of two, not p = 3" in rows["allgather"]["reason"]
    assert done.stderr.count("serves p power of two") == 1


def test_a_malformed_file_inside_the_job_lets_the_library_serve(mpi, build, tmp_path):
    """hopbine run refuses such a file; a job started by LD_PRELOAD alone must survive it."""
    from hopbine import LIBRARY_FOLDER

    rules = tmp_path / "rules.json"
    rules.write_text(
        '{"hopbine_rules": 1,\n "rules": [{"collective": "allreduce", "algorithm": }]}'
    )
    done = mpi.run(
        4,
        "env",
        f"LD_PRELOAD={LIBRARY_FOLDER}/libhopbine_preload.so",
        f"HOPBINE_RULES={rules}",
        build(mpi, "sums"),
    )
    assert done.returncode == 0
    assert "sum 4 last 3" in done.stdout
    assert done.stderr.count(f"{rules}:2:53: expected a value") == 1


def test_settings_that_differ_between_ranks_do_not_hang(mpi, build, tmp_path):
    from hopbine import LIBRARY_FOLDER

    script = 'if [ "$R" = 1 ]; then export HOPBINE_ALGORITHM=allreduce=ring; fi'
    done = mpi.run(
        4,
        "env",
        f"LD_PRELOAD={LIBRARY_FOLDER}/libhopbine_preload.so",
        *by_rank(script, build(mpi, "sums")),
        timeout=60,
    )
    assert done.returncode == 0
    assert "sum 4 last 3" in done.stdout
    assert done.stderr.count("settings differ between ranks") == 1


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "{path}: cannot be read as a rules file: No such file or directory"),
        ('{"hopbine_rules": 3, "rules": []}', "{path}:1:19: is version 3 of rules files"),
        ('{"hopbine_rules": 1, "rules": [{"collective": "allreduce", "algorithm": "ring"}]}', ""),
    ],
)
def test_a_file_that_one_rank_cannot_use_is_used_by_none(mpi, build, tmp_path, content, says):
    """A missing file, one of another version, or another file.

    It is reported once, and the job continues with the MPI library's algorithms.
    """
    from hopbine import LIBRARY_FOLDER

    good, bad, stats = tmp_path / "good.json", tmp_path / "bad.json", tmp_path / "stats.json"
    good.write_text(
        '{"hopbine_rules": 1, "rules": [{"collective": "allreduce", "algorithm": '
        '"recursive_doubling"}]}'
    )
    if content is not None:
        bad.write_text(content)
    script = (
        f'if [ "$R" = 2 ]; then export HOPBINE_RULES={bad}; else export HOPBINE_RULES={good}; fi'
    )
    done = mpi.run(
        3,
        "env",
        f"LD_PRELOAD={LIBRARY_FOLDER}/libhopbine_preload.so",
        f"HOPBINE_STATS={stats}",
        *by_rank(script, build(mpi, "sums")),
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "sum 3 last 2" in done.stdout, done.stderr
    assert done.stderr.count("settings differ between ranks") == 1
    assert done.stderr.count("rank 2 on ") == bool(says)
    assert says.format(path=bad) in done.stderr
    assert all(
        row["served_by"] == "mpi" and row["reason"] == "settings differ between ranks"
        for row in json.loads(stats.read_text())["rows"]
    )


def test_rules_may_ask_where_the_ranks_are(mpi, build, tmp_path):
    """Three ranks on two nodes: 2 + 1."""
    rules = tmp_path / "rules.json"
    rules.write_text(
        json.dumps(
            {
                "hopbine_rules": 1,
                "rules": [
                    {"collective": "allreduce", "nodes": [1, 1], "algorithm": "ring"},
                    {
                        "collective": "allreduce",
                        "ranks_per_node": [1, 1],
                        "algorithm": "rabenseifner",
                    },
                    {
                        "collective": "allreduce",
                        "nodes": [2, 2],
                        "ranks_per_node": [2, 2],
                        "algorithm": "bine_small",
                    },
                    {"collective": "allgather", "algorithm": "ring"},
                ],
            }
        )
    )
    for names, serves in (("a a b", "bine_small"), ("a a a", "ring"), ("a b c", "rabenseifner")):
        script = (
            f'set -- {names} "$@"; eval "HOPBINE_NODE=\\${{$((R + 1))}}"; export HOPBINE_NODE; '
            "shift 3"
        )
        stats = tmp_path / "stats.json"
        options = ["--rules", str(rules), "--stats", str(stats)]
        done = mpi.run(3, *by_rank(script, *UNDER, *options, build(mpi, "sums")))
        assert "sum 3 last 2" in done.stdout, done.stderr
        assert {r["collective"]: r["algorithm"] for r in json.loads(stats.read_text())["rows"]} == {
            "allreduce": serves,
            "allgather": "ring",
        }


def test_the_preload_is_harmless_without_mpi(mpi, build, tmp_path):
    done = mpi.hopbine(2, "sh", "-c", "echo fine")
    assert done.stdout.count("fine") == 2
    assert done.stderr == ""


def test_hopbine_run_before_the_launcher(mpi, build, tmp_path):
    """The description is read once; each rank finds the group of its node by itself."""
    machine, stats = tmp_path / "m.csv", tmp_path / "stats.json"
    machine.write_text("host,group\nn0,west\nn1,east\nn2,east\nn3,west\n")
    options = ("--system", str(machine), "--stats", str(stats))
    ranks = by_rank("export HOPBINE_NODE=n$R", build(mpi, "sums"))
    done = subprocess.run(
        [*UNDER, *options, mpi.mpiexec, "-n", "4", *ranks],
        capture_output=True,
        text=True,
        timeout=120,
        env=mpi.environment(4),
    )
    assert done.returncode == 0, done.stderr
    assert "sum 4 last 3" in done.stdout
    assert "hopbine" not in done.stderr
    assert json.loads(stats.read_text())["groups"] == ["west", "east", "east", "west"]


def test_a_node_without_a_group_is_reported(mpi, build, tmp_path):
    """Where hopbine run stands before the launcher, ranks find out when the job has begun."""
    env = mpi.environment(2) | {"HOPBINE_GROUPS": "a=elsewhere"}
    command = [*UNDER, mpi.mpiexec, "-n", "2", build(mpi, "sums")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=env)
    assert done.returncode == 0, done.stderr
    assert "is in none of the groups of HOPBINE_GROUPS" in done.stderr
    assert "groups are not used" in done.stderr
