"""hopbine simulate beside a job that calls a collective, and several calls one after the other."""

import pickle

import polars
import pytest
from commands import simulate

from hopbine.errors import UsageError
from hopbine.simulation.periodic import PeriodicJob, drawn, nodes_of
from hopbine.simulation.setup import Background, Setup

TREE = "fattree:3x6:oversubscription=4"
OWN, THEIRS = (0, 1, 6, 7, 12, 13), (2, 3, 4, 8, 9, 14)
WORDS = ("allreduce", "--topology", TREE, "--sizes", "64KiB", "--algorithms", "ring")
BESIDE = ("--aggressor-size", "1MiB", "--aggressor-period", "100us")


def on(calls=1, beside=None, **more):
    """The job's ranks."""
    background = Background(calls=beside)
    return Setup(TREE, OWN, engine="packet", calls=calls, background=background, **more)


def job(size=1 << 20, period=1e-4, algorithm="rabenseifner", nodes=THEIRS):
    return PeriodicJob("allreduce", algorithm, size, period, nodes)


def test_rows_tell_the_job_beside(capsys, tmp_path):
    place = tmp_path / "own.txt"
    place.write_text("".join(f"{node}\n" for node in OWN))
    code, out, err = simulate(
        capsys,
        *(*WORDS, "--place", str(place), "--calls", "40", "--csv", "-"),
        *("--aggressor", "allreduce:rabenseifner", "--aggressor-nodes", "2-4,8,9,14", *BESIDE),
    )
    assert code == 0, err
    row = polars.read_csv(out.encode()).row(0, named=True)
    told = on(40, job()).reached("allreduce", "ring", 64 << 10)
    assert row["seconds"] == pytest.approx(told["seconds"])
    assert row["calls"] == 40
    for name in ("calls", "late", "seconds"):
        assert row[f"aggressor_{name}"] == pytest.approx(told[f"aggressor_{name}"])
    assert row["seconds"] > on(40).seconds("allreduce", "ring", 64 << 10)


def test_people_are_told_too(capsys):
    code, out, err = simulate(
        capsys,
        *(*WORDS, "-n", "6", "--place", "random:seed=1", "--calls", "20"),
        *("--aggressor", "bcast:binomial_halving", *BESIDE),
    )
    assert code == 0, err
    assert "20 calls one after the other; times are of one, in the mean" in out
    assert "aggressor bcast by binomial_halving of 1 MiB every 100 us on 6 nodes: its calls" in out


def test_calls_are_a_mean():
    # A ring sends evenly: so many calls take about so many times as long.
    one, many = (on(calls).seconds("allreduce", "ring", 1 << 20) for calls in (1, 25))
    assert many == pytest.approx(one, rel=0.05)


@pytest.mark.parametrize("algorithm", ["ring_segmented", "bine_large", "hierarchical_large"])
def test_any_algorithm_may_be_called(algorithm):
    told = on(10, job(algorithm=algorithm)).reached("allreduce", "ring", 1 << 20)
    assert told["aggressor_calls"] > 0
    assert told["aggressor_seconds"] > 0


def test_finite_buffers_delay_both_jobs():
    kinds = {"buffers": 1 << 14}, {"buffers": 1 << 50}, {}
    small, huge, none = (
        on(20, job(1 << 22), **kind).reached("allreduce", "ring", 1 << 20) for kind in kinds
    )
    assert huge == none
    assert small["seconds"] > none["seconds"]
    assert small["aggressor_seconds"] > none["aggressor_seconds"]


def test_another_process_gets_the_job_beside():
    setup = on(10, job())
    there = pickle.loads(pickle.dumps(setup))
    assert there == setup
    seconds = [one.seconds("allreduce", "ring", 1 << 20) for one in (setup, there)]
    assert seconds[0] == seconds[1]


def test_nodes_are_drawn_by_the_seed():
    sets = {drawn(18, OWN, 6, seed) for seed in range(5)}
    assert len(sets) > 1
    for nodes in sets:
        assert len(nodes) == 6
        assert not set(nodes) & set(OWN)
        assert list(nodes) == sorted(nodes)
    assert len(drawn(8, OWN, 6, 1)) == 4  # as many as are left
    assert nodes_of("0-2, 7", 8) == (0, 1, 2, 7)
    with pytest.raises(UsageError, match="2 nodes at least, and 1 of 7"):
        drawn(7, range(6), 6, 1)


AGGRESSOR = ("--aggressor", "allreduce:ring")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (AGGRESSOR, "needs --aggressor-size and --aggressor-period"),
        (("--aggressor", "allreduce", *BESIDE), "nor COLLECTIVE:ALGORITHM"),
        (("--aggressor", "allreduce:rings", *BESIDE), "rings"),
        (("--aggressor", "incast:4", *BESIDE), "is for an --aggressor that calls a collective"),
        (BESIDE, "is for an --aggressor that calls a collective"),
        ((*AGGRESSOR, *BESIDE, "--aggressor-nodes", "4,99"), "'99' names no nodes of 0 to 17"),
        ((*AGGRESSOR, *BESIDE, "--aggressor-nodes", "4-2"), "'4-2' names no nodes"),
        ((*AGGRESSOR, *BESIDE, "--aggressor-nodes", "4,5,0"), "node 0 is in two jobs"),
        ((*AGGRESSOR, *BESIDE, "--aggressor-nodes", "9"), "each of 2 or more has one"),
        ((*AGGRESSOR, *BESIDE[:2], "--aggressor-period", "0s"), "a period above 0 s"),
        ((*AGGRESSOR, *BESIDE[:2], "--aggressor-period", "often"), "often"),
        (("--aggressor", "alltoall:1"), "alltoall is of 2 nodes at least"),
        (("--calls", "0"), "--calls"),
        (("--calls", "3", "--engine", "flow"), "--calls is for --engine packet"),
        (("--calls", "3", "--deficiencies"), "and one call"),
    ],
)
def test_what_is_wrong_is_said(capsys, words, why):
    code, _, err = simulate(capsys, *WORDS, "-n", "4", *words)
    assert code == 2
    assert why in err
