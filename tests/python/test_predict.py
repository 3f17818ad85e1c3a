"""hopbine predict: a recorded job on another machine and allocation."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
import recorded
from recorded import RANKS, data

from hopbine import _core
from hopbine.allocations import generate
from hopbine.cli import main
from hopbine.core.classic import CLASSIC, classic
from hopbine.jobs.job import Job, explain
from hopbine.machines import load
from hopbine.recorded.crossings import LIBRARY, crossing, job_of
from hopbine.recorded.prediction import COSTS, GROWTH, SIMULATED, SUMS, WAYS, predict, scaled, total
from hopbine.simulation.of_calls import add_simulated
from hopbine.simulation.on_machine import MachineNetwork

SIZED = [c for c in CLASSIC if c != "alltoallv"]
ROOTED = [c for c in SIZED if _core.rooted(c)]
THERE = ["--machine", "dragonfly:groups=4,nodes=8", "--hosts", "fragmented:16:seed=1"]


def row(collective, **changed):
    """A row whose root is told where there is one."""
    return recorded.row(collective, **{"root": 0 if collective in ROOTED else None} | changed)


def job(hosts="fragmented:16:seed=1", per_node=1, machine="dragonfly:groups=4,nodes=8"):
    """Another job."""
    there = load(machine)
    return Job("", generate(hosts, there, per_node).hosts, there)


def told(capsys, tmp_path, file, *options, code=0):
    """What the verb writes."""
    (tmp_path / "s.json").write_text(json.dumps(file))
    assert main(["predict", str(tmp_path / "s.json"), *options]) == code
    return capsys.readouterr()


ALL = data(*(row(c) for c in SIZED), row("bcast", comm_size=4), row("alltoallv", bytes_class=None))


@pytest.mark.parametrize("scaling", ["weak", "strong"])
@pytest.mark.parametrize("per_node", [1, 3])
def test_no_way_beats_the_least_and_the_best_beats_all(scaling, per_node):
    for one in predict(ALL, job(per_node=per_node), scaling)[: len(SIZED)]:
        assert one["why_not"] is None
        for way in WAYS:
            assert one[f"{way}_bytes"] >= one["least_bytes"] * (1 - 1e-9), (one, way)
            assert one["least_seconds"] <= one["best_seconds"] <= one[f"{way}_seconds"], (one, way)
        assert one["choice_seconds"] <= 1.1 * one["best_seconds"] * (1 + 1e-9) or (
            one["best"] == one["classic"]
        )


@pytest.mark.parametrize("collective", SIZED)
def test_the_recorded_nodes_have_the_bytes_that_stats_counts(collective):
    file = data(row(collective), row(collective, bytes=30000, root=row(collective)["root"] and 4))
    own = job_of(file)
    counted = [crossing(one, own).classic for one in file["rows"]]
    for scaling in ("weak", "strong"):
        predicted = predict(file, own, scaling)
        assert sum(one["classic_bytes"] for one in predicted) == pytest.approx(sum(counted))
        assert sum(one["bytes"] for one in predicted) == 3 * 9 * 1024 + 30000


@pytest.mark.parametrize("collective", SIZED)
def test_classic_bytes_are_those_of_the_schedule(collective):
    there = job()
    (one,) = predict(data(row(collective)), there)
    size = one["bytes"] / 3
    name = classic(collective, 16, size)
    blocks = _core.count(_core.Problem(collective, name, group=there.places.group))["global_blocks"]
    assert one["classic"] == name
    assert one["classic_bytes"] == pytest.approx(3 * blocks * size / 16)


def test_choice_and_times_are_those_of_select_explain():
    there = job(per_node=2)
    (one,) = predict(data(row("allgather")), there, "strong")
    explained = explain(there, _core.Calls("allgather"), [9 * 1024])
    taken = explained["candidates"][explained["chosen"][0]]
    assert (one["choice"], one["choice_numbering"]) == (taken["algorithm"], taken["numbering"])
    assert one["choice_seconds"] == 3 * taken["seconds"][0]
    assert one["least_seconds"] == 3 * explained["least"][0][0]


def test_every_counted_collective_has_a_rule():
    assert sorted(GROWTH) == sorted(SIZED)


@pytest.mark.parametrize(
    ("collective", "weak", "strong"),
    [("allreduce", 900, 900), ("allgather", 1800, 900), ("alltoall", 900, 450)],
)
def test_scaling(collective, weak, strong):
    assert scaled(collective, 900, 9, 18, "weak") == weak
    assert scaled(collective, 900, 9, 18, "strong") == strong


@pytest.mark.parametrize("collective", SIZED)
def test_scaling_there_and_back_gives_the_recorded_bytes(collective):
    for scaling in ("weak", "strong"):
        there = scaled(collective, 7200, 9, 40, scaling)
        assert scaled(collective, there, 40, 9, scaling) == pytest.approx(7200)


def test_rows_of_one_kind_are_one(capsys, tmp_path):
    split = data(row("bcast"), row("bcast", algorithm="bine_large", numbering="given", calls=2))
    (one,) = predict(split, job())
    assert (one["calls"], one["recorded_bytes"]) == (5, 6 * 9 * 1024)


def test_the_total_is_the_sum_of_the_rows(capsys, tmp_path):
    *rows, last = json.loads(told(capsys, tmp_path, ALL, *THERE, "--format", "json").out)
    assert last["total"]
    assert not any(one["total"] for one in rows)
    counted = [one for one in rows if one["why_not"] is None]
    assert len(counted) == len(SIZED)
    for what in SUMS:
        assert last[what] == pytest.approx(sum(one[what] for one in counted), abs=len(rows)), what
    assert total(predict(ALL, job()))["classic_bytes"] == pytest.approx(last["classic_bytes"], 1e-6)


def test_error_bars_are_told_for_all_calls_that_are_predicted(capsys, tmp_path):
    text = told(capsys, tmp_path, ALL, *THERE).out
    of = re.findall(r"Modelled times of (\d+) calls as published ones of (\w+)", text)
    assert sum(int(calls) for calls, _ in of) == 3 * len(SIZED)
    assert {"allreduce", "allgather", "all"} <= {what for _, what in of}


def test_what_is_not_predicted_is_told(capsys, tmp_path):
    rows = json.loads(told(capsys, tmp_path, ALL, *THERE, "--format", "json").out)
    missing = {one["collective"]: one["why_not"] for one in rows if one["why_not"]}
    assert missing == {"bcast": "on 4 of 9 ranks", "alltoallv": "blocks of sizes of their own"}
    assert all(one[what] is None for one in rows if one["why_not"] for what in COSTS)
    for last in (
        told(capsys, tmp_path, ALL, *THERE).out.splitlines()[-1],
        told(capsys, tmp_path, ALL, *THERE, "--format", "csv").err.splitlines()[-1],
    ):
        assert f"Predicted: {3 * len(SIZED)} of {3 * len(SIZED) + 6} calls" in last
        assert "3 of bcast (on 4 of 9 ranks)" in last


def test_people_read_the_rules(capsys, tmp_path):
    out = told(capsys, tmp_path, ALL, *THERE, "--scaling", "strong").out
    assert "scaling strong, 9 to 16 ranks: All ranks together have as much as recorded" in out
    assert re.search(
        r"With hopbine's choice the calls move [0-9.]+ % (fewer|more) bytes between groups \(.* "
        r"instead of .*\), and take [0-9.]+ % (less|more) modelled time \(.*\) than with",
        out,
    )


@pytest.mark.parametrize("scaling", ["weak", "strong"])
def test_every_algorithm_has_the_costs_of_the_ways(capsys, tmp_path, scaling):
    asked = [*THERE, "--scaling", scaling, "--format", "json"]
    rows = json.loads(told(capsys, tmp_path, ALL, *asked).out)
    every = json.loads(told(capsys, tmp_path, ALL, *asked, "--all").out)
    for one in (one for one in rows if one["collective"] in SIZED and one["why_not"] is None):
        same = [e for e in every if e["collective"] == one["collective"]]
        assert len({(e["algorithm"], e["numbering"]) for e in same}) == len(same) > 1
        (usual,) = (e for e in same if e["usual"])
        assert (usual["algorithm"], usual["numbering"]) == (one["classic"], "given")
        assert (usual["global_bytes"], usual["seconds"]) == pytest.approx(
            (one["classic_bytes"], one["classic_seconds"]), abs=1
        )
        taken = [e["global_bytes"] for e in same if e["taken"]]
        assert taken == pytest.approx([one["choice_bytes"]] if one["choice"] != LIBRARY else [])
        assert min(e["seconds"] for e in same) == pytest.approx(one["best_seconds"])
    out = told(capsys, tmp_path, ALL, *THERE, "--all").out
    assert len(re.findall(r"  choice|, choice", out)) == sum(e["taken"] for e in every)


def test_all_goes_with_the_model_only(capsys, tmp_path):
    options = [*THERE, "--all", "--time", "simulated"]
    assert "does not go with --time simulated" in told(capsys, tmp_path, ALL, *options, code=2).err


def test_without_hosts_it_is_the_recorded_job(capsys, tmp_path):
    assert "9 ranks on 9 nodes in 3 groups" in told(capsys, tmp_path, ALL).out


def test_one_group_has_bytes_between_nodes(capsys, tmp_path):
    hosts = ["--machine", "dragonfly:groups=4,nodes=8", "--hosts", "contiguous:2"]
    assert "between nodes" in told(capsys, tmp_path, data(row("bcast")), *hosts).out


def test_a_page(capsys, tmp_path):
    (tmp_path / "s.json").write_text(json.dumps(ALL))
    page = tmp_path / "p.html"
    assert main(["report", "predict", str(tmp_path / "s.json"), *THERE, "-o", str(page)]) == 0
    assert "Predicted: " in page.read_text()
    assert page.read_text().count("<svg") == 1
    headings = re.findall(r'<button type="button">(.*?)</button>', page.read_text())
    assert len(set(headings)) == len(headings) > 10
    assert "on 4 of 9 ranks" in page.read_text()


@pytest.mark.parametrize(
    ("file", "options", "said"),
    [
        (data(row("bcast"), nodes=[None] * RANKS), [], "does not name the nodes"),
        (data(row("bcast", root="x")), [], "root is missing or wrong"),
        (data(row("bcast")), ["--hosts", "fragmented:8"], "give --machine"),
        (
            data(row("bcast")),
            ["--machine", "dragonfly:groups=4,nodes=8", "--hosts", "contiguous:1"],
            "a job of one rank",
        ),
        (data(row("bcast")), ["--scaling", "loose"], "invalid choice: 'loose'"),
        ({}, [], "is not a statistics file"),
    ],
)
def test_errors(capsys, tmp_path, file, options, said):
    assert said in told(capsys, tmp_path, file, *options, code=2).err


@pytest.mark.parametrize(
    "odd",
    [
        row("bcast", root=10**9),
        row("allreduce", root=5),
        row("bcast", calls=0),
        row("neighbor_alltoall"),
        row("allgather", bytes=10**18, calls=1),
        row("allgather", bytes=0),
    ],
    ids=lambda one: f"{one['collective']} {one['calls']} {one['bytes']}",
)
def test_odd_rows_are_predicted_or_told(odd):
    rows = predict(data(odd), job(per_node=8))
    assert sum(one["calls"] for one in rows) == odd["calls"]


def test_bytes_beyond_bounds_are_told():
    (one,) = predict(data(row("allgather", bytes=10**18, calls=1)), job(per_node=8))
    assert one["why_not"] == "more than 2^62 bytes there"


def test_the_recorded_example(capsys):
    file = Path(__file__).parents[2] / "examples/data/recorded.json"
    assert main(["predict", str(file), *THERE]) == 0
    assert "Predicted: 110 of 110 calls." in capsys.readouterr().out


def on_leonardo(hosts="fragmented:6:seed=1", per_node=2):
    """A job, and the network that it is on."""
    on = MachineNetwork(load("leonardo"))
    there = Job("", generate(hosts, on.part, per_node).hosts, on.machine)
    return there, on.setup(on.nodes(there.hosts))


def test_simulated_times_are_those_of_the_simulator():
    there, setup = on_leonardo()
    rows = predict(data(*(row(c) for c in SIZED)), there, "weak", setup)
    for one in rows:
        for way in WAYS:
            assert one[f"{way}_numbering"] == "given"
            seconds = setup.seconds(one["collective"], one[way], one["bytes"] / 3)
            assert one[f"{way}_simulated_seconds"] == 3 * seconds, (one, way)


def test_a_numbering_moves_the_ranks_and_the_root():
    there, setup = on_leonardo()
    hosts = there.hosts[::2] + there.hosts[1::2]
    there = replace(there, hosts=hosts)
    setup = replace(setup, at=setup.at[::2] + setup.at[1::2], _kept={})
    name, order = next((name, order) for name, order in there.orders.items() if order)
    call = {"collective": "bcast", "root": order[2], "calls": 1, "bytes": 2**20, "members": None}
    way = {"classic": "binomial_halving", "classic_numbering": name}
    one = call | way | dict.fromkeys(WAYS[1:], "mpi")
    add_simulated([one], WAYS, there, setup)
    moved = replace(setup, at=tuple(setup.nodes[rank] for rank in order), _kept={})
    assert one["best_simulated_seconds"] == moved.seconds("bcast", "binomial_halving", 2**20, 2)


def test_model_and_simulation_beside_each_other(capsys, tmp_path):
    hosts = ["--machine", "leonardo", "--hosts", "fragmented:6:seed=1", "--ranks-per-node", "2"]
    out = told(capsys, tmp_path, ALL, *hosts, "--time", "simulated").out
    assert "simulated on dragonfly_plus:20x18x18x20, 12 ranks, 2 on a node" in out
    assert re.search("modelled time .* and .* simulated time .* than with the classic", out)
    *rows, last = json.loads(
        told(capsys, tmp_path, ALL, *hosts, "--time", "simulated", "--format", "json").out
    )
    plain = json.loads(told(capsys, tmp_path, ALL, *hosts, "--format", "json").out)
    assert set(rows[0]) - set(plain[0]) == set(SIMULATED)
    for what in SIMULATED:
        assert last[what] == pytest.approx(sum(one[what] or 0 for one in rows))
    (tmp_path / "s.json").write_text(json.dumps(ALL))
    page = tmp_path / "p.html"
    asked = ["report", "predict", str(tmp_path / "s.json"), *hosts, "--time", "simulated"]
    assert main([*asked, "-o", str(page)]) == 0
    assert page.read_text().count(" simulated</button>") == len(WAYS)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "give --machine"),
        (THERE, "does not say how its switches are linked"),
        (["--machine", "leonardo", "--hosts", "nid[1-4]"], "nid1"),
    ],
)
def test_nothing_is_simulated_without_a_network(capsys, tmp_path, options, said):
    assert said in told(capsys, tmp_path, ALL, *options, "--time", "simulated", code=2).err
