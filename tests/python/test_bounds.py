"""Bad values of every option of every verb.

One line, exit code 2, in no time, and nothing that steers a terminal.
"""

import argparse
import json
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from hopbine import _core
from hopbine.cli import VERBS, _parser, main, run
from hopbine.machines import toml_file
from hopbine.notation.text import one_line
from hopbine.selection.file import Rule, write

BOTH = [
    "",
    "2147483648",
    "99999999999999999999",
    "9" * 5000,
    "\x1b[31mred",
    "a\nb",
    "\u202eabc",
    "\udcff",
    "x" * 100_000,
]
NUMBERS = ["-2147483649", "0x10", "1e9", "nan", "inf", "1e999", "\u0661", "1..100000000000"]
TEXTS = [
    "-1",
    ",",
    ":",
    "=",
    "torus:1",
    "torus:1x1",
    "torus:" + "x".join(["2"] * 20),
    "1x" * 5000 + "1",
    "[" * 3000,
    "n[1-99999999999]",
    "/dev/zero",
    "/",
    "k=99999999999999999999",
    "allreduce=kring:k=99999999999999999999",
    "0:99999999999999999999",
    "2..99999999999",
    "random:99999999999",
    "dragonfly:groups=999999999,nodes=999999999",
    "dist:normal:1e999",
    "random:seed=99999999999999999999",
]


def commands(folder: Path) -> dict[str, list[str]]:
    """A command of every verb that ends quickly; its files are in `folder`."""
    write(folder / "r.json", [Rule("bcast", "linear")], "")
    (folder / "s.json").write_text(
        '{"hopbine_stats": 1, "version": "1", "mpi": "x", "ranks": 2, "nodes": ["a", "b"], '
        '"rows": []}'
    )
    (folder / "jobs").write_text("job,hosts\n1,a b\n")
    rules, none = str(folder / "r.json"), "/nonexistent/mpiexec"
    return {
        "list": ["list"],
        "check": ["check", "bcast", "linear", "-p", "4"],
        "schedule": ["schedule", "bcast", "linear", "-p", "4"],
        "draw": ["draw", "bcast", "linear", "-p", "4", "-o", str(folder / "x.gif")],
        "run": ["run", "true"],
        "emulate": ["emulate", "--groups", "1,1", "--", "true"],
        "compare": [
            *("compare", "-o", str(folder / "c.json"), "--pairs", "1", "--warm-up", "0"),
            *("--unseen", "--", "true"),
        ],
        "stats": ["stats", str(folder / "s.json")],
        "predict": ["predict", str(folder / "s.json"), "--machine", "lumi", "--hosts", "random:2"],
        "bench": ["bench", "bcast", "--sizes", "8", "--mpiexec", none],
        "tune": ["tune", "bcast", "--sizes", "8", "--mpiexec", none],
        "traffic": ["traffic", "bcast", "--hosts", "a,b", "--algorithms", "linear", "--sizes", "8"],
        "jobs": ["jobs", str(folder / "jobs"), "--algorithms", "ring", "--size", "8"],
        "report": [
            "report",
            "traffic",
            "bcast",
            "--hosts",
            "a,b",
            "--algorithms",
            "linear",
            "-o",
            "/nonexistent/x.html",
        ],
        "simulate": [
            "simulate",
            "allreduce",
            "--topology",
            "torus:2x2",
            "--algorithms",
            "swing",
            "--sizes",
            "64",
        ],
        "model": [
            "model",
            "bcast",
            "--ranks",
            "4",
            "--alpha",
            "1us",
            "--beta",
            "1ns/B",
            "--sizes",
            "8",
            "--k",
            "2",
        ],
        "calibrate": ["calibrate", "-o", str(folder / "c.json"), "--mpiexec", none],
        "info": ["info"],
        "gpu probe": ["gpu", "probe", "--mpiexec", none],
        "hang": ["hang"],
        "reproduce": ["reproduce"],
        "selftest": ["selftest", "--mpiexec", none],
        "order": ["order", "bcast", "--hosts", "a,b", "--size", "8"],
        "machine check": ["machine", "check", "fat_tree:groups=2,nodes=2"],
        "select show": ["select", "show", rules],
        "select validate": ["select", "validate", rules],
        "select schema": ["select", "schema"],
        "select explain": [
            "select",
            "explain",
            "bcast",
            "--rules",
            rules,
            "-p",
            "4",
            "--sizes",
            "8",
        ],
        "select export": ["select", "export", rules, "--for", "openmpi"],
    }


def options(verb: str) -> list[argparse.Action]:
    """The options of a verb that take a value; those of run are tested on run alone."""
    parser = _parser(verb.split()[0])
    for word in verb.split() if verb != "report" else ["report", "traffic"]:
        parser = next(
            a for a in parser._actions if isinstance(a, argparse._SubParsersAction)
        ).choices[word]
    own = {o["name"] for o in _core.run_options()} if verb == "compare" else ()
    return [
        a
        for a in parser._actions
        if a.option_strings and a.nargs != 0 and a.option_strings[0] not in own
    ]


def attack(cases: list[list[str]], folder: Path) -> list[dict]:
    """What comes of each command. The first one loads the modules of all."""
    done = subprocess.run(
        [sys.executable, str(Path(__file__).parent / "attacked.py")],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def wrong(argv: list[str], told: dict, must_fail: bool) -> str:
    """What is wrong with what a command did."""
    err = told["err"]
    shown = [c for c in err.replace("\n", "") if unicodedata.category(c) in ("Cc", "Cf", "Cs")]
    found = [
        why
        for why, is_so in {
            f"exit code {told['code']}": told["code"] not in ((2,) if must_fail else (0, 1, 2)),
            "a traceback": "Traceback" in err,
            f"{told['seconds']:.1f} s": told["seconds"] > 3,
            "no message": told["code"] == 2 and not err.startswith("hopbine"),
            "several lines": told["code"] == 2 and err.count("\n") != 1,
            "control characters": bool(shown),
        }.items()
        if is_so
    ]
    return f"{[a[:60] for a in argv]}: {', '.join(found)}: {err[-300:]!a}" if found else ""


def is_number(action: argparse.Action) -> bool:
    """Does its type read a number?"""
    return action.type is not None and action.type is not str


@pytest.mark.parametrize(
    "verb",
    [
        *(v for v in VERBS if v not in ("select", "machine", "gpu", "env")),  # env: run's
        "machine check",
        "gpu probe",
        "select show",
        "select validate",
        "select schema",
        "select explain",
        "select export",
    ],
)
def test_bad_values_of_every_option(verb, tmp_path):
    base = commands(tmp_path)[verb]
    cases, must = [base], [False]
    for action in options(verb):
        for value in BOTH + (NUMBERS if is_number(action) else TEXTS):
            glued = [f"{action.option_strings[-1]}={value}"]
            before_program = verb in ("run", "compare", "emulate")
            cases.append([base[0], *glued, *base[1:]] if before_program else base + glued)
            must.append(is_number(action) or action.choices is not None or value == "")
    for i in range(1, len(base)):  # and in place of every word
        cases += [[*base[:i], value, *base[i + 1 :]] for value in BOTH + TEXTS]
        must += [False] * len(BOTH + TEXTS)
    problems = [p for p in map(wrong, cases, attack(cases, tmp_path), must) if p]
    assert not problems, f"{len(problems)} of {len(cases)}:\n" + "\n".join(problems[:40])


def refusal(capsys, *argv: str) -> str:
    """The one line that says what is wrong."""
    assert main(list(argv)) == 2
    out, err = capsys.readouterr()
    assert err.count("\n") == 1
    assert "Traceback" not in err
    assert out == ""
    return err


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            'name = "x"\nkind = "groups"\ngroups = 4000000000\nnodes_per_group = 1',
            "m:3: 'groups' is 4000000000, a number from 1 to 1000000 is needed",
        ),
        (
            'name = "x"\nkind = "groups"\ngroups = 1000000\nnodes_per_group = 1000000',
            "are more than the 1,000,000",
        ),
        ('name = "x"\nkind = "torus"\nshape = [2, 2, 2, 2, 2, 2, 2, 2, 2]', "at most 8 dimensions"),
        ("a = " + "[" * 100_000, "m: is nested too deeply"),
        (
            'name = "x"\nkind = "torus"\nshape = [2]\n[links.global]\ntaper = inf',
            "taper is not a number above 0 and up to 1000000",
        ),
        ('name = "\x1b[1mx"', "m:1: "),
    ],
)
def test_descriptions_of_machines_are_bounded(text, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        toml_file.parse(text, "m")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{}", 'no "hopbine_stats": 1'),
        ("[" * 100_000, "nested too deeply"),
        ('{"hopbine_stats": 1}', "mpi is missing or wrong"),
        (
            '{"hopbine_stats": 1, "mpi": "x", "ranks": "2", "version": "1", "rows": []}',
            "ranks is missing or wrong",
        ),
        (
            (
                '{"hopbine_stats": 1, "mpi": "x", "ranks": 2, "version": "1", "rows": '
                '[{"collective": "bcast"}]}'
            ),
            "row 1: comm_size is missing or wrong",
        ),
    ],
)
def test_statistics_without_their_fields(capsys, tmp_path, text, says):
    (tmp_path / "s").write_text(text)
    assert says in refusal(capsys, "stats", str(tmp_path / "s"))


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        (
            "HOPBINE_ALGORTIHM",
            "bcast=mpi",
            (
                "HOPBINE_ALGORTIHM is set, but hopbine has no such setting; is HOPBINE_ALGORITHM "
                "meant?"
            ),
        ),
        (
            "HOPBINE_QQQQQQQQ",
            "",
            (
                "HOPBINE_QQQQQQQQ is set, but hopbine has no such setting (hopbine info lists "
                "them); unset it"
            ),
        ),
        ("HOPBINE_RENUMBER", "yes", "HOPBINE_RENUMBER is 'yes', not 0 or 1"),
        ("HOPBINE_CHOICE", "x", "not measure, count or table"),
        ("HOPBINE_SHAPE", "2x2x2x2x2x2x2x2x2", "has more than 8 dimensions"),
        ("HOPBINE_NETWORK", "taper=1e999", "needs a number above 0"),
        ("HOPBINE_RULES", "/dev/zero", "/dev/zero: has more than the 16 MiB"),
        ("HOPBINE_STATS", "/", "/: is a folder"),
    ],
)
def test_settings_are_checked_at_the_start(capsys, monkeypatch, name, value, says):
    monkeypatch.setenv(name, value)
    assert says in refusal(capsys, "run", "true")


def test_a_rank_says_which_it_is(capsys, monkeypatch):
    monkeypatch.setenv("PMI_RANK", "3")
    monkeypatch.setenv("HOPBINE_NODE", "n7")
    assert refusal(capsys, "run", "/nonexistent").startswith(
        "hopbine: rank 3 on n7: program '/nonexistent'"
    )


def test_tools_are_loaded_before_hopbine(monkeypatch, tmp_path):
    (tmp_path / "libhopbine_preload.so").touch()
    monkeypatch.setenv("LD_PRELOAD", "/a/tool.so /b/tool.so")
    launch = _core.prepare_run([b"true"], bytes(tmp_path), run.place)
    assert (
        launch.environment[b"LD_PRELOAD"].decode()
        == f"/a/tool.so:/b/tool.so:{tmp_path}/libhopbine_preload.so"
    )


def test_what_steers_a_terminal_is_escaped():
    assert one_line("a\x1b[1m\nb\u202e\x9b\u00e9") == "a\\x1b[1m\\nb\\u202e\\x9b\u00e9"
    assert len(one_line("x" * 10**6)) < 2100
