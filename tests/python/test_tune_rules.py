"""What tuning tries, and the rules and reports that come of it."""

import csv
import io
from dataclasses import replace
from math import inf

import pytest
from tuning_machine import NAMES, Machine, classes, tuner_on

from hopbine import _core
from hopbine.model.counted import seconds
from hopbine.model.parameters import Parameters
from hopbine.output.tables import Csv
from hopbine.selection import file
from hopbine.selection.file import Rule
from hopbine.tuning import outcome, report
from hopbine.tuning.candidates import LIBRARY, all_candidates, of_size, radices
from hopbine.tuning.pruning import prune
from hopbine.tuning.state import State
from hopbine.tuning.tuner import SizeClass


def test_candidates_come_from_the_records():
    every = all_candidates("allreduce", 8)
    records = {a["name"]: a for a in _core.algorithms() if a["collective"] == "allreduce"}
    plain = {
        n
        for n, a in records.items()
        if a["bitwise_reproducible"]
        and not a["follows_shape"]
        and not a["follows_placement"]
        and not a["by_name_only"]
        and _core.fits("allreduce", n, 8)
    }
    assert {c.partition(":")[0] for c in every} == plain
    assert {f"knomial:k={k}" for k in (2, 3, 4, 8)} <= set(every)
    assert "knomial:k=9" not in every
    assert len({c for c in every if c.startswith("recursive_multiplying")}) > 4
    assert not any("recursive_multiplying:k=2:far=0" in c for c in every)
    assert all_candidates("allreduce", 8, asked=["bine_small"]) == ["bine_small"]
    for c in every:
        _core.parse_algorithms(f"allreduce={c}", "test")
    assert "hierarchical_large:at_once=1" in all_candidates("allreduce", 8, placed=True)
    assert {"swing:ports=0", "swing:ports=1"} <= set(all_candidates("allreduce", 8, shape=[4, 2]))
    small, large = of_size(every, "allreduce", 8), of_size(every, "allreduce", 1 << 20)
    assert "bine_large:segment=0" in small
    assert not any("segment=6" in c for c in small)
    assert "bine_large:segment=65536" in large


@pytest.mark.parametrize("p", [2, 3, 8, 12, 64, 1000])
def test_radices_are_of_every_depth(p):
    found = radices(2, p)
    assert found == sorted(set(found))
    assert {2, p} <= set(found) <= set(range(2, max(p, 2) + 1))

    def depth(k: int) -> int:
        reach, d = 1, 0
        while reach < p:
            reach, d = reach * k, d + 1
        return d

    least = {}
    for k in range(p, 1, -1):
        least[depth(k)] = k
    assert set(least.values()) <= set(found)


def test_pruning_is_by_the_model_and_told():
    parameters = Parameters(alpha=1e-6, beta=1e-9, gamma=1e-10, overhead=0)
    sizes = [8, 1 << 20]
    times = {
        name: seconds(parameters, "allreduce", name, 16, sizes)
        for name in ("ring", "recursive_doubling")
    }
    gone = prune(times, sizes, 5)
    assert list(gone[8]) == ["ring"]
    assert gone[8]["ring"] == pytest.approx(30 / 4, rel=0.01)
    assert not gone[1 << 20]
    assert not prune({}, [8], 5)[8]


def test_neighbours_with_one_answer_are_one_rule_and_files_keep_the_rest(tmp_path):
    machine = Machine({"bine_small": 0.5})
    some = [
        SizeClass("bcast", low, size, ("bine_small", "linear"))
        for low, size in ((0, 8), (9, 16), (33, 64))
    ]
    results = tuner_on(machine).run(some, State(str(tmp_path / "s"), {}), inf)
    made = outcome.rules([*results[:2], outcome.withdrawn(results[2])], 5, 0.95)
    assert [(r.algorithm, r.ranks, r.bytes) for r in made] == [
        ("bine_small", (5, 5), (0, 16)),
        (LIBRARY, (5, 5), (33, 64)),
    ]
    assert "8 B: bine_small faster: 0." in made[0].note
    assert "not confirmed" in made[1].note

    path = str(tmp_path / "r.json")
    old = [
        Rule("bcast", "linear", ranks=(5, 5), bytes=(0, 16)),
        Rule("bcast", "linear", ranks=(5, 5), bytes=(0, None)),
        Rule("bcast", "linear", ranks=(4, 4)),
        Rule("allreduce", "knomial", {"k": 3}, ranks=(5, 5), bytes=(0, 16)),
    ]
    file.write(path, outcome.merged(made, old), "both")
    assert [replace(r, line=0) for r in file.read(path)] == [*made, *old[1:]]


def test_the_report_says_what_was_measured(tmp_path, capsys):
    results = tuner_on(Machine(dict.fromkeys(NAMES, 2.0))).run(
        classes(8), State(str(tmp_path / "s"), {}), inf
    )
    results += tuner_on(Machine({"a1": 0.5})).run(classes(16), State(str(tmp_path / "t"), {}), inf)
    report.print_results(results, {}, 0.95)
    out = capsys.readouterr().out
    assert "hopbine serves 1 of 2 size classes" in out
    assert "slower: bcast 8 B: the best, a" in out
    report.print_rows(results, 3, {}, set(), Csv())
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [r["serves"] for r in rows] == ["mpi", "a1"]
    assert float(rows[1]["ratio_high"]) < 1
    assert rows[0]["slower"]
