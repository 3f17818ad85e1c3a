"""hopbine traffic, jobs and select explain: tables, pictures, and what bad input says."""

import csv
import io
import json

import pytest

from hopbine import _core
from hopbine.cli import main

SMALL = "dragonfly:groups=4,nodes=16"


def run(capsys, *words):
    code = main(list(words))
    return code, *capsys.readouterr()


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--hosts", "a,b", "--algorithms", "bnie"], "'bnie' is no algorithm of allreduce"),
        (["nothing", "--hosts", "a,b"], "nothing"),
        (["--hosts", "a,b", "--root", "2"], "--root 2 is not one of the 2 ranks"),
        (["--hosts", "random:4"], "give --machine"),
        (
            ["--hosts", "random:4", "--machine", "leonardo", "--level", "2"],
            "--level 2: machine 'leonardo' has no levels",
        ),
        (["--hosts", "a,b", "--machine", SMALL, "--level", "1"], "has no levels"),
        (["--hosts", "a,b", "--level", "1"], "--level 1: there is no Slurm topology here"),
        (["--hosts", "a,b", "--heat-map", "x.jpg"], "must end in .svg, .png, .pdf"),
        (["--hosts", "a,b", "--csv", "/none/x.csv"], "folder does not exist"),
        (["--hosts", "x1,x2", "--machine", "leonardo"], "host 'x1' is not one of Leonardo's"),
        (["--hosts", "/none"], "no such file"),
        (["--hosts", "x[1-2]", "--machine", "leonardo"], "hopbine: --hosts x[1-2]: host 'x1' is"),
        ([], "FLUX_URI is set): give --hosts"),
        (
            [
                "--hosts",
                "a,b,c",
                "--algorithms",
                "recursive_halving",
                "reduce_scatter",
                "--baseline",
                "zz",
            ],
            "'zz' is no algorithm",
        ),
        (
            ["allgather", "--hosts", "n[1-3]", "--baseline", "neighbor_exchange"],
            "the baseline 'neighbor_exchange' does not serve allgather on 3 ranks (these do: bine",
        ),
        (
            ["bcast", "allgather", "--hosts", "n[1-3]", "--baseline", "ring"],
            "the baseline 'ring' does not serve bcast on 3 ranks",
        ),
        (["--hosts", "a,b", "--baseline", "auto"], "'auto' is no algorithm of allreduce (known: b"),
        (["all", "--hosts", "a,b", "--baseline", "zz"], "'zz' is no algorithm"),
    ],
)
def test_bad_input_of_the_verb(capsys, monkeypatch, words, text):
    monkeypatch.delenv("SLURM_JOB_NODELIST", raising=False)
    code, out, err = run(capsys, "traffic", *words)
    assert code == 2, err
    assert out == "", err
    assert text in err, err
    assert "Traceback" not in err, err


def test_traffic_writes_tables_and_pictures(capsys, tmp_path):
    files = {
        k: str(tmp_path / f)
        for k, f in (
            ("--csv", "t.csv"),
            ("--parquet", "t.parquet"),
            ("--heat-map", "h.svg"),
            ("--steps", "s.png"),
        )
    }
    code, out, err = run(
        capsys,
        "traffic",
        "--machine",
        "leonardo",
        "--hosts",
        "fragmented:24:seed=3:busy=0.95",
        *(w for pair in files.items() for w in pair),
    )
    assert code == 0, err
    assert "bine_large" in out, err
    assert "compared with rabenseifner" in out, err
    import polars

    assert (
        polars.read_csv(files["--csv"]).height
        == polars.read_parquet(files["--parquet"]).height
        >= 8
    )
    assert (tmp_path / "h.svg").read_text().startswith("<?xml")
    assert (tmp_path / "s.png").read_bytes()[:4] == b"\x89PNG"
    sums = {}
    for by in ("pairs", "groups", "nodes", "steps"):
        words = [
            "traffic",
            "--hosts",
            "a[1-3],b",
            "--ranks-per-node",
            "2",
            "--by",
            by,
            "--algorithms",
            "bine_large",
        ]
        rows = list(csv.DictReader(io.StringIO(run(capsys, *words, "--csv", "-")[1])))
        sums[by] = sum(
            float(
                r.get("bytes_out")
                or r.get("moved_bytes")
                or float(r["global_bytes"]) * int(r["times"])
            )
            for r in rows
        )
        assert "bine_large" in run(capsys, *words)[1]
    assert len({round(x) for x in sums.values()}) == 1, sums  # every node is a group of its own
    shown = run(capsys, "traffic", "--hosts", "a[1-4]", "--csv", "-")[1]
    assert {r["groups"] for r in csv.DictReader(io.StringIO(shown))} == {"4"}


def test_all_collectives_have_rows_and_auto_where_something_is_chosen(capsys):
    words = ("traffic", "all", "--machine", "dragonfly:groups=4,nodes=4", "--hosts", "contiguous:9")
    code, out, err = run(capsys, *words, "--format", "csv")
    assert code == 0, err
    rows = list(csv.DictReader(io.StringIO(out)))
    every = {a["collective"] for a in _core.algorithms()}
    assert {r["collective"] for r in rows} == every
    chosen = {r["collective"] for r in rows if r["algorithm"].startswith("auto")}
    assert every - chosen == {"alltoallv"}


def test_one_sign_everywhere(capsys, tmp_path):
    """Table, CSV, jobs and report agree: a minus is less."""
    from hopbine.report.verdict import against

    hosts, one = "fragmented:8", ("--algorithms", "hierarchical_small")
    said = ("traffic", "allreduce", "--machine", "leonardo", "--hosts", hosts, *one)
    assert "-42.9 %" in run(capsys, *said)[1]
    (row,) = csv.DictReader(run(capsys, *said, "--format", "csv")[1].splitlines())
    assert float(row["change_pct"]) == pytest.approx(-300 / 7)
    assert against(-42.9) == "42.9 % fewer"
    (tmp_path / "j.csv").write_text('job,hosts\n1,"node[0-4,20-22]"\n')
    out = run(capsys, "jobs", str(tmp_path / "j.csv"), "--machine", SMALL, *one)[1]
    assert "change of bytes between groups in per cent of rabenseifner; a minus is less" in out
    assert "-55.6" in out


def test_parameters_that_are_bytes_have_units(capsys):
    """They come out as the launcher and the rules have them."""
    words = ("--hosts", "n[1-4]", "--baseline", "bine_large:segment=1KiB", "--format", "csv")
    algorithms = "bine_large:segment=64KiB,bine_large:segment=1.5KiB"
    _, out, _ = run(capsys, "traffic", "allreduce", "--algorithms", algorithms, *words)
    told = [(r["algorithm"], r["baseline"]) for r in csv.DictReader(out.splitlines())]
    assert told == [(f"bine_large:segment={n}", "bine_large:segment=1024") for n in (65536, 1536)]


def test_one_is_not_several(capsys, tmp_path):
    assert run(capsys, "traffic", "--hosts", "a,a")[1].startswith("2 ranks on 1 node in 1 group of")
    (tmp_path / "j.csv").write_text('job,hosts\n1,"node[0-3,20-23]"\n')
    words = ("--machine", SMALL, "--algorithms", "ring", "-o", str(tmp_path / "p.html"))
    assert run(capsys, "report", "jobs", str(tmp_path / "j.csv"), *words)[0] == 0
    page = (tmp_path / "p.html").read_text()
    assert "1 job; 0 passed over" in page
    assert "allreduce of 64 MiB." in page


def test_a_message_names_its_option_once(capsys):
    err = run(capsys, "select", "explain", "allreduce", "--hosts", "a,b", "--patience", "0.5")[2]
    assert err.startswith("hopbine: --patience: '0.5' is not a number from 1 to 100")


def test_a_baseline_is_never_another(capsys, tmp_path):
    """What it does not serve is left out and told: collectives of all, and jobs."""
    code, out, err = run(
        capsys, "traffic", "all", "--hosts", "n[1-4]", "--baseline", "ring", "--format", "csv"
    )
    rows = list(csv.DictReader(out.splitlines()))
    assert (code, {r["baseline"] for r in rows}) == (0, {"ring"})
    assert {"allgather", "allreduce"} <= {r["collective"] for r in rows}
    assert err.startswith("hopbine: left out, which --baseline 'ring' does not serve on 4 ranks: b")
    assert err.count("\n") == 1
    jobs = tmp_path / "j.csv"
    jobs.write_text('job,hosts\n1,"node[0-3,20-23]"\n2,"node[0-3,20-22]"\n')
    words = ["--collective", "allgather", "--algorithms", "ring"]
    words += ["--baseline", "recursive_doubling"]
    code, out, err = run(capsys, "jobs", str(jobs), "--machine", SMALL, *words)
    assert (code, out.count("recursive_doubling")) == (0, 1)
    assert "1 job counted, 0 passed over" in out
    assert "1 cannot be used" in out
    assert "job 2: the baseline 'recursive_doubling' does not serve allgather on 7 ranks" in err


def test_jobs_go_on_after_bad_ones(capsys, tmp_path):
    jobs = tmp_path / "jobs.csv"
    lists = [
        "node[0-3,20-23]",
        "node[0-2,30-40]",
        "node[0-3]",
        "node[0",
        "other[1-4]",
        "node5,node45",
    ]
    jobs.write_text("job,hosts\n" + "".join(f'{n},"{hosts}"\n' for n, hosts in enumerate(lists)))
    table = tmp_path / "rows.csv"
    code, out, err = run(
        capsys,
        "jobs",
        str(jobs),
        "--machine",
        SMALL,
        "--csv",
        str(table),
        "--plot",
        str(tmp_path / "b.svg"),
    )
    assert code == 0, err
    assert out.startswith("3 jobs counted, 1 passed over"), err
    assert "2 cannot be used" in out, err
    assert "jobs.csv:5: job 3: brackets of 'node[0' do not match" in err
    assert "jobs.csv:6: job 4: host 'other1' is not one of" in err
    rows = list(csv.DictReader(table.open()))
    assert {(r["job"], r["algorithm"].partition(":")[0]) for r in rows} == {
        (j, a) for j in "015" for a in ("bine_large", "auto")
    }
    for r in rows:
        assert float(r["global_bytes"]) >= float(r["lower_bound"])
        assert float(r["above_lower_bound_pct"]) >= 0


def test_no_job_at_all_is_a_failure(capsys, tmp_path):
    (tmp_path / "j").write_text("a\nb\n")
    code, out, err = run(capsys, "jobs", str(tmp_path / "j"), "--machine", "leonardo")
    assert code == 1
    assert "0 jobs counted" in out
    assert "host 'a' is not one of" in err


def test_select_explain(capsys):
    code, out, _ = run(
        capsys,
        "select",
        "explain",
        "allreduce",
        "--machine",
        SMALL,
        "--hosts",
        "random:24",
        "--sizes",
        "8,1MiB",
        "--all",
    )
    assert code == 0
    assert "hierarchical_large" in out
    assert "to fastest" in out
    assert (
        "the first guess is mpi: no scarce links"
        in run(
            capsys,
            "select",
            "explain",
            "bcast",
            "--machine",
            SMALL,
            "--hosts",
            "node[0-7]",
        )[1]
    )


def test_select_explain_of_nonblocking_calls(capsys):
    words = ("select", "explain", "allreduce", "--machine", SMALL, "--hosts", "random:24")
    words = (*words, "--sizes", "256KiB", "--all", "--format", "json", "--form")
    blocking, nonblocking, persistent = (
        {
            (row["algorithm"], row["numbering"]): row
            for row in json.loads(run(capsys, *words, form)[1])
        }
        for form in ("blocking", "nonblocking", "persistent")
    )
    assert set(nonblocking) - set(blocking) == {("hierarchical_overlapped", "given")}
    assert nonblocking == persistent
    for name, row in blocking.items():
        assert row["seconds"] == nonblocking[name]["seconds"] >= row["beside_seconds"] >= 0
    one = ("select", "explain", "reduce", "--hosts", "a[1]", "--ranks-per-node", "4", "--form")
    assert "shared memory" in run(capsys, *one, "nonblocking")[1]
    assert "shared memory" not in run(capsys, *one, "blocking")[1]
