"""Drawn tests: the same cases in every run of `make test`; `scripts/drawn` draws fresh ones.

And the modules of reproduce/.
"""

import importlib
import os
import sys

import pytest
from hypothesis import HealthCheck, settings
from papers import REPRODUCE

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
    """Loads modules of reproduce/, as 'bine.evaluation', for this test only."""
    monkeypatch.syspath_prepend(str(REPRODUCE))
    yield importlib.import_module
    own = {p.stem for p in REPRODUCE.iterdir()}
    for name in [name for name in sys.modules if name.partition(".")[0] in own]:
        del sys.modules[name]


@pytest.fixture
def small(papers, monkeypatch, tmp_path):
    """The Bine page with two machines and two collectives, in an empty folder."""
    bine = papers("bine.evaluation")
    monkeypatch.setattr(bine, "HERE", tmp_path)
    machines = {m: bine.SPEC["machine"][m] for m in ("marenostrum5", "fugaku")}
    machines["marenostrum5"] = machines["marenostrum5"] | {"quick": [4], "engines": ["step"]}
    machines["fugaku"] = machines["fugaku"] | {"quick": ["2x2x2"]}
    monkeypatch.setitem(bine.SPEC, "machine", machines)
    monkeypatch.setitem(bine.SPEC, "collectives", ["allreduce", "gather"])
    monkeypatch.setattr(papers("bine.traffic"), "figure_5", lambda *_: [])
    return tmp_path
