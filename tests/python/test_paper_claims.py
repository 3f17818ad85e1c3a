"""The papers' claims, reproduce/PAPER/claims.toml, and how they are judged."""

import pytest

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
