"""Bad values of every option of every verb: one line, exit code 2, in no time, and nothing that steers a terminal."""

import argparse
import json
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from hopbine.cli import VERBS, _parser
from hopbine.selection.file import Rule, write

BOTH = ["", "2147483648", "99999999999999999999", "9" * 5000, "\x1b[31mred", "a\nb", "\u202eabc", "\udcff", "x" * 100_000]
NUMBERS = ["-2147483649", "0x10", "1e9", "nan", "inf", "1e999", "\u0661", "1..100000000000"]
TEXTS = ["-1", ",", ":", "=", "torus:1", "torus:1x1", "torus:" + "x".join(["2"] * 20), "1x" * 5000 + "1", "[" * 3000, "n[1-99999999999]", "/dev/zero", "/",
         "k=99999999999999999999", "allreduce=kring:k=99999999999999999999", "0:99999999999999999999", "2..99999999999", "random:99999999999",
         "dragonfly:groups=999999999,nodes=999999999", "dist:normal:1e999", "random:seed=99999999999999999999"]


def commands(folder: Path) -> dict[str, list[str]]:
    """A command of every verb that ends quickly; its files are in `folder`."""
    write(folder / "r.json", [Rule("bcast", "linear")], "")
    (folder / "s.json").write_text('{"hopbine_stats": 1, "version": "1", "mpi": "x", "ranks": 2, "nodes": ["a", "b"], "rows": []}')
    (folder / "jobs").write_text("job,hosts\n1,a b\n")
    rules, none = str(folder / "r.json"), "/nonexistent/mpiexec"
    return {
        "list": ["list"], "check": ["check", "bcast", "linear", "-p", "4"], "schedule": ["schedule", "bcast", "linear", "-p", "4"],
        "draw": ["draw", "bcast", "linear", "-p", "4", "-o", str(folder / "x.gif")], "run": ["run", "true"], "stats": ["stats", str(folder / "s.json")],
        "bench": ["bench", "bcast", "--sizes", "8", "--mpiexec", none], "tune": ["tune", "bcast", "--sizes", "8", "--mpiexec", none],
        "traffic": ["traffic", "bcast", "--hosts", "a,b", "--algorithms", "linear", "--sizes", "8"],
        "jobs": ["jobs", str(folder / "jobs"), "--algorithms", "ring", "--size", "8"],
        "report": ["report", "traffic", "bcast", "--hosts", "a,b", "--algorithms", "linear", "-o", "/nonexistent/x.html"],
        "simulate": ["simulate", "allreduce", "--topology", "torus:2x2", "--algorithms", "swing", "--sizes", "64"],
        "model": ["model", "bcast", "--ranks", "4", "--alpha", "1us", "--beta", "1ns/B", "--sizes", "8", "--k", "2"],
        "calibrate": ["calibrate", "-o", str(folder / "c.json"), "--mpiexec", none], "info": ["info"],
        "select show": ["select", "show", rules], "select validate": ["select", "validate", rules], "select schema": ["select", "schema"],
        "select explain": ["select", "explain", "bcast", "--rules", rules, "-p", "4", "--sizes", "8"],
        "select export": ["select", "export", rules, "--for", "openmpi"],
    }


def options(verb: str) -> list[argparse.Action]:
    """Those of the verb that take a value."""
    parser = _parser(verb.split()[0])
    for word in verb.split() if verb != "report" else ["report", "traffic"]:
        parser = next(a for a in parser._actions if isinstance(a, argparse._SubParsersAction)).choices[word]
    return [a for a in parser._actions if a.option_strings and a.nargs != 0]


def attack(cases: list[list[str]], folder: Path) -> list[dict]:
    """What comes of each command."""
    done = subprocess.run([sys.executable, str(Path(__file__).parent / "attacked.py")], input=json.dumps(cases), capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def wrong(argv: list[str], told: dict, must_fail: bool) -> str:
    """What is wrong with what a command did."""
    err = told["err"]
    shown = [c for c in err.replace("\n", "") if unicodedata.category(c) in ("Cc", "Cf", "Cs")]
    found = [why for why, is_so in {
        f"exit code {told['code']}": told["code"] not in ((2,) if must_fail else (0, 1, 2)), "a traceback": "Traceback" in err,
        f"{told['seconds']:.1f} s": told["seconds"] > 3, "no message": told["code"] == 2 and not err.startswith("hopbine"),
        "several lines": told["code"] == 2 and err.count("\n") != 1, "control characters": bool(shown)}.items() if is_so]
    return f"{[a[:60] for a in argv]}: {', '.join(found)}: {ascii(err[-300:])}" if found else ""


def is_number(action: argparse.Action) -> bool:
    """Does its type read a number?"""
    return action.type is not None and action.type is not str


@pytest.mark.parametrize("verb", [*(v for v in VERBS if v != "select"), "select show", "select validate", "select schema", "select explain", "select export"])
def test_bad_values_of_every_option(verb, tmp_path):
    base = commands(tmp_path)[verb]
    cases, must = [], []
    for action in options(verb):
        for value in BOTH + (NUMBERS if is_number(action) else TEXTS):
            glued = [f"{action.option_strings[-1]}={value}"]
            cases.append(base + glued if verb != "run" else [base[0], *glued, *base[1:]])
            must.append(is_number(action) or action.choices is not None or value == "")
    for i in range(1, len(base)):  # and in place of every word
        cases += [[*base[:i], value, *base[i + 1:]] for value in BOTH + TEXTS]
        must += [False] * len(BOTH + TEXTS)
    problems = [p for p in map(wrong, cases, attack(cases, tmp_path), must) if p]
    assert not problems, f"{len(problems)} of {len(cases)}:\n" + "\n".join(problems[:40])
