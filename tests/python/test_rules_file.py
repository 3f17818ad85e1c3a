"""Rules files: what is read, written and refused."""

import json
import os
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_cases import REGISTRY, asks_the_same, only_those_that_may, rules

from hopbine.selection.file import CONDITIONS, WORDS, Rule, read, write


@settings(deadline=None, max_examples=60)
@given(every=st.lists(rules(words=WORDS), max_size=8), note=st.text())
def test_what_is_written_is_read(tmp_path_factory, every, note):
    path = tmp_path_factory.mktemp("rules") / "r.json"
    every = only_those_that_may(every)
    write(path, every, note)
    assert [Rule(**{**r.__dict__, "line": 0}) for r in read(path)] == every
    assert [r.line for r in read(path)] == [3 + i for i in range(len(every))]
    assert json.loads(path.read_text())["note"] == note


def test_a_file_that_would_be_refused_is_not_written(tmp_path):
    path = tmp_path / "r.json"
    write(path, [Rule("bcast", "linear")], "first")
    old = path.read_text()
    with pytest.raises(ValueError, match=r"r\.json:4:4: contradicts the rule in line 3"):
        write(path, [Rule("bcast", "linear"), Rule("bcast", "knomial")], "second")
    assert path.read_text() == old
    assert os.listdir(tmp_path) == ["r.json"]


def test_the_schema_knows_what_the_parser_knows(tmp_path):
    """Members, collectives and kinds of values: what one refuses, the other refuses."""
    schema = json.loads(files("hopbine.selection").joinpath("schema.json").read_text())
    rule = schema["$defs"]["rule"]["properties"]
    assert set(rule["collective"]["enum"]) == {a["collective"] for a in REGISTRY}
    assert {n for n in rule if n in CONDITIONS} == set(CONDITIONS)
    values = {"note": "x", "parameters": {}, "collective": "bcast", "algorithm": "mpi"}
    values |= {name: [1, None] for name in CONDITIONS}
    values |= dict.fromkeys(WORDS, "x") | {"operands": "exact"}
    values |= {"numbering": "given", "measured": {"1024": "x"}}
    assert set(values) == set(rule)
    path = tmp_path / "r.json"

    def taken(document):
        path.write_text(json.dumps(document))
        try:
            return bool(read(path)) or True
        except ValueError:
            return False

    def with_rule(**members):
        return {
            "hopbine_rules": 1,
            "rules": [{"collective": "bcast", "algorithm": "mpi"} | members],
        }

    assert taken(with_rule(**values))
    assert not taken(with_rule(other=1))
    for member in rule:
        for wrong in (True, 1.5, "x", ["x", 2], {"a": "b"}, None):
            text = rule[member].get("type") == "string" and "pattern" not in rule[member]
            if not (text and wrong == "x" and member not in ("collective", "algorithm")):
                assert not taken(with_rule(**{member: wrong})), (member, wrong)
    for needed in schema["$defs"]["rule"]["required"]:
        document = with_rule()
        del document["rules"][0][needed]
        assert not taken(document)
    assert not taken({"rules": []})
    assert not taken({"hopbine_rules": 1})
    assert not taken({"hopbine_rules": 1, "rules": [], "more": 1})


def test_what_a_word_or_a_numbering_may_be(tmp_path):
    path = tmp_path / "r.json"
    for name, value, why in (
        ("operands", "any", "operands 'any' are not in_order, commute or exact"),
        ("numbering", "rotated by x", "not given, by group, or rotated by N"),
        ("measured", {1: "x", -2: "y"}, "is not a number of bytes"),
    ):
        with pytest.raises(ValueError, match=why):
            write(path, [Rule("allreduce", "ring", **{name: value})], "")
    with pytest.raises(ValueError, match="'mpi' takes no numbering"):
        write(path, [Rule("allreduce", "mpi", numbering="by group")], "")


@settings(deadline=None, max_examples=60)
@given(every=st.lists(rules((), WORDS), min_size=2, max_size=6))
def test_a_rule_contradicts_those_whose_words_it_shares(tmp_path_factory, every):
    path = tmp_path_factory.mktemp("rules") / "r.json"
    answers = [(r.algorithm, r.parameters, r.numbering) for r in every]
    refused = any(
        earlier.collective == rule.collective
        and asks_the_same(earlier, rule)
        and answers[i] != answers[j]
        and not (rule.parameters or earlier.parameters)
        for j, rule in enumerate(every)
        for i, earlier in enumerate(every[:j])
    )
    if refused:
        with pytest.raises(ValueError, match="contradicts"):
            write(path, every, "")
    elif len({(r.collective, str(a)) for r, a in zip(every, answers, strict=True)}) == 1:
        write(path, every, "")
