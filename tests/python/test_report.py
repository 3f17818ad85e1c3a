"""The HTML page: self-contained, escaped, the same every time."""

import re
from html.parser import HTMLParser

import polars
import pytest
from pictured import bars

from hopbine.cli import main
from hopbine.plots.labels import byte_unit
from hopbine.report import Picture, Table, Text, jobs_sections, traffic_sections, write

VOID = {"meta", "input", "br", "path", "use", "rect", "image"}


class Balanced(HTMLParser):
    """Fails when tags do not match."""

    def __init__(self):
        super().__init__()
        self.open, self.seen, self.links = [], [], []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        self.links += [v for k, v in attrs if k in ("href", "src", "xlink:href") and v]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.append(tag)
        self.links += [v for k, v in attrs if k in ("href", "src", "xlink:href") and v]

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag


def parsed(path):
    page = Balanced()
    page.feed(path.read_text())
    assert page.open == []
    return page


def test_text_is_escaped_and_numbers_keep_their_value(tmp_path):
    frame = polars.DataFrame({"job": ['<b>&"', "a'"], "bytes": [1234567, None], "x": [0.125, -2.5]})
    write(
        tmp_path / "p.html",
        "<title>",
        [Text("a<b", ("x & y",)), Table("t", frame, {"job": "job", "bytes": "size", "x": "x"}, {})],
        ["made <now>"],
    )
    text = (tmp_path / "p.html").read_text()
    parsed(tmp_path / "p.html")
    assert "<b>&" not in text
    assert "&lt;b&gt;&amp;&quot;" in text
    assert 'data-v="1234567"' in text
    assert ">1,234,567<" in text
    assert 'data-v="-2.5"' in text
    assert text.count('aria-sort="none"') == 3


@pytest.mark.parametrize("kind", ["traffic", "jobs"])
def test_pages_need_nothing_from_outside_and_repeat(tmp_path, kind, capsys):
    jobs = tmp_path / "jobs.csv"
    jobs.write_text('job,hosts\n1,"node[0-3,20-23]"\n2,"node[0-9,30-40]"\n3,"zz[1-2]"\n')
    words = {"traffic": ["--hosts", "random:12:seed=1"], "jobs": [str(jobs)]}[kind]
    pages = []
    for n in range(2):
        out = tmp_path / f"{n}.html"
        assert (
            main(
                [
                    "report",
                    kind,
                    *words,
                    "--machine",
                    "dragonfly:groups=4,nodes=16",
                    "-o",
                    str(out),
                    "--title",
                    "T",
                ]
            )
            == 0
        ), capsys.readouterr().err
        page = parsed(out)
        assert all(link.startswith(("#", "data:image/png")) for link in page.links)
        assert "svg" in page.seen
        assert "table" in page.seen
        text = out.read_text()
        assert not re.search(r"@import|url\((?!#)|fetch\(|XMLHttp", text)
        ids = re.findall(r'\bid="([^"]+)"', text)
        assert len(ids) == len(set(ids))
        assert {link[1:] for link in page.links if link[0] == "#"} <= set(ids)
        pages.append(re.sub(r"Made .*?</p>", "", text))
    assert pages[0] == pages[1]
    assert kind == "traffic" or ("cannot be used" in pages[0] and "zz" in pages[0])
    assert "<h2>The choice and the baseline</h2>" in pages[0]


def test_a_report_is_refused_before_it_is_counted(tmp_path, capsys):
    assert main(["report", "jobs", "/none", "-o", str(tmp_path / "x.pdf")]) == 2
    assert "must end in .html" in capsys.readouterr().err


def test_pictures_of_a_report_are_of_its_largest_size():
    import hopbine
    from hopbine.allocations import generate
    from hopbine.jobs.counting import Asked, counts, pair_rows, step_rows
    from hopbine.jobs.job import Job
    from hopbine.machines import load

    machine = load("dragonfly:groups=4,nodes=16")
    job = Job("j", tuple(generate("random:12:seed=1", machine, 1).hosts), machine)
    sizes = [1 << 20, 1 << 22, 1 << 10]
    found = list(counts(job, Asked(["allreduce"], ["bine_large", "ring"], sizes)))
    pairs = polars.DataFrame([x for row, t in found for x in pair_rows(job, row, t)])
    sections = traffic_sections(
        hopbine.traffic(job.hosts, machine, algorithms=["bine_large", "ring"], sizes=sizes),
        pairs,
        polars.DataFrame([x for row, t in found for x in step_rows(row, t)]),
        "a",
    )
    pictures = [s for s in sections if isinstance(s, Picture)]
    assert len(pictures) == 3
    assert all("4 MiB" in p.heading for p in pictures)
    most = pairs.filter(
        (polars.col("algorithm") == "bine_large") & (polars.col("bytes") == 1 << 22)
    )["moved_bytes"].max()
    shown = pictures[0].figure.axes[0].images[0].get_array()
    unit, scale = byte_unit(most)
    assert float(shown.max()) == pytest.approx(most / scale)
    assert pictures[0].figure.axes[1].get_ylabel() == unit
    assert len(bars(pictures[2].figure)) == len(set(bars(pictures[2].figure)))


def test_jobs_without_a_change_still_make_a_page(tmp_path):
    row = {
        "job": "1",
        "nodes": 8,
        "groups": 2,
        "algorithm": "a",
        "numbering": "given",
        "global_bytes": 5.0,
        "change_pct": None,
        "baseline": "b",
        "lower_bound": 1.0,
        "above_lower_bound_pct": None,
    }
    sections = jobs_sections(polars.DataFrame([row]), [("f", "2", "no <host>")], "a")
    write(tmp_path / "p.html", "t", sections, ["f"])
    parsed(tmp_path / "p.html")
    text = (tmp_path / "p.html").read_text()
    assert "There is no picture" in text
    assert "<svg" not in text
    assert "no &lt;host&gt;" in text


def test_the_verdict_compares_the_choice_with_its_baseline(tmp_path):
    """In a sentence on top, and side by side."""
    import hopbine
    from hopbine.allocations import generate
    from hopbine.machines import load
    from hopbine.report.verdict import jobs_verdict, side_by_side, traffic_verdict

    machine = load("dragonfly:groups=4,nodes=16")
    hosts = generate("random:12:seed=1", machine, 1).hosts
    names = ["auto", "recursive_doubling", "rabenseifner"]
    both = hopbine.traffic(hosts, machine, algorithms=names, sizes=[1024, 1 << 20])
    rows = side_by_side(both)
    moved = {(r["bytes"], r["algorithm"]): r["global_bytes"] for r in both.rows(named=True)}
    assert [r["baseline"] for r in rows] == ["recursive_doubling", "rabenseifner"]
    alone = side_by_side(both.filter(both["algorithm"].str.starts_with("auto")))
    for row, computed in zip(rows, alone, strict=True):
        assert row["baseline_bytes"] == moved[row["bytes"], row["baseline"]]
        assert computed["baseline_bytes"] == pytest.approx(row["baseline_bytes"])
        assert f"auto: {row['choice']}" in both["algorithm"]
    fewer = sum(r["choice_bytes"] < r["baseline_bytes"] for r in rows)
    assert f"than the classic algorithm in {fewer} of 2 cases: from " in traffic_verdict(both)
    chosen = both.filter(~both["algorithm"].str.starts_with("auto"))
    assert traffic_verdict(chosen).startswith("The most is saved by ")
    jobs = polars.DataFrame(
        {
            "algorithm": ["auto: x", "auto: y", "auto: x", "ring"],
            "change_pct": [-10.0, 5.0, -20.0, -90.0],
            "baseline": "b",
        }
    )
    assert jobs_verdict(jobs) == (
        "hopbine's choice moves 10.0 % fewer bytes between groups than b in the median of 3 jobs, "
        "from 5.0 % more to 20.0 % fewer."
    )
