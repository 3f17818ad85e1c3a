"""Drawn tests: the same cases in every run of `make test`; `scripts/drawn` draws fresh ones.

And the modules of docs/papers.
"""

import importlib
import os
import sys

import pytest
from hypothesis import HealthCheck, settings
from papers import PAPERS

os.environ["HOPBINE_LEARN"] = "none"  # what the user's jobs have learned stays as it is
#: HOPBINE_DRAWN=fixed (default) or fresh. Machines that test differ in speed, so no case has a
#: deadline.
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.register_profile(
    "fresh",
    derandomize=False,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HOPBINE_DRAWN", "fixed"))


@pytest.fixture
def papers(monkeypatch):
    """Loads modules of docs/papers, for this test only."""
    monkeypatch.syspath_prepend(str(PAPERS))
    known = {p.stem for p in PAPERS.glob("*.py")}
    before = {name: module for name, module in sys.modules.items() if name in known}
    for name in before:
        del sys.modules[name]
    yield importlib.import_module
    for name in known:
        sys.modules.pop(name, None)
    sys.modules.update(before)


@pytest.fixture
def small(papers, monkeypatch, tmp_path):
    """The Bine page with two machines and two collectives, in an empty folder."""
    bine = papers("bine")
    monkeypatch.setattr(bine, "HERE", tmp_path)
    machines = {m: bine.SPEC["machine"][m] for m in ("marenostrum5", "fugaku")}
    machines["marenostrum5"] = machines["marenostrum5"] | {"quick": [4], "engines": ["step"]}
    machines["fugaku"] = machines["fugaku"] | {"quick": ["2x2x2"]}
    monkeypatch.setitem(bine.SPEC, "machine", machines)
    monkeypatch.setitem(bine.SPEC, "collectives", ["allreduce", "gather"])
    monkeypatch.setattr(papers("bine_traffic"), "figure_5", lambda *_: [])
    return tmp_path
