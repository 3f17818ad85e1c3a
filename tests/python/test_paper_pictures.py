"""Pictures of papers' figures: numbers on their axes, outliers of boxes."""

import pytest

from hopbine.plots import nonuniform, winners

BOX = {"at": 4, "label": "4", "low": -1.0, "q1": 0.0, "median": 1.0, "q3": 2.0, "high": 3.0}


def row(k: int, least: float, most: float) -> dict:
    """One of three points, from the least to the most seconds."""
    return {
        "series": "measured",
        "algorithm": "pairwise",
        "radix": 2**k,
        "ranks": 2**k,
        "bytes": 2**k,
        "distribution": f"dist:uniform:{2**k}",
        "seconds": least + k / 2 * (most - least),
    }


@pytest.mark.parametrize(("least", "most"), [(45e-3, 80e-3), (12e-3, 24e-3), (2e-4, 1.0)])
@pytest.mark.parametrize("drawn", ["by_radix", "by_size", "by_ranks", "boxes"])
def test_every_axis_of_times_has_numbers(drawn, least, most):
    rows = [row(k, least, most) for k in range(3)]
    if drawn == "boxes":
        figure = nonuniform.boxes({"t": {"pairwise": {"8 B": rows}}}, {}, "radix", 1)
    else:
        figure = getattr(nonuniform, drawn)({"t": rows})
    figure.canvas.draw()
    axes = figure.axes[0]
    low, high = axes.get_ylim()
    at = zip(axes.get_yticks(), axes.get_yticklabels(), strict=True)
    assert len([y for y, label in at if low <= y <= high and label.get_text()]) >= 2


def test_arrows_tell_how_far_outliers_go():
    of = [BOX | {"least": -187.5, "most": 3.0}, BOX | {"at": 8, "most": 16.67}, BOX | {"at": 16}]
    axes = winners.quartiles({"jobs": of}, "nodes", "%", "t", 33).axes[0]
    assert [text.get_text() for text in axes.texts] == ["-188\n↓", "↑\n16.7"]
