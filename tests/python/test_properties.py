"""Properties that hold for any input."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hopbine import _core
from hopbine.bench.compare import compare
from hopbine.bench.launch import Sample
from hopbine.bench.sizes import parse_sizes
from hopbine.notation.units import parse_size, show_size


@given(st.integers(0, 14), st.data())
def test_negabinary_is_a_bijection_and_means_what_it_says(log, data):
    p = 2**log
    r = data.draw(st.integers(0, p - 1))
    digits = _core.rank2nb(r, p)
    assert _core.nb2rank(digits, p) == r
    assert sum((-2) ** i for i in range(log) if digits >> i & 1) % p == r


@given(st.integers(1, 2**40))
def test_sizes_read_what_they_write(n):
    assert parse_size(show_size(n)) == n
    assert n in parse_sizes(f"{n}:{4 * n}")


def test_sizes_are_whole_bytes_and_no_bits():
    assert [parse_size(s) for s in ("1.5MiB", "0.5 K", "2.0", "1.5kB", "1KB")] == [
        *(1536 << 10, 512, 2, 1500, 1000)
    ]
    for text, said in (
        ("1Mb", "is in bits; write MB or MiB"),
        ("64kb", "write kB or KiB"),
        ("1Gb", "write GB or GiB"),
        ("1.5", "no whole number of bytes"),
        ("0.1KiB", "no whole number of bytes"),
        ("1.", "not a number with B"),
        ("9" * 19 + "." + "9" * 30 + "GiB", "more than 2^62"),
    ):
        with pytest.raises(ValueError, match=re.escape(said)):
            parse_size(text)


@given(st.lists(st.integers(0, 3), min_size=2, max_size=24))
@example([0] * 10 + [1] * 3)  # thirds of blocks, whose sum is not the float of the total
def test_bytes_between_groups_are_never_more_than_all(groups):
    for record in _core.algorithms():
        if _core.fits(record["collective"], record["name"], len(groups)):
            t = _core.count(_core.Problem(record["collective"], record["name"], group=groups))
            assert 0 <= t["global_blocks"] <= t["blocks"]
            total = pytest.approx(t["global_blocks"], rel=1e-12)
            assert sum(times * blocks for _, times, blocks, *_ in t["by_step"]) == total
            assert sum(blocks for _, _, blocks, _ in t["pairs"]) == total
            assert sum(blocks for _, blocks, _ in t["group_out"]) == total
            if len(set(groups)) == 1:
                assert t["global_blocks"] == 0


def test_ratios_are_paired_by_repetition():
    samples = [
        Sample("bcast", name, 2, 8, k, t)
        for k in range(3)
        for name, t in (("mpi", 1.0 + k), ("bine", 2.0 + 2 * k))
    ]
    rows = {r.algorithm: r for r in compare(samples, "mpi")}
    assert (rows["bine"].ratio, rows["bine"].ratio_low, rows["bine"].ratio_high) == (
        2,
        2,
        2,
    )
    assert rows["mpi"].seconds == 2
