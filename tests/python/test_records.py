"""What the core answers has the keys that hopbine.core.records declares, and no others."""

from typing import get_type_hints

import pytest

from hopbine import _core
from hopbine.core import records

NODES = list(range(8))
GROUPS = [0, 0, 0, 1, 1, 1, 2, 2]
PROBLEM, CALLS = _core.Problem("bcast", "knomial", group=GROUPS), _core.Calls("bcast")


def simulation():
    return _core.Simulation(PROBLEM, _core.Topology("torus:4x2"), NODES)


SPEEDS = dict.fromkeys(
    ("latency_inside", "latency_between", "overhead", "rank", "node", "block", "copy"), 1.0
)
ANSWERS = {
    records.Algorithm: lambda: _core.algorithms()[0],
    records.Parameter: lambda: next(q for a in _core.algorithms() for q in a["parameters"]),
    records.Verdict: lambda: _core.check(PROBLEM),
    records.Distribution: lambda: _core.distribution("dist:uniform:64"),
    records.Traffic: lambda: _core.count(PROBLEM),
    records.Peaks: lambda: _core.peaks(PROBLEM),
    records.PeakStep: lambda: _core.peaks(PROBLEM)["steps"][0],
    records.RouteTraffic: lambda: _core.routes(PROBLEM, "torus", [4, 2], NODES),
    records.Explanation: lambda: _core.explain(CALLS, [8], GROUPS, NODES),
    records.Candidate: lambda: _core.explain(CALLS, [8], GROUPS, NODES)["candidates"][0],
    records.Route: lambda: _core.Topology("torus:4x2").route(0, 5),
    records.StepLoad: lambda: simulation().steps()[0],
    records.Deficiencies: lambda: simulation().deficiencies(),
    records.Flow: lambda: simulation().flow(1024, 1e9, 1e-6, 1e-6, 0),
    records.Event: lambda: simulation().flow(1024, 1e9, 1e-6, 1e-6, 0)["events"][0],
    records.Packet: lambda: simulation().packet(1024, 1e9, 1e-6, 1e-6),
    records.NodeTimes: lambda: _core.OnNodes("linear", 2, 2).time("8", 1, False, SPEEDS),
    records.NodeTime: lambda: _core.OnNodes("linear", 2, 2).time("8", 1, False, SPEEDS)["inside"],
    records.RunSetting: lambda: _core.run_settings()[0],
    records.RunOption: lambda: _core.run_options()[0],
    records.Sent: lambda: _core.OnNodes("linear", 2, 2).sent(),
}


@pytest.mark.parametrize("record", ANSWERS, ids=lambda record: record.__name__)
def test_keys(record):
    assert set(ANSWERS[record]()) == set(get_type_hints(record))


def test_every_record_is_tried():
    declared = {v for v in vars(records).values() if hasattr(v, "__total__")}
    assert declared == set(ANSWERS)
