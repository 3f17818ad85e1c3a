"""hopbine reproduce: the papers' figures from a clone, and how long they take."""

import sys

import pytest
from papers import REPRODUCE, ROOT

from hopbine.cli import main

PAPERS = ("swing", "bine", "generalised", "parlogna")


@pytest.fixture
def in_clone(papers, monkeypatch):
    """The command in a clone, by one process; its modules are forgotten afterwards."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("HOPBINE_WORKERS", "1")
    return papers


def test_outside_of_a_clone_it_says_what_is_needed(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert main(["reproduce", "bine"]) == 2
    told = capsys.readouterr().err
    assert "works in a clone of hopbine" in told
    assert str(tmp_path) in told
    assert told.count("\n") == 1


@pytest.mark.usefixtures("in_clone")
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("bina",), "'bina' is not one of swing, bine, generalised, parlogna, all; is bine meant?"),
        (("swing", "99"), "'99' is no figure of swing: 6, 7, 8"),
        (("all", "6"), "all takes no figures"),
        (("swing", "--jobs", "a.csv"), "--jobs is for bine, not for swing"),
    ],
)
def test_wrong_words_are_one_line(capsys, words, says):
    assert main(["reproduce", *words]) == 2
    told = capsys.readouterr().err
    assert says in told
    assert told.count("\n") == 1


def test_every_figure_of_every_paper_has_works(in_clone, capsys):
    """Without a paper the verb lists them; none of them is made to find that out."""
    assert main(["reproduce"]) == 0
    listed = dict(line.split(": ", 1) for line in capsys.readouterr().out.splitlines())
    assert tuple(listed) == PAPERS
    making = in_clone("shared.making")
    for paper, figures in listed.items():
        for figure in figures.split(", "):
            estimate = making.Wanted(paper, (figure,)).estimate()
            assert estimate.works > 0, (paper, figure)


def test_an_estimate_is_what_was_recorded_of_what_is_left(in_clone, monkeypatch, tmp_path):
    """One of what is left is recorded, two count as what is most alike, one not at all."""
    costs, sweeping = in_clone("shared.costs"), in_clone("shared.sweeping")
    monkeypatch.setattr(costs, "ROOT", tmp_path)
    monkeypatch.setattr(costs, "FILE", tmp_path / "costs.csv.xz")
    monkeypatch.setattr(costs, "sample", lambda: 0.5)
    costs.made.update({("a.csv", "one"): 3.0, ("a.csv", "two"): 5.0})
    costs.save()
    monkeypatch.setattr(costs, "sample", lambda: 1.0)  # half as fast a machine
    (tmp_path / "a.part").write_text("work,x,end\ntwo,7,\ntwo,,1\n")

    def never() -> list[dict]:
        raise AssertionError

    works = [("one", never), ("two", never), ("three", never)]
    with costs.planning() as left:
        sweeping.collect(tmp_path / "a.csv", works, ["x"])
        sweeping.collect(tmp_path / "b.csv", works[:1], ["x"])
        sweeping.collect(tmp_path / "b" / "b.csv", works[:1], ["x"])
    assert left == [("a.csv", "one"), ("a.csv", "three"), ("b.csv", "one"), ("b/b.csv", "one")]
    told = costs.estimate(left, 1)
    assert (told.works, told.guessed, told.unknown) == (4, 2, 1)
    assert told.seconds == pytest.approx(2 * (3.0 + 4.0 + 3.0))
    assert costs.estimate(left[:2], 2).seconds == pytest.approx(2 * 4.0)  # the longest alone
    costs.made.clear()


def test_works_that_differ_in_sizes_grow_by_powers_of_them(in_clone):
    """A cost of p^2 n, and one of a single size in proportion; other words count as the mean."""
    alike = in_clone("shared.costs")._alike
    known = {f"torus:{p}x{p}, Swing {n}": 1e-9 * p**4 * n for p in (8, 16, 32) for n in (1, 9)}
    assert alike("torus:64x64, Swing 27", known) == pytest.approx(1e-9 * 64**4 * 27)
    assert alike("fugaku 8,192 ranks", {"fugaku 4,096 ranks": 3.0}) == pytest.approx(6)
    assert alike("a torus", {"a tree": 1.0, "a mesh": 3.0, "no": 9.0}) == pytest.approx(2)


def test_estimates_are_within_a_factor_of_two(in_clone):
    """The costs of figures that were recorded, from those of their smaller networks alone."""
    costs = in_clone("shared.costs")
    for figure, largest in {"7": "32x32", "10": "256x4"}.items():
        for folder in ("data", "data-packet"):
            file = f"swing/{folder}/fig{figure}.csv.xz"
            own = {work: s for (f, work), s in costs.recorded().items() if f == file}
            less = {work: s for work, s in own.items() if largest not in work}
            told = sum(less.get(work) or costs._alike(work, less) for work in own)
            assert 0.5 < told / sum(own.values()) < 2, file


def test_a_quick_figure_is_made_and_its_cost_recorded(in_clone, monkeypatch, tmp_path, capsys):
    generalised, costs = in_clone("generalised.evaluation"), in_clone("shared.costs")
    monkeypatch.setattr(generalised, "HERE", tmp_path)
    monkeypatch.setattr(costs, "FILE", tmp_path / "costs.csv.xz")
    monkeypatch.setitem(generalised.SPEC, "quick", {"nodes": 4})
    assert main(["reproduce", "generalised", "11", "--quick", "--costs"]) == 0
    assert "generalised 11: 11 works are left, about " in capsys.readouterr().err
    assert (tmp_path / "quick" / "fig11.svg").exists()
    files = {file for file, _ in costs.recorded()}
    assert files == {"", (tmp_path / "quick" / "fig11.csv.xz").as_posix()}


def test_all_is_made_in_six_hours_on_two_cores(in_clone):
    """By the recorded costs, and most works have one; drawing takes about a minute a paper."""
    making, costs = in_clone("shared.making"), in_clone("shared.costs")
    left = []
    for paper in PAPERS:
        with costs.planning() as here:
            wanted = making.Wanted(paper)
            for words in wanted.calls():
                wanted.evaluation.simulate(wanted.evaluation.parse(words))
        left += here
    told = costs.estimate(left, 2)
    assert told.seconds < 6 * 3600
    assert (REPRODUCE / "costs.csv.xz").exists()
