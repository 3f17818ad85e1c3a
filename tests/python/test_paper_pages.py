"""The papers' pages: reproduce/run.py swing, bine, generalised, parlogna."""

import gzip
import importlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from papers import PAGES, REPRODUCE, reproduce

from hopbine.plots import style, winners
from hopbine.plots.colours import look
from hopbine.selection.file import read
from hopbine.selection.plan import plan

JOBS = "job,node_ids\nA,1-4\nB,1 2 200 400\n"


def test_the_quick_bine_page_has_every_table_and_picture(papers, monkeypatch, small, capsys):
    assert reproduce(papers, monkeypatch, "bine", "--quick") == 0
    out = small / "quick"
    assert {p.name for p in out.iterdir()} >= {
        "times-marenostrum5.csv.xz",
        "times-fugaku.csv.xz",
        "traffic.csv.xz",
        "fig11a-marenostrum5-step.svg",
        "fig11b-fugaku-model.svg",
        "fig11b-fugaku-boxes.svg",
        "processes-marenostrum5.svg",
        "other-jobs.csv.xz",
        "segments.csv.xz",
        "fig11b-fugaku-packet-registry.svg",
        "fig11b-fugaku-packet-general.svg",
    }
    told = capsys.readouterr().out
    assert "### Table 5: MareNostrum 5" in told
    assert "| allreduce | 80 %, 9/46; 2 %, 6/6 |" in told
    assert "6 n and 3 n; Bine 3 n" in told
    assert "not run" in told  # LUMI and Leonardo
    read = papers("shared.results").read
    found = {(r["nodes"], r["ranks"]) for r in read(out / "processes-marenostrum5.csv.xz")}
    assert found == {("8 x 1", "8"), ("8 x 4", "32")}
    assert "| MareNostrum 5 | 4 | " in told
    assert "| MareNostrum 5 | 16 | " in told  # GPUs
    times = {
        r["load"]: float(r["bine"])
        for r in read(out / "other-jobs.csv.xz")
        if (r["collective"], r["bytes"]) == ("allreduce", "65536")
    }
    assert times["0.8"] > times["0.5"] >= times["no others"]
    assert "| MareNostrum 5, 16 | allreduce | 64 KiB | " in told
    first = (out / "times-fugaku.csv.xz").read_bytes()
    assert reproduce(papers, monkeypatch, "bine", "fugaku", "--quick") == 0
    assert (out / "times-fugaku.csv.xz").read_bytes() == first


def test_an_engine_alone_goes_to_its_own_folder(papers, monkeypatch, small):
    words = ("bine", "marenostrum5", "--quick", "--engine", "flow")
    monkeypatch.setattr(papers("bine.tables"), "everything", lambda _: "")
    assert reproduce(papers, monkeypatch, *words) == 0
    rows = papers("shared.results").read(small / "quick-flow" / "times-marenostrum5.csv.xz")
    assert {row["engine"] for row in rows} == {"flow"}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("bine", "summit"), "'summit' is not one of lumi"),
        (("bine", "--engine", "crystal"), "invalid choice: 'crystal'"),
        (("bine", "--jobs", "nowhere.csv"), "--jobs 'nowhere.csv' is not a file"),
        (("bine", "--measured", "nowhere"), "--measured 'nowhere' has no measured.csv.gz"),
        (("generalised", "12"), "'12' is not one of 8, 9, 10, 11, cards, experiments, again"),
        (("parlogna", "16"), "'16' is not one of 6, 7, 8"),
        (("99",), "'99' is not one of swing, bine, generalised, parlogna, quick"),
        (("quick", "bine"), "'quick bine' is not one of swing, bine"),
        (("swing", "99"), "'99' is not one of 6, 7, 8"),
        (("swing", "6", "--engine", "crystal"), "invalid choice: 'crystal'"),
        ((), "arguments are required: PAPER"),
    ],
)
def test_wrong_input_is_one_line(papers, monkeypatch, capsys, words, says):
    assert reproduce(papers, monkeypatch, *words) == 2
    told = capsys.readouterr().err
    assert says in told
    assert told.count("\n") == 1


def test_files_of_another_kind_are_one_line(papers, monkeypatch, small, capsys):
    (small / "run_allocations.csv.gz").write_bytes(gzip.compress(b"system,run\na,b\n"))
    for content, says in (
        (gzip.compress(b"system,run\na,b\n"), "measured.csv.gz has no column algorithm"),
        (b"no gzip", "Not a gzipped file"),
        (gzip.compress(b"system,run\na,b\n" * 99)[:12], "ended before"),
    ):
        (small / "measured.csv.gz").write_bytes(content)
        assert reproduce(papers, monkeypatch, "bine", "--measured", str(small)) == 2
        told = capsys.readouterr().err
        assert says in told
        assert told.count("\n") == 1
    for content, says in (
        ("<html>", "'<html>' is no host name"),
        ("job,node_ids\nA,999990-999999\n", "has no job on nodes of Leonardo"),
    ):
        (small / "jobs.csv").write_text(content)
        words = ("bine", "--quick", "--jobs", str(small / "jobs.csv"))
        assert reproduce(papers, monkeypatch, *words) == 2
        assert says in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "taken", "says"),
    [
        (("swing", "again"), "swing/data/counts", "swing/data has no counts.csv.xz"),
        (("swing", "again"), "swing/data/fig6", "swing/data has no fig6.csv.xz"),
        (("swing", "again", "--engine", "packet"), "swing/data-packet/fig8", "has no fig8.csv.xz"),
        (("swing", "again", "--engine", "step"), "", "data-step has no fig6.csv.xz, fig7.csv.xz"),
        (("bine", "again"), "bine/data/fig5", "bine/data has no fig5.csv.xz"),
        (("bine", "again", "--quick"), "", "bine/quick has no times-lumi.csv.xz"),
        (("generalised", "again"), "generalised/data/fig8", "fig8.csv.xz"),
        (("parlogna", "again"), "parlogna/data/fig6", "fig6.csv.xz"),
    ],
)
def test_a_page_whose_files_are_missing_stays(tmp_path, words, taken, says):
    """Also the figures that are there."""
    own, docs = tmp_path / "reproduce", tmp_path / "docs/papers"
    shutil.copytree(REPRODUCE, own, ignore=shutil.ignore_patterns("*.svg", "quick*", "data-step"))
    shutil.copytree(PAGES, docs)
    (own / f"{taken}.csv.xz").unlink() if taken else None
    pages = {p: p.read_bytes() for p in docs.rglob("*.*")}
    done = subprocess.run(
        [sys.executable, own / "run.py", *words],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert says in done.stderr
    assert pages == {p: p.read_bytes() for p in pages}


def test_wins_and_losses_by_hand(papers):
    """Two wins of 10 and 60 %, a loss of 25 %, two within 1 %; nothing where one is missing."""
    comparing = papers("shared.comparing")
    t = comparing.tally([1.1, 1.6, 0.8, 1.005, 0.995, None])
    assert (t.count, t.win, t.loss) == (5, 40, 20)
    assert t.gain == pytest.approx(100 * ((1.1 * 1.6) ** 0.5 - 1))
    assert (t.most_gain, t.drop, t.most_drop) == pytest.approx((60, 25, 25))
    assert comparing.tally([None]) is None


def test_a_cell_shows_a_ratio_a_letter_or_that_two_are_equal(papers):
    figures, comparing = papers("bine.figures"), papers("shared.comparing")

    def shown(**seconds: float) -> winners.Best:
        cell = comparing.Cell("8", 8, "allreduce", 32)
        for letter, t in seconds.items():
            cell.add(letter, "any", t)
        return figures.best(cell, figures.PAPERS)

    assert shown(B=1.0, N=1.5, R=2.0).text == "1.50"
    assert shown(B=1.0, N=0.5, R=0.8).text == "N"
    assert shown(B=1.0, N=1.005).text == shown(B=1.005, N=1.0).text == "="
    assert shown(B=1.0, N=1.005).name == "Bine and another, within 1 %"
    assert shown(N=1.0, R=3.0).text == "N"
    assert shown(o=1.0) is None  # further ones are not of the paper


def test_a_real_job_goes_before_a_generated_one(papers, tmp_path):
    """The first of the jobs of four nodes that spans three groups is taken."""
    places, spec = papers("shared.places"), papers("bine.evaluation").SPEC["machine"]["leonardo"]
    (tmp_path / "jobs.csv").write_text(JOBS)
    sources = places.Sources(jobs=tmp_path / "jobs.csv")
    place = places.on_machine("leonardo", spec, 4, sources, 3, 0)
    assert (place.source, place.group) == ("job B", (0, 0, 1, 2))
    assert place.at == (0, 1, 180 + 19, 2 * 180 + 39)
    assert places.on_machine("leonardo", spec, 8, sources, 3, 0).source == "generated"


def written_runs(folder: Path) -> Path:
    """One run of the authors on four nodes of Leonardo, in as few columns as are read."""
    places = importlib.import_module("shared.places").published()
    of = {
        "measured": (places.MEASURED, "leonardo,a,allreduce,ring_ompi,mpi,no,1,4,64,4,1.0"),
        "run_allocations": (places.ALLOCATIONS, "leonardo,a,1*2 3*2,4,4,2,1 2 300 301"),
    }
    for name, (columns, row) in of.items():
        text = f"{','.join(columns)}\n{row}\n"
        (folder / f"{name}.csv.gz").write_bytes(gzip.compress(text.encode()))
    return folder


def test_the_traffic_is_that_of_the_authors_run_before_jobs(papers, tmp_path):
    """As the times are; Fig. 5 has all jobs. Works of other sources have other names."""
    traffic, places = papers("bine.traffic"), papers("shared.places")
    (tmp_path / "jobs.csv").write_text(JOBS)
    jobs = places.Sources(jobs=tmp_path / "jobs.csv")
    both = places.Sources(tmp_path / "jobs.csv", written_runs(tmp_path))
    both.check()
    found = [traffic.placements("leonardo", 4, s, 1, 3) for s in (places.Sources(), jobs, both)]
    assert [x.source for x in found] == ["generated", "jobs", "runs"]
    assert found[2].groups == [[0, 0, 1, 1]]
    assert traffic.placements("leonardo", 4, both, 1, 3, own=False) == found[1]
    assert len({x.told for x in found}) == 3
    names = [set(dict(traffic.figure_5(s, True))) for s in (places.Sources(), jobs)]
    assert len(names[0] ^ names[1]) == 2


def test_the_published_tables_are_those_of_the_published_files(papers):
    bine, tables = papers("bine.evaluation"), papers("bine.tables")
    assert tables.everything(bine.folder(False, None)) in (PAGES / "bine-sc25.md").read_text()
    generalised, claims = papers("generalised.evaluation"), papers("generalised.claims")
    told = claims.everything(generalised.HERE / "data")
    assert told in (PAGES / "generalised-collectives.md").read_text()


def test_published_times_come_out_again(papers):
    bine, places = papers("bine.evaluation"), papers("shared.places")
    place = bine.places_of("marenostrum5", places.Sources(), True)[0]
    rows = papers("shared.results").read(bine.HERE / "data" / "times-marenostrum5.csv.xz")
    published = [r for r in rows if r["nodes"] == place.nodes]
    for engine in ("step", "model", "packet"):
        for row in bine.rows("marenostrum5", engine, place, "allgather"):
            assert {k: str(v) for k, v in row.items()} in published, row["algorithm"]


def test_a_quick_generalised_figure(papers, monkeypatch, tmp_path, capsys):
    generalised = papers("generalised.evaluation")
    monkeypatch.setattr(generalised, "HERE", tmp_path)
    monkeypatch.setitem(generalised.SPEC, "quick", {"nodes": 4})
    monkeypatch.setenv("HOPBINE_WORKERS", "1")  # others would read the file again
    assert reproduce(papers, monkeypatch, "generalised", "9", "11", "cards", "--quick") == 0
    out = tmp_path / "quick"
    assert {p.name for p in out.glob("*.svg")} == {"fig9.svg", "fig11.svg"}
    told = capsys.readouterr().out
    assert "recursive_multiplying:k=2: equal in every round" in told
    assert "| (13) | allgather `kring`, blocks of a group of 4 | 120 | 120 | |" in told
    assert "| Frontier, 4 nodes | allreduce | no | 4, 4, 4, 4 | " in told
    rows = papers("shared.results").read(out / "fig11.csv.xz")
    found = {(r["panel"], r["per_node"]) for r in rows if r["source"] == "cards"}
    assert found == {("11a", "1"), ("11b", "1"), ("11c", "4")}


def test_a_quick_page_of_swing_leaves_the_published_one(papers, monkeypatch, tmp_path):
    """Small networks, each once."""
    swing = papers("swing.evaluation")
    monkeypatch.setattr(swing, "HERE", tmp_path)
    monkeypatch.setenv("HOPBINE_WORKERS", "1")
    monkeypatch.setitem(swing.SPEC["figure"]["15"], "of", ["8", "11"])
    for number in ("6", "7", "10", "12", "13", "14"):
        monkeypatch.delitem(swing.SPEC["figure"], number)
    assert reproduce(papers, monkeypatch, "swing", "--quick") == 0
    out = tmp_path / "quick"
    assert list(tmp_path.iterdir()) == [out]
    assert {p.name for p in out.glob("*.svg")} >= {"fig8.svg", "fig11-4x4x4.svg", "fig15.svg"}


def test_swings_figures_are_there_by_flows_and_by_packets(papers):
    swing = papers("swing.evaluation")
    for engine in ("flow", "packet"):
        assert swing.chosen(["all"], engine)[0] == list(swing.SPEC["figure"])
        assert all(swing.is_there(number, engine) for number in swing.SPEC["figure"])
    assert swing.chosen(["7"], "packet") == (["7"], ["7"])


def test_quick_makes_every_page(papers, monkeypatch, capsys):
    names, made = papers("run").PAPERS, []
    for name in names:

        def run(words: list[str], name: str = name) -> int:
            made.append((name, *words))
            return 0

        monkeypatch.setattr(papers(f"{name}.evaluation"), "run", run)
    assert reproduce(papers, monkeypatch, "quick") == 0
    assert made == [(name, "--quick") for name in names]
    assert "paper 2 of 4: bine --quick" in capsys.readouterr().err


def test_the_default_radix_takes_the_time_of_the_classic_algorithm(papers):
    """Fig. 7 by the model: the same messages take the same time."""
    generalised, engines = papers("generalised.evaluation"), papers("shared.engines")
    panel = generalised.SPEC["figure"]["8"]["panels"][1]
    place = generalised.place_of(panel, True)
    on = engines.setup(place, "step")
    for collective, ours, classic in papers("generalised.claims").SAME:
        for engine in ("step", "model"):
            both = [
                engines.times(on, place, engine, collective, a, generalised.SIZES)
                for a in (ours, classic)
            ]
            assert both[0] == pytest.approx(both[1]), (collective, engine)


def test_a_family_has_one_colour_in_all_pictures():
    """The goodput of the Swing page, the tables of the Bine page; all families differ."""
    assert look("Bucket", 4)["color"] == style.family("bucket")
    assert look("Ring", 2)["color"] == style.family("ring")
    assert look("Ring", 2)["marker"] == style.series(2)["marker"]
    assert look("pipeline", 2) == style.series(2)
    colours = list(style.FAMILIES.values())
    assert len(set(colours)) == len(colours)


def test_the_closures_traffic_by_hand(papers):
    """Chains of 3 and 1 edges: paths of 2 edges are found twice, of 3 once."""
    traffics = papers("parlogna.traffics")
    lengths = traffics.np.array([3, 1])
    sent = [traffics.closure(lengths, 1, k, 4, 16).sum() for k in (1, 2, 3)]
    assert sent == [32, 16, 0]
    drawn = traffics.chains(1000, 50, 1)
    assert (drawn.sum(), drawn.max()) == (1000, 50)
    assert traffics.whole({1: 4.0, 3: 2.0}) == 9


def test_the_ffts_blocks_by_hand(papers):
    traffics = papers("parlogna.traffics")
    assert traffics.few(4).tolist() == [[64] * 4] * 3 + [[0] * 4]
    assert traffics.near(3).tolist() == [[512] * 3] * 2 + [[128] * 3]


def test_told_blocks_are_those_that_are_drawn(papers):
    """Equal blocks of a list and of a matrix take the same time as messages of that size."""
    spec, np = papers("parlogna.evaluation").SPEC, papers("parlogna.traffics").np
    on = papers("parlogna.links").setup(spec["links"], 64, 32)
    same = on.taken(on.of_blocks("pairwise", "dist:normal:64:0.001", 8), 1)
    matrix = np.full((64, 64), 64)
    for told in ([64] * 64 * 64, matrix, np.repeat(matrix, 2, axis=1)[:, ::2]):
        assert on.taken(on.of_blocks("pairwise", told, 8), 1) == same
    for sizes, says in (([1] * 5, "5 blocks are not one from each of 64"), ([-1] * 4096, "-1")):
        with pytest.raises(ValueError, match=says):
            on.of_blocks("pairwise", sizes, 8)
    with pytest.raises(TypeError, match="float64"):
        on.of_blocks("pairwise", matrix + 0.5, 8)


def test_a_matrix_is_of_its_ranks_row_by_row(papers):
    """One block, from rank 0 to the last: who sends it and who waits is not the other way round."""
    on = papers("parlogna.links").setup(papers("parlogna.evaluation").SPEC["links"], 64, 32)
    one = papers("parlogna.traffics").np.zeros((64, 64), int)
    one[0, 63] = 1 << 20
    told = on.followed(on.of_blocks("spread_out", one, 8), 1, rank=63)["events"]
    assert [(e["sent"], e["peer"], e["bytes"]) for e in told] == [(False, 0, 1 << 20)]


def test_large_jobs_have_the_algorithms_that_are_told(papers):
    """They are the ones of every job and one more, or those of `only`."""
    links, spec = papers("parlogna.links"), papers("parlogna.evaluation").SPEC
    of = {"64": {"topology": "fattree:4x4", "algorithms": ["linear"]}}
    told = spec["links"] | {"larger": of, "algorithms": ["pairwise"]}
    figure = {"cases": {"normal": "dist:normal:1000:240"}}
    names = [r["algorithm"] for r in links.rows(spec | {"links": told}, figure, "normal", 64, 0)]
    assert names == ["pairwise", "linear"]
    of["64"] = {"topology": "fattree:4x4", "only": ["spread_out"]}
    names = [r["algorithm"] for r in links.rows(spec | {"links": told}, figure, "normal", 64, 0)]
    assert names == ["spread_out"]


def test_the_buffer_holds_no_more_than_the_papers_bound(papers):
    """B = P - (K + 1) of Sec. 3.3; the paper's example has 4, 3 and 3."""
    claims = papers("parlogna.links_claims")
    assert [8 - claims.rounds(8, r) - 1 for r in (2, 3, 4)] == [4, 3, 3]
    for ranks in (5, 8, 27, 64):
        for radix in range(2, ranks + 1):
            assert claims.in_transit(ranks, radix) <= ranks - claims.rounds(ranks, radix) - 1


def test_swings_counts_come_out_again(papers):
    """Eq. 3, and a latency-optimal row of Table 2 on a small torus."""
    counts = papers("swing.counts")
    published = counts.read(papers("swing.evaluation").COUNTS)
    assert next(ours for (where, _), ours in published.items() if where == "Eq. 3") == (
        counts.rectangular()
    )
    found = counts.counted("8x8", "torus_doubling_small")
    assert (found["latency"], found["bandwidth"]) == (1, 12)
    assert found["congestion"] * 6 == pytest.approx(2 * 7 - 2 * 2)  # ties go both ways


def test_a_selection_file_for_the_papers_machines(papers, monkeypatch, tmp_path):
    """Sec. VI.G: of what MPICH has the fastest, so that nothing is left out of its file."""
    generalised, selection = papers("generalised.evaluation"), papers("generalised.selection")
    monkeypatch.chdir(tmp_path)
    for path in selection.write_all(generalised.HERE / "data", ["frontier", "polaris"]):
        rules = read(path)
        told = plan("mpich", rules, "MPICH")
        assert set(told.collectives) >= {"allgather", "allreduce", "reduce"}
        assert not told.left_out
    size = generalised.SIZES[0]
    row = {"collective": "bcast", "nodes": "8", "per_node": "1", "kernel": "knomial"}
    rows = [
        row | {"k": "2", str(size): "3e-6"},
        row | {"k": "4", str(size): "2e-6"},
        row | {"kernel": "kring", "k": "2", str(size): "1e-6"},  # MPICH has none
        row | {"k": "8", str(size): ""},
    ]
    assert selection.fastest(rows, size) == "knomial:k=4"
    assert selection.fastest(rows[2:], size) is None
