"""Pictures of what links carry step by step, and of what a rank sends and receives when."""

import pytest
from pictured import texts

from hopbine.plots.files import save
from hopbine.plots.simulation_steps import MOST_PANELS, link_heat_map, link_name, timeline
from hopbine.simulation.setup import Setup

pytest.importorskip("matplotlib")


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
