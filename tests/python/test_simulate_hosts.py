"""hopbine simulate on nodes with several ranks and network cards, and beside other jobs."""

import pickle
import re
from pathlib import Path

import polars
import pytest
from commands import simulate

from hopbine import _core
from hopbine.machines import load
from hopbine.machines.messages import KEYS, costs_of, engine_costs, parse_costs
from hopbine.simulation import Setup
from hopbine.simulation.on_machine import MachineNetwork
from hopbine.simulation.setup import Background, place_many

#: Six nodes in two groups, two cards each: routers of two cards.
MINE = """
name = "mine"
kind = "dragonfly"
groups = 2
nodes_per_group = 3
topology = "dragonfly:2x2x4"
cards = 2
[links.node]
bandwidth = "200 Gb/s"
[links.local]
latency = "3 us"
[costs]
overhead = "0.5 us"
reduce_bandwidth = "80 Gb/s"
[messages]
eager = "16 KiB"
inside_bandwidth = "40 Gb/s"
"""


@pytest.fixture
def mine(tmp_path) -> str:
    path = tmp_path / "mine.toml"
    path.write_text(MINE)
    return str(path)


def test_another_process_gets_what_a_setup_was_told():
    """Networks and simulations that it has made are not told: they are made there."""
    on = Setup("dragonfly:2x2x4", (0, 2, 4, 4), engine="packet", cards=2, costs={"send": 1e-6})
    seconds = on.seconds("allreduce", "ring", 1024)
    there = pickle.loads(pickle.dumps(on))
    assert there == on
    assert there.seconds("allreduce", "ring", 1024) == seconds


def test_a_machine_says_its_network_cards_and_costs(mine):
    on = MachineNetwork(load(mine))
    assert (on.text, on.cards, on.bandwidth) == ("dragonfly:2x2x4", 2, 12.5e9)
    # Groups have four places for nodes, of which three are taken.
    assert on.nodes(("node0", "node2", "node3", "node3")) == (0, 2, 4, 4)
    costs = on.costs(100e-9, 300e-9)
    assert costs == pytest.approx(
        {
            "send": 0.5e-6,
            "receive": 0.5e-6,
            "reduce_bandwidth": 10e9,
            "eager": 16384,
            "inside_bandwidth": 5e9,
            "latency": 3e-6 - 2 * 0.5e-6 - 3 * 100e-9 - 2 * 300e-9,
        }
    )
    assert engine_costs(costs)["inside"] == pytest.approx(0.2e-9)


def test_keys_are_those_of_the_engine():
    assert set(engine_costs(dict.fromkeys(KEYS, 1.0))) == set(_core.message_costs())


def test_ranks_tell_costs_where_costs_do_not():
    costs = costs_of(load("round"), 0)
    assert costs == {
        "send": 0.5e-6,
        "receive": 0.5e-6,
        "inside_latency": 0.5e-6,
        "inside_bandwidth": 5e9,
        "copy_bandwidth": 10e9,
        "unexpected_bandwidth": 10e9,
        "block": 1e-8,
    }


@pytest.mark.parametrize("name", ["leonardo", "lumi", "marenostrum5", "frontier", "polaris"])
def test_machines_have_the_bandwidth_of_their_nodes(name):
    machine = load(name)
    on = MachineNetwork(machine)
    assert on.bandwidth * on.cards == pytest.approx(machine.links["node"].bandwidth)
    assert on.network.nodes % on.cards == 0
    hosts = list(on.part.hosts)
    assert len(set(on.nodes(tuple(hosts)))) == len(hosts)
    groups = on.network.group_nodes // on.cards
    assert [n // groups for n in on.nodes(tuple(hosts))] == [machine.hosts[h] for h in hosts]


def test_a_job_on_a_machine(capsys, mine):
    words = ("allreduce", "--machine", mine, "--sizes", "64KiB,1MiB", "--csv", "-")
    code, out, err = simulate(
        capsys, *words, "--hosts", "node[0-5]", "--ranks-per-node", "2", "--algorithms", "ring"
    )
    assert code == 0, err
    rows = polars.read_csv(out.encode())
    assert rows["ranks"].to_list() == [12, 12]
    assert rows["engine"].to_list() == ["packet", "packet"]
    on = MachineNetwork(load(mine))
    at = on.nodes(tuple(f"node{r // 2}" for r in range(12)))
    costs = on.costs(100e-9, 300e-9)
    setup = Setup(on.text, at, on.bandwidth, engine="packet", cards=2, costs=costs)
    assert rows["seconds"][1] == pytest.approx(setup.seconds("allreduce", "ring", 1 << 20))
    free = Setup(on.text, at, on.bandwidth, engine="packet", cards=2)
    assert free.seconds("allreduce", "ring", 1 << 20) < 0.9 * rows["seconds"][1]
    code, out, err = simulate(
        capsys, *words[:5], "--hosts", "random:4", "--messages", "send=1ms", "--algorithms", "ring"
    )
    assert code == 0, err
    assert "a message costs: send 1 ms, receive 500 ns" in out
    assert "2 network cards a node" in out


def test_latencies_of_nccl(capsys):
    """An allreduce by a ring of two GPUs: two steps, and as many latencies of the protocol."""
    from hopbine.machines.messages import NCCL, parse_costs
    from hopbine.notation.units import parse_time

    words = ("allreduce", "--topology", "fattree:1x4", "-n", "2", "--algorithms", "ring")
    words += ("--sizes", "8", "--csv", "-", "--messages")
    seconds = {}
    for each, at in (("1", 1), ("2", 0)):
        for protocol in NCCL:
            costs = (f"nccl={protocol}", "--ranks-per-node", each)
            code, out, err = simulate(capsys, *words, *costs)
            assert code == 0, err
            latency = parse_time(NCCL[protocol][at])
            seconds[protocol, each] = polars.read_csv(out.encode())["seconds"][0]
            network = 500e-9 if at else 0
            assert seconds[protocol, each] == pytest.approx(2 * (latency + network), rel=1e-3)
    assert parse_costs("nccl=ll,latency=1us") == {"inside_latency": 0.6e-6, "latency": 1e-6}
    with pytest.raises(ValueError, match="nccl = 'fast' is not one of ll, ll128, simple"):
        parse_costs("nccl=fast")


def test_one_rank_and_one_card_are_what_they_were():
    at = place_many("random:seed=3", "dragonfly:9x4x2", 32, 1, 1)
    plain = Setup("dragonfly:9x4x2", at, engine="packet")
    network = plain.network
    problem = _core.Problem("allreduce", "rabenseifner", len(at))
    told = _core.Simulation(problem, network, at).packet(1 << 20, 50e9, 100e-9, 300e-9)
    assert plain.seconds("allreduce", "rabenseifner", 1 << 20) == told["seconds"]
    hosted = _core.Simulation(problem, network, at, cards=1).packet(
        1 << 20, 50e9, 100e-9, 300e-9, _core.PacketOptions(costs=_core.message_costs())
    )
    assert hosted == told


def test_ranks_and_cards_on_a_topology():
    assert place_many(None, "fattree:4x8", None, 2, 4) == tuple(n // 2 for n in range(16))
    assert place_many(None, "fattree:4x8", 5, 2, 4) == (0, 0, 1, 1, 2)
    drawn = place_many("random:seed=1", "fattree:4x8", 8, 2, 1)
    assert all(drawn[i] == drawn[i + 1] for i in range(0, 8, 2))
    assert len(set(drawn)) == 4
    with pytest.raises(ValueError, match="not between 2 and the 16 ranks of 8 nodes"):
        place_many(None, "fattree:4x8", 17, 2, 4)


@pytest.mark.parametrize("algorithm", ["knomial:k=2", "knomial:k=5", "linear", "scatter_ring"])
def test_more_cards_are_never_slower_for_a_broadcast_on_one_switch(algorithm):
    times = [
        Setup(
            f"fattree:1x{16 * cards}", tuple(range(16)), 12.5e9, engine="packet", cards=cards
        ).seconds("bcast", algorithm, 1 << 20)
        for cards in (1, 2, 4)
    ]
    assert times == sorted(times, reverse=True)


def test_the_best_radix_is_that_of_the_cards():
    """Generalised collectives, CLUSTER'23: as many messages at a time as a node has ports."""
    best = {}
    for cards in (1, 2, 4):
        setup = Setup(
            f"fattree:1x{64 * cards}", tuple(range(64)), 25e9, engine="packet", cards=cards
        )
        times = {
            k: setup.seconds("allreduce", f"recursive_multiplying:k={k}", 1 << 22)
            for k in (2, 4, 8)
        }
        best[cards] = min(times, key=times.get)
    # k - 1 messages of the vector in each of log_k p steps, over so many cards: 1: 6, 9, 14;
    # 2: 6, 6, 8; 4: 6, 3, 4.
    assert best[1] == 2
    assert best[4] == 4


def test_background_and_aggressor_are_told(capsys):
    words = ("allreduce", "--topology", "dragonfly:9x4x2", "-n", "24", "--place", "random:seed=1")
    code, out, err = simulate(
        capsys,
        *words,
        *("--engine", "packet", "--sizes", "1MiB", "--algorithms", "ring,rabenseifner"),
        *("--background", "0.4:permutation", "--aggressor", "alltoall:12", "--csv", "-"),
    )
    assert code == 0, err
    rows = polars.read_csv(out.encode())
    assert rows["background_reached"].is_between(0.1, 0.45).all()
    assert rows["aggressor_reached"].is_between(0.1, 1.02).all()
    at = place_many("random:seed=1", "dragonfly:9x4x2", 24, 1, 1)
    beside = Setup(
        "dragonfly:9x4x2",
        at,
        engine="packet",
        background=Background(0.4, "permutation", "alltoall", 12),
    )
    assert rows["seconds"][0] == pytest.approx(beside.seconds("allreduce", "ring", 1 << 20))
    alone = Setup("dragonfly:9x4x2", at, engine="packet").seconds("allreduce", "ring", 1 << 20)
    assert rows["seconds"][0] > alone
    code, out, err = simulate(
        capsys,
        *words,
        *("--engine", "packet", "--sizes", "1MiB", "--algorithms", "ring", "--background", "0.3"),
    )
    assert code == 0, err
    assert "background 30 % (uniform): its senders reached" in out


TORUS = ("--topology", "torus:4x4")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([], "give --topology, --machine with --hosts, or --nodes"),
        (["--machine", "MINE", "--engine", "step"], "--machine is for --engine packet"),
        (["--machine", "round", "--hosts", "node[0-3]"], "does not say how its switches"),
        (["--machine", "leonardo", "--hosts", "lrdn[0001,4000]"], "lrdn4000' of Leonardo is not"),
        (["--machine", "MINE", "--hosts", "random:1"], "tells one rank"),
        (["--machine", "MINE", "--hosts", "node[0-3]", "-n", "4"], "--ranks is for --topology"),
        (["--machine", "MINE", "--hosts", "node[0-3]", "--messages", "sent=1us"], "is send meant"),
        (
            ["--machine", "MINE", "--hosts", "node[0-3]", "--messages", "send=4"],
            "send = '4' is not a time like \"0.5 us\"",
        ),
        (["--machine", "MINE", "--hosts", "node[0-3]", "--messages", "send"], "is not KEY=VALUE"),
        (["--machine", "MINE", "--hosts", "node[0-3]", "--cards", "3"], "3 network cards"),
        (
            ["--machine", "MINE", "--hosts", "node[0-3]", "--deficiencies"],
            "--deficiencies counts one rank",
        ),
        ([*TORUS, "--hosts", "a"], "--hosts is for --machine, not for --topology"),
        (
            [*TORUS, "--engine", "flow", "--background", "0.5"],
            "--background is for --engine packet",
        ),
        (
            [*TORUS, "--engine", "step", "--ranks-per-node", "2"],
            "--ranks-per-node is for --engine packet",
        ),
        ([*TORUS, "--engine", "packet", "--cards", "2"], "a node has one"),
        ([*TORUS, "--engine", "packet", "--background", "1.5"], "'1.5' is not a share"),
        ([*TORUS, "--engine", "packet", "--background", "0.5:bursts"], "is not a share"),
        ([*TORUS, "--engine", "packet", "--background", "0.5"], "0 of 16 are left"),
        ([*TORUS, "--engine", "packet", "--aggressor", "outcast"], "is not incast or alltoall"),
        ([*TORUS, "--engine", "packet", "--aggressor", "incast:x"], "is not incast or alltoall"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(capsys, mine, words, why):
    code, _, err = simulate(
        capsys, "allreduce", "--sizes", "1MiB", *[mine if w == "MINE" else w for w in words]
    )
    assert code == 2
    assert why in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("cards = 0", "'cards' is 0, a number from 1 to 64"),
        ("[messages]\nsent = '1 us'", "[messages] has no key 'sent'"),
        ("[messages]\nsend = 3", 'send = 3 is not a time like "0.5 us"'),
        ("[messages]\neager = '3 us'", "eager = '3 us' is not a size"),
    ],
)
def test_a_wrong_description_names_its_line(tmp_path, line, why):
    path = Path(tmp_path, "wrong.toml")
    path.write_text(f"name = 'w'\nkind = 'groups'\ngroups = 1\nnodes_per_group = 4\n{line}\n")
    with pytest.raises(ValueError, match=re.escape(why)) as error:
        load(str(path))
    assert str(error.value).startswith(f"{path}:{5 + line.count(chr(10))}:")


def test_costs_of_the_command_line():
    assert parse_costs("send=0.3us,eager=16KiB") == {"send": pytest.approx(3e-7), "eager": 16384}
    with pytest.raises(ValueError, match="each key once"):
        parse_costs("send=1us,send=2us")


BLOCKS = ("alltoallv", "--topology", "fattree:4x8:oversubscription=4", "--engine", "packet")


def test_blocks_of_given_sizes_go_over_links(capsys):
    words = ("--sizes", "dist:power:64KiB,dist:uniform:1KiB", "--csv", "-")
    names = "scattered:batch=1,spread_out,parlogna+parlogna:r=4"
    code, out, err = simulate(capsys, *BLOCKS, *words, "--algorithms", names)
    assert code == 0, err
    rows = polars.read_csv(out.encode())
    assert rows.height == 6
    assert set(rows["distribution"]) == {"dist:power:65536:0.95", "dist:uniform:1024"}
    assert rows["bytes"].to_list()[1] == round(
        _core.distribution("dist:uniform:1024", 4)["mean"] * 32
    )
    assert rows["seconds"][0] > rows["seconds"][2]
    code, out, err = simulate(capsys, *BLOCKS, "--sizes", "dist:uniform:1KiB")
    assert code == 0, err
    assert "blocks of dist:uniform:1024" in out


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--gains", "x.svg"], "--gains shows vectors"),
        (["--deficiencies"], "--deficiencies shows vectors"),
        (["--algorithms", "scattered:batch=0"], "batch"),
    ],
)
def test_blocks_have_no_pictures(capsys, words, why):
    code, _, err = simulate(capsys, *BLOCKS, "--sizes", "dist:uniform:1KiB", *words)
    assert code == 2
    assert why in err


def test_only_blocks_of_alltoallv_are_drawn(capsys):
    code, _, err = simulate(capsys, "alltoall", *BLOCKS[1:], "--sizes", "dist:uniform:1KiB")
    assert code == 2
    assert "blocks of alltoallv are drawn" in err


def test_channels_of_nodes_use_every_network_card():
    at = place_many(None, "fattree:1x16", 16, 4, 4)
    on = Setup("fattree:1x16", at, engine="packet", cards=4)
    size = 1 << 26

    def seconds(algorithm: str) -> float:
        return on.seconds("allreduce", algorithm, size)

    # A ring in rank order leaves a node through one card and enters it through another.
    assert seconds("ring_by_node:channels=1") == pytest.approx(seconds("ring"), rel=1e-3)
    assert seconds("ring_by_node") == pytest.approx(seconds("ring") / 4, rel=0.02)
    trees = [seconds(f"two_trees_by_node:segments=16:channels={n}") for n in (1, 4)]
    assert trees[1] < trees[0] / 2
