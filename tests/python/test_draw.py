"""hopbine draw: files of networks and schedules, and what it refuses."""

import pytest

from hopbine.cli import main

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
