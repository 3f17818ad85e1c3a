"""Tuning: its statistics, halving, state and rules, on samples that are made up.

What is wrong is told before anything starts.
"""

import csv
import io
import json
import random
from dataclasses import replace
from itertools import pairwise
from math import inf

import pytest

from hopbine import _core
from hopbine.cli import main
from hopbine.cli.tune import parse_duration
from hopbine.model.parameters import Parameters
from hopbine.selection import file
from hopbine.selection.file import Rule
from hopbine.tuning import outcome, report
from hopbine.tuning.candidates import LIBRARY, all_candidates, of_size, radices
from hopbine.tuning.interval import median_interval, ratio
from hopbine.tuning.pruning import prune
from hopbine.tuning.race import FASTER, ROUNDS, SLOWER, UNDECIDED, Answer, Plan, Race, Request
from hopbine.tuning.session import Lost
from hopbine.tuning.state import OtherQuestion, State
from hopbine.tuning.tuner import SizeClass, Tuner

NAMES = tuple(f"a{i}" for i in range(12))


class Machine:
    """Times drawn around a mean of each algorithm; its clock is the time it takes.

    They have a heavy tail and a hiccup that all of a repetition share.
    """

    def __init__(
        self,
        means: dict[str, float],
        seed: int = 0,
        noise: float = 0.1,
        breaks: dict[str, str] | None = None,
    ):
        self.means, self.noise, self.breaks, self.now, self.asked = (
            means,
            noise,
            breaks or {},
            0.0,
            0,
        )
        self.random = random.Random(seed)

    def ask(self, collective: str, size: int, request: Request) -> Answer:
        self.asked += 1
        for a in request.algorithms:
            if a in self.breaks and self.breaks[a] != "refused":
                raise Lost("it has ended", trying=a if self.breaks[a] == "at once" else None)
        refused = {a: "its result is wrong" for a in request.algorithms if a in self.breaks}
        samples = {a: [] for a in request.algorithms if a not in refused}
        for _ in range(request.repetitions):
            shared = self.random.lognormvariate(0, 0.3)
            for a, times in samples.items():
                times.append(
                    self.means.get(a, 1.0)
                    * shared
                    * self.random.lognormvariate(0, self.noise)
                    * (10 if self.random.random() < 0.03 else 1)
                )
        wall = sum(map(sum, samples.values()))
        self.now += wall
        return Answer(request, samples, refused, wall)

    def close(self, kill: bool = False) -> None:
        pass


def race_on(machine: Machine, candidates=NAMES, seconds: float = inf) -> Race:
    race = Race(candidates, Plan())
    while request := race.next(seconds - machine.now):
        race.take(machine.ask("bcast", 8, request))
    return race


def tuner_on(machine: Machine) -> Tuner:
    return Tuner(
        lambda: machine, Plan(), lambda text: None, lambda text: None, clock=lambda: machine.now
    )


def test_intervals_hold_the_median_as_often_as_they_say():
    drawn = random.Random(1)
    for n in (8, 21, 60):
        held = 0
        for _ in range(1000):
            i = median_interval([drawn.expovariate(1) for _ in range(n)], 0.95)
            held += i.low <= 0.6931 <= i.high
        assert 935 <= held <= 1000, n  # 15 below is two standard deviations of 950


def test_too_few_values_say_nothing():
    for n in range(6):
        i = median_interval([1.0] * n, 0.95)
        assert (i.low, i.high) == (0, inf)
    assert median_interval([1.0] * 6, 0.95).high == 1
    many = median_interval(range(5000), 0.95)
    assert many.high - 2500 == pytest.approx(1.96 * 5000**0.5 / 2, abs=2)
    assert ratio([2, 4, 6], [1, 2, 3], 0.5).middle == 2


@pytest.mark.parametrize("seed", range(5))
def test_a_known_best_is_found(seed):
    race = race_on(Machine(dict.fromkeys(NAMES, 1.3) | {"a7": 0.7}, seed))
    assert race.outcome.serves == race.outcome.best == "a7"
    assert race.outcome.verdict == FASTER
    assert race.outcome.fresh
    assert race.outcome.ratio.low <= 0.7 * 1.05
    assert race.outcome.ratio.high < 1


def test_the_library_is_kept_where_all_are_slower():
    race = race_on(Machine(dict.fromkeys(NAMES, 1.5)))
    assert race.outcome.serves == LIBRARY
    assert race.outcome.verdict == SLOWER
    assert race.outcome.ratio.low > 1
    assert race.outcome.best in race.slower


def test_choosing_from_many_that_are_alike_deceives_nobody():
    """All candidates are as fast as the library.

    The best of them looks faster in the samples that selected it, and not in fresh ones.
    """
    looked, deceived, runs = 0, 0, 80
    for seed in range(runs):
        race = Race(NAMES, Plan())
        machine = Machine({}, seed, noise=0.3)
        while request := race.next():
            if request.phase == "decide":
                looked += race._ratio(request.algorithms[1], LIBRARY, 0.95).middle < 1
            race.take(machine.ask("bcast", 8, request))
        deceived += race.outcome.serves != LIBRARY
    assert looked > 0.6 * runs  # there is a bias to be handled
    assert deceived <= 7  # 2.5% of 80, and three standard deviations


def test_slower_ones_never_serve():
    """5% slower, many to choose from."""
    assert (
        sum(
            race_on(Machine(dict.fromkeys(NAMES, 1.05), seed)).outcome.serves != LIBRARY
            for seed in range(40)
        )
        <= 1
    )


def test_rounds_grow_while_candidates_become_fewer():
    race, machine, seen = (
        Race(NAMES, Plan()),
        Machine({a: 0.5 + i / 200 for i, a in enumerate(NAMES)}, noise=0.2),
        [],
    )
    while request := race.next():
        seen.append((request.phase, request.repetitions, len(request.algorithms)))
        race.take(machine.ask("bcast", 8, request))
    selecting = [s for s in seen if s[0] == "select"]
    assert [n for _, n, _ in selecting] == list(ROUNDS[: len(selecting)])
    assert all(b[2] <= a[2] for a, b in pairwise(selecting[1:]))
    assert seen[-1] == (
        "decide",
        Plan().fresh,
        2,
    )


def test_a_refused_candidate_does_not_lose_the_others():
    race = race_on(Machine({"a3": 0.5, "a1": 0.1}, breaks={"a1": "refused"}))
    assert race.outcome.serves == "a3"
    assert race.dropped["a1"] == "its result is wrong"
    with pytest.raises(RuntimeError, match="library's own calls"):
        race_on(Machine({}, breaks={LIBRARY: "refused"}))


def classes(*sizes: int, candidates=NAMES) -> list[SizeClass]:
    return [
        SizeClass("bcast", low, size, candidates)
        for low, size in zip((0, *(s + 1 for s in sizes)), sizes, strict=False)
    ]


def test_no_time_decides_nothing(tmp_path):
    machine = Machine({"a1": 0.1})
    results = tuner_on(machine).run(classes(8, 16), State(str(tmp_path / "s"), {}), 0)
    assert [r.outcome.verdict for r in results] == [UNDECIDED] * 2
    assert machine.asked == 0
    assert [(r.algorithm, r.bytes) for r in outcome.rules(results, 3, 0.95)] == [(LIBRARY, (0, 16))]


def test_the_time_is_kept_and_shared(tmp_path):
    for budget in (100, 400, 2000):
        machine = Machine({"a1": 0.3})
        results = tuner_on(machine).run(
            classes(8, 16, 32), State(str(tmp_path / f"s{budget}"), {}), budget
        )
        assert machine.now < 1.3 * budget  # the first round of a class is of unknown length
        assert budget < 2000 or all(r.outcome.serves == "a1" for r in results)


def test_an_interrupted_tuning_goes_on_to_the_same_rules(tmp_path):
    means = {a: 0.6 + i / 50 for i, a in enumerate(NAMES)}

    def tuned(path, stops: int | None = None):
        machine = Machine(means, 4)
        if stops:
            plain = machine.ask

            def ask(*what):
                if machine.asked == stops:
                    raise KeyboardInterrupt
                return plain(*what)

            machine.ask = ask
        return tuner_on(machine).run(classes(8, 16), State(path, {"p": 3}), inf), machine

    whole, _ = tuned(str(tmp_path / "whole"))
    path = str(tmp_path / "broken")
    with pytest.raises(KeyboardInterrupt):
        tuned(path, 5)
    with open(path, "a") as cut:
        cut.write('{"collective": "bcast", "byt')  # the end came while writing
    kept = State(path, {"p": 3}).answers
    assert sum(map(len, kept.values())) == 5
    rest, _ = tuned(path)
    again, idle = tuned(path)
    assert idle.asked == 0
    assert again == rest
    finished, idle = tuned(str(tmp_path / "whole"))
    assert idle.asked == 0
    assert outcome.rules(finished, 3, 0.95) == outcome.rules(whole, 3, 0.95)


def test_a_state_of_another_question_is_refused(tmp_path):
    path = str(tmp_path / "s")
    State(path, {"ranks": 8, "candidates": {"bcast": ["a", "b"]}, "sizes": [8]}).close()
    with pytest.raises(OtherQuestion, match=r"candidates bcast: -b, \+c; ranks: 8, now 4"):
        State(path, {"ranks": 4, "candidates": {"bcast": ["a", "c"]}, "sizes": [8]})
    assert State(path, {"ranks": 4}, fresh=True).answers == {}
    for wrong in (
        "words\n",
        "[]\n",
        '{"hopbine_tuning": 1}\n',
        '{"hopbine_tuning": 2, "question": {}}\n',
    ):
        (tmp_path / "s").write_text(wrong)
        with pytest.raises(ValueError, match="no state of hopbine tune"):
            State(path, {})


@pytest.mark.parametrize("how", ["at once", "later"])
def test_a_candidate_that_breaks_the_launch_is_found_and_left_out(tmp_path, how):
    path = str(tmp_path / "s")
    machine = Machine({"a2": 0.1, "a5": 0.5}, breaks={"a2": how})
    results = tuner_on(machine).run(classes(8, 16), State(path, {}), inf)
    assert [r.outcome.serves for r in results] == ["a5", "a5"]
    assert "a2" in State(path, {}).banned["bcast"]
    assert all("broke down" in r.dropped["a2"] for r in results)


def test_launches_that_keep_breaking_are_given_up(tmp_path):
    state = State(str(tmp_path / "s"), {})
    with pytest.raises(RuntimeError, match="launches broke down; what was measured is kept in"):
        tuner_on(Machine({}, breaks=dict.fromkeys(NAMES, "at once"))).run(classes(8), state, inf)
    with pytest.raises(RuntimeError, match="library's own bcast of 8 B breaks down"):
        tuner_on(Machine({}, breaks={LIBRARY: "at once"})).run(classes(8), state, inf)


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


def test_candidates_come_from_the_records():
    every = all_candidates("allreduce", 8)
    records = {a["name"]: a for a in _core.algorithms() if a["collective"] == "allreduce"}
    plain = {
        n
        for n, a in records.items()
        if a["same_everywhere"]
        and not a["follows_shape"]
        and not a["follows_placement"]
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
    gone = prune(["ring", "recursive_doubling"], "allreduce", 16, [8, 1 << 20], 0, parameters, 5)
    assert list(gone[8]) == ["ring"]
    assert gone[8]["ring"] == pytest.approx(30 / 4, rel=0.01)
    assert not gone[1 << 20]
    assert not prune(["ring"], "allreduce", 16, [8], 0, parameters, 0)[8]


def test_the_report_says_what_was_measured(tmp_path, capsys):
    results = tuner_on(Machine(dict.fromkeys(NAMES, 2.0))).run(
        classes(8), State(str(tmp_path / "s"), {}), inf
    )
    results += tuner_on(Machine({"a1": 0.5})).run(classes(16), State(str(tmp_path / "t"), {}), inf)
    report.print_results(results, {}, 0.95)
    out = capsys.readouterr().out
    assert "hopbine serves 1 of 2 size classes" in out
    assert "slower: bcast 8 B: the best, a" in out
    report.print_csv(results, 3, {}, set())
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [r["serves"] for r in rows] == ["mpi", "a1"]
    assert float(rows[1]["ratio_high"]) < 1
    assert rows[0]["slower"]


def test_durations():
    assert [parse_duration(t) for t in ("0", "90", "90s", "3min", "1.5 h")] == [
        0,
        90,
        90,
        180,
        5400,
    ]


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["alreduce"], "known: bcast"),
        (["allreduce,bcast", "--algorithms", "ring"], "--algorithms goes with one collective"),
        (["allreduce", "--sizes", "8:4"], "LOW <= HIGH"),
        (["allreduce", "--budget", "soon"], "--budget 'soon' is not like 90s, 3min or 1h"),
        (["allreduce", "--prune", "0.5"], "--prune 0.5 must be above 1"),
        (["allreduce", "--confidence", "95"], "--confidence 95 is not"),
        (["allreduce", "--samples", "3"], "--samples 3 needs at least 12"),
        (["allreduce", "--shape", "4y2"], "is no shape like 8x8x4"),
        (["allreduce", "-o", "/nonexistent/x.json"], "/nonexistent/x.json: its folder"),
        (["allreduce", "--verify", "/nonexistent.json"], "/nonexistent.json: cannot be read"),
        (
            ["allreduce", "--ranks", "1", "--mpiexec", "/bin/true", "--mpi", "openmpi"],
            "--ranks 1 needs at least 2",
        ),
        (["allreduce", "--launch", "srun -n 4", "--ranks", "4"], "do not go with it"),
        (["allreduce", "--launch", ""], "--launch: is empty"),
        (["allreduce", "--launch", "/nonexistent -n 3"], "no MPI launcher '/nonexistent'"),
        (["allreduce", "--mpiexec", "/nonexistent"], "no MPI launcher '/nonexistent'"),
    ],
)
def test_bad_input_is_named_in_one_line(argv, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["tune", *argv]) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert told.err.startswith("hopbine: ")
    assert told.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_an_output_that_is_no_rules_file_is_not_overwritten(capsys, tmp_path):
    path = tmp_path / "notes.json"
    path.write_text(json.dumps({"mine": 1}))
    assert main(["tune", "allreduce", "-o", str(path)]) == 2
    assert "hopbine_rules" in capsys.readouterr().err
    assert json.loads(path.read_text()) == {"mine": 1}


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo no such partition >&2; exit 3", "no such partition"),
        ("sleep 60", "no word within 0.5 s"),
    ],
)
def test_a_launch_that_fails_or_hangs_is_told(script, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = main(
        [
            "tune",
            "allreduce",
            "--launch",
            f"sh -c '{script}' --",
            "--mpi",
            "openmpi",
            "--timeout",
            "0.5",
        ]
    )
    assert code == 1
    assert said in capsys.readouterr().err
