"""Files of the papers' pages: stopped and gone on with, by any number of processes."""

import importlib
import os
import re
import signal
import threading
import time
from functools import partial

import pytest
from papers import REPRODUCE, reproduce

from hopbine.simulation import ranks


@pytest.fixture
def interruptible(monkeypatch):
    """Ctrl-C works: what runs in the background of a shell inherits that it is ignored.

    One process makes all.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    monkeypatch.setenv("HOPBINE_WORKERS", "1")
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_keeps_what_is_done(papers, monkeypatch, small, capsys):
    bine, made = papers("bine.evaluation"), []
    rows = bine.rows

    def once(machine, engine, place, collective):
        made.append(collective)
        if len(made) == 2:
            signal.raise_signal(signal.SIGINT)
        return rows(machine, engine, place, collective)

    monkeypatch.setattr(bine, "rows", once)
    assert reproduce(papers, monkeypatch, "bine", "marenostrum5", "--quick") == 130
    assert capsys.readouterr().err.count("\n") == 1
    part = small / "quick" / "times-marenostrum5.csv.part"
    assert "allreduce" in part.read_text()
    assert "gather" not in part.read_text()
    assert reproduce(papers, monkeypatch, "bine", "marenostrum5", "--quick") == 0
    assert made == ["allreduce", "gather", "gather"]
    assert not part.exists()


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_in_counts_leaves_the_published_file(papers, monkeypatch, tmp_path, capsys):
    """And the second call makes only what the first has not."""
    counts, swing, made = papers("swing.counts"), papers("swing.evaluation"), []

    def told(nth: int) -> str:
        made.append(nth)
        if len(made) == 2:
            signal.raise_signal(signal.SIGINT)
        return str(nth)

    claim = papers("shared.judging").Claim
    monkeypatch.setattr(counts, "FOUND", [(str(n), partial(told, n), "") for n in range(3)])
    monkeypatch.setattr(counts, "CLAIMS", {str(n): claim(str(n), str(n), "a") for n in range(3)})
    monkeypatch.setattr(papers("swing.claims"), "write_page", lambda: None)
    monkeypatch.setattr(swing, "COUNTS", tmp_path / "counts.csv.xz")
    swing.COUNTS.write_text("published")
    assert reproduce(papers, monkeypatch, "swing", "counts") == 130
    assert "goes on from it" in capsys.readouterr().err
    assert swing.COUNTS.read_text() == "published"
    assert reproduce(papers, monkeypatch, "swing", "counts") == 0
    assert made == [0, 1, 1, 2]
    text = papers("shared.results").text(swing.COUNTS)
    assert text == b"where,paper,ours\n0,a,0\n1,a,1\n2,a,2\n"


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_keeps_the_ranks_of_a_figure_that_are_done(papers, monkeypatch, tmp_path):
    nonuniform, made = papers("parlogna.evaluation"), []
    rows = nonuniform.rows

    def once(number, machine, ranks):
        made.append((machine, ranks))
        if len(made) == 2:
            signal.raise_signal(signal.SIGINT)
        return rows(number, machine, ranks)

    monkeypatch.setattr(nonuniform, "rows", once)
    monkeypatch.setattr(nonuniform, "FOLDER", tmp_path)
    monkeypatch.setattr(papers("parlogna.figures"), "draw", lambda *_: None)
    monkeypatch.setattr(papers("parlogna.claims"), "write_page", lambda: None)
    assert reproduce(papers, monkeypatch, "parlogna", "6") == 130
    assert reproduce(papers, monkeypatch, "parlogna", "6") == 0
    first, second, *others = made
    assert made.count(first) == 1
    assert others[0] == second  # the one that was stopped is made again
    assert len(set(others)) == len(others)
    text, published = papers("shared.results").text, nonuniform.HERE / "data" / "fig6.csv.xz"
    assert text(tmp_path / "fig6.csv.xz") == text(published)


@pytest.fixture
def late_waits(monkeypatch):
    """The pool's thread is the first to hear of a process's end, and tells it a little later."""
    wait = os.waitpid

    def waitpid(pid, options):
        done = wait(pid, options)
        if threading.current_thread() is not threading.main_thread():
            time.sleep(0.1)
        return done

    monkeypatch.setattr(os, "waitpid", waitpid)


@pytest.mark.usefixtures("late_waits")
def test_a_worker_that_is_killed_is_one_line_and_keeps_what_is_done(
    papers, monkeypatch, tmp_path, capsys
):
    sweeping = papers("shared.sweeping")
    (tmp_path / "dying.py").write_text(
        "import os, signal, time\n"
        "from pathlib import Path\n"
        "def made():\n"
        "    return [{'x': 1}]\n"
        "def dies(part):\n"
        "    while not Path(part).read_text().count('done,,1'): time.sleep(0.01)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", f"{REPRODUCE}:{tmp_path}")
    monkeypatch.setenv("HOPBINE_WORKERS", "2")
    dying, path = importlib.import_module("dying"), tmp_path / "out.csv.xz"
    part = tmp_path / "out.csv.part"
    works = [("done", dying.made), ("lost", partial(dying.dies, str(part)))]
    assert sweeping.guarded(lambda: sweeping.collect(path, works, ["x"]) or 0) == 1
    told = capsys.readouterr().err
    assert re.match(r"run.py: worker process \d+ was ended by SIGKILL; what is done", told)
    assert told.count("\n") == 1
    assert part.read_text().splitlines()[1:] == ["done,1,", "done,,1"]


def test_any_number_of_processes_makes_the_same_file(papers, monkeypatch, tmp_path):
    links, spec, out = papers("parlogna.links"), papers("parlogna.evaluation").SPEC, []
    told = spec["links"] | {"quick": [64], "algorithms": ["spread_out", "pairwise"]}
    monkeypatch.setenv("PYTHONPATH", str(REPRODUCE))
    for workers in ("1", "3"):
        monkeypatch.setenv("HOPBINE_WORKERS", workers)
        links.write(spec | {"links": told}, "14", tmp_path / workers, True)
        out.append((tmp_path / workers / "fig14.csv.xz").read_bytes())
    assert out[0] == out[1]
    monkeypatch.setenv("HOPBINE_WORKERS", "many")
    with pytest.raises(ValueError, match="HOPBINE_WORKERS='many' is not a number"):
        links.write(spec | {"links": told}, "13", tmp_path, True)


def test_a_published_file_of_swing_comes_out_bit_for_bit(papers, monkeypatch, tmp_path):
    """By one process and by three."""
    swing = papers("swing.evaluation")
    networks = swing.SPEC["figure"]["8"]["networks"][:3]
    monkeypatch.setitem(swing.SPEC["figure"]["8"], "networks", networks)
    text = papers("shared.results").text
    lines = text(swing.HERE / "data" / "fig8.csv.xz").decode().splitlines(keepends=True)
    labels = ["network,", *(f'"{swing.label(n)}",' for n in networks)]
    published = "".join(line for line in lines if line.startswith(tuple(labels)))
    monkeypatch.setattr(swing, "folder", lambda _: tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(REPRODUCE))
    for workers in ("1", "3"):
        monkeypatch.setenv("HOPBINE_WORKERS", workers)
        swing.write_data("8", "flow")
        assert text(tmp_path / "fig8.csv.xz").decode() == published


def test_works_have_as_many_processes_as_there_are_cores(papers, monkeypatch):
    sweeping = papers("shared.sweeping")
    monkeypatch.delenv("HOPBINE_WORKERS", raising=False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2})
    assert sweeping.workers() == ranks.at_once() == 3
    monkeypatch.setattr(ranks, "parent_process", lambda: "another, which shares its work")
    assert ranks.at_once() == 1
    with sweeping._pool(1) as pool:
        assert pool is None
