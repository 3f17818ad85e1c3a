"""Every command of README.md and docs/ runs, on small sizes (tests/mpi/documents.py says which).

A page's commands run in its order and in one folder, so that they find the files of those before.
"""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import EXAMPLES, PROGRAMS, known
from documents import (
    DRAWINGS,
    ELSEWHERE,
    FILES,
    OTHER_CODES,
    PAGES,
    ROOT,
    commands,
    is_command,
    python_blocks,
    running,
    small,
    spans,
)

from hopbine.cli import VERBS, _parser, main

WITH_COMMANDS = [page for page in PAGES if running(page)]
#: What needs a shell.
SHELL = re.compile(r"[|&;$<>]|^[A-Z_]+=")


@pytest.fixture(scope="module")
def library():
    """The MPI library that starts and ends sooner."""
    return max(known(), key=lambda mpi: not mpi.is_openmpi)


@pytest.fixture(scope="module")
def place(tmp_path_factory, library) -> Path:
    """What the commands of a page find where they run."""
    folder = tmp_path_factory.mktemp("page")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    machines = (ROOT / "docs/machines.md").read_text()
    (folder / "my-machine.toml").write_text(re.findall(r"```toml\n(.*?)```", machines, re.S)[0])
    recorded = (EXAMPLES / "data/recorded.json").read_text()
    (folder / "stats.json").write_text(recorded)
    on_lumi = json.loads(recorded)
    on_lumi["nodes"] = [f"nid{5000 + 100 * n:06d}" for n in range(len(on_lumi["nodes"]))]
    (folder / "lumi.json").write_text(json.dumps(on_lumi))
    for name in ("examples", "benchmarks"):
        (folder / name).symlink_to(ROOT / name)
    for program, source in (
        ("program", PROGRAMS / "sums.c"),
        ("learning", PROGRAMS / "measured.c"),
        ("fft", EXAMPLES / "fft.c"),
        ("reach", EXAMPLES / "reach.c"),
        ("neighbors", ROOT / "benchmarks/neighbors.c"),
    ):
        compile_it = [library.mpicc, "-DLOOPS=3", "-o", folder / program, source, "-lm", "-ldl"]
        subprocess.run(compile_it, check=True)
    return folder


@pytest.fixture
def environment(library, monkeypatch, place) -> None:
    """PATH with hopbine and the library's commands."""
    folders = [Path(sys.executable).parent, Path(library.mpiexec).parent]
    monkeypatch.setenv("PATH", ":".join([*map(str, folders), os.environ["PATH"]]))
    for name, value in library.environment(3).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("XDG_CACHE_HOME", str(place / "cache"))
    monkeypatch.setenv("HOPBINE_LEARN", "")
    monkeypatch.setenv("MPICH_LIBRARY", str(ROOT / ".mpi/mpich/lib/libmpi.so.12"))
    monkeypatch.chdir(place)


def run(text: str, capfd) -> tuple[int, str]:
    """Exit code of a command, and what it said. The Python verbs run in this process."""
    capfd.readouterr()
    words = shlex.split(text)
    if words[0] == "hopbine" and words[1] not in ("run", "env") and not SHELL.search(text):
        code = main(words[1:])
    else:
        code = subprocess.run(["bash", "-c", text], stdin=subprocess.DEVNULL, timeout=60).returncode
    said = capfd.readouterr()
    return code, said.out + said.err


@pytest.mark.parametrize("page", WITH_COMMANDS)
def test_the_commands_of_a_page_run(page, environment, capfd):
    failed = []
    for line, text in running(page):
        code, said = run(small(text), capfd)
        allowed = next((c for p, c in OTHER_CODES.items() if re.match(p, text)), ())
        if code and code not in allowed:
            failed.append(f"{page}:{line}: {text}\n  as {small(text)}\n  {code}: {said[-600:]}")
    assert not failed, "\n".join(failed)


def test_every_command_is_known():
    """Lines of blocks that are neither run nor listed would be passed over in silence."""
    found = [(page, text) for page in PAGES for _, text in commands(page)]
    assert {p for p, text in found if not is_command(text)} <= set(DRAWINGS)
    assert sum(len(running(page)) for page in PAGES) > 70
    unused = [p for p in ELSEWHERE if not any(re.match(p, text) for _, text in found)]
    assert unused == []


def test_commands_in_sentences_have_verbs_and_options_that_there_are():
    parser = _parser(None)
    wrong = []
    for page in PAGES:
        for span in spans(page):
            words = span.split()
            options = {w.partition("=")[0] for w in words if re.match(r"--[a-z]", w)}
            if words[1] not in VERBS or not options <= set(parser._option_names()):
                wrong.append(f"{page}: {span}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("page", [p for p in PAGES if python_blocks(p)])
def test_examples_in_python_run(page, environment):
    for code in python_blocks(page):
        exec(compile(code, page, "exec"), {})
