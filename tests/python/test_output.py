"""--format: the same rows of every verb as CSV and as JSON, and nothing else on standard output."""

import csv
import io
import json
import math
import sysconfig
import time
from pathlib import Path

import pytest

from hopbine.bench import launch
from hopbine.bench.launch import Sample
from hopbine.cli import VERBS, main
from hopbine.comparison import running
from hopbine.model import calibrate
from hopbine.model.calibrate import Calibration
from hopbine.model.fit import Fit, Point
from hopbine.model.parameters import Parameters
from hopbine.output.tables import Column, Csv, Json, Table, plain
from hopbine.selection.file import Rule, write
from hopbine.tuning import report
from hopbine.tuning.interval import Interval
from hopbine.tuning.race import Outcome
from hopbine.tuning.tuner import Result, SizeClass
from hopbine.tuning.verify import Verified

#: Verbs that print no table of results; the JSON of list are the registry's records. selftest
#: depends on this machine's MPI libraries: tests/mpi has it.
WITHOUT = (
    "list",
    "schedule",
    "draw",
    "run",
    "env",
    "emulate",
    "report",
    "selftest",
    "hang",
    "reproduce",
)
#: A job between two groups, and its algorithms.
JOB = "--machine dragonfly:groups=4,nodes=4 --hosts fragmented:9:seed=1"
COMMANDS = [
    "check bcast -p 3,4 --jobs 1",
    "stats DIR/stats.json DIR/stats.json",
    f"predict DIR/stats.json {JOB}",
    "bench allreduce --algorithms ring,bine_large --sizes 8,64 --library default --samples DIR/s",
    "bench alltoallv --sizes 8",
    f"traffic bcast allreduce {JOB} --sizes 8,1MiB",
    "traffic bcast --machine torus:4x4 --hosts contiguous:16",
    *(
        f"traffic allreduce {JOB} --algorithms ring,auto --by {by}"
        for by in ("pairs", "groups", "nodes", "steps")
    ),
    "traffic bcast --machine dragonfly:groups=4,nodes=4 --hosts contiguous:2 --by pairs",
    "jobs DIR/jobs.csv --machine dragonfly:groups=4,nodes=4 --csv DIR/rows.csv",
    "select show DIR/rules.json",
    f"select explain allreduce {JOB} --all",
    f"select explain allreduce {JOB}",
    "select explain bcast --hosts a,b",
    "select explain bcast --rules DIR/rules.json -p 9",
    "simulate allreduce --topology torus:4x4 --sizes 32,64KiB --csv DIR/rows.csv",
    "simulate allreduce --topology torus:4x4 --algorithms swing --deficiencies",
    "simulate alltoallv --nodes 4x2 --machine round --sizes 16,dist:uniform:64",
    "model reduce --ranks 9 --alpha 2us --beta 12.5GB/s --gamma 20GB/s --sizes 8,1KiB",
    "model bcast --ranks 8 --alpha 2us --beta 1ns/B --simulate torus:4x4 --sizes 64",
    "calibrate -o DIR/calibration.json",
    f"order allreduce {JOB} --for slurm -o DIR/hosts",
    "machine check leonardo",
    "info",
]


def sample(algorithm: str, size: int, k: int, distribution: str = "") -> Sample:
    """One that takes longer the more bytes there are."""
    return Sample("allreduce", algorithm, 2, size, k, 1e-6 * (size + k), distribution=distribution)


def measured(launcher, family, ranks, arguments, environment, timeout):
    """What hopbine-bench would say."""
    blocks = "dist:uniform:16" if arguments[0] == "alltoallv" else ""
    return [
        sample(algorithm, int(size), k, blocks)
        for size in arguments[2].split(",")
        for algorithm in arguments[1].split(",")
        for k in range(4)
    ]


def calibrated(*_):
    """Two points, described exactly and not."""
    points = (Point(1, 8, 5, 1e-6, 0.9e-6, 1.2e-6), Point(1, 1024, 5, 3e-6, 2e-6, 4e-6))
    return Calibration(
        Parameters(1e-6, 1e-9, 1e-10, 0, "measured"),
        [Fit("messages", "alpha + beta n", {"alpha": 1e-6}, points, (1e-6, 2e-6))],
        {},
    )


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """Files that verbs read; measurements without an MPI."""
    row = {
        "collective": "allreduce",
        "comm_size": 4,
        "bytes_class": [8, 64],
        "algorithm": "ring",
        "parameters": {},
        "numbering": None,
        "reason": "asked for, \x1b[1m\nin two lines",
        "calls": 3,
        "bytes": 24,
        "seconds": 1,
    }
    stats = {"hopbine_stats": 1, "mpi": "Open MPI", "ranks": 4, "version": "1"}
    more = row | {"bytes_class": None, "numbering": "by node", "seconds": 0.25}
    flown = more | {"form": "nonblocking", "wait_seconds": 0.1}
    (tmp_path / "stats.json").write_text(json.dumps(stats | {"rows": [row, more, flown]}))
    (tmp_path / "jobs.csv").write_text("job,hosts\n1,node[0-8]\n2,node[0\n3,node[2-6]\n")
    write(
        tmp_path / "rules.json",
        [Rule("bcast", "linear", ranks=(2, 8)), Rule("bcast", "knomial", {"k": 3}, note="a, b")],
        "",
    )
    monkeypatch.setattr(launch, "find_launcher", lambda given: "mpiexec")
    monkeypatch.setattr(launch, "family_of", lambda launcher: "openmpi")
    monkeypatch.setattr(launch, "run", measured)
    monkeypatch.setattr(calibrate, "measure", calibrated)
    return tmp_path


def as_csv(value: object) -> str:
    """A value of JSON as CSV has it."""
    if value is None or isinstance(value, bool):
        return {None: "", True: "yes", False: "no"}[value]
    return str(value)


def agree(told_csv: str, told_json: str) -> list[dict]:
    """The rows, which are the same in both."""
    reader = csv.DictReader(io.StringIO(told_csv), strict=True)
    lines, rows = list(reader), json.loads(told_json, parse_constant=pytest.fail)
    assert len(lines) == len(rows)
    for line, row in zip(lines, rows, strict=True):
        assert list(line) == list(row) == reader.fieldnames
        for key, value in row.items():
            if isinstance(value, list):
                assert bool(line[key]) == bool(value)
            else:
                assert line[key] == as_csv(value)
            if "bytes" in key.split("_") and "distribution" not in row:
                assert value is None or isinstance(value, int)
            if "seconds" in key:
                assert value is None or isinstance(value, float)
    return rows


def test_every_verb_with_tables_is_here():
    tried = {command.split()[0] for command in COMMANDS} | {"tune", "compare", "gpu"}
    assert tried == set(VERBS) - set(WITHOUT)


@pytest.mark.parametrize("command", COMMANDS)
def test_csv_and_json_hold_the_same_rows_and_nothing_else(command, folder, capsys):
    argv = command.replace("DIR", str(folder)).split()
    said = {}
    for form in ("csv", "json", "table"):
        assert main([*argv, "--format", form]) == 0, capsys.readouterr().err
        said[form] = capsys.readouterr().out
    rows = agree(said["csv"], said["json"])
    assert rows or command.endswith(("--by pairs", "--hosts a,b"))
    assert "\x1b" not in said["json"] + said["table"]
    assert "rows.csv" not in command or (folder / "rows.csv").read_text().count("\n") > 1


@pytest.mark.parametrize(
    "command",
    [
        "traffic bcast --hosts a,b",
        "simulate allreduce --topology torus:4x4 --sizes 64KiB",
        "simulate alltoallv --nodes 4x2 --machine round --sizes 16",
    ],
)
def test_a_dash_for_csv_is_the_format_csv(command, capsys):
    argv = command.split()
    assert main([*argv, "--csv", "-"]) == 0
    by_dash = capsys.readouterr().out
    assert main([*argv, "--format", "csv"]) == 0
    assert by_dash == capsys.readouterr().out != ""
    assert main([*argv, "--csv", "-", "--format", "json"]) == 2
    assert "--csv - and --format json" in capsys.readouterr().err


def test_what_tuning_found_is_the_same_in_both(capsys):
    of = SizeClass("bcast", 1, 8, ("linear", "knomial"))
    results = [
        Result(of, Outcome("mpi", "no candidate"), ("linear", "knomial"), {}),
        Result(
            of,
            Outcome("linear", "faster", "linear", Interval(0.5, 0, math.inf), 1e-6, 60, True),
            (),
            {},
        ),
    ]
    checks = [
        Verified("bcast", 8, "linear", 60, Interval(0.5, 0.4, 0.6)),
        Verified("bcast", 64),
    ]
    for show in (
        lambda out: report.print_rows(results, 2, {("bcast", 8): checks[0]}, set(), out),
        lambda out: report.print_results(results, {}, 0.95, out),
        lambda out: report.print_verified(checks, 0.95, out),
    ):
        said = []
        for kind in (Csv, Json):
            with kind() as out:
                show(out)
            said.append(capsys.readouterr().out)
        rows = agree(*said)
        assert len(rows) in (0, 2)
    assert "SLOWER" not in said[0]


def test_a_comparison_is_the_same_in_both(folder, capsys, monkeypatch):
    def ended(command, environment, out, err, *_):
        out.write_text("speed 1e3\n")
        err.touch()
        return running.Ended(1.5, 0, False)

    monkeypatch.setattr(running, "run", ended)
    argv = ["compare", "-o", str(folder / "r.json"), "--unseen", "--rate", "speed (.*)", "--pairs"]
    for pairs in ("6", "1"):  # with an interval, and without
        said = {}
        for form in ("csv", "json"):
            assert main([*argv, pairs, "--format", form, "--", "true"]) == 0
            said[form] = capsys.readouterr().out
        rows = agree(said["csv"], said["json"])
        assert [(row["figure"], row["stock"], row["ratio"]) for row in rows] == [
            ("job", 1.5, 1),
            ("speed (.*)", 1000, 1),
        ]
        assert [row["high"] for row in rows] == ([1, 1] if pairs == "6" else [None, None])


def test_one_column_comes_row_by_row(capsys):
    def rows():
        yield {"n": 1}
        assert capsys.readouterr().out == "  first\n1\n"
        yield {"n": 2}

    Table().table([Column("n", "  first"), *plain(["m"])], rows())
    assert capsys.readouterr().out == "2\n"


def test_what_goes_wrong_leaves_no_half_an_array(capsys):
    def rows():
        yield {"n": 1}
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"), Json() as out:
        out.table(plain(["n"]), rows())
    assert capsys.readouterr().out == ""


def test_what_is_read_has_a_format_of_its_own(folder, capsys):
    jobs = ["jobs", str(folder / "jobs.csv"), "--machine", "dragonfly:groups=4,nodes=4"]
    assert main([*jobs, "--input-format", "jobs", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)
    assert main([*jobs, "--input-format", "json"]) == 2
    assert main([*jobs, "--format", "jobs"]) == 2
    assert "--format: invalid choice: 'jobs'" in capsys.readouterr().err


def test_bench_keeps_the_sizes_that_are_done(folder, capsys, monkeypatch):
    def interrupted(*how):
        yield from measured(*how)[:17]  # one size of 3 x 4, and part of the next
        raise KeyboardInterrupt

    monkeypatch.setattr(launch, "run", interrupted)
    asked = "bench allreduce --algorithms ring,auto --sizes 8,64 --repetitions 4 --format csv"
    assert main(asked.split()) == 130
    out, err = capsys.readouterr()
    assert [row["bytes"] for row in csv.DictReader(io.StringIO(out))] == ["8"] * 3
    assert err == "hopbine: interrupted after 17 of 24 samples; what was done is kept\n"


@pytest.mark.parametrize(
    ("script", "timeout", "said"),
    [
        ("echo a,b; echo 1,2; echo no >&2; exit 3", 60, r"ended with 3:\nno"),
        ("echo a,b; echo 1,2; echo no; exit 3", 60, r"ended with 3:\na,b\n1,2\nno"),
        ("echo a,b; echo 1,2; exec sleep 60", 0.5, r"no result within 0\.5 s"),
    ],
)
def test_rows_of_a_launch_come_before_it_fails(script, timeout, said, tmp_path):
    rows = launch.csv_rows(launcher(tmp_path, script), "openmpi", 2, [], {}, timeout)
    assert next(rows) == {"a": "1", "b": "2"}
    with pytest.raises(launch.BenchError, match=said):
        next(rows)


def test_a_slow_reader_does_not_make_a_launch_late(tmp_path):
    """It has ended in time."""
    rows = launch.csv_rows(launcher(tmp_path, "echo a,b; echo 1,2"), "openmpi", 2, [], {}, 0.5)
    assert next(rows) == {"a": "1", "b": "2"}
    time.sleep(0.6)
    assert list(rows) == []


def test_ranks_of_another_library_are_no_job(tmp_path, monkeypatch):
    """Under a launcher of another MPI library each rank may be a job of its own."""
    monkeypatch.setattr(launch, "measuring_program", Path)
    head = "collective,algorithm,ranks,bytes,repetition,seconds,calls,distribution,correct"
    job = launcher(tmp_path, f"echo {head}; echo bcast,mpi,1,8,0,1e-6,1,,1")
    with pytest.raises(launch.BenchError, match="a job of 2 ranks, and the program is in one of 1"):
        list(launch.run(job, "openmpi", 2, [], {}, 60))


@pytest.mark.parametrize("family", launch.FAMILIES)
def test_programs_take_the_library_of_their_launcher(family, tmp_path, monkeypatch):
    """In a folder of its own, or in one of the distribution's that has those of other families."""
    monkeypatch.delenv("LD_LIBRARY_PATH", raising=False)
    (tmp_path / "bin").mkdir()
    path = launcher(tmp_path / "bin", "")
    assert launch.library_environment(path, family) == {}
    shared = tmp_path / "lib" / sysconfig.get_config_var("MULTIARCH")
    shared.mkdir(parents=True)
    for other in set(launch.FAMILIES) - {family}:
        (shared / launch.SONAMES[other]).touch()
    assert launch.library_environment(path, family) == {}
    (shared / launch.SONAMES[family]).touch()
    assert launch.library_environment(path, family) == {"LD_LIBRARY_PATH": str(shared)}
    (tmp_path / "lib" / "libmpi_vendors.so.1").touch()
    own = {"LD_LIBRARY_PATH": str(tmp_path / "lib")}
    assert launch.library_environment(path, family) == own


def launcher(folder: Path, script: str) -> str:
    """One that does what a script does."""
    path = folder / "mpiexec"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)
