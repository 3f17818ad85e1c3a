"""Experiments beside the papers' claims: reproduce/PAPER/experiments*.toml."""

import numpy as np
import pytest
from papers import PAGES

PAPERS = ("bine", "swing", "generalised", "parlogna")


@pytest.mark.parametrize("paper", PAPERS)
def test_every_experiment_is_of_a_claim_and_was_run(papers, paper):
    """Experiments are of claims that there are, have two cases or more, and their times a file."""
    experiments, claims = papers("shared.experiments"), papers("shared.judging").claims(paper)
    every = experiments.experiments(paper)
    assert len({one.name for one in every}) == len(every)
    folder = papers(f"{paper}.evaluation").HERE / "data"
    rows = papers("shared.results").known(folder / experiments.FILE)
    made = {(r["experiment"], r["case"]) for r in rows}
    wanted = {(one.name, case) for one in every for case in one.cases()}
    assert made == wanted
    for one in every:
        assert len(one.cases()) > 1, one.name
        assert one.test in ("", *(t.id for t in claims[one.claim].tests)), one.name


@pytest.mark.parametrize("paper", PAPERS)
def test_the_page_has_what_experiments_show(papers, paper):
    evaluation = papers(f"{paper}.evaluation")
    page = (PAGES / f"{evaluation.PAPER}.md").read_text()
    told = papers("shared.experiments").told(paper, evaluation.HERE / "data")
    for claim, text in told.items():
        [row] = [line for line in page.splitlines() if text in line]
        assert papers("shared.judging").claims(paper)[claim].paper in row


def test_published_times_of_experiments_come_out_again(papers):
    """Experiments of a quick look, by every kind of engine that they have."""
    experiments, results = papers("shared.experiments"), papers("shared.results")
    for paper in PAPERS:
        folder = papers(f"{paper}.evaluation").HERE / "data"
        published = results.known(folder / experiments.FILE)
        for _, make in experiments.works(paper, quick=True):
            for row in make():
                assert row in published, row["experiment"]


def test_figures_by_hand(papers):
    """The fastest, its parameter, ratios with verdicts, and no verdict of several sizes."""
    experiments = papers("shared.experiments")
    times = {"16": {"scattered:batch=8": 2.0, "scattered:batch=1": 3.0, "pairwise": 9.0}}
    case = {"algorithms": ["scattered:batch=8", "scattered:batch=1"], "over": ["pairwise"]}
    one = experiments.Experiment("7.16", "any", "any", {"paper": "parlogna"}, test="gain")
    assert one.shown(case | {"show": "best"}, times) == "scattered:batch=8"
    told = case | {"show": "best", "parameter": "batch"}
    assert one.shown(told, times) == "8 (another number)"
    assert one.shown(case | {"show": "ratio"}, times) == "4.5x (another number)"
    assert one.shown(case | {"show": "gain"}, times).startswith("350 %")
    both = times | {"32": times["16"] | {"pairwise": 4.0}}
    assert one.shown(case | {"show": "ratio"}, both) == "16 4.5x, 32 2x"


def test_a_function_is_asked(papers):
    """Its figure has no size and no algorithm, and its unit."""
    experiments = papers("shared.experiments")
    case = {"name": "8", "of": {"ranks": 8, "algorithm": "swing_small:ports=0", "around": False}}
    told = {"paper": "swing", "asked": "swing.counts.in_order", "unit": " %", "cases": [case]}
    one = experiments.Experiment("3.1.1", "any", "any", told)
    [(name, asked)] = one.cases().items()
    [row] = experiments.rows(one.name, asked)
    assert (row["case"], row["size"], row["algorithm"]) == (name, "asked", "asked")
    # of 24 sums, those of ranks 0 and 7 in the second step: 6 + 7 + 0 + 1
    assert float(row["found"]) == pytest.approx(100 * 22 / 24, abs=1e-3)
    times = {row["size"]: {row["algorithm"]: float(row["found"])}}
    assert one.shown(asked, times) == "91.67 %"


def test_computing_comes_on_top_of_an_exchange(papers):
    """Bytes of paths of the busiest rank at a rate; none without."""
    experiments, traffics = papers("shared.experiments"), papers("parlogna.traffics")
    graph = {"edges": 500, "longest": 40, "seed": 1, "tuple": 16}
    case = {"name": "any", "collective": "alltoallv", "machine": "fugaku", "topology": "torus:2x2"}
    case |= {"ranks": 8, "per_node": 2, "sizes": ["3"], "algorithms": ["pairwise"], "show": "time"}
    case |= {"graph": graph}
    found = [
        float(experiments.rows("any", case | more)[0]["found"])
        for more in ({}, {"computing": "joined", "rate": 1e6})
    ]
    most = traffics.of_graph(graph, 3, 8).sum(axis=0).max()
    assert most > 0
    assert found[1] - found[0] == pytest.approx(most / 1e6, rel=1e-3)


def test_operations_of_a_transform_by_hand(papers):
    """Two ranks with 8 complex values each: 5 * 16 * 4 operations, a half each, in three parts."""
    blocks = np.full((2, 2), 64)
    assert papers("parlogna.traffics").transform(blocks) == pytest.approx(5 * 16 * 4 / 2 / 3)
