"""hopbine order: orders are permutations that never move more, and files that say the same."""

import csv
import io
import json
import random
from collections import Counter

import pytest
from commands import hopbine
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded import RANKS, data, row

from hopbine import _core
from hopbine.allocations import read
from hopbine.core.classic import CLASSIC, classic
from hopbine.errors import UsageError
from hopbine.jobs.counting import Asked, counts
from hopbine.jobs.job import Job
from hopbine.machines import load
from hopbine.ordering import search
from hopbine.ordering.files import LAUNCHERS
from hopbine.ordering.pattern import Calls, Pattern, moved, of_algorithm, of_messages
from hopbine.ordering.search import GIVEN, orders, placed

MACHINE = "dragonfly:groups=4,nodes=4"


def job_of(hosts):
    return Job("j", tuple(hosts), load(MACHINE))


#: Hosts of a job, several ranks on some.
SLOTS = st.lists(st.integers(0, 15), min_size=2, max_size=12).map(
    lambda numbers: job_of(f"node{n}" for n in numbers)
)


def check(pattern, job):
    every = orders(pattern, job)
    base = next(one for one in every if one.name == GIVEN)
    assert base.slots == tuple(range(len(job.hosts)))
    assert every[0].cost <= base.cost
    assert every[0] is base or every[0].cost < base.cost
    for one in every:
        assert sorted(one.slots) == list(range(len(job.hosts)))
        assert Counter(placed(job, one.slots).hosts) == Counter(job.hosts)
    return every


@settings(deadline=None, max_examples=40)
@given(SLOTS, st.sampled_from(sorted(CLASSIC)), st.sampled_from([8, 1 << 20]))
def test_orders_of_a_collective_are_counted_as_traffic_does(job, collective, size):
    try:
        pattern = of_algorithm(collective, len(job.hosts), size)
    except UsageError:
        return  # the classic algorithm of few ranks may follow their nodes
    for one in check(pattern, job):
        asked = Asked([collective], [classic(collective, len(job.hosts), size)], [size])
        ((row, _),) = counts(placed(job, one.slots), asked)
        assert one.global_bytes == pytest.approx(row["global_bytes"])
        assert one.node_bytes == pytest.approx(row["node_bytes"])


@settings(deadline=None, max_examples=40)
@given(SLOTS, st.data())
def test_orders_of_messages_and_of_parts_of_the_ranks(job, data):
    p = len(job.hosts)
    ranks = st.integers(0, p - 1)
    sent = data.draw(st.dictionaries(st.tuples(ranks, ranks), st.integers(1, 1 << 40).map(float)))
    part = tuple(data.draw(st.permutations(range(p)))[: max(2, p // 2)])
    pattern = Pattern(p, [Calls("allgather", "ring", part, 4096.0)], sent)
    check(pattern, job)
    # what is searched is what is counted
    weights, where = pattern.matrix(), job.places.group
    between = sum(weights[a, b] for a in range(p) for b in range(a) if where[a] != where[b])
    assert between == pytest.approx(moved(pattern, job)[0])


@pytest.mark.parametrize("seed", range(4))
def test_exchanges_find_what_no_numbering_does(seed):
    """A ring whose ranks are numbered at random: groups of consecutive ones cut 4 of 16 links."""
    around = list(range(16))
    random.Random(seed).shuffle(around)
    sent = dict.fromkeys(zip(around, [*around[1:], around[0]], strict=True), 1.0)
    every = check(Pattern(16, messages=sent), job_of(f"node{n}" for n in range(16)))
    assert (every[0].name, every[0].global_bytes) == (search.SEARCHED, 4.0)


def test_many_ranks_have_the_runtime_s_numberings_only(monkeypatch):
    monkeypatch.setattr(search, "MOST_SEARCHED", 4)
    every = check(
        of_algorithm("allreduce", 8, 1 << 20, "ring"), job_of(f"node{n}" for n in range(8))
    )
    assert search.SEARCHED not in [one.name for one in every]


@pytest.mark.parametrize("name", LAUNCHERS)
@given(hosts=st.lists(st.sampled_from(["fir1", "fir2", "fir3"]), min_size=1, max_size=9))
def test_every_file_says_who_is_where(tmp_path_factory, name, hosts):
    path = tmp_path_factory.mktemp("order") / "file"
    path.write_text(LAUNCHERS[name].write(hosts))
    (job,) = read(str(path))
    assert list(job.hosts) == hosts


HOSTS = "node[0,4,8,12,1,5,9,13]"


def test_the_best_order_is_written_for_the_launcher(capsys, tmp_path):
    path = tmp_path / "ranks"
    words = ["order", "allreduce", "--algorithm", "ring", "--machine", MACHINE, "--hosts", HOSTS]
    code, out, _ = hopbine(capsys, *words, "--for", "mpich", "-o", str(path))
    assert code == 0
    assert f"mpiexec -n 8 -f {path} ./program\n" in out
    assert "The order 'by group' moves 7 MiB between groups, the given one 14 MiB." in out
    (job,) = read(str(path))
    # hopbine traffic counts what was told
    asked = Asked(["allreduce"], ["ring"], [1 << 20])
    ((row, _),) = counts(job_of(job.hosts), asked)
    assert row["global_bytes"] == 7 << 20


def test_the_given_order_stays_where_none_is_better(capsys):
    code, out, _ = hopbine(capsys, "order", "alltoall", "--machine", MACHINE, "--hosts", HOSTS)
    assert code == 0
    assert "No order moves less than the given one, which stays." in out


def test_recorded_calls_and_their_job(capsys, tmp_path):
    """Calls on three communicators of ranks that are far apart: exchanges bring these together."""
    nodes = [f"node{4 * (r % 3) + r // 3}" for r in range(RANKS)]
    parts = [[f"{first}-{first + 2}", 1, 9 * 1024] for first in (0, 3, 6)]
    calls = row("allgather", comm_size=3, communicators=parts)
    odd = row("alltoallv", calls=2)
    file = tmp_path / "stats.json"
    file.write_text(json.dumps(data(calls, odd, nodes=nodes)))
    words = ["order", "--stats", str(file), "--machine", MACHINE, "--format", "csv"]
    code, out, err = hopbine(capsys, *words)
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0, err
    assert [r["order"] for r in rows if r["taken"] == "yes"] == [rows[0]["order"]]
    assert float(rows[0]["global_bytes"]) == 0
    assert float(next(r["global_bytes"] for r in rows if r["order"] == "given")) > 0
    assert "2 of 5 calls cannot be counted and are left out" in err


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ([], "0 patterns: give one of a collective"),
        (["bcast", "--messages", "m"], "2 patterns: give one of"),
        (["bcast", "--algorithm", "zz"], "'zz' is no algorithm of bcast on 8 ranks"),
        (["bcast", "--root", "8"], "--root 8 is not one of the 8 ranks"),
        (
            ["allreduce", "--algorithm", "hierarchical_small"],
            "follows the nodes of the ranks by itself",
        ),
        (["bcats"], "is bcast meant?"),
        (["--messages", "/none"], "there is no such file"),
    ],
)
def test_bad_input(capsys, words, text):
    code, out, err = hopbine(capsys, "order", *words, "--machine", MACHINE, "--hosts", HOSTS)
    assert (code, out) == (2, "")
    assert text in err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0,1\n", ":1: '0,1' is not FROM,TO,BYTES"),
        ("from,to,bytes\n0,4,1\n", ":2: '0,4,1' needs ranks below 4"),
        ("0,1,-1\n", ":1: '0,1,-1' is not"),
        ("# none\n", "lists no messages"),
    ],
)
def test_wrong_messages_are_refused_with_their_line(tmp_path, text, words):
    path = tmp_path / "m.csv"
    path.write_text(text)
    with pytest.raises(UsageError, match="^" + str(path)) as error:
        of_messages(str(path), 4)
    assert words in str(error.value)


def test_a_pattern_of_other_ranks_is_refused():
    with pytest.raises(UsageError, match="of 4 ranks, the hosts are for 2"):
        orders(of_algorithm("bcast", 4, 8), job_of(["node0", "node1"]))
    assert _core.rooted("bcast")
