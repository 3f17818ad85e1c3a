"""hopbine simulate beside real jobs: --background-jobs."""

import polars
import pytest
from commands import simulate

from hopbine.allocations import Allocation, BadJob
from hopbine.machines import load
from hopbine.simulation import Setup
from hopbine.simulation.on_machine import MachineNetwork
from hopbine.simulation.other_jobs import draw, of_file
from hopbine.simulation.setup import Background

#: 64 nodes in eight groups, below switches of eight.
MINE = """
name = "mine"
kind = "fat tree"
groups = 8
nodes_per_group = 8
topology = "fattree:8x8:oversubscription=2"
[links.node]
bandwidth = "200 Gb/s"
"""
#: The job has every second node of the first four groups; some jobs share nodes with it.
HOSTS = ",".join(f"node{n}" for n in range(0, 32, 2))
JOBS = """job,hosts
with-the-job,node0 node1
odd,node1 node3 node9 node11 node17
odd-too,node3 node5
groups,node40 node41 node48 node49
alone,node60
elsewhere,node10 other7
far,node33 node62
"""


@pytest.fixture
def mine(tmp_path) -> str:
    path = tmp_path / "mine.toml"
    path.write_text(MINE)
    return str(path)


@pytest.fixture
def jobs(tmp_path) -> str:
    path = tmp_path / "jobs.csv"
    path.write_text(JOBS)
    return str(path)


def test_jobs_share_no_node_with_the_job_or_each_other(mine, jobs):
    on = MachineNetwork(load(mine))
    used, drawn = range(0, 32, 2), set()
    for seed in range(20):
        found = of_file(on, jobs, used, seed)
        every = [node for job in found.nodes for node in job]
        assert len(every) == len(set(every))
        assert not set(every) & set(used)
        assert (found.known, found.elsewhere, found.free) == (7, 1, 48)
        # All that fit: one of the two that share node3.
        assert {(40, 41, 48, 49), (60,), (33, 62)} < set(found.nodes)
        assert len(found.nodes) == 4
        assert found == of_file(on, jobs, used, seed)
        drawn.add(found.nodes)
    assert len(drawn) > 5


def test_jobs_take_no_more_nodes_than_told(mine):
    on = MachineNetwork(load(mine))
    some = [Allocation(str(n), (f"node{n}", f"node{n + 1}"), "here") for n in range(0, 64, 2)]
    for busy in (0.1, 0.25, 0.5, 1):
        assert draw(on, some, range(4), 1, busy).busy == int(busy * 60) // 2 * 2
    # A rank more on a node is no further node.
    twice = Allocation("t", ("node8", "node8", "node9"), "here")
    assert draw(on, [twice, BadJob("b", "here", "empty")], (), 1).nodes == ((8, 9),)


def test_what_was_placed_and_reached_is_told(capsys, mine, jobs):
    words = ("allreduce", "--machine", mine, "--hosts", HOSTS, "--sizes", "1MiB")
    words += ("--algorithms", "ring,rabenseifner")
    beside = (*words, "--background", "0.6:alltoall", "--background-jobs", jobs)
    code, out, err = simulate(capsys, *beside)
    assert code == 0, err
    on = MachineNetwork(load(mine))
    placed = of_file(on, jobs, range(0, 32, 2), 1)
    assert str(placed) == (
        f"4 of 7 jobs on {placed.busy} of 48 free nodes, 1 not on this network, 1 of one node, "
        "which send nothing"
    )
    assert f"other jobs: {placed}\n" in out
    assert "background 60 % (alltoall inside their jobs): its senders reached" in out
    code, out, err = simulate(capsys, *beside, "--csv", "-")
    assert code == 0, err
    assert (code, out) == simulate(capsys, *beside, "--csv", "-")[:2], "the seed is the same"
    rows = polars.read_csv(out.encode())
    assert set(rows["background_jobs"]) == {4}
    assert rows["background_reached"].is_between(0.4, 0.66).all()
    assert set(rows["background_nodes"]) == {placed.busy}
    setup = Setup(
        on.text,
        tuple(range(0, 32, 2)),
        on.bandwidth,
        engine="packet",
        background=Background(0.6, "alltoall", jobs=placed.nodes),
    )
    assert rows["seconds"][0] == pytest.approx(setup.seconds("allreduce", "ring", 1 << 20))


def test_jobs_delay_a_job_whose_links_they_share_only(mine):
    on = MachineNetwork(load(mine))
    at = on.nodes(tuple(f"node{n}" for n in range(0, 32, 2)))

    def seconds(*jobs: tuple[int, ...]) -> float:
        beside = Background(0.9, "permutation", jobs=jobs)
        setup = Setup(on.text, at, engine="packet", background=beside if jobs else Background())
        return setup.seconds("allreduce", "rabenseifner", 1 << 22)

    alone = seconds()
    assert seconds((1,), (33,), (62,)) == alone, "jobs of one node"
    assert seconds((33, 34, 40), (48, 57)) == pytest.approx(alone, rel=1e-9), "in other groups"
    assert seconds((1, 9, 17, 25), (3, 11, 19, 27), (5, 13, 21, 29)) > 1.05 * alone


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--background-jobs", "JOBS"], "needs --background SHARE"),
        (["--background-busy", "0.5"], "give both"),
        (["--background", "0.5", "--background-jobs", "none.csv"], "there is no such file"),
        (
            ["--background", "0.5", "--background-jobs", "JOBS", "--background-busy", "2"],
            "--background-busy '2' is not a share above 0 and up to 1",
        ),
        (
            ["--background", "0.5", "--background-jobs", "JOBS", "--background-busy", "0.01"],
            "none of 7 jobs fits on 0.01 of the 48 nodes that the job leaves (1 not on",
        ),
        (["--background", "0.5", "--background-jobs", "WRONG"], "lists no hosts"),
        (
            ["--background", "0.5", "--background-jobs", "JOBS", "--engine", "flow"],
            "is for --engine packet",
        ),
    ],
)
def test_what_is_wrong_is_said_in_a_line(capsys, tmp_path, mine, jobs, words, why):
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("# nothing\n")
    files = {"JOBS": jobs, "WRONG": str(wrong)}
    words = [files.get(word, word) for word in words]
    code, _, err = simulate(
        capsys, "allreduce", "--machine", mine, "--hosts", HOSTS, "--sizes", "1MiB", *words
    )
    assert code == 2
    assert why in err
    assert err.count("\n") == 1


def test_a_topology_has_no_hosts_to_place_jobs_on(capsys, jobs):
    words = ("--background", "0.5", "--background-jobs", jobs)
    code, _, err = simulate(capsys, "allreduce", "--topology", "torus:8x8", "-n", "32", *words)
    assert code == 2
    assert "--background-jobs is for --machine, not for --topology" in err
