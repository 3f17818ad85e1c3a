"""hopbine draw: files of networks and schedules, and what it refuses."""

from itertools import pairwise

import pytest

from hopbine import _core
from hopbine.cli import main
from hopbine.plots.picture import picture, ranks_from_left
from hopbine.plots.render import Panel, draw

pytest.importorskip("matplotlib")


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
        (["bcast", "-o", "x.svg"], "required: algorithm, -n/-p/--ranks"),
        (["-o", "x.svg"], "required: collective, algorithm, -n/-p/--ranks"),
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


@pytest.mark.parametrize("groups", [(5, 6, 5), (4, 4, 4, 4), (8, 8), (16,)])
def test_a_group_has_one_shade_in_every_numbering(groups):
    group = [g for g, n in enumerate(groups) for _ in range(n)]
    shades = []
    for name in ("binomial_doubling", "bine_small"):
        problem = _core.Problem("bcast", name, group=group, node=range(16))
        shown = picture(_core.schedule(problem), problem)
        bands = [b for b in draw([Panel(shown)]).axes[0].patches if b.get_zorder() == 0]
        at = [b for b in bands for _ in range(round(b.get_width()))]
        order = ranks_from_left([shown])
        of = {r: b.get_facecolor() for r, b in zip(order, at, strict=True)}
        assert all(a.get_facecolor() != b.get_facecolor() for a, b in pairwise(bands))
        shades.append([of[r] for r in range(16)])
    assert shades[0] == shades[1]


@pytest.mark.parametrize(
    ("collective", "algorithm"),
    [(a["collective"], a["name"]) for a in _core.algorithms() if not a["follows_shape"]],
)
def test_what_goes_between_groups_is_what_is_counted(collective, algorithm):
    p, group = 12, [0] * 5 + [1] * 3 + [2] * 4
    if not _core.fits(collective, algorithm, p):
        return
    problem = _core.Problem(collective, algorithm, group=group, node=range(p))
    schedule = _core.schedule(problem)
    shown = picture(schedule, problem)
    crossing = sum(a.blocks for a in shown.arrows if shown.crosses(a)) / schedule.parts
    assert crossing == pytest.approx(_core.count(problem)["global_blocks"])
    first, *_ = ranks_from_left([shown])
    starts = [r for r in range(p) if r == first or group[r] != group[r - 1]]
    assert len(starts) == 3  # no group is torn apart


def test_a_baseline_is_drawn_above(tmp_path):
    path = tmp_path / "both.svg"
    command = ["draw", "bcast", "bine_small", "-p", "16", "--groups", "5,6,5"]
    assert main([*command, "--baseline", "binomial_doubling", "-o", str(path)]) == 0
    text = path.read_text()
    above = "bcast binomial_doubling, p = 16, root 0; between groups 11 of 15 messages"
    assert text.index(above) < text.index(
        "bcast bine_small, p = 16, root 0; between groups 5 of 15"
    )


def test_both_halves_have_the_same_order_of_ranks():
    group = [0] * 5 + [1] * 6 + [2] * 5
    shown = [
        picture(_core.schedule(problem), problem)
        for name in ("binomial_doubling", "bine_small")
        for problem in [_core.Problem("bcast", name, group=group, node=range(16))]
    ]
    above, below = draw([Panel(one) for one in shown]).axes
    numbers = [
        [t.get_text() for t in axes.texts if t.get_position()[1] == 0.42] for axes in (above, below)
    ]
    assert numbers[0] == numbers[1]
    assert sorted(map(int, numbers[0])) == list(range(16))


def test_many_ranks_are_a_matrix(tmp_path, capsys):
    """Its cells are the schedule's messages: who, when first, how many blocks."""
    from hopbine.plots.matrix import draw_matrices, matrix

    p = 72
    schedule = _core.schedule(_core.Problem("allgather", "bruck", p))
    shown = matrix(schedule, "it", p)
    sums = [[0.0] * p for _ in range(p)]
    for step in range(schedule.steps):
        for rank in range(p):
            for way, _, _, peer, runs in schedule.moves(rank, step):
                if way == "send":
                    assert shown.first_step[rank][peer] <= step
                    sums[rank][peer] += sum(high - low for low, high in runs)
    assert [[0 if x != x else x for x in row] for row in shown.blocks] == sums
    assert {x for row in shown.first_step for x in row if x == x} == set(range(schedule.steps))
    axes = draw_matrices([shown]).axes
    assert axes[0].images[0].get_array().shape == (p, p)
    for more in ([], ["--groups", "36,36", "--baseline", "ring"]):
        out = tmp_path / "m.svg"
        assert main(["draw", "allgather", "bruck", "-p", str(p), *more, "-o", str(out)]) == 0
        assert out.stat().st_size > 2000
    for words, said in (
        (["-p", "2048"], "-n 2048 is too many for a picture (at most 1024)"),
        (["-p", "72", "--highlight", "1"], "--highlight needs at most 64 ranks"),
    ):
        assert main(["draw", "allgather", "bruck", *words, "-o", str(out)]) == 2
        assert said in capsys.readouterr().err


def test_a_torus_is_drawn_step_by_step(tmp_path):
    """A grid for each step, a message on the shorter way: round the rim in two lines."""
    from hopbine.plots.torus_steps import lines, messages, torus_steps, undrawable

    schedule = _core.schedule(_core.Problem("allreduce", "swing", 16, shape=[4, 4]))
    found = messages(schedule, 16)
    figure = torus_steps([("swing", found)], [4, 4], "it")
    assert len(figure.axes) == schedule.steps
    for step, axes in enumerate(figure.axes):
        heads = [text for text in axes.texts if getattr(text, "arrow_patch", None)]
        drawn = sum(len(lines(m.src, m.dst, 4, 4)) for m in found if m.step == step)
        assert len(heads) == drawn
    assert {m.channel for m in found} == set(range(4))
    assert lines(0, 1, 4, 4) == [((0, 0), (1, 0))]
    assert lines(0, 3, 4, 4) == [((0, 0), (-0.5, 0)), ((3.5, 0), (3, 0))]
    assert lines(12, 0, 4, 4) == [((0, 3), (0, 3.5)), ((0, -0.5), (0, 0))]
    assert lines(0, 5, 8, 1) == [((0, 0), (-0.5, 0)), ((7.5, 0), (5, 0))]
    assert not undrawable([1, 8], 3)
    assert not undrawable([4, 4, 4], 6)
    assert undrawable([8, 8], 100) == "there are 100 steps, grids for at most 24"
    assert undrawable([2, 2, 2, 2], 6) == "it has 4 dimensions, a grid at most 3"
    assert undrawable([32, 32], 6) == "it has 1024 ranks, a grid at most 256"
    for shape, p in (("4x4", 16), ("8", 8), ("2x3x4", 24)):
        out = tmp_path / f"{shape}.svg"
        assert (
            main(["draw", "allreduce", "swing", "-p", str(p), "--shape", shape, "-o", str(out)])
            == 0
        )
        assert out.stat().st_size > 2000


def test_planes_of_a_torus_are_side_by_side():
    """A message to another plane is short, and has its receiver's number."""
    from hopbine.plots.torus_steps import messages, torus_steps

    schedule = _core.schedule(_core.Problem("allreduce", "swing", 24, shape=[2, 3, 4]))
    found = messages(schedule, 24)
    for step, axes in enumerate(torus_steps([("swing", found)], [2, 3, 4], "it").axes):
        texts = [text.get_text() for text in axes.texts if text.get_text()]
        away = {(m.src, m.dst) for m in found if m.step == step and m.src // 12 != m.dst // 12}
        assert sorted(texts) == sorted(map(str, [*range(24), *(dst for _, dst in away)]))


@pytest.mark.parametrize(
    ("words", "panels", "said"),
    [
        ("swing --shape 4x4 --baseline bucket", 8 + 12, ""),
        ("swing --shape 4x4 --baseline torus_doubling", 8 + 8, ""),
        ("swing --shape 2x2x2x2", 4, "--shape 2x2x2x2: it has 4 dimensions, a grid at most 3;"),
        ("swing --shape 4x4 --baseline ring", 8, "there are 30 steps, grids for at most 24; a mat"),
    ],
)
def test_a_baseline_has_grids_and_what_has_none_is_told(words, panels, said, capsys, monkeypatch):
    drawn = []
    monkeypatch.setattr("hopbine.plots.files.save", lambda figure, path: drawn.append(figure))
    assert main(["draw", "allreduce", *words.split(), "-p", "16", "-o", "x.svg"]) == 0
    assert len([axes for axes in drawn[0].axes if axes.get_title() or said]) == panels
    assert said in capsys.readouterr().err
