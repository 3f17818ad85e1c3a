"""The line at a job's end: how many calls were served, and what that saved."""

import json
import re
import subprocess

import pytest
from conftest import UNDER, by_rank

from hopbine import LIBRARY_FOLDER
from hopbine.recorded.crossings import crossing, job_of

#: Ranks 0 and 2 are in one group, 1 and 3 in the other.
TWO_GROUPS = "export HOPBINE_GROUP=g$((R % 2)) HOPBINE_NODE=n$((R % 2))"
BINE = ("--algorithm", "allreduce=bine_large")
LINE = re.compile(r"^hopbine: served (.*); see hopbine stats (.*)$", re.M)


def ended(mpi, build, *words, options=(), script="true", env=None, ranks=2):
    """The job's lines at its end: (what was served, where to look)."""
    program = build(mpi, "summary", flags=("-lpthread",))
    done = mpi.run(ranks, *by_rank(script, *UNDER, *options, program, *words), env=env, timeout=120)
    assert done.returncode == 0, done.stderr
    if "--quiet" in options:
        assert "hopbine:" not in done.stderr
    return LINE.findall(done.stderr)


def test_one_line_tells_what_was_served_and_moved(mpi, build, tmp_path):
    """The bytes between groups are those that the statistics of the same job have."""
    file = tmp_path / "stats.json"
    options = ("--algorithm", "allreduce=hierarchical_large", "--stats", str(file))
    [(said, where)] = ended(mpi, build, "1100", options=options, script=TWO_GROUPS, ranks=4)
    data = json.loads(file.read_text())
    rows = [crossing(row, job_of(data)) for row in data["rows"]]
    percent = 100 * (1 - sum(r.served for r in rows) / sum(r.classic for r in rows))
    assert percent > 10, rows
    assert said == (
        f"1,100 of 1,100 collective calls; {percent:.0f} % fewer bytes between groups "
        "than the classic algorithms"
    )
    assert where == str(file)


SECONDS = {"s": 1, "ms": 1e-3, "us": 1e-6}
TIME = r"([\d.e+]+) (s|ms|us)"


def seconds(text):
    """The seconds in a time such as "1.5 ms", or "nothing"."""
    value, _, unit = text.partition(" ")
    return float(value) * SECONDS[unit] if unit else 0.0


@pytest.mark.parametrize("script", [TWO_GROUPS, "true"], ids=["two groups", "one node"])
def test_the_account_is_told_where_calls_are_measured(mpi, build, script):
    """Which is faster differs: what was saved less what was spent is the gain, or the loss."""
    [(said, where)] = ended(mpi, build, "1500", script=script, ranks=4)
    assert re.match(r"(none|[\d,]+) of 1,500 collective calls", said)
    assert where == "(--stats FILE)"
    rest = r"[\d,]+ served calls were not compared with the library's"
    account = re.search(
        rf"; ({TIME}) in collectives, (nothing|{TIME}) saved, ({TIME}) spent: "
        rf"(faster|slower) by ({TIME})(?: at (?:least|most), as {rest})?$",
        said,
    )
    assert account, said
    total, saved, spent, gain = (seconds(account[i]) for i in (1, 4, 7, 11))
    net = saved - spent
    assert gain == pytest.approx(abs(net), rel=0.02, abs=0.02 * max(saved, spent)), said
    assert (account[10] == "faster") == (net >= 0), said
    assert saved < 100 * total
    if said.startswith("none"):
        assert saved == 0


def test_the_account_tells_of_a_loss(mpi, build):
    """Nothing is served that nothing may be spent on: what starting up took remains."""
    [(said, _)] = ended(mpi, build, "1500", ranks=4, env={"HOPBINE_BUDGET": "0"})
    assert said.startswith("none of 1,500 collective calls: no scarce links between these ranks")
    assert re.search(rf" in collectives, nothing saved, ({TIME}) spent: slower by \1$", said)


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ("self", "none of 1,000 collective calls: one rank"),
        ("thread", "2,000 of 2,000 collective calls"),
        ("many", "4,000 of 4,000 collective calls"),
        ("nonblocking", "1,000 of 1,000 collective calls"),
    ],
)
def test_every_call_of_rank_0_is_counted(mpi, build, how, says):
    """In threads that have ended, on communicators that are freed, and in the nonblocking form."""
    options = (*BINE, "--progress", "thread") if how == "nonblocking" else BINE
    [(said, _)] = ended(mpi, build, "1000", how, options=options)
    assert said == says


def test_the_time_on_short_lived_communicators_is_in_the_account(mpi, build):
    """One in a few of their calls is timed: this is no exact number."""
    program = build(mpi, "summary", flags=("-lpthread",))
    done = mpi.run(2, *UNDER, "--summary", "always", program, "5000", "short-lived")
    assert done.returncode == 0, done.stderr
    told = re.search(rf"; ({TIME}) in collectives", done.stderr)
    assert told, done.stderr
    own = float(re.search(r"^seconds (.*)$", done.stdout, re.M)[1])
    assert own / 3 < seconds(told[1]) < own * 3


def test_short_programs_say_nothing_unless_asked(mpi, build):
    assert ended(mpi, build, "20", options=BINE) == []
    always = [("20 of 20 collective calls", "(--stats FILE)")]
    assert ended(mpi, build, "20", options=(*BINE, "--summary", "always")) == always
    assert ended(mpi, build, "1000", options=(*BINE, "--quiet")) == []
    assert ended(mpi, build, "20", "self", options=(*BINE, "--quiet")) == []
    assert ended(mpi, build, "0", "session", env={"HOPBINE_SUMMARY": "always"}) == []


def test_preloaded_by_hand_only_the_setting_asks(mpi, build):
    program = build(mpi, "summary", flags=("-lpthread",))
    preload = {
        "LD_PRELOAD": str(LIBRARY_FOLDER / "libhopbine_preload.so"),
        "HOPBINE_ALGORITHM": "allreduce=bine_large",
    }
    for asked, lines in (({}, 0), ({"HOPBINE_SUMMARY": "always"}, 1)):
        variables = [f"{k}={v}" for k, v in (preload | asked).items()]
        done = mpi.run(2, "env", *variables, program, "1000", timeout=60)
        assert done.returncode == 0, done.stderr
        assert len(LINE.findall(done.stderr)) == lines
        assert done.stderr.count("hopbine:") == lines


def test_hopbine_run_before_the_launcher(mpi, build):
    program = build(mpi, "summary", flags=("-lpthread",))
    command = [*UNDER, *BINE, mpi.mpiexec, "-n", "2", program, "1000"]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=60, env=mpi.environment(2)
    )
    assert done.returncode == 0, done.stderr
    assert LINE.findall(done.stderr) == [("1,000 of 1,000 collective calls", "(--stats FILE)")]


@pytest.mark.parametrize("how", ["abort", "exit"])
def test_a_job_without_an_end_has_no_line(mpi, build, how):
    """And does not hang."""
    program = build(mpi, "summary", flags=("-lpthread",))
    done = mpi.hopbine(2, *BINE, program, "1000", how, timeout=60)
    assert LINE.findall(done.stderr) == []
