"""Ranks on several nodes in several groups.

HOPBINE_NODE and HOPBINE_GROUP name them where all ranks share one host.
"""

import json
import re
from math import prod

import pytest
from conftest import FEW, RANKS, UNDER, by_rank, passed
from test_registry import walked

from hopbine import _core

#: Node and group of rank $R, by name: in order and even, uneven, round-robin, every rank alone.
PLACES = {
    "in order": ("$((R / 2))", "$((R / 4))"),
    "uneven": ("$((R / 3))", "$((R / 6))"),
    "dealt": ("$((R % 3))", "$((R % 3 / 2))"),
    "alone": ("$R", "$((R % 2))"),
}

#: Links so slow that they take most of the time of every call: counting is sure of its choice.
SLOW_LINKS = {"HOPBINE_NETWORK": "node_bandwidth=1e4", "HOPBINE_CHOICE": "count"}


def placed(mpi, ranks, place, *command, env=None):
    """Runs `command` under hopbine run, each rank with its node and group."""
    node, group = PLACES[place]
    script = f"export HOPBINE_NODE=n{node} HOPBINE_GROUP=g{group}"
    return mpi.run(ranks, *by_rank(script, *UNDER, *command), env=env)


@pytest.mark.dealt
@pytest.mark.parametrize(
    ("ranks", "place"),
    # All places at 3 and 5 ranks; at 8, where a job takes long, those that are not alike.
    [
        (n, place)
        for n in FEW or [n for n in RANKS if n > 1]
        for place in PLACES
        if n < 8 or place in ("uneven", "dealt")
    ],
)
def test_algorithms_that_follow_the_placement(mpi, build, ranks, place):
    records = [a for a in _core.algorithms() if a["follows_placement"]]
    forms = [
        (a, form)
        for a in records
        for form in (
            "",
            *(
                f"/{q['name']}={1 - q['default']}"
                for q in a["parameters"]
                if q["kind"] in ("flag", "published")
            ),
        )
    ]
    names = [walked(a, a["name"] + form, ranks) for a, form in forms]
    assert len(records) >= 10
    passed(placed(mpi, ranks, place, build(mpi, "walk"), *names))


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("ranks", [n for n in FEW if n > 4])
def test_the_choice_by_counting(mpi, build, ranks, place, tmp_path):
    command = ("--stats", str(tmp_path / "s.json"), build(mpi, "types"))
    passed(placed(mpi, ranks, place, *command, env=SLOW_LINKS))
    stats = json.loads((tmp_path / "s.json").read_text())
    rows, nodes = stats["rows"], stats["nodes"]
    assert len(nodes) == ranks
    assert all(re.fullmatch(r"n\d+", n) for n in nodes)
    assert len(stats["groups"]) == ranks
    assert all(re.fullmatch(r"g\d+", g) for g in stats["groups"])
    counted = [r for r in rows if r["reason"].startswith("counted: ")]
    assert counted
    assert not any(r["reason"].startswith("default") for r in rows if r["comm_size"] == ranks)
    assert {r["numbering"] for r in counted} <= {
        "given",
        "by group",
        *(f"rotated by {n}" for n in range(ranks)),
    }
    assert all(re.search(r"between \d+ (groups|nodes)", r["reason"]) for r in counted)


def test_the_choice_by_counting_on_a_torus(mpi, build, tmp_path):
    """Its ports are slow, so that an algorithm of all ports is the fastest."""
    command = ("--shape", "2x2", "--stats", str(tmp_path / "s.json"), build(mpi, "types"))
    script = "export HOPBINE_NODE=n$R HOPBINE_GROUP=g"
    slow = {"HOPBINE_NETWORK": "port_bandwidth=1e4", "HOPBINE_CHOICE": "count"}
    passed(mpi.run(4, *by_rank(script, *UNDER, *command), env=slow))
    rows = json.loads((tmp_path / "s.json").read_text())["rows"]
    tori = {a["name"] for a in _core.algorithms() if a["follows_shape"]}
    counted = {r["collective"] for r in rows if r["algorithm"] in tori}
    assert {"allreduce", "bcast"} <= counted


def on_torus(shape, ranks):
    """Algorithms that follow a shape, each with the shape that it uses.

    This is `shape`, or one dimension where `shape` has another number of ranks.
    """
    extents = [int(n) for n in shape.split("x")]
    for a in _core.algorithms():
        if a["follows_shape"] and _core.fits(a["collective"], a["name"], ranks):
            try:
                held = extents if prod(extents) == ranks else []
                _core.check(_core.Problem(a["collective"], a["name"], ranks, shape=held))
            except ValueError:
                continue
            yield a, held


#: The last has fewer ranks than the job, which then uses one dimension.
SHAPES = ["2x2x2", "8", "3x2"] if max(RANKS) >= 8 else ["2", "2x1", "1x2", "1"]


@pytest.mark.dealt
@pytest.mark.parametrize("shape", SHAPES)
def test_algorithms_that_follow_a_torus(mpi, build, shape):
    ranks = 8 if max(RANKS) >= 8 else 2
    names = [walked(a, a["name"], ranks, held) for a, held in on_torus(shape, ranks)]
    assert names
    passed(mpi.hopbine(ranks, "--shape", shape, build(mpi, "walk"), *names))


@pytest.mark.dealt
@pytest.mark.parametrize(
    ("ranks", "shape"), [(3, "3"), (5, "5"), (8, "8"), (8, "2x4"), (8, "2x2x2")]
)
def test_ports_at_their_own_pace(mpi, build, ranks, shape):
    if ranks > max(RANKS):
        pytest.skip("more ranks than are to be tried")
    names = [f"{a['collective']}:{a['name']}" for a, _ in on_torus(shape, ranks)]
    passed(
        mpi.hopbine(
            ranks, "--shape", shape, build(mpi, "ports"), *names, "allreduce:ring", "allgather:ring"
        )
    )


def test_counting_can_be_turned_off(mpi, build, tmp_path):
    ranks = max(RANKS)
    passed(
        placed(
            mpi,
            ranks,
            "in order",
            "--stats",
            str(tmp_path / "s.json"),
            build(mpi, "types"),
            env={"HOPBINE_CHOICE": "table"},
        )
    )
    assert not any(
        r["reason"].startswith("counted")
        for r in json.loads((tmp_path / "s.json").read_text())["rows"]
    )


@pytest.mark.parametrize(
    ("group", "says"),
    [('$([ "$R" -lt 2 ] && echo g)', ""), ("g$R", "on one node but in two groups")],
)
def test_groups_that_cannot_be_leave_the_nodes(mpi, build, tmp_path, group, says):
    """Ranks without a group, or a node in two groups: reported once; only the nodes count."""
    script = f"export HOPBINE_NODE=n$((R / 2)) HOPBINE_GROUP={group}"
    if max(RANKS) < 3:
        pytest.skip("every rank is on one node")
    done = mpi.run(
        max(RANKS),
        *by_rank(script, *UNDER, "--stats", str(tmp_path / "s.json"), build(mpi, "types")),
        env=SLOW_LINKS,
    )
    passed(done)
    assert done.stderr.count("on one node but in two groups") == bool(says), done.stderr
    reasons = {
        r["reason"]
        for r in json.loads((tmp_path / "s.json").read_text())["rows"]
        if r["comm_size"] == max(RANKS)
    }
    assert any(re.fullmatch(r"counted: \S+ n between \d+ nodes", r) for r in reasons)
    assert not any("groups" in r for r in reasons)


def test_a_broken_topology_that_nobody_asked_for_does_not_stop_the_job(mpi, build, tmp_path):
    (tmp_path / "topology.conf").write_text("SwitchName=a Switches=a\n")
    done = mpi.hopbine(
        2,
        build(mpi, "types"),
        env={"SLURM_CONF": str(tmp_path / "slurm.conf"), "SLURM_JOB_ID": "1"},
    )
    passed(done)
    assert done.stderr.count("Slurm's topology is not used") == 1
    assert "loop: a above a" in done.stderr


@pytest.mark.parametrize(
    ("env", "says"),
    [
        ({"HOPBINE_NETWORK": "taper=x"}, "'taper=x' needs a number above 0"),
        ({"HOPBINE_PATIENCE": "0.9"}, "'0.9' is not a number from 1 to 100"),
        ({"HOPBINE_CHOICE": "best"}, "not measure, count or table"),
        ({"HOPBINE_SYSTEM": "nowhere"}, "machine 'nowhere' is no file"),
        ({"HOPBINE_SYSTEM": "leonardo", "HOPBINE_NODE": "zz"}, "host 'zz' is not one of"),
    ],
)
def test_bad_descriptions_stop_before_the_program(mpi, build, env, says):
    done = mpi.hopbine(1, build(mpi, "types"), env=env)
    assert done.returncode == 2, done.stderr
    assert says in done.stderr, done.stderr
    assert "Traceback" not in done.stderr, done.stderr


def test_an_allreduce_across_groups_is_served(mpi, build, tmp_path):
    """By a numbering of the ranks that does not begin with rank 0: it has no root to renumber."""
    stats, machine = tmp_path / "stats.json", tmp_path / "machine.csv"
    groups = [0, 0, 0, 1, 1, 1, 1, 2]
    machine.write_text("host,group\n" + "".join(f"node{r},g{g}\n" for r, g in enumerate(groups)))
    command = by_rank(
        "export HOPBINE_NODE=node$R",
        *(*UNDER, "--system", str(machine), "--stats", str(stats), build(mpi, "sums")),
    )
    done = mpi.run(8, *command, env=SLOW_LINKS)
    assert done.returncode == 0, done.stderr
    rows = [r for r in json.loads(stats.read_text())["rows"] if r["collective"] == "allreduce"]
    assert {r["served_by"] for r in rows} == {"hopbine"}, (rows, done.stderr)
    assert {r["numbering"] for r in rows} != {"given"}, rows
