"""Every algorithm of the registry, run over MPI, gives the MPI library's own answers."""

import re

import pytest
from conftest import RANKS

from hopbine import _core


@pytest.mark.parametrize("ranks", RANKS)
def test_every_algorithm_gives_the_librarys_answers(mpi, build, ranks):
    fitting = [a for a in _core.algorithms() if _core.fits(a["collective"], a["name"], ranks)]
    names = [f"{a['collective']}:{a['name']}:{int(a['commutes'])}" for a in fitting]
    done = mpi.hopbine(ranks, build(mpi, "walk"), *names)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    assert re.search(r"^\d+ passed, 0 failed$", done.stdout, re.M), done.stdout[-2000:]
    ran = {tuple(line.split()[:2]) for line in done.stdout.splitlines() if re.fullmatch(r"\w+ \w+ [1-9]\d*", line)}
    assert ran == {(a["collective"], a["name"]) for a in fitting}


@pytest.mark.parametrize("ranks", RANKS)
def test_edges(mpi, build, ranks):
    checks_arguments = mpi.run(1, build(mpi, "wrong_arguments")).returncode == 0
    done = mpi.hopbine(ranks, build(mpi, "edges"), *(["errors"] if checks_arguments else []))
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    assert re.search(r"^\d+ passed, 0 failed$", done.stdout, re.M), done.stdout[-2000:]
