"""Problems and calls as values across the binding, and how many parameters cross it."""

import ast
from pathlib import Path

import numpy
import pytest

import hopbine
from hopbine import _core
from hopbine.errors import UsageError

GROUPS, NODES = [0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 2, 2]
MOST_PARAMETERS = 6


def test_a_problem_has_what_it_was_made_of():
    one = _core.Problem(
        "bcast", "knomial", root=2, parameters={"k": 4}, group=GROUPS, node=NODES, bytes=100
    )
    assert (one.collective, one.algorithm, one.p, one.root) == ("bcast", "knomial", 6, 2)
    assert (one.parameters, one.group, one.node) == ({"k": 4}, GROUPS, NODES)
    assert (one.shape, one.bytes, one.schedule_bytes) == ([], 100, 0)
    assert repr(one) == "Problem(bcast knomial:k=4, p=6, root=2)"
    with pytest.raises(AttributeError):
        one.p = 7
    bare = _core.Problem("allreduce", "swing", 16, shape=(4, 4))
    assert (bare.group, bare.node, bare.shape) == ([], [], [4, 4])
    assert repr(bare) == "Problem(allreduce swing, p=16)"
    assert _core.Problem("bcast", "knomial", group=[3, 3, 5]).node == [0, 1, 2]


@pytest.mark.parametrize(
    ("collective", "algorithm", "root", "results"),
    [
        ("bcast", "knomial", 1, [[0, 1, 2]] * 3),
        ("gather", "knomial", 1, [[], [0, 1, 2], []]),
        ("reduce_scatter", "ring", 0, [[0], [1], [2]]),
        ("alltoall", "pairwise", 0, [[0, 3, 6], [1, 4, 7], [2, 5, 8]]),
        ("barrier", "dissemination", 0, [[0]] * 3),
        ("exscan", "chain", 0, [[], [0, 1, 2], [0, 1, 2]]),
    ],
)
def test_results_are_those_of_the_collective(collective, algorithm, root, results):
    problem = _core.Problem(collective, algorithm, 3, root=root)
    assert [problem.results(rank) for rank in range(3)] == results


def test_parameters_in_bytes_are_known_by_the_next_power_of_two():
    cut = {"segment": 4096}
    assert (
        _core.Problem("allreduce", "bine_large", 8, parameters=cut, bytes=9999).schedule_bytes
        == 1 << 14
    )


def test_calls_have_what_they_were_made_of():
    one = _core.Calls("reduce", root=3, commutes=False, form="persistent")
    assert (one.collective, one.root, one.commutes, one.exact) == ("reduce", 3, False, False)
    assert repr(one) == "Calls(reduce, root=3, in_order, persistent)"
    with pytest.raises(AttributeError):
        one.form = "blocking"


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (lambda: _core.Problem("colective", "ring", 4), "colective"),
        (lambda: _core.Problem("bcast", "rong", 4), "unknown algorithm"),
        (lambda: _core.check(_core.Problem("bcast", "knomial")), "p = 0 is not a number of ranks"),
        (lambda: _core.check(_core.Problem("bcast", "knomial", 4, root=4)), "root 4 is outside"),
        (lambda: _core.check(_core.Problem("bcast", "knomial", 4, group=[0])), "p = 4"),
        (lambda: _core.count(_core.Problem("bcast", "knomial", 4)), "the groups of its ranks"),
        (lambda: _core.count(_core.Problem("bcast", "knomial", 4, group=[0])), "p = 4"),
        (lambda: _core.Modelled(_core.Problem("bcast", "knomial", 4)), "the groups of its ranks"),
        (
            lambda: _core.Simulation(
                _core.Problem("bcast", "knomial", 4), _core.Topology("torus:4"), [0, 1]
            ),
            "p = 4 ranks are not on 2 nodes",
        ),
        (lambda: _core.Problem("bcast", "knomial", 4).results(4), "rank 4 is outside 0..3"),
        (lambda: _core.Calls("bcast", form="quick"), "form 'quick' is not blocking"),
        (lambda: _core.DrawnBlocks("dist:odd:3", 4), "dist:odd:3"),
        (lambda: _core.DrawnBlocks(numpy.zeros(3, numpy.int64), 2), "3"),
    ],
)
def test_what_cannot_be_met_is_said(wrong, why):
    with pytest.raises(UsageError, match=why):
        wrong()


def test_no_function_of_the_binding_has_many_parameters():
    """Options with names of their own are those of a class, by keyword only."""
    stub = Path(hopbine.__file__).parent / "_core.pyi"
    functions = [n for n in ast.walk(ast.parse(stub.read_text())) if isinstance(n, ast.FunctionDef)]
    assert len(functions) > 100
    for f in functions:
        positional = [a for a in (*f.args.posonlyargs, *f.args.args) if a.arg != "self"]
        options = [] if f.name == "__init__" else f.args.kwonlyargs
        assert len(positional + options) <= MOST_PARAMETERS, f"{f.name}, line {f.lineno}"
