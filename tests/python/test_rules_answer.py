"""Which rule answers a call, and which rules never do."""

from hypothesis import given, settings
from hypothesis import strategies as st
from rule_cases import holds, holds_range, only_those_that_may, rules, run

from hopbine import _core
from hopbine.selection.counterparts import SAME, counterpart
from hopbine.selection.file import LIBRARY, Rule, read, write
from hopbine.selection.plan import plan
from hopbine.selection.ranges import never_answering


@settings(deadline=None, max_examples=60)
@given(
    every=st.lists(rules(), min_size=1, max_size=6),
    p=st.integers(2, 40),
    size=st.integers(0, 9),
    per_node=st.integers(1, 9),
)
def test_the_first_rule_whose_ranges_hold_answers(tmp_path_factory, every, p, size, per_node):
    path, nodes = tmp_path_factory.mktemp("rules") / "r.json", -(-p // per_node)
    every = only_those_that_may(every)
    write(path, every, "")
    collective = every[-1].collective
    mine = [r for r in read(path) if r.collective == collective]
    first = next((i for i, r in enumerate(mine) if holds(r, (p, size, nodes, per_node))), len(mine))
    place = _core.Place(p, nodes=nodes, ranks_per_node=per_node)
    (told,) = _core.answer(str(path), _core.Calls(collective), [size], place)
    answers = [*mine, None][first]
    assert told["line"] == (answers.line if answers else 0)
    assert [line for line, _, why in told["passed"]] == [r.line for r in mine[:first]]
    assert all(why for *_, why in told["passed"])
    asked = answers if answers and answers.algorithm != LIBRARY else None
    # An algorithm that serves these ranks is taken even with a complaint about the last bits of
    # results.
    fits = asked and _core.fits(collective, asked.algorithm, p)
    # Parameters come back in the order of the file, and from read() by name.
    assert sorted(told["served"].split(":")) == sorted((asked.asks if fits else LIBRARY).split(":"))
    assert told["complaint"] or fits or not asked


@settings(deadline=None, max_examples=30)
@given(every=st.lists(rules(), max_size=6))
def test_rules_that_never_answer_are_those_whose_every_call_is_taken(every):
    """Against all calls on a small grid, which holds every corner of the ranges drawn."""
    never = never_answering(every)
    grid = [
        (p, b, n, m) for p in range(2, 72) for b in range(11) for n in (1, 5, 10) for m in (1, 10)
    ]
    for i, rule in enumerate(every):
        inside = [c for c in grid if holds(rule, c)]
        if any(rule is r for r in never):
            assert all(
                any(r.collective == rule.collective and holds(r, c) for r in every[:i])
                for c in inside
            )


@settings(deadline=None, max_examples=60)
@given(
    every=st.lists(rules(("ranks", "bytes")), max_size=6),
    p=st.integers(2, 72),
    size=st.integers(0, 11),
    family=st.sampled_from(sorted(SAME)),
)
def test_flattened_rules_say_what_the_first_match_says(every, p, size, family):
    made = plan(family, every, "it")
    for collective, pieces in made.collectives.items():
        mine = [r for r in every if r.collective == collective.removesuffix("_block")]
        first = next((r for r in mine if holds(r, (p, size, 1, 1))), None)
        (piece,) = [x for x in pieces if holds_range(x.ranks, p)]
        ((_, name, behind),) = [x for x in piece.sizes if holds_range(x[0], size)]
        found = of_library(family, collective, first)
        if name is None:
            assert not found or any(rule is first for rule, _ in made.left_out)
        else:
            assert found
            assert found.name == name
            assert behind == first
        assert pieces[0].ranks[0] == 0
        assert pieces[-1].ranks[1] is None
        assert all(x.sizes[0][0][0] == 0 and x.sizes[-1][0][1] is None for x in pieces)


def of_library(family, collective, rule):
    """What the rule asks for in the words of another library, if anything."""
    if rule is None or rule.algorithm == LIBRARY:
        return None
    return counterpart(family, collective, rule.algorithm, rule.parameters)


def test_words_that_a_call_must_have(tmp_path, capsys):
    path = tmp_path / "r.json"
    write(
        path,
        [
            Rule("allreduce", "ring", operands="exact", mpi="M 1"),
            Rule("allreduce", "rabenseifner", machine="big", placement="2x4"),
            Rule("allreduce", "mpi", placement="1x8"),
        ],
        "",
    )

    def told(**words):
        calls = _core.Calls("allreduce", exact=words.pop("exact", False))
        place = _core.Place(8, nodes=2, ranks_per_node=4, words=words)
        (one,) = _core.answer(str(path), calls, [64], place)
        return one

    assert told()["line"] == 0
    assert told()["passed"][1][2] == "machine unknown, not big, placement unknown, not 2x4"
    assert told(mpi="M 1")["passed"][0][2] == "operands commute, not exact"
    assert told(mpi="M 1", exact=True)["line"] == 3
    assert told(machine="big", placement="2x4")["line"] == 4
    assert told(machine="big", placement="1x8")["line"] == 5
    assert never_answering(read(path)) == []
    code, out, _ = run(
        *(capsys, "explain", "allreduce", "--rules", path, "-p", 8, "--ranks-per-node", 4),
        *("--machine", "systems/big.toml", "--sizes", "64"),
    )
    assert code == 0
    assert "rabenseifner, line 4" in out
    code, out, _ = run(
        *(capsys, "explain", "allreduce", "--rules", path, "-p", 8, "--mpi", "M 1", "--exact"),
        *("--sizes", "64"),
    )
    assert "ring, line 3" in out
    code, out, _ = run(capsys, "show", path)
    assert "placement" in out
    assert "2x4" in out
    assert "measured" not in out
    left_out = plan("mpich", read(path), "MPICH").left_out
    assert "MPICH does not ask for operands, mpi" in left_out[0][1]
