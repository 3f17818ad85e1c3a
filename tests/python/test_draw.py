"""hopbine draw: files of networks and schedules, and what it refuses."""

import pytest

from hopbine import _core
from hopbine.cli import main
from hopbine.plots.picture import picture

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


@pytest.mark.parametrize(
    ("collective", "algorithm"),
    [(a["collective"], a["name"]) for a in _core.algorithms() if not a["follows_shape"]],
)
def test_what_goes_between_groups_is_what_is_counted(collective, algorithm):
    p, group = 12, [0] * 5 + [1] * 3 + [2] * 4
    if not _core.fits(collective, algorithm, p):
        return
    schedule = _core.schedule(collective, algorithm, p, 0, {}, group, list(range(p)))
    shown = picture(schedule, collective, algorithm, p, 0, group)
    crossing = sum(a.blocks for a in shown.arrows if shown.crosses(a)) / schedule.parts
    assert crossing == pytest.approx(
        _core.count(collective, algorithm, group, list(range(p)))["global_blocks"]
    )
    starts = [r for r in range(p) if r == shown.order[0] or group[r] != group[r - 1]]
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
