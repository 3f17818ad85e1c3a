"""Schedules as text: out, in, and equal."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hopbine
from hopbine import Schedule, UsageError, _core
from hopbine.core.schedule import MODES, Move

ALGORITHMS = [(a["collective"], a["name"]) for a in _core.algorithms()]
HEADING = _core.csv_heading
TEXT = f"{HEADING}\n0,0,0,3,copy,0-3\n1,0,0,1,reduce,0;2-3\n"


def schedules(collective, name):
    """Schedules of an algorithm on few ranks, with all parameter values that the check tries."""
    (record,) = (
        a for a in _core.algorithms() if (a["collective"], a["name"]) == (collective, name)
    )
    settings = [{}] + [
        {q["name"]: value} for q in record["parameters"] for value in q["probes"] if value <= 64
    ]
    for p in range(1, 10):
        for parameters in settings if _core.fits(collective, name, p) else ():
            try:
                yield Schedule.of(collective, name, p, 0, parameters), p, parameters
            except UsageError:
                continue  # this value is not for so many ranks


@pytest.mark.parametrize(("collective", "name"), ALGORITHMS)
def test_text_in_and_out_is_the_identity(collective, name):
    tried = 0
    for schedule, p, parameters in schedules(collective, name):
        lines = []
        problem = _core.Problem(collective, name, p, parameters=parameters)
        _core.export(problem, "csv", lines.append)
        assert str(schedule) == "".join(lines)
        again = Schedule.parse(str(schedule))
        assert again == schedule
        assert hash(again) == hash(schedule)
        walked = _core.schedule(problem)
        assert schedule.steps <= walked.steps
        sent = [
            Move(t, channel, r, peer, op, tuple((lo, hi - 1) for lo, hi in runs))
            for t in range(walked.steps)
            for r in range(p)
            for way, op, channel, peer, runs in walked.moves(r, t)
            if way == "send"
        ]
        assert list(schedule.moves) == sent
        tried += 1
    assert tried > 2


NUMBERS = st.integers(0, 2**20 - 1)
RUNS = st.tuples(NUMBERS, st.integers(0, 9)).map(lambda run: (run[0], sum(run)))
MOVES = st.builds(
    Move,
    NUMBERS,
    NUMBERS,
    NUMBERS,
    NUMBERS,
    st.sampled_from(MODES),
    st.lists(RUNS, min_size=1).map(tuple),
)


@given(st.lists(MOVES).map(lambda moves: sorted(moves, key=lambda m: m.step)))
def test_any_moves_can_be_written_and_read(moves):
    schedule = Schedule(tuple(moves))
    assert Schedule.parse(str(schedule)) == schedule


@given(st.data())
def test_a_changed_text_is_read_or_refused_in_a_line(data):
    at = data.draw(st.integers(0, len(TEXT)))
    end = data.draw(st.integers(at, len(TEXT)))
    text = TEXT[:at] + data.draw(st.text("0123456789,;-\ncopyrdu x\x00\u0661", max_size=4))
    text += TEXT[end:]
    try:
        assert str(Schedule.parse(text)) == text
    except UsageError as error:
        line, column = map(int, re.match(r"schedule:(\d+):(\d+): ", str(error)).groups())
        assert 1 <= line <= text.count("\n") + 1
        assert 1 <= column <= len(text.split("\n")[line - 1]) + 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "s:1:1: the first line is not 'step,channel,src,dst,mode,blocks'"),
        (HEADING, "s:1:33: the text ends within a line"),
        (f"{HEADING}\n0,0,0,3,copy,0", "s:2:15: the text ends within a line"),
        (f"{HEADING}\n0,0,-1,3,copy,0\n", "s:2:5: src is not a whole number from 0 to "),
        (f"{HEADING}\n0,0,0,3,move,0\n", "s:2:9: mode is not one of copy, reduce"),
        (f"{HEADING}\n0,0,0,3,copy,4-2\n", "s:2:16: the last block of a run is not a whole"),
        (f"{HEADING}\n0,0,0,3,copy,4 \n", "s:2:15: blocks end here"),
        (f"{HEADING}\n0,0,0,3,copy,\n", "s:2:14: block is not a whole number"),
        (f"{HEADING}\n0;0,0,3,copy,0\n", "s:2:2: ',' is needed behind step"),
        (
            f"{HEADING}\n2,0,0,3,copy,0\n1,0,0,3,copy,0\n",
            "s:3:1: step is not a whole number from 2",
        ),
    ],
)
def test_what_is_wrong_is_named_by_line_and_column(text, says):
    with pytest.raises(UsageError) as told:
        Schedule.parse(text, "s")
    assert str(told.value).startswith(says)


def test_different_schedules_are_not_equal():
    bine = Schedule.of("bcast", "bine_small", 8)
    assert bine == Schedule.of("bcast", "bine_small", 8)
    assert bine != Schedule.of("bcast", "bine_small", 8, root=1)
    assert bine != Schedule.of("bcast", "linear", 8)
    assert hopbine.Schedule is Schedule
