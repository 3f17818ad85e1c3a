"""Pictures of networks, of loads and of routes."""

import re

import pytest
from pictured import texts

from hopbine import _core
from hopbine.plots.files import save
from hopbine.plots.layouts import layout
from hopbine.plots.simulation_steps import link_heat_map, timeline
from hopbine.plots.topology import route, topology
from hopbine.simulation.setup import Setup

pytest.importorskip("matplotlib")

NETWORKS = (
    "torus:1",
    "torus:2",
    "torus:7",
    "torus:5x4",
    "torus:1x4x2",
    "torus:4x3x2",
    "torus:3x2x3x2",
    "torus:2x2x2x2x2",
    "hyperx:1",
    "hyperx:6",
    "hyperx:4x3",
    "hyperx:3x4x2",
    "hyperx:2x3x2x2x2",
    "hammingmesh:2x2:3x2",
    "hammingmesh:1x1:3x3",
    "hammingmesh:3x1:1x2",
    "hammingmesh:4x2:1x1",
    "dragonfly:1x4x3",
    "dragonfly:5x4x2",
    "dragonfly:3x1x9",
    "dragonfly:4x3x5:global=3:capacity=2",
    "dragonfly_plus:1x3x2x4",
    "dragonfly_plus:4x3x2x5",
    "dragonfly_plus:3x2x6x1",
    "fattree:5x3",
    "fattree:1x1",
    "fattree:2x3x4:oversubscription=2:core=4",
)


@pytest.mark.parametrize("name", NETWORKS)
def test_every_kind_is_drawn_with_and_without_loads(name, tmp_path):
    network = _core.Topology(name)
    links = network.links()
    save(
        topology(
            network,
            [i % 7 for i in range(len(links))],
            "things",
            marked=len(links) - 1 if links else None,
        ),
        tmp_path / "loaded.svg",
    )
    assert "things" in (tmp_path / "loaded.svg").read_text()
    assert {str(node) for node in range(network.nodes)} <= set(texts(topology(network)))


@pytest.mark.parametrize("name", NETWORKS)
def test_vertices_are_apart_and_links_end_at_theirs(name):
    network = _core.Topology(name)
    shown = layout(network, apart=False)
    assert len(shown.at) == network.nodes + network.switches
    assert len(set(shown.at)) == len(shown.at)
    near = 0.55 * shown.spacing  # where the dots would touch
    for i, (x, y) in enumerate(shown.at):
        assert all((x - u) ** 2 + (y - v) ** 2 > near**2 for u, v in shown.at[:i])
    assert len(shown.lines) == len(network.links())
    for (a, b, _, _), lines in zip(network.links(), shown.lines, strict=True):
        if a < network.nodes:
            assert lines[0][0] == pytest.approx(shown.at[a])
        if b < network.nodes:
            assert lines[-1][-1] == pytest.approx(shown.at[b])


@pytest.mark.parametrize(
    "name", ["torus:4x4", "torus:3x3x3", "hyperx:3x3", "dragonfly:5x4x2", "fattree:4x4"]
)
def test_the_directions_of_a_cable_do_not_cover_each_other(name):
    network = _core.Topology(name)
    shown = layout(network, apart=True)
    middles = {
        (
            round(line[len(line) // 2][0] + line[(len(line) - 1) // 2][0], 6),
            round(line[len(line) // 2][1] + line[(len(line) - 1) // 2][1], 6),
        )
        for pieces in shown.lines
        for line in pieces
    }
    assert len(middles) >= len(network.links())


def test_the_same_picture_is_the_same_file(tmp_path):
    setup = Setup("torus:4x4")
    for i in range(2):
        save(topology(_core.Topology("dragonfly:4x3x2")), tmp_path / f"t{i}.svg")
        save(route(setup.network, 0, 10), tmp_path / f"r{i}.svg")
        save(link_heat_map(setup, "allreduce", "swing"), tmp_path / f"h{i}.svg")
    assert all(
        (tmp_path / f"{kind}0.svg").read_bytes() == (tmp_path / f"{kind}1.svg").read_bytes()
        for kind in "trh"
    )


def test_shares_of_a_route_are_written_at_its_links():
    """Half way round a ring of 8 both ways are equally short: four links each."""
    figure = route(_core.Topology("torus:8"), 0, 4)
    assert texts(figure).count("50 %") == 8
    assert "100 %" not in texts(figure)
    assert texts(route(_core.Topology("torus:8"), 0, 3)).count("100 %") == 3
    by_spines = texts(route(_core.Topology("dragonfly_plus:3x2x4x2"), 0, 5))
    assert by_spines.count("100 %") == 2
    assert by_spines.count("25 %") == 12


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            lambda: topology(_core.Topology("torus:40x40")),
            "1600 nodes and switches, too many for a picture (at most 1200)",
        ),
        (
            lambda: topology(_core.Topology("hyperx:400")),
            "159600 links, too many for a picture (at most 20000)",
        ),
        (
            lambda: topology(_core.Topology("torus:4"), [1, 2]),
            "2 loads are not one for each of the 8 links",
        ),
        (lambda: route(_core.Topology("torus:4"), 1, 1), "two different nodes"),
        (lambda: route(_core.Topology("torus:4"), 1, 9), "node 9 is outside 0..3"),
        (
            lambda: link_heat_map(Setup("torus:4x4"), "allreduce", "swing", 8),
            "step 8 is not one of 0..7",
        ),
        (
            lambda: link_heat_map(Setup("torus:40x40"), "allreduce", "swing"),
            "too many for a picture",
        ),
        (lambda: timeline([], 3, "x"), "rank 3 sends and receives nothing"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_words(wrong, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        wrong()
