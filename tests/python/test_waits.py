"""hopbine stats: who is waited for."""

import copy
import json
import random

import pytest
from late import arrivals, job

from hopbine.cli import main
from hopbine.recorded.statistics import load
from hopbine.recorded.waited_for import BY_CHANCE, chance_of, lines

FOUR = ["a", "a", "b", "b"]
NOBODY = "Who is waited for: no node and no rank stands out"


def slow(node, nodes, share=0.05):
    """All ranks of a node compute so much longer."""
    return lambda rank, _: share * 1e-3 if nodes[rank] == node else 0.0


def drawn_nodes(seed):
    """1 to 12 nodes of 1 to 8 ranks."""
    draw = random.Random(seed)
    each = draw.choice((1, 2, 3, 8))
    return [f"n{n}" for n in range(draw.randint(1, 12)) for _ in range(each)]


@pytest.mark.parametrize("seed", range(40))
def test_a_slow_node_is_named(seed):
    nodes = drawn_nodes(seed)
    if len(set(nodes)) == 1:
        nodes = FOUR
    guilty = random.Random(seed).choice(nodes)
    told = lines(job(nodes, late=slow(guilty, nodes), seed=seed))
    assert len(told) == 1
    ranks = [r for r, node in enumerate(nodes) if node == guilty]
    named = f"node {guilty} (ranks" if len(ranks) > 1 else f"rank {ranks[0]} on {guilty}:"
    assert named in told[0]
    share = float(told[0].split(" in a call, ")[1].split(" %")[0])
    assert 3 < share < 7


def test_no_node_is_named_where_none_is_slow():
    """In 300 jobs, of which one in thousand may name one by chance."""
    told = []
    for seed in range(300):
        nodes = drawn_nodes(seed)
        if len(nodes) > 1:
            told += [(seed, line) for line in lines(job(nodes, seed=seed)) if NOBODY not in line]
    assert told == []


def test_chance_is_what_is_drawn():
    """The least number of hits that names one of two nodes does so by chance as seldom as said."""
    least = next(hits for hits in range(33) if chance_of(hits, 32, 2) < BY_CHANCE)
    draw = random.Random(1)
    found = sum(sum(draw.random() < 0.5 for _ in range(32)) >= least for _ in range(20000))
    assert chance_of(32, 32, 2) == pytest.approx(2**-32)
    assert found / 20000 == pytest.approx(chance_of(least, 32, 2), abs=4e-4)


def test_one_rank_of_a_node_is_named_by_itself():
    (line,) = lines(job(FOUR, late=lambda rank, _: 1e-4 * (rank == 2)))
    assert "rank 2 on b: " in line
    (line,) = lines(job(["a"] * 5, late=lambda rank, _: 1e-4 * (rank == 4)))
    assert "rank 4 on a: " in line


@pytest.mark.parametrize("what", ["longest", "latest"])
def test_ranks_that_come_late_without_computing_longer_are_not_named(what):
    """They left the last call late, or early: that is the algorithm's way."""
    file = job(FOUR, late=slow("b", FOUR))
    for one in file["arrivals"]["communicators"]:
        others = job(FOUR)["arrivals"]["communicators"][0]
        one.update({key: others[key] for key in (f"{what}_node", f"{what}_rank")})
    assert NOBODY in lines(file)[0]


def test_a_difference_that_is_not_worth_a_line():
    nodes = ["a", "a", "b", "b"]
    assert NOBODY in lines(job(nodes, late=slow("b", nodes, 0.008), noise=1e-7))[0]
    assert "node b" in lines(job(nodes, late=slow("b", nodes, 0.012), noise=1e-7))[0]


def test_at_most_three_lines():
    nodes = [f"n{r}" for r in range(100)]
    told = lines(job(nodes, late=lambda rank, part: 1e-3 * (rank == part % 4)))
    assert len(told) == 4
    assert told[-1] == "Who is waited for: 1 more (--waits)."


@pytest.mark.parametrize("parts", [0, 1, 10])
def test_few_calls_tell_nothing(parts):
    file = job(FOUR, late=slow("b", FOUR), parts=max(1, parts))
    if not parts:
        file["arrivals"] = {"communicators": [], "not_compared": {}}
    (line,) = lines(file)
    assert line.startswith("Who is waited for: that cannot be told: ")
    told = {0: "no blocking call that all ranks leave together", 1: "10 calls could", 10: "100"}
    assert told[parts] in line


def test_why_calls_were_not_compared(told):
    file = job(FOUR)
    file["arrivals"] = {
        "communicators": [],
        "not_compared": {"several threads made the calls": 2},
    }
    why = "several threads made the calls (2 communicators)"
    assert f"told: {why}." in lines(file)[0]
    assert f"\nNot compared: {why}\n" in told(file, "--waits")[1]


def test_older_files_and_jobs_of_one_rank_say_nothing():
    file = job(FOUR)
    del file["arrivals"]
    assert lines(file) == []
    alone = file | {"ranks": 1, "arrivals": {"communicators": [], "not_compared": {}}}
    assert lines(alone) == []


@pytest.fixture
def told(tmp_path, capsys):
    """What hopbine stats prints of a file."""

    def run(file, *words):
        (tmp_path / "s.json").write_text(json.dumps(file))
        status = main(["stats", str(tmp_path / "s.json"), *words])
        out = capsys.readouterr()
        return status, out.out, out.err

    return run


def test_the_line_ends_the_table(told):
    status, out, _ = told(job(FOUR, late=slow("b", FOUR)))
    assert status == 0
    assert "node b (ranks 2, 3): " in out.splitlines()[-1]


def test_by_node_and_rank(told):
    file = job(FOUR, late=slow("b", FOUR, 0.5))
    rows = json.loads(told(file, "--waits", "--format", "json")[1])
    assert [(row["node"], row["rank"]) for row in rows[:2]] == [("b", None), ("a", None)]
    assert sorted((row["node"], row["rank"]) for row in rows[2:]) == [
        ("a", 0),
        ("a", 1),
        ("b", 2),
        ("b", 3),
    ]
    assert sum(row["last"] for row in rows[:2]) == rows[0]["compared"] == 320
    assert rows[0]["last"] == 320
    assert sum(row["waited_for_seconds"] for row in rows[2:]) == pytest.approx(
        rows[0]["waited_for_seconds"]
    )
    assert rows[0]["outside_longer_pct"] == pytest.approx(49, abs=3)
    assert "node b (ranks 2, 3)" in told(file, "--waits")[1]


def test_people_read_the_first_ten(told):
    file = job([f"n{r}" for r in range(12)])
    assert "2 more: --all" in told(file, "--waits")[1]
    assert "more" not in told(file, "--waits", "--all")[1]
    assert len(json.loads(told(file, "--waits", "--format", "json")[1])) == 12


def test_a_picture(told, tmp_path):
    pytest.importorskip("matplotlib")
    file = tmp_path / "late.svg"
    status, out, err = told(job(FOUR, late=slow("b", FOUR)), "--late-map", str(file))
    assert (status, err) == (0, "")
    drawn = file.read_text()
    assert f"how late ranks of {tmp_path / 's.json'} came: {file}" in out
    for rank, node in enumerate(FOUR):
        assert f">{node}, {rank}</text>" in drawn


def test_a_picture_of_nothing(told, tmp_path):
    file = job(FOUR)
    file["arrivals"]["communicators"] = []
    status, _, err = told(file, "--late-map", str(tmp_path / "late.svg"))
    assert status == 2
    assert "has no compared calls to draw" in err


def test_files_without_arrivals(told):
    file = job(FOUR)
    del file["arrivals"]
    status, _, err = told(file, "--waits")
    assert status == 2
    assert "tells of no arrivals" in err


#: What a key may have in a file that was damaged.
WRONG = [None, True, -1, 1e300, "x", [], [1], [None] * 4, {}, [["x"] * 4] * 32]


@pytest.mark.parametrize("key", sorted(arrivals(FOUR)["communicators"][0]))
def test_damaged_files(tmp_path, key):
    right = job(FOUR)
    path = tmp_path / "s.json"
    path.write_text(json.dumps(right))
    load(path)
    for value in [*WRONG, "missing"]:
        wrong = copy.deepcopy(right)
        if value == "missing":
            del wrong["arrivals"]["communicators"][0][key]
        else:
            wrong["arrivals"]["communicators"][0][key] = value
        path.write_text(json.dumps(wrong))
        with pytest.raises(ValueError, match="arrivals: communicator 1: "):
            load(path)
