"""hopbine compare as a user meets it, with stand-ins for jobs: their figures are drawn, not timed.

hopbine is really there: its preload library says that a stand-in is no program of MPI.
"""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from commands import hopbine

JOB = str(Path(__file__).with_name("compared_job.py"))
FIGURE = ("--figure", r"^time (?P<loop>\S+)")


@pytest.fixture
def compare(capsys, tmp_path, monkeypatch):
    """compare(options, job's words, gain) -> exit code, outputs, report or None."""
    monkeypatch.chdir(tmp_path)

    def run(*options, job=(), gain=1.0, before=()):
        command = (*before, sys.executable, JOB, str(tmp_path), str(gain), "0.01", *job)
        code, out, err = hopbine(capsys, "compare", "-o", "r.json", *options, "--", *command)
        report = tmp_path / "r.json"
        return code, out, err, json.loads(report.read_text()) if report.exists() else None

    return run


def results(report):
    return {row["figure"]: row for row in report["results"]}


def test_a_gain_is_found_and_reported(compare, tmp_path):
    code, out, err, report = compare(*FIGURE, "--rate", "speed (.*)", gain=0.9)
    assert code == 0, err
    assert "loop: faster with hopbine: " in out
    assert "report: r.json" in out
    assert report["hopbine_compare"] == 1
    assert report["state"] == "finished"
    found = results(report)
    assert list(found) == ["job", "loop", "speed (.*)"]
    assert found["loop"]["verdict"] == found["speed (.*)"]["verdict"] == "faster"
    assert found["loop"]["ratio"] == pytest.approx(0.9, abs=0.02)
    assert found["speed (.*)"]["ratio"] == pytest.approx(found["loop"]["ratio"], abs=1e-4)
    assert found["loop"]["again"] == pytest.approx(1, abs=0.02)
    kinds = Counter((job["turn"] > 0, job["kind"]) for job in report["jobs"])
    assert kinds == {
        (False, "stock"): 1,
        (False, "hopbine"): 1,
        (True, "stock"): 9,
        (True, "hopbine"): 9,
        (True, "stock again"): 9,
    }
    assert all(job["code"] == 0 and job["values"]["job"] > 0 for job in report["jobs"])
    for job in report["jobs"]:
        said = ["no collective was served: no MPI library is loaded"]
        begins = [line[: len(said[0])] for line in job["said"]]
        assert begins == (said if job["kind"] == "hopbine" else [])
    ran = [line.split("\t")[0] for line in (tmp_path / "log").read_text().splitlines()]
    assert ran == [job["kind"].split()[0] for job in report["jobs"]]
    assert report["place"]["cores"] >= 1
    assert report["commands"]["stock"][1] == JOB
    assert sorted(p.name for p in tmp_path.iterdir()) == ["log", "r.json"]


def test_equal_jobs_are_no_difference(compare):
    code, out, _, report = compare(*FIGURE)
    assert code == 0
    assert "loop: no difference that can be told: with hopbine it takes " in out
    assert results(report)["loop"]["verdict"] == "no difference that can be told"
    assert report["lines_missing"] == []


def test_programs_read_the_same_rows(compare):
    options = (*FIGURE, "--pairs", "1", "--warm-up", "0", "--format")
    _, out, err, report = compare(*options, "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [r["figure"] for r in rows] == ["job", "loop"]
    assert float(rows[1]["ratio"]) == results(report)["loop"]["ratio"]
    assert rows[1]["verdict"] == "too few pairs to tell"
    assert rows[1]["high"] == ""  # no end
    assert results(report)["loop"]["high"] is None
    assert "report: r.json" in err
    _, out, _, report = compare(*options, "json")
    assert [r["figure"] for r in json.loads(out)] == ["job", "loop"]


@pytest.mark.parametrize(
    ("word", "options", "how"),
    [
        ("fail=hopbine", (), "with hopbine, ended with exit code 3"),
        ("fail=stock", (), "without hopbine, ended with exit code 3"),
        ("crash=hopbine", (), "with hopbine, was killed by SIGSEGV"),
        ("wait=hopbine", ("--timeout", "2"), "with hopbine, did not end within 2 s"),
    ],
)
def test_a_job_that_fails_is_named_with_what_it_said(compare, word, options, how):
    code, _, err, report = compare(*options, job=(word,))
    assert code == 1
    assert how in err
    assert f"about to {word.partition('=')[0]}" in err
    assert "Traceback" not in err
    assert report["state"] == "failed"
    assert how in report["failure"]


def test_a_figure_that_is_not_printed_is_named(compare):
    code, _, err, _ = compare("--figure", "no such ([0-9]+)")
    assert code == 1
    assert "printed no number above 0 for 'no such ([0-9]+)'; it said:" in err
    assert "energy -3" in err


def test_lines_that_hopbine_changes_are_told(compare):
    _, out, _, report = compare("--pairs", "2", job=("differ=hopbine",))
    assert report["lines_missing"] == ["energy -3"]
    assert "1 line that every job without hopbine printed, and not every job with it" in out
    assert out.count("energy -3") == 1
    _, out, _, report = compare("--pairs", "2", job=("differ=stock",))
    assert report["lines_missing"] == []  # equal jobs differ
    assert "every job without hopbine printed" not in out


def test_hopbine_that_is_not_seen_is_no_comparison(compare):
    """env keeps the variable from the program: there hopbine has to stand behind it."""
    out = ("env", "-u", "LD_PRELOAD")
    code, _, err, report = compare("--pairs", "1", before=out)
    assert code == 1
    assert "hopbine printed no line in the job with it" in err
    assert "{} before the program" in err
    assert report["state"] == "failed"
    assert compare("--pairs", "1", "--unseen", before=out)[0] == 0
    code, _, err, report = compare("--pairs", "1", before=(*out, "{}"))
    assert code == 0, err
    assert {job["kind"] for job in report["jobs"] if job["said"]} == {"hopbine"}
    assert compare("--pairs", "1", "--mark", "@", before=(*out, "@"))[0] == 0


def test_a_job_that_runs_under_hopbine_by_itself_is_none_without(compare, tmp_path):
    script = tmp_path / "job.sh"
    script.write_text(f'exec {sys.executable} -m hopbine run "$@"\n')
    code, _, err, _ = compare(before=("sh", str(script)))
    assert code == 1
    assert "job 1, without hopbine, ran under hopbine all the same" in err


def learned(tmp_path):
    rows = [line.split("\t") for line in (tmp_path / "log").read_text().splitlines()]
    assert {file for kind, file, _ in rows if kind == "stock"} == {"-"}
    return [(file, begins) for kind, file, begins in rows if kind == "hopbine"]


def test_fresh_jobs_begin_with_nothing_learned(compare, tmp_path):
    assert compare("--pairs", "2", "--fresh")[0] == 0
    files = learned(tmp_path)
    assert len({file for file, _ in files}) == 3
    assert {begins for _, begins in files} == {"new"}


def test_options_of_hopbine_run_reach_its_jobs(compare, tmp_path):
    options = ("--learn", "l.json", "--algorithm", "allreduce=bine_large")
    code, _, err, report = compare("--pairs", "2", *options)
    assert code == 0, err
    assert learned(tmp_path) == [
        (str(tmp_path / "l.json"), begins) for begins in ("new", "old", "old")
    ]
    words = report["commands"]["hopbine"]
    own = ["run", "--algorithm=allreduce=bine_large", "--learn=l.json", "--summary=always"]
    assert words[words.index("run") : words.index(sys.executable, words.index("run"))] == own


def test_input_preparation_and_outputs(compare, tmp_path):
    (tmp_path / "in").write_text("same for all")
    options = ("--input", "in", "--keep", "kept", "--prepare", "echo x >> prepared")
    code, _, err, report = compare("--pairs", "1", "--warm-up", "0", *options)
    assert code == 0, err
    assert (tmp_path / "prepared").read_text() == "x\n" * 3
    names = {p.name for p in (tmp_path / "kept").iterdir()}
    jobs = {f"{j['number']:03}-{j['kind'].replace(' ', '-')}" for j in report["jobs"]}
    assert names == {f"{job}.{end}" for job in jobs for end in ("out", "err")}
    for path in (tmp_path / "kept").glob("*.out"):
        assert path.read_text().startswith("read same for all\n")
    code, _, err, _ = compare("--keep", "kept")
    assert (code, "kept: is not empty" in err) == (2, True)
    code, _, err, _ = compare("--prepare", "echo why; exit 4")
    assert code == 1
    assert "--prepare, before job 1, ended with exit code 4; it said:\nwhy" in err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((), "no job is given: hopbine compare -- mpiexec -n 4 ./program"),
        (("--", "no-such-launcher"), "'no-such-launcher' is not there or not executable"),
        (("--", "mpiexec", "hopbine", "run", "a"), "has `hopbine run` already"),
        (("--pairs", "0", "--", "true"), "--pairs: 0 is outside 1..10000"),
        (("--confidence", "2", "--", "true"), "--confidence 2 is not at least 0.5"),
        (("--figure", "x", "--", "true"), "has 0 groups"),
        (("--algorithm", "allreduce=best", "--", "true"), "unknown algorithm 'best' for allreduce"),
        (("--fresh", "--choice", "count", "--", "true"), "--fresh needs --choice measure"),
        (("--fresh", "--reproducible", "--", "true"), "--fresh needs --choice measure"),
        (("--fresh", "--learn", "f", "--", "true"), "--fresh and --learn"),
        (("--input", "none", "--", "true"), "none"),
        (("-o", "none/r.json", "--", "true"), "none"),
        (("--quiet", "--", "true"), "unrecognized arguments: --quiet"),
    ],
)
def test_what_is_wrong_is_refused_before_a_job(capsys, tmp_path, monkeypatch, words, why):
    monkeypatch.chdir(tmp_path)
    code, out, err = hopbine(capsys, "compare", *words)
    assert (code, out) == (2, "")
    assert why in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_ranks_and_preloaded_shells_do_not_compare(capsys, monkeypatch):
    monkeypatch.setenv("PMI_RANK", "0")
    monkeypatch.setenv("PMI_SIZE", "4")
    assert "a rank of a job already" in hopbine(capsys, "compare", "--", "true")[2]
    monkeypatch.delenv("PMI_SIZE")
    monkeypatch.setenv("LD_PRELOAD", "/x/libhopbine_preload.so")
    assert "LD_PRELOAD names hopbine" in hopbine(capsys, "compare", "--", "true")[2]


def test_a_report_takes_no_other_s_place_unasked(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    job = (sys.executable, JOB, str(tmp_path), "1", "0")
    for name in ("compare.json", "compare-2.json", "compare-3.json"):
        assert hopbine(capsys, "compare", "--pairs", "1", "--", *job)[0] == 0
        assert json.loads((tmp_path / name).read_text())["state"] == "finished"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_the_job_and_keeps_what_was_measured(tmp_path, number):
    command = [sys.executable, "-m", "hopbine", "compare", "-o", "r.json", "--pairs", "1000"]
    job = [sys.executable, JOB, str(tmp_path), "1", "0.01"]
    begun = subprocess.Popen(
        [*command, "--", *job],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # what is started in the background by a shell ignores interrupts
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    log, end = tmp_path / "log", time.monotonic() + 120
    while time.monotonic() < end and (not log.exists() or log.read_text().count("\n") < 8):
        time.sleep(0.05)
    begun.send_signal(number)
    out, err = begun.communicate(timeout=60)
    assert begun.returncode == 130, err
    assert "what was done is kept" in err
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["state"] == "interrupted"
    assert report["results"][0]["pairs"] == len(report["jobs"][2:]) // 3 >= 1
    assert out.startswith(f"{sys.executable} ")
    assert sorted(os.listdir(tmp_path)) == ["log", "r.json"]
