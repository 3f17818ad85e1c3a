"""An algorithm has one colour in all pictures."""

from itertools import combinations

import polars
import pytest
from matplotlib.colors import to_hex

from hopbine import _core
from hopbine.plots import nonuniform, style, traffic, winners
from hopbine.plots.colours import colour, family_of, look, looks

NAMES = sorted({a["name"] for a in _core.algorithms()})
ROW = {"numbering": "given", "step": 0, "times": 1, "global_bytes": 9.0, "bytes": 8}
CURVE = {"distribution": "dist:uniform:16", "bytes": 8, "seconds": 1.0, "low": 1.0, "high": 1.0}


def test_every_algorithm_has_a_family_and_a_colour_of_its_own():
    assert [name for name in NAMES if family_of(name) not in style.FAMILIES] == []
    shared = [(a, b) for a, b in combinations(NAMES, 2) if colour(a) == colour(b)]
    assert shared == []


@pytest.mark.parametrize("label", ["{}:segment=4096", "{} (by_group)", "auto: {}:k=3", "{}+swing"])
def test_labels_of_an_algorithm_have_its_colour(label):
    assert all(colour(label.format(name)) == colour(name) for name in NAMES)


def test_others_have_none():
    assert colour("unheard_of") is colour("") is colour("bine_unheard_of") is None
    assert colour("mpi") == colour("MPI_Alltoallv") == style.INK


def test_names_of_papers_are_those_of_their_algorithms():
    assert colour("ParLogNa") == colour("parlogna")
    assert looks(["ParLinNa coalesced", "ParLinNa staggered"]) == [
        (colour("parlinna"), 0),
        (colour("parlinna"), 1),
    ]


def test_series_of_one_colour_are_told_apart():
    assert looks(["ring (given)", "bine", "ring (by_group)"]) == [
        (colour("ring"), 0),
        (colour("bine"), 0),
        (colour("ring"), 1),
    ]
    assert [before for _, before in looks([f"line {i}" for i in range(6)])] == [0] * 6
    assert style.fill("#000000", 0) != style.fill("#000000", 1)


def drawn_in_steps(names):
    """Colours of the bars, in the order of the names."""
    rows = [ROW | {"algorithm": name, "collective": "bcast"} for name in names]
    axes = traffic.step_bars(polars.DataFrame(rows), "steps").axes[0]
    return [to_hex(bars[0].get_facecolor()) for bars in axes.containers]


def drawn_in_boxes(names):
    """Colours of the boxes."""
    rows = [{"job": "j", "algorithm": n, "nodes": 8, "change_pct": 9.0} for n in names]
    axes = traffic.change_boxes(polars.DataFrame(rows), "boxes").axes[0]
    return [to_hex(box.get_facecolor()) for box in axes.patches]


def drawn_in_curves(names):
    """Colours of the lines."""
    rows = [CURVE | {"algorithm": name} for name in names]
    return [to_hex(line.get_color()) for line in nonuniform.by_size({"a": rows}).axes[0].lines]


def drawn_over_sizes(names):
    """Colours of the boxes of many parameters."""
    sizes = {"8 B": [{"seconds": 1.0, "best": 2}, {"seconds": 2.0, "best": 3}]}
    axes = nonuniform.boxes({"a": dict.fromkeys(names, sizes)}, {}, "best").axes[0]
    return [to_hex(box.get_facecolor()) for box in axes.patches]


@pytest.mark.parametrize(
    "drawn", [drawn_in_steps, drawn_in_boxes, drawn_in_curves, drawn_over_sizes]
)
def test_pictures_agree(drawn):
    own = {name: colour(name).lower() for name in NAMES}
    for names in (NAMES[:6], NAMES[5::-1], NAMES[20:30]):
        assert drawn(names) == [own[name] for name in names]


def test_boxes_of_what_is_no_algorithm_have_no_algorithms_colour():
    engines = {name: [1.0, 2.0, 3.0] for name in ("step", "flow", "packet", "model")}
    axes = winners.boxes({"bcast": engines}, {"bcast": {}}, "lead", "t").axes[0]
    shown = [(to_hex(box.get_facecolor()), box.get_hatch()) for box in axes.patches]
    assert len(set(shown)) == 4
    assert {one for one, _ in shown}.isdisjoint(colour(name).lower() for name in NAMES)
    assert {one for one, _ in shown}.isdisjoint(known.lower() for known in style.FAMILIES.values())


def test_goodput_agrees():
    assert all(look(name, 3)["color"] == colour(name) for name in NAMES)
