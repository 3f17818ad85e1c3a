"""Rules files: what is read and written, what answers, what is odd.

And what other libraries are told.
"""

import json
import os
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopbine import _core
from hopbine.bench.library import MPICH, OPENMPI
from hopbine.cli import main
from hopbine.selection.counterparts import SAME, counterpart
from hopbine.selection.file import CONDITIONS, LIBRARY, Rule, read, write
from hopbine.selection.mpich import SIZE, tuning
from hopbine.selection.openmpi import NUMBERS, classic, version6
from hopbine.selection.plan import plan
from hopbine.selection.ranges import box, left, never_answering

REGISTRY = _core.algorithms()


def ranges(most):
    """[low, high] with an open end at times."""
    return st.tuples(st.integers(0, most), st.none() | st.integers(0, most)).map(
        lambda r: r if r[1] is None or r[0] <= r[1] else (r[1], r[0])
    )


@st.composite
def rules(draw, conditions=CONDITIONS):
    """Any rule that a file may hold."""
    record = draw(st.sampled_from(REGISTRY))
    parameters = {
        q["name"]: draw(st.integers(q["low"], q["high"]))
        for q in record["parameters"]
        if draw(st.booleans())
    }
    own = draw(st.booleans())
    return Rule(
        record["collective"],
        LIBRARY if own else record["name"],
        {} if own else parameters,
        **{
            name: draw(ranges(70 if name == "ranks" else 9))
            for name in conditions
            if draw(st.booleans())
        },
        note=draw(st.text(max_size=6)),
    )


def only_those_that_may(every):
    """Rules without those that would contradict an earlier one, so that the file is taken."""
    out = []
    for rule in every:
        if all(left(box(rule), [box(r)]) for r in out if r.collective == rule.collective):
            out.append(rule)
    return out


@settings(deadline=None, max_examples=60)
@given(every=st.lists(rules(), max_size=8), note=st.text())
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
    call = dict(zip(CONDITIONS, (p, size, nodes, per_node), strict=True))
    collective = every[-1].collective
    mine = [r for r in read(path) if r.collective == collective]
    holds = [
        all(
            low <= call[name] and (high is None or call[name] <= high)
            for name, (low, high) in zip(CONDITIONS, box(r), strict=True)
        )
        for r in mine
    ]
    (told,) = _core.answer(str(path), collective, p, [size], True, False, nodes, per_node)
    first = holds.index(True) if any(holds) else len(mine)
    assert told["line"] == (mine[first].line if first < len(mine) else 0)
    assert [line for line, _, why in told["passed"]] == [r.line for r in mine[:first]]
    assert all(why for *_, why in told["passed"])
    asked = mine[first] if first < len(mine) and mine[first].algorithm != LIBRARY else None
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


def holds(rule, call):
    """Do all ranges hold these values?"""
    return all(
        low <= x and (high is None or x <= high)
        for x, (low, high) in zip(call, box(rule), strict=True)
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
        first = next(
            (
                r
                for r in every
                if r.collective == collective.removesuffix("_block") and holds(r, (p, size, 1, 1))
            ),
            None,
        )
        (piece,) = [x for x in pieces if holds_range(x.ranks, p)]
        ((_, name, behind),) = [x for x in piece.sizes if holds_range(x[0], size)]
        found = (
            first
            and first.algorithm != LIBRARY
            and counterpart(family, collective, first.algorithm, first.parameters)
        )
        if name is None:
            assert not found or any(rule is first for rule, _ in made.left_out)
        else:
            assert found
            assert found.name == name
            assert behind == first
        assert pieces[0].ranks[0] == 0
        assert pieces[-1].ranks[1] is None
        assert all(x.sizes[0][0][0] == 0 and x.sizes[-1][0][1] is None for x in pieces)


def holds_range(one, x):
    return one[0] <= x and (one[1] is None or x <= one[1])


def test_counterparts_are_algorithms_of_both_sides():
    ours = {(a["collective"], a["name"]) for a in REGISTRY}
    for family, table in SAME.items():
        for collective, pairs in table.items():
            assert {
                (collective.removesuffix("_block"), key.partition(":")[0]) for key in pairs
            } <= ours
            if family != "ucc":
                assert set(pairs.values()) <= set(
                    (OPENMPI if family == "openmpi" else MPICH)[collective]
                )
    assert set(SAME["openmpi"]) == set(NUMBERS)


RULES = [
    Rule("allreduce", "recursive_doubling", ranks=(3, 8), bytes=(0, 4096)),
    Rule("allreduce", "ring", ranks=(3, None)),
    Rule("bcast", "bine_small"),
    Rule("reduce_scatter", "recursive_halving", bytes=(512, 1023)),
]


def test_open_mpi_is_told_from_zero_on():
    """Its reader takes the first size of communicator for smaller ones as well.

    It wants the first size of message to be 0.
    """
    numbers = [
        line.split("#")[0].split()
        for line in classic(plan("openmpi", RULES, "it"), "note").splitlines()
    ]
    assert [" ".join(n) for n in numbers if n] == [
        "3",
        "2",
        "3",
        "0",
        "1",
        "0 0 0 0",
        "3",
        "2",
        "0 3 0 0",
        "4097 4 0 0",
        "9",
        "1",
        "0 4 0 0",
        "12",
        "1",
        "0",
        "3",
        "0 0 0 0",
        "512 2 0 0",
        "1024 0 0 0",
        "13",
        "1",
        "0",
        "3",
        "0 0 0 0",
        "512 3 0 0",
        "1024 0 0 0",
    ]


def test_open_mpi_6_is_told_ranges():
    told = json.loads(version6(plan("openmpi", RULES, "it"), "note"))
    assert (told["rule_file_version"], told["module"]) == (3, "tuned")
    assert set(told["collectives"]) == {"allreduce", "reduce_scatter", "reduce_scatter_block"}
    first, second = told["collectives"]["allreduce"]
    assert (
        first["comm_size_min"],
        first["comm_size_max"],
        second["comm_size_min"],
        "comm_size_max" in second,
    ) == (3, 8, 9, False)
    assert [(r["msg_size_min"], r.get("msg_size_max"), r["alg"]) for r in first["rules"]] == [
        (0, 4096, 3),
        (4097, None, 4),
    ]


def test_mpich_keeps_its_own_rules_where_none_speaks(tmp_path):
    own = {
        f"collective={c}": {
            "comm_type=intra": {"algorithm=own": {}},
            "comm_type=inter": {"algorithm=inter": {}},
        }
        for c in (*SIZE, "barrier")
    }
    base = tmp_path / "generic.json"
    base.write_text(json.dumps(own))
    made = json.loads(tuning(plan("mpich", RULES, "it"), str(base)))
    intra = made["collective=allreduce"]["comm_type=intra"]
    assert list(intra) == ["comm_size<=2", "comm_size<=8", "comm_size=any"]
    assert intra["comm_size<=2"] == intra["comm_size=any"] == {"algorithm=own": {}}
    assert intra["comm_size<=8"] == {
        "avg_msg_size<=4096": {"algorithm=MPIR_Allreduce_intra_recursive_doubling": {}},
        "avg_msg_size=any": {"algorithm=own": {}},
    }
    inner = made["collective=reduce_scatter_block"]["comm_type=intra"]["total_msg_size<=1023"]
    assert inner == {
        "is_commutative=yes": {"algorithm=MPIR_Reduce_scatter_block_intra_recursive_halving": {}},
        "is_commutative=no": {"algorithm=own": {}},
    }
    assert made["collective=bcast"] == own["collective=bcast"]
    assert made["collective=barrier"] == own["collective=barrier"]
    assert all(branch["comm_type=inter"] == {"algorithm=inter": {}} for branch in made.values())


def run(capsys, *arguments):
    code = main(["select", *map(str, arguments)])
    told = capsys.readouterr()
    assert "Traceback" not in told.err
    return code, told.out, told.err


@pytest.fixture
def path(tmp_path):
    write(tmp_path / "r.json", RULES, "test")
    return tmp_path / "r.json"


@pytest.mark.parametrize(
    ("target", "needle"),
    [("openmpi", "4097 4 0 0  # ring"), ("openmpi6", '"rule_file_version": 3'), ("ucc", None)],
)
def test_export_names_and_counts_what_is_left_out(capsys, path, target, needle):
    code, out, err = run(capsys, "export", path, "--for", target)
    assert f"left out: {path}:5 bcast bine_small: " in err
    if needle is None:
        assert code == 2
        assert out == ""
        assert "no rule asks for an algorithm that this library has; nothing is written" in err
    else:
        assert code == 0
        assert needle in out
        assert "3 of 4 rules written, 1 left out" in err
        assert "--mca coll_tuned_use_dynamic_rules 1" in err


def test_two_radixes_cannot_be_told(capsys, tmp_path):
    path = tmp_path / "r.json"
    write(
        path,
        [
            Rule("bcast", "knomial", {"k": 8}, ranks=(2, 9)),
            Rule("bcast", "knomial", {"k": 3}, ranks=(10, None)),
        ],
        "",
    )
    code, out, err = run(capsys, "export", path, "--for", "ucc")
    assert (code, out) == (0, "bcast:0-inf:host:[2-9]:inf:@knomial\n")
    assert (
        "r.json:4 bcast knomial:k=3: UCC knows one UCC_TL_UCP_BCAST_KN_RADIX, and 8 was first"
        in err
    )
    assert "UCC_TL_UCP_BCAST_KN_RADIX=8" in err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--for", "mpich"], "needs --base"),
        (["--for", "ucc", "--base", "x"], "--base is for mpich"),
        (["--for", "mpich", "--base", "/bin/sh"], "no MPICH library"),
        (["--for", "openmpi", "-o", "/nowhere/x"], "its folder does not exist"),
    ],
)
def test_export_refuses(capsys, path, arguments, says):
    code, out, err = run(capsys, "export", path, *arguments)
    assert code == 2
    assert says in err
    assert out == ""


def test_show_validate_explain(capsys, tmp_path):
    path = tmp_path / "r.json"
    write(
        path,
        [
            Rule("bcast", "linear", bytes=(0, 9)),
            Rule("bcast", "bine_small", bytes=(10, None), nodes=(2, None)),
            Rule("bcast", "linear", bytes=(5, 9)),
            Rule("allgather", "bine_permute", ranks=(5, 7)),
            Rule("allgather", "ring", ranks=(2, 4)),
            Rule("allgather", "mpi", ranks=(4, 9)),
        ],
        "",
    )
    code, out, _ = run(capsys, "show", path)
    assert code == 0
    assert len(out.splitlines()) == 7
    assert "bine_small" in out
    assert "10.." in out
    code, out, _ = run(capsys, "validate", path)
    assert code == 1
    assert f"{path}:5: bcast linear repeats the rule in line 3" in out
    assert f"{path}:6: allgather bine_permute serves none of 5..7 ranks" in out
    assert f"{path}:8" not in out
    assert "bcast: no rule for bytes 10.., nodes 1: hopbine chooses by itself" in out
    code, out, _ = run(
        capsys,
        "explain",
        "bcast",
        "--rules",
        path,
        "-p",
        8,
        "--ranks-per-node",
        4,
        "--sizes",
        "8:64:8",
    )
    assert code == 0
    assert "8 B: linear, line 3" in out
    assert "64 B: bine_small, line 4\n  passed over: line 3, linear: bytes 64 outside 0..9" in out
    code, out, _ = run(capsys, "explain", "allgather", "--rules", path, "-p", 6, "--sizes", "8")
    assert (
        "mpi; line 6 answers with bine_permute, but allgather bine_permute serves p power of "
        "two, not p = 6"
    ) in out
    code, out, _ = run(capsys, "explain", "gather", "--rules", path, "-p", 6, "--sizes", "8")
    assert "bine; no rule answers: default: " in out


def test_a_rule_covered_by_several_is_found(capsys, tmp_path):
    path = tmp_path / "r.json"
    write(
        path,
        [
            Rule("bcast", "linear", bytes=(0, 9)),
            Rule("bcast", "knomial", bytes=(10, 20)),
            Rule("bcast", "bine_small", bytes=(5, 15)),
        ],
        "",
    )
    code, out, _ = run(capsys, "validate", path)
    assert code == 1
    assert "r.json:5: bcast bine_small never answers" in out


def test_the_schema_knows_what_the_parser_knows(tmp_path):
    """Members, collectives and kinds of values: what one refuses, the other refuses."""
    schema = json.loads(files("hopbine.selection").joinpath("schema.json").read_text())
    rule = schema["$defs"]["rule"]["properties"]
    assert set(rule["collective"]["enum"]) == {a["collective"] for a in REGISTRY}
    assert {n for n in rule if n in CONDITIONS} == set(CONDITIONS)
    values = {"note": "x", "parameters": {}, "collective": "bcast", "algorithm": "mpi"} | {
        name: [1, None] for name in CONDITIONS
    }
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
            if not (member == "note" and wrong == "x"):
                assert not taken(with_rule(**{member: wrong})), (member, wrong)
    for needed in schema["$defs"]["rule"]["required"]:
        document = with_rule()
        del document["rules"][0][needed]
        assert not taken(document)
    assert not taken({"rules": []})
    assert not taken({"hopbine_rules": 1})
    assert not taken({"hopbine_rules": 1, "rules": [], "more": 1})
