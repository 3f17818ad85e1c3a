"""The statistics of tuning, and how candidates are halved."""

import random
from itertools import pairwise
from math import inf

import pytest
from tuning_machine import NAMES, Machine, race_on

from hopbine.tuning.candidates import LIBRARY
from hopbine.tuning.interval import median_interval, ratio
from hopbine.tuning.race import FASTER, ROUNDS, SLOWER, Plan, Race


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
