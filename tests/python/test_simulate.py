"""hopbine simulate: tables, files, gains, and what it says of bad input.

The figures that are published with the docs.
"""

import polars
import pytest
from commands import simulate
from hypothesis import given, settings
from hypothesis import strategies as st
from papers import PAGES

from hopbine import _core
from hopbine.notation.units import parse_bandwidth, parse_time, show_rate, show_time
from hopbine.simulation import Setup, curve, gains, sweep
from hopbine.simulation.setup import place


def test_table_names_the_best_and_its_lead(capsys):
    code, out, _ = simulate(
        capsys,
        "allreduce",
        "--topology",
        "torus:16x16",
        "--algorithms",
        "Swing=swing+swing_small,torus_doubling,bucket",
        "--sizes",
        "32,2MiB,512MiB",
    )
    assert code == 0
    small, middle, large = [
        line
        for line in out.splitlines()
        if (line.startswith(" ") and " B " in line) or "MiB " in line
    ][-3:]
    assert small.split()[2:]
    assert "Swing" in middle
    assert "bucket" in large
    assert "-: fewer elements of 4 B" in out  # bucket cannot divide 8 elements
    assert "(a model)" in out


def test_csv_holds_every_curve_and_size(capsys):
    code, out, _ = simulate(
        capsys,
        "allreduce",
        "--topology",
        "torus:4x4",
        "--algorithms",
        "swing,bucket",
        "--sizes",
        "1KiB:1MiB:4",
        "--csv",
        "-",
    )
    rows = polars.read_csv(out.encode())
    assert code == 0
    assert rows.height == 2 * 6
    assert (rows["goodput"] - rows["bytes"] / rows["seconds"]).abs().max() < 1e-3
    assert rows["share_of_peak"].max() < 2


@pytest.mark.parametrize(
    "collective",
    [
        "bcast",
        "reduce",
        "allreduce",
        "reduce_scatter",
        "scatter",
        "gather",
        "allgather",
        "alltoall",
    ],
)
@pytest.mark.parametrize("topology", ["torus:4x4", "dragonfly:3x2x2", "fattree:4x4"])
@pytest.mark.parametrize("engine", ["flow", "packet", "step"])
def test_every_collective_has_a_default_on_every_kind_of_network(
    capsys, collective, topology, engine
):
    code, out, err = simulate(
        capsys, collective, "--topology", topology, "--sizes", "1MiB", "--engine", engine
    )
    assert code == 0, err
    assert "1 MiB" in out


def test_a_collective_without_an_algorithm_for_a_grid_is_refused(capsys):
    code, _, err = simulate(capsys, "scan", "--topology", "torus:4x4", "--sizes", "1MiB")
    assert code == 2
    assert "no algorithm of scan serves 16 ranks on torus:4x4" in err


def test_pictures_are_written(capsys, tmp_path):
    names = [tmp_path / f"{n}.svg" for n in ("goodput", "gains", "heat", "time")]
    code, out, _ = simulate(
        capsys,
        "allreduce",
        "--topology",
        "torus:4x4",
        "--sizes",
        "1KiB:1MiB:4",
        "--figure",
        str(names[0]),
        "--gains",
        str(names[1]),
        "--heat-map",
        str(names[2]),
        "--timeline",
        str(names[3]),
        "--rank",
        "5",
        "--aside",
        "torus_bine",
    )
    assert code == 0
    for n in names:
        assert "<svg" in n.read_text()[:2000]
        assert str(n) in out


def test_deficiencies_are_counted(capsys):
    code, out, _ = simulate(
        capsys,
        "allreduce",
        "--topology",
        "torus:16x16",
        "--deficiencies",
        "--algorithms",
        "swing,bucket",
    )
    assert code == 0
    swing, bucket = (
        next(line.split() for line in out.splitlines() if line.startswith(a))
        for a in ("swing", "bucket")
    )
    assert float(swing[2]) == 2
    assert 1.1 < float(swing[4]) < 1.2
    assert float(bucket[4]) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--topology", "torus:8x0"], "at least 1"),
        (["--topology", "torus"], "torus:N0"),
        (["--topology", "tours:8x8"], "no known kind"),
        (["--topology", "torus:4x4", "--bandwidth", "0Gb/s"], "more than zero"),
        (
            ["--topology", "torus:4x4", "--bandwidth", "400Gbps"],
            "'400Gbps' is not a number with one of",
        ),
        (["--topology", "torus:4x4", "--bandwidth", "-1Gb/s"], "--bandwidth"),
        (["--topology", "torus:4x4", "--latency", "1 parsec"], "--latency '1 parsec'"),
        (["--topology", "torus:4x4", "--processing", "fast"], "--processing 'fast'"),
        (["--topology", "torus:4x4", "--sizes", "1X"], "size '1X'"),
        (["--topology", "torus:4x4", "--algorithms", "bucket", "--sizes", "32:64"], "64 parts"),
        (["--topology", "torus:6x3", "--algorithms", "hamiltonian"], "gcd(r, c - 1) = 1"),
        (["--topology", "torus:4x4x4", "--algorithms", "hamiltonian"], "at most 2 dimensions"),
        (["--topology", "torus:4x4", "--algorithms", "swin"], "unknown algorithm 'swin'"),
        (
            ["--topology", "torus:4x4", "--algorithms", "swing:ports=17"],
            "ports=17 is outside 0..16",
        ),
        (["--topology", "torus:4x4", "--algorithms", "swing++bucket"], "is not like"),
        (["--topology", "torus:4x4", "-p", "17"], "not between 2 and the 16 nodes"),
        (["--topology", "torus:4x4", "--place", "nowhere"], "--place 'nowhere'"),
        (["--topology", "torus:4x4", "--focus", "ring"], "--focus 'ring'"),
        (["--topology", "torus:4x4", "--aside", "ring"], "--aside 'ring'"),
        (["--topology", "torus:4x4", "--element", "0"], "--element '0'"),
        (["--topology", "torus:4x4", "--csv", "/nonexistent/x.csv"], "does not exist"),
        (["--topology", "torus:4x4", "--figure", "x.txt"], "must end in"),
        (["--topology", "torus:4x4", "--timeline", "x.svg", "--rank", "16"], "--rank 16"),
        (
            ["--topology", "torus:4x4", "--engine", "fluid"],
            "(choose from 'flow', 'packet', 'step')",
        ),
        (
            ["--topology", "torus:4x4", "--engine", "flow", "--trains", "4"],
            "--trains is for --engine packet",
        ),
        (["--topology", "torus:4x4", "--engine", "step", "--seed", "4"], "--seed is for --engine"),
        (
            ["--topology", "torus:4x4", "--engine", "flow", "--routing", "ugal"],
            "--routing is for --engine packet",
        ),
        (
            ["--topology", "torus:4x4", "--engine", "packet", "--routing", "ugal"],
            "hyperx, dragonfly and dragonfly_plus have valiant and ugal",
        ),
        (["--topology", "torus:4x4", "--engine", "packet", "--trains", "0"], "between 1 and 65535"),
        (["--topology", "torus:4x4", "--engine", "flow", "--buffers", "1KiB"], "--buffers is for"),
        (["--topology", "torus:4x4", "--buffers", "0"], "has at least 1 byte"),
        (["--topology", "torus:4x4", "--buffers", "many"], "--buffers: size 'many' is not"),
        (
            ["--topology", "torus:4x4", "--buffers", "1", "--sizes", "1MiB"],
            "more than 65535 trains of a quarter of a buffer of 1 bytes; buffers can have",
        ),
        (["--topology", "torus:4x4", "--engine", "packet", "--seed", "-1"], "--seed -1 is not"),
    ],
)
def test_bad_input_is_explained(capsys, words, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, _, err = simulate(capsys, "allreduce", *words)
    assert code == 2, err
    assert said in err, err
    assert "Traceback" not in err, err
    assert not list(tmp_path.iterdir()), "bad input leaves nothing behind"


def test_shapes_that_hold_other_numbers_of_ranks_are_refused():
    with pytest.raises(ValueError, match="shape 3x3 does not hold p = 16"):
        _core.Simulation(
            _core.Problem("allreduce", "swing", 16, shape=[3, 3]),
            _core.Topology("torus:4x4"),
            range(16),
        )


def test_places(tmp_path):
    assert place(None, "torus:4x4", None) == ()
    assert place("linear", "torus:4x4", 3) == (0, 1, 2)
    scattered = place("random:seed=3", "torus:4x4", 8)
    assert len(set(scattered)) == 8
    assert scattered == place("random:seed=3", "torus:4x4", 8) != place("random", "torus:4x4", 8)
    (tmp_path / "nodes").write_text("3\n1\n2\n")
    assert place(str(tmp_path / "nodes"), "torus:4x4", None) == (3, 1, 2)
    (tmp_path / "nodes").write_text("3\n16\n")
    with pytest.raises(ValueError, match=r"a node 0\.\.15"):
        place(str(tmp_path / "nodes"), "torus:4x4", None)


@given(st.floats(1e-9, 1e3), st.sampled_from(["s", "ms", "us", "ns"]))
def test_times_are_read_as_written(value, unit):
    text = f"{value:.6e}{unit}"
    assert parse_time(text) == pytest.approx(
        value * {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}[unit], rel=1e-5
    )


def test_units():
    assert parse_bandwidth("400Gb/s") == 50e9 == parse_bandwidth("50 GB/s")
    assert parse_bandwidth("3.2Tb/s") == 400e9
    assert show_time(1.23456e-5) == "12.3 us"
    assert show_time(3e-8) == "30 ns"
    assert show_rate(50e9) == "400 Gb/s"


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.integers(2, 5), min_size=1, max_size=3),
    st.sampled_from(["swing", "bucket", "swing_small", "torus_bine"]),
    st.integers(10, 26),
)
def test_more_bytes_never_take_less_time(shape, algorithm, power):
    setup = Setup("torus:" + "x".join(map(str, shape)))
    a, b = (setup.seconds("allreduce", algorithm, size) for size in (1 << power, 1 << power + 1))
    assert 0 < a <= b * (1 + 1e-9)
    slower = Setup(
        setup.topology, bandwidth=setup.bandwidth / 2, cable=setup.cable, router=setup.router
    )
    assert slower.seconds("allreduce", algorithm, 1 << power) == pytest.approx(
        b, rel=5e-3
    )  # half the speed is twice the bytes


def test_gains_leave_out_what_is_aside():
    rows = sweep(
        Setup("torus:4x4"),
        "allreduce",
        [curve("swing"), curve("torus_doubling:ports=1"), curve("bucket")],
        [1 << 20],
    )
    (over_all,), (over_bucket,) = (
        gains(rows, "swing"),
        gains(rows, "swing", ["torus_doubling:ports=1"]),
    )
    assert over_all["best_other"] == "torus_doubling:ports=1"
    assert over_bucket["best_other"] == "bucket"
    assert over_all["gain_pct"] < over_bucket["gain_pct"]
    with pytest.raises(ValueError, match="'ring' is not one of"):
        gains(rows, "ring")


def test_the_published_table_is_that_of_the_published_figures(papers):
    assert papers("swing.claims").table() in (PAGES / "swing-nsdi24.md").read_text()


@pytest.mark.parametrize("number", ["8", "11"])
@pytest.mark.parametrize("engine", ["flow", "packet"])
def test_the_published_figures_come_out_again(papers, number, engine):
    swing = papers("swing.evaluation")
    published = [r for rows in swing.data(number, engine).values() for r in rows]
    curves = len(swing.SPEC["figure"][number]["curves"])
    for row in [r for _, make in swing.works(number, engine)[: 2 * curves] for r in make()]:
        (before,) = (
            r for r in published if all(r[k] == row[k] for k in ("network", "algorithm", "bytes"))
        )
        assert row["seconds"] == pytest.approx(before["seconds"], rel=1e-5)
        assert row["variant"] == before["variant"]


def test_packets_say_so_and_a_seed_decides_ties(capsys):
    """A seed gives the same table again; another one may give another."""
    words = ["allreduce", "--topology", "dragonfly:5x4x4", "-p", "64", "--place", "random:seed=1"]
    words += ["--algorithms", "rabenseifner", "--sizes", "1MiB", "--engine", "packet", "--csv", "-"]
    first, again, *others = (
        simulate(capsys, *words, "--seed", str(seed))[1].splitlines() for seed in (1, 1, 2, 3, 4)
    )
    assert first == again
    assert any(other != first for other in others)
    assert ",packet," in first[1]
    assert "packet engine (a model)" in simulate(capsys, *words[:-2])[1]


def test_detours_relieve_two_groups_that_talk(capsys):
    """Sixteen ranks, two groups of a dragonfly: one cable between them is not all there is."""
    words = ["allreduce", "--topology", "dragonfly:9x4x2", "-p", "16", "--sizes", "4MiB"]
    words += ["--algorithms", "recursive_doubling", "--engine", "packet", "--routing"]
    times = {}
    for routing in ("minimal", "valiant", "ugal"):
        code, out, _ = simulate(capsys, *words, routing, "--csv", "-")
        assert code == 0
        times[routing] = polars.read_csv(out.encode())["seconds"][0]
        assert (f"{routing} routing" in simulate(capsys, *words, routing)[1]) == (
            routing != "minimal"
        )
    assert times["ugal"] < 0.7 * times["minimal"]
    assert times["ugal"] <= 1.05 * times["valiant"]


def test_a_small_buffer_holds_back_what_shares_it(capsys):
    """Linear all-to-all of two leaves: receivers are in step, so that buffers fill by turns."""
    words = ["alltoall", "--topology", "fattree:4x4:oversubscription=4", "--sizes", "4MiB"]
    words += ["--algorithms", "linear", "--engine", "packet"]
    rows = {}
    for buffers in ("16KiB", "1GiB", None):
        code, out, err = simulate(
            capsys, *words, *(["--buffers", buffers] if buffers else []), "--csv", "-"
        )
        assert code == 0, err
        rows[buffers] = polars.read_csv(out.encode())
        assert ("buffers" in rows[buffers].columns) == (buffers is not None)
    times = {buffers: row["seconds"][0] for buffers, row in rows.items()}
    assert rows["16KiB"]["buffers"][0] == 16384
    assert times["1GiB"] == times[None] < times["16KiB"]
    assert "buffers of 16 KiB" in simulate(capsys, *words, "--buffers", "16KiB")[1]


def test_packets_and_flows_agree_where_no_link_is_shared():
    flow, packet = (Setup("torus:8x8", engine=engine) for engine in ("flow", "packet"))
    for size in (1 << 10, 1 << 20):
        assert packet.seconds("allreduce", "bucket", size) == flow.seconds(
            "allreduce", "bucket", size
        )


def test_the_time_depends_on_a_segment_in_bytes():
    for engine in ("flow", "packet", "step"):
        setup = Setup("fattree:4x4", engine=engine)
        whole, also_whole, cut = (
            setup.seconds("allreduce", f"bine_large:segment={b}", 1 << 20)
            for b in (0, 1 << 20, 1 << 18)
        )
        assert whole == also_whole != cut
        assert cut == setup.seconds("allreduce", "bine_segmented:segments=4", 1 << 20)


def test_a_pipeline_has_segments_by_the_size():
    """Two trees, 64 ranks: one segment for 8 B, more for more; 1.5 times the best without one."""
    setup = Setup("fattree:8x8")
    assert setup.sized("bcast", "two_trees", 8) == "two_trees:segments=1"
    assert setup.sized("bcast", "two_trees:segments=3", 1 << 20) == "two_trees:segments=3"
    assert setup.sized("bcast", "bine_small", 1 << 20) == "bine_small"
    numbers = [
        int(setup.sized("bcast", "two_trees", 1 << k).partition("=")[2]) for k in range(3, 30)
    ]
    assert numbers == sorted(numbers)
    assert numbers[-1] > numbers[0]
    records = [a for a in _core.algorithms() if a["collective"] == "bcast"]
    whole = [
        a["name"]
        for a in records
        if not any(q["kind"] == "segments" for q in a["parameters"])
        and _core.fits("bcast", a["name"], 64)
    ]
    for size in (1 << 20, 1 << 22, 1 << 24):
        best = min(setup.seconds("bcast", name, size) for name in whole)
        assert setup.seconds("bcast", "two_trees", size) * 1.5 <= best


def test_a_pipeline_on_a_torus_has_the_segments_of_its_trees():
    """They are as deep as the torus is wide, 21 steps, not 511 as on a line of its ranks."""
    setup = Setup("torus:8x8x8")
    problem = _core.Problem("bcast", "trinaryx", 512, bytes=1 << 20)
    on_line = _core.with_segments(problem, setup.cable, 1 / setup.bandwidth)
    number = int(setup.sized("bcast", "trinaryx", 1 << 20).partition("=")[2])
    assert 1 < number <= on_line["segments"] / 4
