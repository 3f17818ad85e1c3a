"""Pictures of traffic: group to group, step by step, and over many jobs."""

import polars
import pytest
from pictured import bars

from hopbine.allocations import generate
from hopbine.jobs.counting import Asked, counts, drawn_steps
from hopbine.jobs.job import Job
from hopbine.machines import load
from hopbine.plots import files
from hopbine.plots import traffic as plots


@pytest.mark.parametrize("asked", [None, ["bine_large", "auto"], ["ring", "rabenseifner", "auto"]])
def test_steps_have_the_baseline_first_then_the_choice_then_the_best(asked):
    machine = load("dragonfly:groups=4,nodes=16")
    job = Job("j", tuple(generate("random:12:seed=1", machine, 1).hosts), machine)
    rows, counted = zip(*counts(job, Asked(["allreduce"], asked, [1024, 1 << 20])), strict=True)
    steps = polars.DataFrame(drawn_steps(job, rows, counted))
    drawn = steps.select("algorithm", "baseline").unique(maintain_order=True).rows()
    assert steps["bytes"].unique().to_list() == [1 << 20]
    assert drawn[0] == (rows[0]["baseline"], True) or drawn[0] == ("rabenseifner", True)
    assert drawn[1][0].startswith("auto")
    assert not any(is_it for _, is_it in drawn[1:])
    assert len(drawn) == min(6, len(asked or range(6)) + (asked == ["bine_large", "auto"]))
    moved = {r["algorithm"]: r["global_bytes"] for r in rows if r["bytes"] == 1 << 20}
    rest = [moved[name] for name, _ in drawn[2:]]
    assert rest == sorted(moved[n] for n in moved if n not in (drawn[0][0], drawn[1][0]))[:4]
    legend = plots.step_bars(steps, "t").axes[0].get_legend()
    assert [t.get_text().endswith(", baseline") for t in legend.get_texts()] == [
        is_it for _, is_it in drawn
    ]


@pytest.mark.parametrize("groups", [1, 2, 40])
def test_pictures_of_few_and_many_groups(tmp_path, groups):
    pairs = polars.DataFrame(
        [
            {"from_group": f"g{a}", "to_group": f"g{b}", "moved_bytes": 1.0 + a * b}
            for a in range(groups)
            for b in range(groups)
            if a != b
        ],
        schema={"from_group": str, "to_group": str, "moved_bytes": float},
    )
    for ending in ("svg", "png"):
        path = tmp_path / f"a.{ending}"
        files.save(plots.heat_map(pairs, "t"), path)
        first = path.read_bytes()
        files.save(plots.heat_map(pairs, "t"), path)
        assert path.read_bytes() == first
    with pytest.raises(ValueError, match="must end in"):
        files.save(plots.heat_map(pairs, "t"), tmp_path / "a.gif")


def test_boxes_tell_how_many_jobs_there_are():
    jobs = polars.DataFrame(
        {
            "job": [*range(30)] * 2,
            "algorithm": ["a"] * 30 + ["b"] * 30,
            "nodes": ([16] * 20 + [40] * 10) * 2,
            "change_pct": [float(x % 7) for x in range(58)] + [None, 300.0],
        }
    )
    axes = plots.change_boxes(jobs, "t").axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == [
        "16\n20 jobs",
        "32–63\n10 jobs",
    ]
    assert axes.get_xlabel() == "nodes"
    assert sum(len(line.get_ydata()) for line in axes.lines if line.get_marker() == ".") == 1


def test_boxes_of_an_algorithm_that_a_bin_lacks():
    jobs = polars.DataFrame(
        {
            "job": ["1", "2", "3"],
            "algorithm": ["a", "a", "b"],
            "nodes": [16, 16, 64],
            "change_pct": [1.0, float("nan"), 2.0],
        }
    )
    assert [
        label.get_text() for label in plots.change_boxes(jobs, "t").axes[0].get_xticklabels()
    ] == ["16\n1 job", "64\n1 job"]
    with pytest.raises(ValueError, match="no changes"):
        plots.change_boxes(jobs.clear(), "t")


def test_jobs_of_one_name_are_all_counted():
    each = (("x", 1.0), ("x", 2.0), ("y", 3.0))
    jobs = polars.DataFrame(
        [
            {"job": job, "algorithm": algorithm, "nodes": 16, "change_pct": pct}
            for algorithm in "ab"
            for job, pct in each
        ]
    )
    assert [
        label.get_text() for label in plots.change_boxes(jobs, "t").axes[0].get_xticklabels()
    ] == ["16\n3 jobs"]


def test_names_of_groups_may_be_anything(tmp_path):
    pairs = polars.DataFrame(
        {"from_group": ["1a", "b2"], "to_group": ["b2", "$\\bad$"], "moved_bytes": [1.0, 2.0]}
    )
    files.save(plots.heat_map(pairs, "$x$ & <y>"), tmp_path / "a.svg")
    assert "$\\bad$" in (tmp_path / "a.svg").read_text()


def test_steps_keep_their_numbers():
    rows = [("ring", 1, 1, 5.0), ("ring", 2, 127, 9.0), ("ring", 129, 1, 5.0), ("bine", 2, 1, 3.0)]
    steps = polars.DataFrame(
        [
            {"algorithm": a, "numbering": "given", "step": s, "times": n, "global_bytes": b}
            for a, s, n, b in rows
        ]
    )
    axes = plots.step_bars(steps, "t").axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == [
        "1",
        "2",
        "129",
    ]
    assert "×127" in [t.get_text() for t in axes.texts]
    with pytest.raises(ValueError, match="no steps"):
        plots.step_bars(steps.clear(), "t")


def test_steps_of_several_sizes_stand_side_by_side():
    rows = [
        {
            "collective": c,
            "algorithm": "bine",
            "numbering": "given",
            "bytes": b,
            "step": s,
            "times": 1,
            "global_bytes": float(b * s),
        }
        for c in ("allreduce", "bcast")
        for b in (1 << 20, 1 << 22)
        for s in (1, 2, 3)
    ]
    figure = plots.step_bars(polars.DataFrame(rows), "t")
    assert len(bars(figure)) == len(set(bars(figure))) == 12
    assert [text.get_text() for text in figure.axes[0].get_legend().get_texts()] == [
        "allreduce bine, 1 MiB",
        "allreduce bine, 4 MiB",
        "bcast bine, 1 MiB",
        "bcast bine, 4 MiB",
    ]
    alone = plots.step_bars(polars.DataFrame(rows[:3]), "t")
    assert [text.get_text() for text in alone.axes[0].get_legend().get_texts()] == ["bine"]
