"""Statements of docs/safety.md: each names a test that there is."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PYTHON = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
CXX = re.compile(r"`(\w+)\.(\w+)` in (tests/[\w/]+\.cpp)")


def statements() -> list[str]:
    """The page's bullets, but for those of its last section, which no test holds."""
    held, _, rest = (ROOT / "docs/safety.md").read_text().partition("\n## What no test holds")
    assert rest
    return [re.sub(r"\s+", " ", one) for one in re.split(r"\n- ", re.sub(r"\n#.*", "", held))[1:]]


def test_every_statement_names_its_test():
    assert len(statements()) > 20
    for statement in statements():
        assert PYTHON.search(statement) or CXX.search(statement), statement


def test_the_tests_are_there():
    for statement in statements():
        for file, name in PYTHON.findall(statement):
            assert f"def {name}(" in (ROOT / file).read_text(), (file, name)
        for suite, name, file in CXX.findall(statement):
            assert f"TEST({suite}, {name})" in (ROOT / file).read_text(), (file, name)
