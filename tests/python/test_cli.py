"""The command line, as a user meets it."""

import csv
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from commands import hopbine

from hopbine import LIBRARY_FOLDER, _core, cli
from hopbine.cli import GROUPS, VERBS
from hopbine.core.settings import INTERNAL
from hopbine.selection.counterparts import elsewhere


def test_list_csv_has_the_promised_columns(capsys):
    code, out, _ = hopbine(capsys, "list", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0
    assert list(rows[0]) == [
        "collective",
        "algorithm",
        "p",
        "commutes",
        "parameters",
        "paper",
        "section",
    ]
    assert len(rows) == len(_core.algorithms())
    assert {"bine_small", "bine_large"} <= {
        r["algorithm"] for r in rows if r["collective"] == "allreduce"
    }


def test_list_json_is_the_registry(capsys):
    code, out, _ = hopbine(capsys, "list", "--format", "json")
    assert code == 0
    told = json.loads(out)
    assert [one.pop("elsewhere") for one in told] == [
        elsewhere(a["collective"], a["name"]) for a in _core.algorithms()
    ]
    assert told == _core.algorithms()


def test_check_proves_and_counts(capsys):
    """20 numbers of ranks at the default segment, 16 at three others."""
    code, out, _ = hopbine(capsys, "check", "allreduce", "bine_large", "-p", "1..20")
    assert code == 0
    assert "68 cases proved, 0 failed" in out


def test_schedule_formats_agree(capsys):
    rows = list(
        csv.DictReader(
            io.StringIO(
                hopbine(
                    capsys,
                    "schedule",
                    "gather",
                    "bine",
                    "-p",
                    "6",
                    "--root",
                    "5",
                    "--format",
                    "csv",
                )[1]
            )
        )
    )
    moves = json.loads(
        hopbine(capsys, "schedule", "gather", "bine", "-p", "6", "--root", "5", "--format", "json")[
            1
        ]
    )["moves"]
    assert [(int(r["step"]), int(r["src"]), int(r["dst"])) for r in rows] == [
        (m["step"], m["src"], m["dst"]) for m in moves
    ]
    text = hopbine(capsys, "schedule", "gather", "bine", "-p", "6", "--root", "5")[1]
    assert text.count("->") == len(rows) == 5


def test_figure_1_of_the_paper(capsys):
    """8 nodes, two per leaf switch.

    Distance-doubling sends 6 n over the uplinks, distance-halving 3 n.
    """
    groups = [0, 0, 1, 1, 2, 2, 3, 3]
    for algorithm, vectors in (("binomial_doubling", 6), ("binomial_halving", 3)):
        assert (
            _core.count(_core.Problem("bcast", algorithm, group=groups))["global_blocks"]
            == vectors * 8
        )


@pytest.mark.parametrize(
    ("sizes", "algorithm", "vectors"),
    [
        ([5, 6, 5], "bine_large", 9.25),
        ([5, 6, 5], "rabenseifner", 11),
        ([4, 4, 4, 4], "bine_large", 8),
        ([4, 4, 4, 4], "rabenseifner", 6),
    ],
)
def test_bytes_between_groups_worked_out_by_hand(sizes, algorithm, vectors):
    groups = [g for g, n in enumerate(sizes) for _ in range(n)]
    assert (
        _core.count(_core.Problem("allreduce", algorithm, group=groups))["global_blocks"]
        == vectors * 16
    )


def test_check_tries_parameters_off_their_defaults(capsys):
    """Radix 4 and six others; with --set only that one, and only where there is one."""
    code, out, _ = hopbine(capsys, "check", "bcast", "knomial", "-p", "5")
    assert code == 0
    assert "30 cases proved" in out
    code, out, _ = hopbine(capsys, "check", "bcast", "-p", "5", "--set", "k=3")
    assert code == 0
    assert "knomial" in out
    assert "bine_small" not in out
    assert _core.algorithms()  # every parameter has values to try, the default first
    for q in [q for a in _core.algorithms() for q in a["parameters"]]:
        assert len(q["probes"]) > 1
        assert q["probes"][0] == q["default"]
        assert all(q["low"] <= v <= q["high"] for v in q["probes"])


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_draw_writes_a_picture(capsys, tmp_path, suffix):
    pytest.importorskip("matplotlib")
    for collective, algorithm in (("bcast", "bine_small"), ("allreduce", "bine_large")):
        path = str(tmp_path / f"{collective}.{suffix}")
        assert hopbine(capsys, "draw", collective, algorithm, "-p", "8", "-o", path)[0] == 0
        assert os.path.getsize(path) > 2000


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["list", "alreduce"], "known: bcast, reduce, allreduce"),
        (["check", "-p", "0..4"], "1 <= LOW <= HIGH"),
        (["check", "-p", "x"], "not a number or a range"),
        (["check", "gather", "ring"], "known: bine"),
        (
            ["check", "--set", "kk=3"],
            "no algorithm that is asked for has that (parameters: at_once",
        ),
        (["check", "bcast", "bine_small", "--set", "k=3"], "(parameters: none)"),
        (["check", "bcast", "knomial", "-p", "8", "--set", "k=1"], "outside 2..1048576"),
        (["schedule", "allgather", "bine_send", "-p", "6"], "power of two, not p = 6"),
        (["schedule", "bcast", "bine_small", "-p", "6", "--root", "6"], "outside 0..5"),
        (["schedule", "allreduce", "ring", "-p", "6", "--root", "1"], "has no root"),
        (
            ["schedule", "allreduce", "bine_large", "-p", "6", "--set", "segment=-1"],
            "outside 0..1073741824",
        ),
        (
            ["schedule", "allreduce", "bine_large", "-p", "6", "--set", "segment"],
            "not PARAMETER=INTEGER",
        ),
        (["schedule", "allreduce", "bine_large", "-p", "6", "--set", "k=2"], "it has: segment"),
        (
            ["schedule", "allreduce", "bine_large", "-p", "6", "--set", "segment=64Kb"],
            "--set 'segment=64Kb': size '64Kb' is in bits; write kB or KiB",
        ),
        (["schedule", "bcast", "knomial", "-p", "6", "--set", "k=1KiB"], "not PARAMETER=INTEGER"),
        (["draw", "bcast", "bine_small", "-p", "8", "-o", "x.gif"], "must end in .svg, .png, .pdf"),
        (["stats", "/nonexistent"], "/nonexistent"),
        (["bench", "allreduce", "--sizes", "8:4", "--mpiexec", "/bin/true"], "LOW <= HIGH"),
        (["bench", "allreduce", "--mpiexec", "/nonexistent"], "no MPI launcher"),
        (["bench", "allreduce", "--mpiexec", "/bin/true"], "neither Open MPI's nor MPICH's"),
        (["bench", "bcast", "--root", "2"], "--root 2 is outside 0..1"),
        (
            ["bench", "allgather", "--ranks", "6", "--algorithms", "bine_send"],
            "power of two, not p = 6",
        ),
        (["run"], "no program is given"),
        (["run", "--algorithm", "allreduce=rong", "true"], "unknown algorithm 'rong'"),
        (["run", "--algorithm", "allreduce", "true"], "COLLECTIVE=ALGORITHM"),
        (["run", "--algorithm", "allreduce=bine_large:segment=x", "true"], "PARAMETER=INTEGER"),
        (["run", "--algorithm", "allreduce=knomial:k=1KiB", "true"], "PARAMETER=INTEGER"),
        (["run", "--rules", "/nonexistent.json", "true"], "/nonexistent.json: cannot be read"),
        (["run", "--stats", "/nonexistent/s.json", "true"], "folder does not exist"),
        (["run", "/nonexistent/program"], "not there or not executable"),
    ],
)
def test_bad_input_is_refused_in_words(capsys, argv, said):
    code, out, err = hopbine(capsys, *argv)
    assert code == 2
    assert said in err
    assert "Traceback" not in err
    assert out == ""


def test_malformed_rules_file_names_position(capsys, tmp_path):
    rules = tmp_path / "rules.json"
    rules.write_text(
        '{"hopbine_rules": 1,\n "rules": [{"collective": "bcast", "algorithm": "bine"}]}'
    )
    code, _, err = hopbine(capsys, "run", "--rules", str(rules), "true")
    assert code == 2
    assert f"{rules}:2:49: unknown algorithm 'bine' for bcast" in err


def test_run_without_its_library_says_so(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("HOPBINE_LIB", str(tmp_path))
    code, _, err = hopbine(capsys, "run", "true")
    assert code == 2
    assert "libhopbine_preload.so is missing" in err


def test_run_sets_the_environment_and_becomes_the_program():
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "hopbine",
            "run",
            "--algorithm",
            "bcast=mpi",
            "sh",
            "-c",
            "echo $LD_PRELOAD $HOPBINE_ALGORITHM; exit 7",
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 7
    assert done.stdout.split() == [str(LIBRARY_FOLDER / "libhopbine_preload.so"), "bcast=mpi"]


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(capsys, verb):
    code, out, _ = hopbine(capsys, verb, "--help")
    assert code == 0
    assert "usage:" in out


def test_info_names_every_setting_the_runtime_reads(capsys):
    """Every HOPBINE_ variable in the sources is listed."""
    import re
    from pathlib import Path

    root = Path(__file__).parents[2]
    read = {
        v
        for f in [*root.glob("src/**/*.c*"), *root.glob("python/**/*.py")]
        for v in re.findall(r'"(HOPBINE_[A-Z]+)"', f.read_text())
    }
    out = hopbine(capsys, "info")[1]
    assert read
    assert all(v in out for v in read if not v.startswith(INTERNAL))


def test_env_prints_what_a_shell_reads(tmp_path):
    """Ranks then find their groups without the description, which may be gone."""
    machine = tmp_path / "m.csv"
    machine.write_text("host,group\nn1,west\nn2,east\nn3,east\n")
    command = f"{sys.executable} -m hopbine"
    script = (
        f'eval "$({command} env --system {machine} --choice count)" && rm {machine} && '
        "export PMI_RANK=0; "  # of a job: others do not know where their ranks will be
        f"HOPBINE_NODE=n3.example {command} run sh -c 'echo $HOPBINE_GROUP $HOPBINE_CHOICE'; "
        f"HOPBINE_NODE=n4 {command} run true"
    )
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True)
    assert done.stdout.split() == ["east", "count"], done.stderr
    assert "host 'n4' is in none of the groups of HOPBINE_GROUPS" in done.stderr
    assert done.returncode == 2


def test_env_refuses_what_run_refuses(capsys):
    assert hopbine(capsys, "env", "--choice", "best")[2].startswith("hopbine: --choice is 'best'")
    assert "options only" in hopbine(capsys, "env", "./app")[2]


def test_help_lists_every_verb_in_its_group(capsys):
    code, out, _ = hopbine(capsys, "--help")
    assert code == 0
    listed = {
        title: tuple(re.findall(r"^  ([a-z]+) ", lines, re.M))
        for title, lines in re.findall(r"^([a-z ]+):\n((?:  .*\n)+)", out, re.M)
    }
    assert {title: verbs for title, verbs in listed.items() if title != "options"} == GROUPS
    modules = {f.stem for f in Path(cli.__file__).parent.glob("[a-z]*.py")}
    assert set(VERBS) == modules
