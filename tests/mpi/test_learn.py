"""What a job measured serves the next one from its first call (--learn)."""

import json
import subprocess

import pytest
from conftest import RANKS, UNDER, by_rank, passed

from hopbine.cli import main
from hopbine.selection.file import Rule, read, write

THREE = [n for n in RANKS if n > 2][:1]
#: Calls of a kind in one job after the other until enough was learned: what pays depends on times.
ENOUGH = (800, 3200, 6400)
#: A rule that no measuring and no counting would come to.
ODD = Rule("alltoall", "bruck", {"k": 3})


def job(mpi, build, ranks, calls, *options, env=None, script=None):
    """A job of measured.c whose answers were right."""
    program = (build(mpi, "measured", flags=("-ldl",)), str(calls))
    if script:
        done = mpi.run(ranks, *by_rank(script, *UNDER, *options, *program), env=env)
    else:
        done = mpi.hopbine(ranks, *options, *program, env=env)
    passed(done)
    return done


def kept(learned):
    """The rules of a file, which jobs that learned nothing do not make."""
    return read(learned) if learned.exists() else []


def rows_of(stats):
    return json.loads(stats.read_text())["rows"]


def served(stats, collective, ranks):
    """Who served a collective on so many ranks, with the number of calls."""
    return {
        r["algorithm"]: r["calls"]
        for r in rows_of(stats)
        if (r["collective"], r["comm_size"]) == (collective, ranks)
    }


@pytest.mark.parametrize("ranks", THREE)
def test_the_next_job_begins_with_what_one_has_measured(mpi, build, tmp_path, ranks):
    learned, stats = tmp_path / "l.json", tmp_path / "s.json"
    for calls in ENOUGH:
        job(mpi, build, ranks, calls, "--learn", str(learned))
        if rules := kept(learned):
            break
    assert all(r.ranks[0] == r.ranks[1] and r.placement and r.measured for r in rules)
    assert all(r.mpi and r.machine and r.processor and r.transport and r.cores for r in rules)
    assert rules
    assert main(["select", "validate", str(learned)]) == 0
    before = learned.read_text()
    job(mpi, build, ranks, 6, "--learn", str(learned), "--stats", str(stats))
    known = {(r.collective, size, r.ranks[0]): r.algorithm for r in rules for size in r.measured}
    rows = [r for r in rows_of(stats) if r["comm_size"] > 1 and r["bytes_class"]]
    found = 0
    for row in rows:
        kind = (row["collective"], row["bytes_class"][1], row["comm_size"])
        # The program itself makes allreduces, and many allgathers at its end.
        # A short job may measure too, and choose anew.
        anew = row["reason"].startswith(("takes turns to be measured", "measured: "))
        if kind in known and not anew and row["collective"] not in ("allreduce", "allgather"):
            begins = row["reason"].startswith(f"learned in {learned}: ")
            assert row["algorithm"] == (known[kind] if begins else "mpi"), row
            found += begins
    assert found
    # Six calls teach nothing new of most kinds; what was known stays.
    assert len(learned.read_text()) >= len(before) * 0.9


@pytest.mark.parametrize("ranks", THREE)
def test_a_learned_rule_serves_the_first_call(mpi, build, tmp_path, ranks):
    learned, stats = tmp_path / "l.json", tmp_path / "s.json"
    write(learned, [ODD], "by hand")
    job(mpi, build, ranks, 1, "--learn", str(learned), "--stats", str(stats))
    assert served(stats, "alltoall", ranks) == {"bruck": 1}
    assert "learned in" in stats.read_text()


@pytest.mark.parametrize("ranks", THREE)
def test_a_learned_rule_is_questioned(mpi, build, tmp_path, ranks):
    learned, stats = tmp_path / "l.json", tmp_path / "s.json"
    write(learned, [ODD], "by hand")
    job(mpi, build, ranks, 300, "--learn", str(learned), "--stats", str(stats))
    assert served(stats, "alltoall", ranks).get("mpi"), "the library was never compared"


@pytest.mark.parametrize("ranks", THREE)
def test_other_placements_and_libraries_have_rules_of_their_own(mpi, build, tmp_path, ranks):
    learned, stats = tmp_path / "l.json", tmp_path / "s.json"
    options = ("--learn", str(learned), "--stats", str(stats))
    for words in ({"placement": f"{ranks}x1"}, {"mpi": "another"}, {"machine": "another"}):
        write(learned, [Rule(**vars(ODD) | words)], "by hand")
        job(mpi, build, ranks, 1, *options)
        assert "bruck" not in served(stats, "alltoall", ranks), words
    rule = Rule(**vars(ODD) | {"placement": f"{ranks}x1", "machine": "mine"})
    write(learned, [rule], "by hand")
    node = "export HOPBINE_NODE=n$R HOPBINE_GROUP=g HOPBINE_SYSTEM=dir/mine.toml"
    job(mpi, build, ranks, 1, *options, script=node)
    assert served(stats, "alltoall", ranks) == {"bruck": 1}


@pytest.mark.parametrize("ranks", THREE)
def test_what_rank_0_reads_counts_for_all(mpi, build, tmp_path, ranks):
    learned, stats = tmp_path / "l.json", tmp_path / "s.json"
    write(learned, [ODD], "by hand")
    write(tmp_path / "other.json", [Rule("alltoall", "linear")], "of another rank")
    script = (
        f"export HOPBINE_LEARN={learned}; [ $R = 1 ] && HOPBINE_LEARN={tmp_path}/other.json; "
        "[ $R = 2 ] && HOPBINE_LEARN=/no/such/folder/l.json"
    )
    job(mpi, build, ranks, 1, "--stats", str(stats), script=script)
    assert served(stats, "alltoall", ranks) == {"bruck": 1}


@pytest.mark.dealt
@pytest.mark.parametrize("ranks", [n for n in RANKS if n > 4][:1])
def test_communicators_without_rank_0_are_learned_too(mpi, build, tmp_path, ranks):
    learned = tmp_path / "l.json"
    wanted = {ranks, ranks // 2}  # the odd ranks' communicator has not rank 0
    for calls in ENOUGH:
        job(mpi, build, ranks, calls, "--learn", str(learned))
        if (known := {r.ranks[0] for r in kept(learned)}) >= wanted:
            break
    assert known >= wanted


@pytest.mark.parametrize("ranks", THREE)
def test_jobs_that_end_at_once_keep_what_both_learned(mpi, build, tmp_path, ranks):
    learned = tmp_path / "l.json"
    program = build(mpi, "measured", flags=("-ldl",))
    known = set()
    for calls in ENOUGH:
        jobs = [
            subprocess.Popen(
                [
                    *(mpi.mpiexec, "-n", str(ranks)),
                    *by_rank(f"export HOPBINE_NODE={node}", *UNDER, "--learn", str(learned)),
                    *(program, str(calls)),
                ],
                env=mpi.environment(ranks),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            )
            for node in ("n", "n$R")
        ]
        assert [one.wait(timeout=300) for one in jobs] == [0, 0]
        before, known = known, {r.placement for r in kept(learned)}
        assert known >= before
        if known >= {f"1x{ranks}", f"{ranks}x1"}:
            break
    assert known >= {f"1x{ranks}", f"{ranks}x1"}
    assert [f.name for f in tmp_path.iterdir()] == ["l.json"]


@pytest.mark.parametrize("ranks", THREE)
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a letter", "expected"),
        ('{"hopbine_rules": 1,\n"rules": [{"collective": "bcast", "algorithm": "x"}]}', ":2:"),
        ('{"hopbine_rules": 7, "rules": []}', "version 7"),
        ('{"hopbine_rules": 1, "rules": [{"collective": "bcast"', "expected"),
    ],
)
def test_a_file_that_is_no_such_file_is_told_and_left(mpi, build, tmp_path, ranks, text, why):
    learned = tmp_path / "l.json"
    learned.write_text(text)
    done = job(mpi, build, ranks, 30, "--learn", str(learned))
    said = [line for line in done.stderr.splitlines() if str(learned) in line]
    assert len(said) == 1, done.stderr
    assert why in said[0]
    assert learned.read_text() == text


@pytest.mark.parametrize("ranks", THREE)
def test_a_learned_algorithm_that_does_not_serve_these_calls_does_not(mpi, build, tmp_path, ranks):
    learned, stats = tmp_path / "l.json", tmp_path / "s.json"
    wrong = [
        Rule("reduce_scatter", "recursive_halving"),
        Rule("allgather", "ring", numbering="rotated by 77"),
        Rule("allreduce", "ring", numbering="by group"),
        Rule("alltoall", "bruck", {"k": 900}),
        Rule("bcast", "chain", {"segments": 4096}),
    ]
    write(learned, wrong, "by hand")
    job(mpi, build, ranks, 60, "--learn", str(learned), "--stats", str(stats))


@pytest.mark.parametrize("ranks", THREE)
def test_a_file_that_cannot_be_written_is_told_before_the_program_runs(mpi, build, ranks):
    done = job(mpi, build, ranks, 1, "--learn", "/no/such/folder/l.json")
    assert done.stderr.count("what is learned will be lost: /no/such/folder/l.json: ") == 1


@pytest.mark.parametrize("ranks", THREE)
def test_nothing_is_learned_where_nothing_is_measured(mpi, build, tmp_path, ranks):
    learned, stats = tmp_path / "l.json", tmp_path / "s.json"
    write(learned, [ODD], "by hand")
    before = learned.read_text()
    env = {"HOPBINE_LEARN": str(learned)}
    job(mpi, build, ranks, 300, "--reproducible", "--stats", str(stats), env=env)
    assert learned.read_text() == before
    assert "learned in" not in stats.read_text()
    done = mpi.hopbine(1, "--learn", str(learned), "--choice", "count", "true")
    assert done.returncode == 2
    assert "--learn needs --choice measure" in done.stderr
