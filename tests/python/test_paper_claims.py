"""The papers' claims, reproduce/PAPER/claims.toml, and how they are judged."""

import pytest
from papers import PAGES

PAPERS = ("bine", "swing", "generalised", "parlogna")


@pytest.mark.parametrize("paper", PAPERS)
def test_every_claim_can_be_judged_or_says_why_not(papers, paper):
    judging = papers("shared.judging")
    for claim in judging.claims(paper).values():
        apart = claim.paper.startswith("(not in the paper)")
        assert bool(claim.tests) + bool(claim.not_run) + apart == 1, claim.id
        assert len({test.id for test in claim.tests}) == len(claim.tests)
        for test in claim.tests:
            assert test.kind in ("number", "range", "order"), claim.id
            assert isinstance(test.published, tuple) == (test.kind == "range"), claim.id
            assert (test.published is None) == (test.kind == "order"), claim.id


@pytest.mark.parametrize(
    ("told", "found", "state"),
    [
        ({"kind": "number", "published": 40}, 50, "holds"),
        ({"kind": "number", "published": 40}, 51, "another number"),
        ({"kind": "number", "published": -60}, -31, "another number"),
        ({"kind": "number", "published": -60}, -46, "holds"),
        ({"kind": "number", "published": 40}, -1, "does not hold"),
        ({"kind": "number", "published": 1.6, "none": 1}, 1.1, "another number"),
        ({"kind": "number", "published": 1.6, "none": 1}, 0.9, "does not hold"),
        ({"kind": "range", "published": (60, 100)}, 60, "holds"),
        ({"kind": "range", "published": (60, 100)}, 29, "another number"),
        ({"kind": "order"}, 0.9, "does not hold"),
        ({"kind": "order", "least": 0.75}, 0.9, "holds"),
        ({"kind": "order"}, None, "not run"),
    ],
)
def test_verdicts_by_hand(papers, told, found, state):
    """Within 25 % of the figure; on its side of no effect; neither."""
    test = papers("shared.judging").Test("any", **told)
    assert test.verdict(found) == state
    assert test.text(found).startswith(f"**{state}**")


def figures(papers, paper) -> dict[str, float | None]:
    """What was found for each test, in the published files."""
    judged, evaluation = papers(f"{paper}.judged"), papers(f"{paper}.evaluation")
    of_folder = paper in ("bine", "generalised")
    where = [evaluation.HERE / "data"] if of_folder else []
    return papers("shared.verdicts").found(judged.FOUND, *where)


#: Claims without results: packets do not follow such jobs (docs/papers/bine-sc25.md).
NOT_RUN = {
    "bine": {
        *("11b.allreduce.8192.most", "10b.allgather.swing", "10b.allgather.sparbit"),
    }
}


@pytest.mark.parametrize("paper", PAPERS)
def test_every_test_is_judged_and_counted_on_the_page(papers, paper):
    """Tests that were not run are known, and the page counts what the files say."""
    told, verdicts = figures(papers, paper), papers("shared.verdicts")
    claims = papers("shared.judging").claims(paper).values()
    assert set(told) == {f"{c.id}.{t.id}" for c in claims for t in c.tests}
    assert {name for name, found in told.items() if found is None} == NOT_RUN.get(paper, set())
    tried = papers("shared.experiments").told(paper, papers(f"{paper}.evaluation").HERE / "data")
    page = (PAGES / f"{papers(f'{paper}.evaluation').PAPER}.md").read_text()
    for line in verdicts.counts(paper, told, tried).splitlines():
        assert line in page
    for claim in claims:
        assert f"| {claim.where} | {claim.paper} | {verdicts.shown(claim, told)} |" in page


def test_a_claim_is_as_good_as_its_worst_test(papers):
    judging, verdicts = papers("shared.judging"), papers("shared.verdicts")
    tests = (judging.Test("a", "order"), judging.Test("b", "number", 4))
    claim = judging.Claim("x", "Fig. 1", "words", tests)
    assert verdicts.state(claim, {"x.a": 1, "x.b": 4}) == "holds"
    assert verdicts.state(claim, {"x.a": 1, "x.b": 8}) == "another number"
    assert verdicts.state(claim, {"x.a": 0.5, "x.b": 4}) == "does not hold"
    assert verdicts.state(claim, {"x.a": 1}) == "holds"
    assert verdicts.state(claim, {}) == "not run"


def test_the_predictions_page_is_of_its_file(papers):
    prediction, evaluation = papers("bine.prediction"), papers("bine.evaluation")
    lines = prediction.lines(evaluation.folder(False, None))
    assert "\n".join(lines) in prediction.PAGE.read_text()
    assert len(lines) == 2 + 2 * 3 * 2  # numbers of nodes, jobs, routings
    cell = prediction.cell({"B": 1.0, "R": 2.0, "T": 1.005})
    assert cell == "even; 2.00, 1.00"
