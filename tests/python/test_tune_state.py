"""Tuning within its time: state, interruptions, launches that break down."""

from math import inf

import pytest
from tuning_machine import NAMES, Machine, classes, tuner_on

from hopbine.tuning import outcome
from hopbine.tuning.candidates import LIBRARY
from hopbine.tuning.race import UNDECIDED
from hopbine.tuning.state import OtherQuestion, State


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
