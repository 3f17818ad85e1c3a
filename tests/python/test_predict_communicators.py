"""hopbine predict: calls on communicators of some ranks, or of all in another order."""

import pytest
import recorded
from recorded import row

from hopbine.jobs.job import Job
from hopbine.machines import load
from hopbine.recorded.crossings import crossing, job_of
from hopbine.recorded.prediction import WAYS, every_algorithm, predict
from hopbine.simulation.on_machine import MachineNetwork

RANKS, HALF = 8, 4
FIRST, SECOND, EVEN = f"0-{HALF - 1}", f"{HALF}-{RANKS - 1}", f"0-{RANKS - 2}/2"


def on(*communicators, **changed):
    """A row of an allreduce on communicators, of ten calls each."""
    calls = 10 * len(communicators)
    listed = [[ranks, 10, 10 << 16] for ranks in communicators]
    known = {"comm_size": HALF, "calls": calls, "bytes": calls << 16, "communicators": listed}
    return row("allreduce", **known | changed)


def data(*rows):
    """A file of eight ranks in two groups."""
    nodes, groups = (
        [f"{kind}{rank // n}" for rank in range(RANKS)] for kind, n in (("n", 1), ("g", 4))
    )
    return recorded.data(*rows, ranks=RANKS, nodes=nodes, groups=groups)


def job(ranks=RANKS, machine="leonardo"):
    """Two groups; each half of the ranks is in one."""
    there = load(machine)
    hosts = [
        [host for host, of in there.hosts.items() if of == group][: ranks // 2] for group in (1, 2)
    ]
    return Job("", tuple(hosts[0] + hosts[1]), there)


def test_communicators_inside_of_a_group_move_nothing_between_groups():
    [one] = predict(data(on(FIRST, SECOND)), job())
    assert one["why_not"] is None
    assert [one[f"{way}_bytes"] for way in (*WAYS, "least")] == [0, 0, 0, 0]
    assert one["best_seconds"] > 0
    [across] = predict(data(on(EVEN)), job())
    assert min(across[f"{way}_bytes"] for way in (*WAYS, "least")) > 0


def test_calls_of_a_row_add_up():
    together = predict(data(on(FIRST, EVEN)), job())
    apart = predict(data(on(FIRST), on(EVEN)), job())
    for what in ("calls", "bytes", "classic_bytes", "classic_seconds", "choice_seconds"):
        assert sum(r[what] for r in together) == pytest.approx(sum(r[what] for r in apart))


def test_the_recorded_job_has_the_bytes_that_stats_counts():
    file = data(on(FIRST, EVEN))
    own = job_of(file)
    [counted] = [crossing(r, own).classic for r in file["rows"]]
    assert sum(r["classic_bytes"] for r in predict(file, own)) == pytest.approx(counted)


def test_another_order_of_all_ranks_is_that_of_the_communicator():
    """Backwards is the mirror image; every other rank first is not."""
    mixed = f"0-{RANKS - 2}/2,1-{RANKS - 1}/2"
    bytes_of = {
        ranks: sum(r["classic_bytes"] for r in predict(data(on(ranks, comm_size=RANKS)), job()))
        for ranks in (f"0-{RANKS - 1}", f"{RANKS - 1}-0", mixed)
    }
    given, backwards, odd = bytes_of.values()
    assert given == backwards < odd


def test_other_numbers_of_ranks_are_told():
    rows = predict(data(on(FIRST)), job(2 * RANKS))
    assert [r["why_not"] for r in rows] == [f"on {HALF} of {RANKS} ranks"]
    assert every_algorithm(data(on(FIRST)), job(2 * RANKS)) == []


def test_they_are_simulated_on_their_own_nodes():
    there = job()
    network = MachineNetwork(there.machine)
    setup = network.setup(network.nodes(there.hosts))
    inside, across = (predict(data(on(ranks)), there, setup=setup) for ranks in (FIRST, EVEN))
    for way in WAYS:
        times = [sum(r[f"{way}_simulated_seconds"] for r in rows) for rows in (inside, across)]
        assert 0 < times[0] <= times[1]
