"""hopbine compare: figures, order, verdict and what outputs have in common."""

import random
import re
from collections import Counter
from dataclasses import replace
from itertools import permutations
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopbine.comparison import outputs
from hopbine.comparison.commands import Commands, check
from hopbine.comparison.figures import figure, figures, seconds_of
from hopbine.comparison.turns import KINDS, orders
from hopbine.comparison.verdict import (
    ALIKE,
    FASTER,
    SLOWER,
    TOO_FEW,
    fewest_values,
    result,
    sentence,
)

CONFIDENCE = 0.95


def drawn(seed, pairs=9, gain=1.0, noise=0.01, drift=0.0):
    """Times of jobs in turns: noise in per cent's sense, and a machine that slows down."""
    of, times, now = random.Random(f"noise {seed}"), {kind: [] for kind in KINDS}, 0.0
    for order in orders(pairs, seed):
        for kind in order:
            own = gain if kind == "hopbine" else 1.0
            times[kind].append(own * exp(of.gauss(now, noise)))
            now += drift
    return result("job", *(times[kind] for kind in KINDS), CONFIDENCE)


@pytest.mark.parametrize("noise", [0.001, 0.03, 0.3])
@pytest.mark.parametrize("pairs", [6, 9, 20])
@pytest.mark.parametrize("drift", [0.0, 0.01])
def test_equal_jobs_are_told_apart_more_seldom_than_the_confidence_says(noise, pairs, drift):
    told = Counter(drawn(seed, pairs, noise=noise, drift=drift).verdict for seed in range(1000))
    assert set(told) <= {ALIKE, FASTER, SLOWER}
    assert told[FASTER] + told[SLOWER] <= 1000 * (1 - CONFIDENCE), told


@given(st.integers(0, 2**32), st.sampled_from([(0.9, FASTER), (1.1, SLOWER)]))
def test_a_tenth_is_found_in_noise_of_a_hundredth(seed, case):
    gain, verdict = case
    of = drawn(seed, gain=gain)
    assert of.verdict == verdict
    assert of.ratio == pytest.approx(gain, rel=0.03)
    assert of.low <= of.quartile_low <= of.ratio <= of.quartile_high <= of.high
    assert verdict in sentence(of, CONFIDENCE)


TIMES = st.lists(st.floats(0.1, 10), min_size=6, max_size=30)


@given(st.data(), TIMES, st.floats(1e-3, 1e3))
def test_the_verdict_has_no_unit_and_a_rate_is_a_time_upside_down(data, stock, unit):
    alike = st.lists(st.floats(0.1, 10), min_size=len(stock), max_size=len(stock))
    rows = [stock, data.draw(alike), data.draw(alike)]
    of = result("x", *rows, CONFIDENCE)
    inverse = result("x", *([1 / v for v in row] for row in rows), CONFIDENCE, rate=True)
    assert inverse.ratio == pytest.approx(of.ratio)
    assert inverse.best == pytest.approx(of.best)
    scaled = result("x", *([unit * v for v in row] for row in rows), CONFIDENCE)
    assert scaled.ratio == pytest.approx(of.ratio)
    if all(own >= base for own, base in zip(rows[1], rows[0], strict=True)):
        assert of.verdict != FASTER
    if of.verdict != ALIKE:  # equal jobs are nearer to each other than these
        assert abs(1 - of.ratio) > 0
        assert (of.high < 1) == (of.verdict == FASTER)


def test_equal_jobs_that_differ_take_the_verdict_back():
    """Stock again is a tenth slower than stock: hopbine's twentieth is then no difference."""
    stock = [1.0] * 9
    assert result("job", stock, [1.05] * 9, stock, CONFIDENCE).verdict == SLOWER
    for again in (1.1, 1 / 1.1):
        assert result("job", stock, [1.05] * 9, [again] * 9, CONFIDENCE).verdict == ALIKE


def test_too_few_pairs_are_no_verdict():
    needed = fewest_values(CONFIDENCE)
    assert needed == 6
    of = drawn(1, needed - 1, gain=0.5)
    assert of.verdict == TOO_FEW
    assert sentence(of, CONFIDENCE).endswith("95 % needs 6")
    assert drawn(1, needed, gain=0.5).verdict == FASTER


def test_ratios_are_of_jobs_of_one_turn():
    of = result("job", [1, 2, 4], [2, 2, 2], [1, 4, 4], 0.5)
    assert (of.ratio, of.best, of.stock, of.hopbine) == (1, 2, 2, 2)
    assert (of.again, of.again_best) == (1, 1)


@given(st.integers(1, 40), st.integers())
def test_orders_are_dealt_evenly(turns, seed):
    dealt = list(orders(turns, seed))
    assert len(dealt) == turns
    counted = Counter(dealt)
    assert set(counted) <= set(permutations(KINDS))
    assert max(counted.values()) - min(counted[o] for o in permutations(KINDS)) <= 1
    assert dealt == list(orders(turns, seed))


def test_a_figure_is_the_last_number_that_the_expression_finds():
    of = figure(r"^time (?P<loop>\S+)", "--figure")
    assert of.name == "loop"
    assert of.read("time 3\nlifetime 9\ntime 1.5D+00 s\n") == 1.5
    assert of.read("time 1m21.76s") is None
    assert of.read("time 0\n") is None
    assert of.read("time nan\n") is None
    assert of.read("nothing") is None
    assert figure("WALL ([0-9m.]+)s", "--figure").read("CPU 1m15.2s WALL 1m16.2s") == 76.2
    assert seconds_of("1m21.76") == pytest.approx(81.76)
    assert seconds_of("soon") is None


@pytest.mark.parametrize(
    ("times", "rates", "why"),
    [
        (["a(b"], [], "no regular expression"),
        (["(" * 5000], [], "no regular expression"),
        (["a{99999999999999999999}"], [], "no regular expression"),
        (["time .*"], [], "has 0 groups: one is needed"),
        ([], ["(a)(b)"], "--rate '(a)(b)' has 2 groups"),
        (["(a)"], ["(a)"], "two figures are called '(a)'"),
        (["(?P<job>a)"], [], "two figures are called 'job'"),
    ],
)
def test_wrong_figures_are_refused(times, rates, why):
    with pytest.raises(ValueError, match=re.escape(why)):
        figures(times, rates)


def test_commands():
    before = Commands(["mpiexec", "-n", "4", "./a", "{}x"], ["hopbine", "run"])
    assert before.stock() == ["mpiexec", "-n", "4", "./a", "{}x"]
    assert before.hopbine(["--learn=f"]) == ["hopbine", "run", "--learn=f", *before.stock()]
    marked = replace(before, given=["srun", "{}", "./a", ":", "{}", "./b"])
    assert marked.stock() == ["srun", "./a", ":", "./b"]
    assert marked.hopbine() == ["srun", "hopbine", "run", "./a", ":", "hopbine", "run", "./b"]
    other = replace(marked, given=["srun", "@", "find", "{}"], mark="@")
    assert other.stock() == ["srun", "find", "{}"]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([], "no job is given"),
        (["{}"], "no job is given"),
        (["mpiexec", "{}"], "a program has to follow"),
        (["mpiexec", "/opt/bin/hopbine", "run", "a"], "`/opt/bin/hopbine run` already"),
    ],
)
def test_commands_that_cannot_be_compared(words, why):
    with pytest.raises(ValueError, match=why):
        check(words, "{}")


def test_hopbine_s_lines_are_found_behind_what_launchers_put_before():
    text = "hopbine: one\n3: hopbine: two\n[1,0]<stderr>:hopbine: three\nmyhopbine: no\n"
    assert outputs.own_lines(text) == ["one", "two", "three"]


def test_lines_that_only_jobs_without_hopbine_share(tmp_path):
    def job(*lines):
        (tmp_path / "out").write_text("\n".join(lines))
        return tmp_path / "out"

    found = outputs.Lines()
    found.add(job("energy -3", "rank 0", "rank 1", "time 1"), False)
    found.add(job("energy -3", "rank 1", "rank 0", "time 2"), False)
    found.add(job("rank 1", "rank 0", "energy -3", "time 3"), True)
    assert found.missing() == []
    found.add(job("rank 1", "rank 0", "energy -4", "time 4"), True)
    assert found.missing() == ["energy -3"]


def test_outputs_that_are_too_long_are_not_compared(tmp_path, monkeypatch):
    monkeypatch.setattr(outputs, "MOST_BYTES", 100)
    (tmp_path / "out").write_text("x" * 101)
    found = outputs.Lines()
    found.add(tmp_path / "out", False)
    assert found.missing() is None
