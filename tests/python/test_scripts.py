"""Scripts of the repository say what they are for."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = [
    *(f for f in sorted((ROOT / "benchmarks").glob("*.py")) if "__main__" in f.read_text()),
    ROOT / "reproduce/run.py",
    *(
        f
        for f in sorted((ROOT / "scripts").iterdir())
        if f.is_file() and f.read_bytes().startswith(b"#!/usr/bin/env python3")
    ),
]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda f: f.name)
def test_help_is_the_docstring(script):
    done = subprocess.run(
        [sys.executable, script, "-h"],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env=os.environ | {"COLUMNS": "200"},
    )
    assert done.returncode == 0, done.stderr
    first = ast.get_docstring(ast.parse(script.read_text())).partition("\n")[0]
    assert first in done.stdout
    assert done.stderr == ""
