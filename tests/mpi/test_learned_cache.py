"""What a job has measured is kept in the user's cache folder, without being asked for."""

import json
import re
import subprocess

import pytest
from conftest import RANKS, UNDER, by_rank
from test_learn import ODD, job, served

from hopbine import _core
from hopbine.selection.file import Rule, read, write

THREE = [n for n in RANKS if n > 2][:1]
NAME = f"hopbine/learned-{_core.version}.json"
#: Calls of measured.c that end the trials of most kinds.
MANY = 1600


def at(home, cache="", *more):
    """Shell: this home and cache folder on every rank, and nothing that says where to learn."""
    return f"export HOME={home} XDG_CACHE_HOME={cache} HOPBINE_LEARN=; " + "; ".join(more or [":"])


def run(mpi, build, ranks, calls, script, *options):
    """What hopbine says in a job whose answers were right."""
    done = job(mpi, build, ranks, calls, *options, script=script)
    return [
        line
        for line in done.stderr.splitlines()
        if re.match("hopbine: (?!served|no collective was served)", line)
    ]


def knows(mpi, build, ranks, script, folder):
    """Whether a short job begins with what an earlier one has learned."""
    stats = folder / "stats.json"
    stats.unlink(missing_ok=True)
    assert run(mpi, build, ranks, 1, script, "--stats", str(stats)) == []
    known = ("learned in", "the calls so far would not pay")
    return any(r["reason"].startswith(known) for r in json.loads(stats.read_text())["rows"])


@pytest.fixture
def home(tmp_path):
    made = tmp_path / "home"
    made.mkdir()
    return made


@pytest.fixture(scope="session")
def learned(mpi, build, tmp_path_factory):
    """What a job has kept."""
    home = tmp_path_factory.mktemp("learned")
    assert run(mpi, build, THREE[0], MANY, at(home)) == []
    return (home / ".cache" / NAME).read_bytes()


@pytest.fixture
def taught(home, learned):
    """A home with what an earlier job has kept."""
    file = home / ".cache" / NAME
    file.parent.mkdir(parents=True, mode=0o700)
    file.write_bytes(learned)
    return home


@pytest.mark.dealt
@pytest.mark.parametrize("ranks", THREE)
@pytest.mark.parametrize("cache", ["", "cache", "not/absolute"])
def test_the_next_job_begins_there(mpi, build, tmp_path, home, ranks, cache):
    given = tmp_path / cache if cache == "cache" else cache
    folder = given if cache == "cache" else home / ".cache"
    script = at(home, given)
    assert not knows(mpi, build, ranks, script, tmp_path)
    assert run(mpi, build, ranks, MANY, script) == []
    rules = read(folder / NAME)
    assert all(r.mpi and r.processor and r.transport and r.cores and r.placement for r in rules)
    assert all(r.machine == "unnamed" for r in rules)
    below = [path for path in (home, folder) if path.exists() for path in path.rglob("*")]
    assert {path for path in below if path.is_file()} == {folder / NAME}
    assert (folder / NAME).stat().st_mode & 0o777 == 0o600
    assert (folder / NAME).parent.stat().st_mode & 0o777 == 0o700
    assert knows(mpi, build, ranks, script, tmp_path)


@pytest.mark.parametrize("ranks", THREE)
def test_other_settings_of_transports_are_another_site(mpi, build, tmp_path, taught, ranks):
    assert knows(mpi, build, ranks, at(taught), tmp_path)
    for other in ("UCX_TLS=tcp", "FI_PROVIDER=tcp", "SLURM_CLUSTER_NAME=x", "HOPBINE_NODE=n$R"):
        assert not knows(mpi, build, ranks, at(taught, "", f"export {other}"), tmp_path), other
    assert knows(mpi, build, ranks, at(taught, "", "export UCX_LOG_LEVEL=warn"), tmp_path)


@pytest.mark.dealt
@pytest.mark.parametrize("ranks", THREE)
@pytest.mark.parametrize("word", ["mpi", "machine", "processor", "transport", "cores", "placement"])
def test_another_word_does_not_answer(mpi, build, tmp_path, taught, ranks, word):
    """As on a machine with another processor that has the same home."""
    file, stats = taught / ".cache" / NAME, tmp_path / "stats.json"
    here = next(getattr(r, word) for r in read(file) if r.ranks[0] == ranks)
    for told in (here, "another"):
        write(file, [Rule(**vars(ODD) | {word: told})], "by hand")
        run(mpi, build, ranks, 1, at(taught), "--stats", str(stats))
        assert ("bruck" in served(stats, "alltoall", ranks)) == (told == here), told
        stats.unlink()


@pytest.mark.dealt
@pytest.mark.parametrize("ranks", THREE)
@pytest.mark.parametrize(
    "nowhere",
    [
        "HOME= XDG_CACHE_HOME=",  # Open MPI 5 does not start without HOME
        "HOME=not/absolute",
        "XDG_CACHE_HOME=/proc",
        "XDG_CACHE_HOME=/dev/null",
        "HOME=/no/such/home",
        "HOPBINE_LEARN=none",
        "HOPBINE_CHOICE=count; export HOPBINE_CHOICE",
    ],
)
def test_where_nothing_can_be_kept_nothing_is_said(mpi, build, home, ranks, nowhere):
    assert run(mpi, build, ranks, MANY, at(home, "", nowhere)) == []
    assert list(home.rglob("*")) == []


@pytest.mark.parametrize("ranks", THREE)
def test_the_home_of_rank_0_counts(mpi, build, tmp_path, home, ranks):
    other = tmp_path / "other"
    other.mkdir()
    script = at(home, "", f"[ $R = 1 ] && HOME={other}", "[ $R = 2 ] && HOME=/no/such/home")
    assert run(mpi, build, ranks, MANY, script) == []
    assert list(other.rglob("*")) == []
    assert knows(mpi, build, ranks, script, tmp_path)


@pytest.mark.parametrize("ranks", THREE)
def test_a_broken_file_is_set_aside_and_told_once(mpi, build, tmp_path, home, ranks):
    file = home / ".cache" / NAME
    file.parent.mkdir(parents=True, mode=0o700)
    file.write_text('{"hopbine_rules": 1,\n "rules": [')
    (said,) = run(mpi, build, ranks, MANY, at(home))
    assert said.startswith(f"hopbine: {file}:2:")
    assert f"it is now {file}.broken" in said
    assert {path.name for path in file.parent.iterdir()} == {file.name, f"{file.name}.broken"}
    assert knows(mpi, build, ranks, at(home), tmp_path)


@pytest.mark.parametrize("ranks", THREE)
def test_a_folder_that_others_may_write_is_not_used(mpi, build, home, ranks):
    folder = (home / ".cache" / NAME).parent
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    assert run(mpi, build, ranks, MANY, at(home)) == []
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("ranks", THREE)
def test_jobs_that_end_at_once_keep_what_both_learned(mpi, build, home, ranks):
    program = build(mpi, "measured", flags=("-ldl",))
    jobs = [
        subprocess.Popen(
            [mpi.mpiexec, "-n", str(ranks), *by_rank(at(home, "", node), *UNDER, program, "800")],
            env=mpi.environment(ranks),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        for node in ("export HOPBINE_NODE=n", "export HOPBINE_NODE=n$R")
    ]
    assert [one.wait(timeout=300) for one in jobs] == [0, 0]
    file = home / ".cache" / NAME
    assert {r.placement for r in read(file)} >= {f"1x{ranks}", f"{ranks}x1"}
    assert [path.name for path in file.parent.iterdir()] == [file.name]
