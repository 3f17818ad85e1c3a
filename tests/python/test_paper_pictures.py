"""Pictures of papers' figures: numbers on their axes, outliers of boxes, those of the pages."""

import re
from xml.etree import ElementTree

import pytest
from matplotlib.colors import to_hex
from papers import PAGES

from hopbine.plots import files, nonuniform, style, winners
from hopbine.plots.colours import colour

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


def test_numbers_below_boxes_are_below_all_that_is_drawn():
    """Boxes, and lines that go below them."""
    rows = [row(k, 2e-3, 9e-3) for k in range(3)]
    series = {"ParLogNa": {"8 B": rows, "16 B": rows}, "pairwise": {"8 B": rows, "16 B": rows}}
    lines = {"t": {"spread_out": {"8 B": 1e-3, "16 B": 1.5e-3}}}
    figure = nonuniform.boxes({"t": series}, lines, "radix", 1)
    figure.draw_without_rendering()
    axes = figure.axes[0]
    assert len(axes.texts) == 4
    top = max(text.get_window_extent().y1 for text in axes.texts)
    drawn = [line.get_transform().transform(line.get_xydata()) for line in axes.lines]
    least = min(points[:, 1].min() for points in drawn)
    assert top < least
    assert axes.lines[-1].get_color() == colour("spread_out")


def test_cells_of_one_colour_are_told_apart():
    """An algorithm has its colour; the same with other parameters is hatched."""
    cells = {
        ("8 B", "4"): winners.Best("permute", "P", 1.5, "bine_permute"),
        ("8 B", "8"): winners.Best("overlapped", "O", 1.5, "bine_permute:overlap=1"),
        ("8 B", "16"): winners.Best("binomial", "N", 1.5, "binomial"),
        ("8 B", "32"): winners.Best("Bine and another", "=", 1.0),
    }
    panel = winners.Panel("t", ["8 B"], ["4", "8", "16", "32"], cells)
    names = {"permute": "P", "overlapped": "O", "binomial": "N", "Bine and another": "="}
    figure = winners.tables([panel], names, "t")
    marks = {text.get_text(): mark for text, mark in legend(figure)}
    shown = {name: (to_hex(m.get_facecolor()), m.get_hatch()) for name, m in marks.items()}
    own = colour("bine_permute").lower()
    assert shown["P: permute"] == (own, None)
    assert shown["O: overlapped"] == (own, style.HATCHES[1])
    assert shown["N: binomial"] == (style.family("binomial").lower(), None)
    assert shown["=: Bine and another"] == (style.GREY_20, None)
    assert [p.get_hatch() for p in figure.axes[0].patches] == [style.HATCHES[1]]


def legend(figure):
    """Texts and marks."""
    (found,) = figure.legends
    return zip(found.get_texts(), found.get_patches(), strict=True)


def test_a_page_has_the_figures_that_it_links_and_no_others(papers):
    """And each is drawn from the data by one name."""
    page = papers("shared.page")
    for paper in sorted(p.name for p in PAGES.iterdir() if p.is_dir()):
        assert len(page.figures(paper)) > 3
        assert sorted(page.figures(paper)) == sorted(p.name for p in (PAGES / paper).iterdir())


def test_a_small_picture_has_all_marks_and_texts(papers, tmp_path):
    """Texts as they were, places to a hundredth of a point."""
    figure = style.figure(3, 3)
    axes = figure.subplots()
    axes.plot([0, 1, 2.34567], [0, 1.23456, 2], marker="o")
    axes.set_title("0.12345 s < 1; $x^2$", fontsize=9)
    files.save(figure, tmp_path / "whole.svg")
    whole = (tmp_path / "whole.svg").read_text()
    small = papers("shared.small_svg").smaller(whole)
    both = [ElementTree.fromstring(svg) for svg in (whole, small)]
    for kind in ("path", "use", "text", "clipPath", "tspan"):
        found = [[*svg.iter(f"{{http://www.w3.org/2000/svg}}{kind}")] for svg in both]
        assert len(found[0]) == len(found[1])
        assert len({tuple((e.text or "").strip() for e in of) for of in found}) == 1
    xs = [[float(e.get("x")) for e in svg.iter() if e.tag.endswith("use")] for svg in both]
    assert xs[1] == pytest.approx(xs[0], abs=0.006)
    assert xs[1] != xs[0]
    links = re.findall(r"(?:url\(|href=\")#([\w-]+)", small)
    assert {f'id="{name}"' for name in links} <= set(re.findall(r'id="[^"]*"', small))
    assert len(small) < 0.7 * len(whole)
