"""Pictures of networks, of what their links carry, and of what a rank sends and receives when."""

import re

import pytest

from hopbine import _core
from hopbine.cli import main
from hopbine.simulation.setup import Setup

pytest.importorskip("matplotlib")

from hopbine.plots.layouts import layout
from hopbine.plots.simulation_steps import MOST_PANELS, link_heat_map, link_name, timeline
from hopbine.plots.topology import route, topology
from hopbine.plots.traffic import save

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


def texts(figure):
    """All that is written in a figure."""
    return [
        t.get_text()
        for t in figure.findobj(lambda artist: hasattr(artist, "get_text"))
        if t.get_text()
    ]


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


@pytest.mark.parametrize(
    ("name", "algorithm"),
    [
        ("torus:4x4", "swing"),
        ("torus:4x4", "torus_doubling"),
        ("torus:8x4", "bucket"),
        ("dragonfly:5x4x2", "bine_large"),
        ("fattree:4x4", "rabenseifner"),
        ("hammingmesh:2x2:2x2", "ring"),
    ],
)
def test_the_busiest_link_is_that_of_the_step_model(name, algorithm):
    setup = Setup(name)
    simulation = setup.simulation("allreduce", algorithm)
    for pattern in simulation.steps():
        figure = link_heat_map(setup, "allreduce", algorithm, pattern["step"])
        title = " ".join(t.get_text().replace("\n", " ") for t in figure.texts)
        assert (
            f"step {pattern['step']}: {100 * pattern['load'] / simulation.parts:.4g} % on "
            f"{link_name(setup.network, pattern['link'])}"
        ) in title


def test_panels_are_the_steps_that_differ():
    """Swing's allgather loads the links as its reduce_scatter does, in reverse.

    A ring has 15 steps one way and 15 back.
    """
    setup = Setup("torus:4x4")
    panels = [
        axes.get_title()
        for axes in link_heat_map(setup, "allreduce", "swing").axes
        if axes.get_title()
    ]
    assert [p.partition(":")[0] for p in panels] == [
        "steps 0, 7",
        "steps 1, 6",
        "steps 2, 5",
        "steps 3, 4",
    ]
    assert "step 0 (× 15)" in " ".join(texts(link_heat_map(setup, "allreduce", "ring")))
    assert (
        len(
            [a for a in link_heat_map(setup, "allreduce", "swing", [0, 3, 5]).axes if a.get_title()]
        )
        == 3
    )


def test_of_many_different_steps_the_heaviest_are_drawn():
    setup = Setup("dragonfly:5x4x2")
    figure = link_heat_map(setup, "alltoall", "pairwise")
    different = len(
        {tuple(setup.simulation("alltoall", "pairwise").link_loads(s, s + 1)) for s in range(39)}
    )
    assert different > MOST_PANELS
    assert len([a for a in figure.axes if a.get_title()]) == MOST_PANELS
    assert f"12 of {different} different steps" in " ".join(texts(figure)).replace("\n", " ")


def test_bytes_instead_of_per_cent():
    """The first step of Swing on 16 nodes sends half of a quarter of the vector on every port."""
    shown = " ".join(
        texts(link_heat_map(Setup("torus:4x4"), "allreduce", "swing", 0, vector=1 << 20))
    )
    assert "128 KiB on 0→4 and 63 more" in shown
    assert "load of a link, KiB" in shown


@pytest.mark.parametrize(
    ("collective", "algorithm", "rank"),
    [
        ("allreduce", "swing", 5),
        ("allreduce", "bucket", 0),
        ("allgather", "ring", 3),
        ("alltoall", "linear", 7),
    ],
)
def test_a_timeline_has_a_bar_per_event(collective, algorithm, rank, tmp_path):
    setup = Setup("torus:4x4")
    events = setup.simulation(collective, algorithm).flow(
        1 << 20, setup.bandwidth, setup.cable, setup.router, rank
    )["events"]
    figure = timeline(events, rank, "title")
    drawn = {
        kind: sum(len(c.get_paths()) for c in figure.axes[0].collections if c.get_label() == kind)
        for kind in ("sends", "receives")
    }
    assert events
    assert drawn == {
        "sends": sum(e["sent"] for e in events),
        "receives": sum(not e["sent"] for e in events),
    }
    boxes = sorted(
        tuple(map(float, path.get_extents().extents))
        for c in figure.axes[0].collections
        for path in c.get_paths()
    )
    for i, (x0, y0, x1, y1) in enumerate(boxes):
        assert not any(
            u0 < x1 - 1e-9 and x0 < u1 - 1e-9 and v0 < y1 and y0 < v1
            for u0, v0, u1, v1 in boxes[:i]
        )
    save(figure, tmp_path / "timeline.svg")


def test_labels_of_a_timeline_tell_step_and_peer():
    one = {
        "sent": True,
        "channel": 0,
        "step": 3,
        "peer": 13,
        "begin": 0.0,
        "end": 1e-6,
        "bytes": 8.0,
    }
    other = {**one, "sent": False, "channel": 1, "step": 0, "peer": 2}
    assert {"3→13", "0←2", "channel 0 sends", "channel 1 receives"} <= set(
        texts(timeline([one, other], 0, "x"))
    )


@pytest.mark.parametrize("more", [[], ["--route", "0:27"]])
@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_draw_writes_networks(tmp_path, suffix, more):
    path = tmp_path / f"t.{suffix}"
    assert main(["draw", "--topology", "torus:8x8", *more, "-o", str(path)]) == 0
    assert path.stat().st_size > 2000


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["--topology", "torus:8x8", "-o", "x.gif"], "must end in .svg, .png, .pdf"),
        (["--topology", "torus:8x8", "-o", "/nonexistent/x.svg"], "folder does not exist"),
        (["--topology", "tours:8x8", "-o", "x.svg"], "'tours' is no known kind"),
        (["--topology", "torus:64x64", "-o", "x.svg"], "at most 1200"),
        (
            ["--topology", "torus:8x8", "--route", "0-27", "-o", "x.svg"],
            "'0-27' is not FROM:TO, two different nodes of 0..63",
        ),
        (
            ["--topology", "torus:8x8", "--route", "0:64", "-o", "x.svg"],
            "two different nodes of 0..63",
        ),
        (["--topology", "torus:8x8", "--route", "7:7", "-o", "x.svg"], "two different nodes"),
        (
            ["allreduce", "swing", "-p", "8", "--topology", "torus:8", "-o", "x.svg"],
            "not with collective, algorithm, --ranks",
        ),
        (["--topology", "torus:8", "--highlight", "1", "-o", "x.svg"], "not with --highlight"),
        (
            ["bcast", "bine_small", "-p", "8", "--route", "0:1", "-o", "x.svg"],
            "--route '0:1' needs a network",
        ),
        (["bcast", "-o", "x.svg"], "required: algorithm, -p/--ranks"),
        (["-o", "x.svg"], "required: collective, algorithm, -p/--ranks"),
    ],
)
def test_draw_refuses_in_words(capsys, argv, said):
    assert main(["draw", *argv]) == 2
    out, err = capsys.readouterr()
    assert said in err
    assert "Traceback" not in err
    assert out == ""


def test_draw_takes_its_arguments_in_any_order(tmp_path):
    assert main(["draw", "-p", "8", "bcast", "-o", str(tmp_path / "a.svg"), "bine_small"]) == 0
