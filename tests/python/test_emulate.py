"""The plan of an emulated cluster, and what its command line refuses, without making any."""

import argparse
import json

import pytest

from hopbine.cli import main
from hopbine.emulate import delays, jobs, launching, plan, spec, torus, tree
from hopbine.emulate.counted import count
from hopbine.emulate.counters import Processors, Ticks, sent
from hopbine.errors import UsageError


def asked(**given):
    """The plan of these arguments."""
    names = ("groups", "topology", "rate", "taper", "delay")
    names += ("machine", "hosts", "input_format", "scale")
    return spec.plan_of(argparse.Namespace(**(dict.fromkeys(names) | given)))


def test_groups_share_a_link_of_the_largest_ones_rate_over_the_taper():
    made = asked(groups="5,6,5", rate="100Mbit", taper=4.0)
    assert made.hosts == 16
    assert made.group == (0,) * 5 + (1,) * 6 + (2,) * 5
    assert {link.rate for link in made.links} == {150e6}
    assert [link.name for link in made.links[:3]] == ["g0 up", "g0 down", "g1 up"]
    assert [(link.group, link.into) for link in made.links[:2]] == [(0, None), (None, 0)]


def test_every_device_that_is_shaped_is_made():
    for made in (asked(groups="2,3"), asked(topology="torus:3x2x1")):
        devices = {word for _, lines in made.commands.ip for line in lines for word in line.split()}
        for _, lines in made.commands.tc:
            assert {line.split()[3] for line in lines} <= devices
        assert {link.device for link in made.links} <= devices


def test_addresses_are_of_64_hosts():
    every = {f(host) for host in range(plan.MOST_HOSTS) for f in (plan.address,)}
    assert len(every) == plan.MOST_HOSTS
    assert plan.hardware_address(63) == "02:77:00:00:00:3f"
    assert plan.launcher_address(0) == "10.78.0.1"


@pytest.mark.parametrize("shape", [(4, 4), (2, 3), (5,), (3, 2, 2)])
def test_routes_of_a_torus_are_shortest(shape):
    made = torus.torus(shape, 1e8, plan.Delay())
    for a in range(made.hosts):
        for b in range(made.hosts):
            at, hops = a, 0
            while at != b:
                k, up = torus.first_hop(at, b, shape)
                at = torus.neighbour(at, k, 1 if up else -1, shape)
                hops += 1
            assert hops == torus.distance(a, b, shape)
    assert len(made.links) == 2 * made.hosts * sum(extent > 1 for extent in shape)


def test_acknowledgements_go_first():
    lines = plan.shaped("eth0", 1e8)
    assert any("match u16 40 0xffff at 2 flowid 1:10" in line for line in lines)
    assert any("classid 1:10" in line and "prio 0" in line for line in lines)


def test_latencies_have_classes():
    made = asked(groups="1,2", delay="0.2ms,1ms")
    assert made.classes == (2e-4, 1e-3)
    assert made.class_of == ((0, 1, 1), (1, 0, 0), (1, 0, 0))
    assert delays.specification(made).splitlines()[:3] == [
        "class 200",
        "class 1000",
        "host /run/netns/h0 10.77.0.1 011",
    ]
    made = asked(topology="torus:4", delay="1ms")
    assert made.classes == (1e-3, 2e-3)
    assert made.class_of[0] == (0, 0, 1, 0)
    assert not asked(groups="1,2").delayed


def test_rules_leave_a_hosts_own_packets():
    (words,) = delays.rule("iptables", 1)
    assert " ".join(words).endswith("! -s 10.77.0.2 -j NFQUEUE --queue-num 0")
    assert "10.77.0.2" in delays.rule("nft", 1)[-1]


def test_hopbine_is_told_groups_and_links():
    told = launching.own_settings(asked(groups="2,1", taper=2.0), {})
    assert told["HOPBINE_GROUPS"] == "g0=h[0-1];g1=h2"
    assert "taper=2" in told["HOPBINE_NETWORK"]
    assert launching.own_settings(asked(topology="torus:2x3"), {})["HOPBINE_SHAPE"] == "2x3"


def test_what_the_user_has_told_hopbine_stays():
    given = {"HOPBINE_SYSTEM": "leonardo", "HOPBINE_STATS": "mine.json", "HOPBINE_LEARN": "none"}
    assert launching.own_settings(asked(groups="2,1"), given) == {}


def test_groups_of_a_described_machine():
    made = asked(machine="leonardo", hosts="fragmented:16", scale="1/1000")
    assert made.hosts == 16
    assert len(set(made.group)) == len(made.groups) > 1
    assert made.rate == pytest.approx(4e8)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({}, "give one of --groups"),
        ({"groups": "2,2", "topology": "torus:2x2"}, "not --groups and --topology"),
        ({"groups": "4"}, "is one group"),
        ({"groups": "4,x"}, "--groups 'x' is not a whole number from 1 to 64"),
        ({"groups": "4,0"}, "--groups '0' is not"),
        ({"groups": "40,40"}, "has 2 to 64 hosts, not 80"),
        ({"groups": "2,2", "rate": "9"}, "--rate '9' is not a number with one of"),
        ({"groups": "2,2", "rate": "1kbit"}, "--rate 1kbit is 1 kb/s, not from 1 Mb/s to 10 Gb/s"),
        ({"groups": "2,2", "taper": 0.5}, "--taper 0.5 is not from 1 to 64"),
        ({"groups": "2,2", "delay": "1"}, "--delay '1' is not a number with one of"),
        ({"groups": "2,2", "delay": "1ms,2ms,3ms"}, "is not INSIDE,BETWEEN"),
        ({"groups": "2,2", "delay": "2s"}, "at most 1 s"),
        ({"groups": "2,2", "hosts": "random:4"}, "give --machine"),
        ({"topology": "ring:4"}, "is not torus:AxB"),
        ({"topology": "torus:0x4"}, "is no shape"),
        ({"topology": "torus:4x4", "taper": 2.0}, "which a torus has not"),
        ({"topology": "torus:4x4", "delay": "1ms,2ms"}, "one time, that of a hop"),
        ({"machine": "leonardo"}, "needs --hosts"),
        ({"machine": "leonardo", "hosts": "contiguous:4"}, "all are in one group"),
        ({"machine": "fugaku", "hosts": "contiguous:4"}, "give --topology torus:AxB"),
        ({"machine": "leonardo", "hosts": "random:8", "scale": "2"}, "at most 1, as in 1/1000"),
        ({"machine": "leonardo", "hosts": "random:8", "scale": "1/0"}, "at most 1, as in 1/1000"),
    ],
)
def test_networks_that_are_refused(given, why):
    with pytest.raises(UsageError) as told:
        asked(**given)
    assert why in str(told.value)


@pytest.mark.parametrize(
    ("texts", "why"),
    [
        (["true"], "is not HOSTS: COMMAND"),
        (["0-9: true"], "'0-9' names no hosts of 0 to 3"),
        (["3-1: true"], "names no hosts"),
        (["0,0: true"], "names a host twice"),
        (["0-1: true", "1: true"], "host 1 is in '0-1' and '1'"),
        (["0: echo 'x"], "No closing quotation"),
    ],
)
def test_jobs_that_are_refused(texts, why):
    with pytest.raises(UsageError) as told:
        jobs.parse(texts, 4)
    assert why in str(told.value)


def test_jobs_of_hosts():
    one, other = jobs.parse(["0-1,3: mpiexec -n 3 ./a 'b c'", "2: ./d"], 4)
    assert one == jobs.Asked(("mpiexec", "-n", "3", "./a", "b c"), (0, 1, 3))
    assert other.hosts == (2,)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--groups", "2,2"], "no command"),
        (["--groups", "2,2", "--", "no-such-program"], "no program 'no-such-program'"),
        (["--groups", "2,2", "--jobs", "0: true", "--", "true"], "nothing may follow --"),
        (["--groups", "2,2", "--csv", "/nowhere/x.csv", "--", "true"], "/nowhere/x.csv"),
    ],
)
def test_commands_that_are_refused(capsys, words, why):
    assert main(["emulate", *words]) == 2
    said = capsys.readouterr().err
    assert why in said
    assert said.count("\n") == 1


def test_launchers_whose_ranks_hang_are_refused(tmp_path, monkeypatch):
    launcher = tmp_path / "mpiexec"
    launcher.write_text("#!/bin/sh\necho 'HYDRA build details:'; echo '    Version:     4.0.2'\n")
    launcher.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    job = jobs.Asked(("env", "A=1", "mpiexec", "-n", "2", "true"), (0, 1))
    with pytest.raises(UsageError, match=r"MPICH 4\.0\.2, whose ranks hang"):
        jobs.check(job, {"PATH": f"{tmp_path}:/usr/bin:/bin"})


def test_devices_counters_are_read():
    text = b"Inter-|\n face |bytes\n  up0: 1 2 0 0 0 0 0 0 30 4 0\nlo:0 0 0 0 0 0 0 0 5 6\n"
    assert sent(text) == {"up0": (30, 4), "lo": (5, 6)}


def test_processes_that_ended_do_not_count():
    used = Processors()
    Ticks(190, 200, 20, {"1": 30, "3": 5}).add(Ticks(100, 100, 10, {"1": 10, "2": 50}), used)
    assert used.share == pytest.approx((10 + 20 + 5) / 100)
    assert used.others == pytest.approx((90 - 35) / 100)


def test_hopbines_count_is_by_link(tmp_path):
    made = tree.tree("x", [0, 0, 1], ["a", "b"], 1e8, 2, plan.Delay())
    row = {
        "collective": "bcast",
        "comm_size": 3,
        "bytes_class": [1, 999],
        "algorithm": "linear",
        "parameters": {},
        "numbering": "given",
        "reason": "asked for",
        "calls": 2,
        "bytes": 1200,
        "seconds": 0.1,
        "root": 0,
    }
    rows = [row, row | {"algorithm": "mpi", "calls": 1}, row | {"collective": "barrier"}]
    stats = {"hopbine_stats": 1, "version": "1", "mpi": "x", "ranks": 3, "rows": rows}
    file = tmp_path / "stats.json"
    file.write_text(json.dumps(stats | {"nodes": ["h0", "h1", "h2"], "groups": ["a", "a", "b"]}))
    counted = count(made, [file])
    assert counted is not None
    assert (counted.out, counted.into) == ([1200.0, 0.0], [0.0, 1200.0])
    assert (counted.calls, counted.counted) == (5, 4)
    assert sum(counted.why.values()) == 1
    assert count(made, []) is None
