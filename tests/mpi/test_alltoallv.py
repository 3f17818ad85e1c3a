"""MPI_Alltoallv: changing sizes, counts that disagree, the choice by size, extra memory.

Sizes change from call to call; extra memory is the most that a call uses.
"""

import json

import pytest
from conftest import FEW, RANKS, passed, progresses

from hopbine import _core

SEVERAL = [n for n in RANKS if n > 1]


def called(ranks):
    """Every algorithm of alltoallv, also with radices and batches that matter on few ranks."""
    for a in _core.algorithms():
        if a["collective"] == "alltoallv" and _core.fits("alltoallv", a["name"], ranks):
            yield a["name"]
            yield from (
                f"{a['name']}:{q['name']}={v}"
                for q in a["parameters"]
                for v in ((2, 3) if q["high"] > 1 else (1,))
            )


@pytest.mark.parametrize("ranks", SEVERAL)
def test_sizes_and_algorithms_that_change_from_call_to_call(mpi, build, ranks):
    """The expected length of a message depends on the calls before.

    No call may mislead the next.
    """
    passed(mpi.hopbine(ranks, build(mpi, "alltoallv"), "sizes", "auto", *called(ranks)))


@pytest.mark.parametrize("ranks", SEVERAL)
def test_sizes_that_come_again_on_some_ranks_only(mpi, build, ranks):
    """A rank that reports the sizes of the last call must be right.

    This holds for blocks in transit, too.
    """
    passed(mpi.hopbine(ranks, build(mpi, "alltoallv"), "again", *called(ranks)))


@pytest.mark.parametrize("ranks", SEVERAL)
def test_elements_without_bytes(mpi, build, ranks):
    passed(mpi.hopbine(ranks, build(mpi, "alltoallv"), "bare", *called(ranks)))


@pytest.mark.parametrize(
    "algorithm", ["linear", "pairwise", "parlogna:r=2", "parlogna", "two_phase_bruck"]
)
@pytest.mark.parametrize("ranks", FEW or SEVERAL)
def test_counts_that_disagree_are_an_error_of_the_rank_that_sees_it(mpi, build, ranks, algorithm):
    """No other rank reports an error: all other blocks arrive, and the next call is right."""
    passed(mpi.hopbine(ranks, build(mpi, "alltoallv"), "mismatch", algorithm))


def test_a_negative_count_is_the_librarys_error(mpi, build):
    if mpi.run(1, build(mpi, "wrong_arguments")).returncode:
        pytest.skip(f"{mpi.name} was built without checks of arguments")
    passed(mpi.hopbine(1, build(mpi, "alltoallv"), "negative"))


@pytest.mark.parametrize("ranks", [n for n in RANKS if n > 4])
def test_the_choice_follows_the_busiest_rank(mpi, build, ranks, tmp_path):
    rules = [
        {
            "collective": "alltoallv",
            "bytes": [0, 4096],
            "algorithm": "parlogna",
            "parameters": {"r": 3},
        },
        {"collective": "alltoallv", "algorithm": "linear"},
    ]
    (tmp_path / "rules.json").write_text(json.dumps({"hopbine_rules": 1, "rules": rules}))
    passed(
        mpi.hopbine(
            ranks, "--rules", str(tmp_path / "rules.json"), build(mpi, "alltoallv"), "settles"
        )
    )


LONG = 1 << 20


def length(origin: int, destination: int, ranks: int) -> int:
    """Bytes of a block in the mode `skew` of the program."""
    return LONG if (origin, destination) == (0, ranks - 1) else 10 + (origin * 7 + destination) % 50


def bound(ranks: int, parameters: dict[str, int]) -> int:
    """Extra memory of the rank that needs most, as docs/alltoallv.md guarantees it.

    The sum of the most in transit at a time that is not sent in the next step, the most that a step
    packs, and twice the most that an even step and that an odd step receives, with 4 KiB and the
    header for each message.
    """
    schedule = _core.schedule(_core.Problem("alltoallv", "parlogna", ranks, parameters=parameters))
    worst = []
    for rank in range(ranks):
        held = most_held = most_out = 0
        most_in = [0, 0]
        moves = [
            [
                (way, [divmod(b, ranks) for low, high in runs for b in range(low, high)])
                for way, _, _, _, runs in schedule.moves(rank, step)
            ]
            for step in range(schedule.steps)
        ]
        leaves = {
            block: step
            for step, some in enumerate(moves)
            for way, blocks in some
            if way == "send"
            for block in blocks
        }
        arrives = {
            block: step
            for step, some in enumerate(moves)
            for way, blocks in some
            if way == "recv"
            for block in blocks
        }
        for step, some in enumerate(moves):
            packed = unpacked = 0
            for way, blocks in some:
                size = sum(length(i, j, ranks) for i, j in blocks)
                head = 8 * (len(blocks) + 1) + 128
                packed, unpacked = (
                    (packed + size + head, unpacked)
                    if way == "send"
                    else (packed, unpacked + 2 * size + 4096 + head)
                )
                waits = [b for b in blocks if rank not in b and leaves[b] > arrives[b] + 1]
                held += sum(length(i, j, ranks) for i, j in waits) * (-1 if way == "send" else 1)
            most_held, most_out, most_in[step % 2] = (
                max(most_held, held),
                max(most_out, packed),
                max(most_in[step % 2], unpacked),
            )
        worst.append(most_held + most_out + sum(most_in))
    return max(worst)


@pytest.mark.parametrize("ranks", FEW or SEVERAL)
@pytest.mark.parametrize("r", [2, 3])
@pytest.mark.parametrize("form", ["blocking", "nonblocking"])
def test_extra_memory_follows_what_passes_through(mpi, build, ranks, r, form, tmp_path):
    if form == "nonblocking" and not progresses(mpi):
        pytest.skip(f"{mpi.name} has no progress that calls hopbine: its own collectives serve")
    passed(
        mpi.hopbine(
            ranks,
            "--stats",
            str(tmp_path / "s.json"),
            build(mpi, "alltoallv", flags=(f"-DFORM_{form.upper()}",)),
            "skew",
            f"parlogna:r={r}",
        )
    )
    (row,) = [
        row
        for row in json.loads((tmp_path / "s.json").read_text())["rows"]
        if row["collective"] == "alltoallv"
    ]
    assert row["parameters"] == {"r": r}
    assert row["calls"] == 3
    assert row["bytes_class"] is None
    most = bound(ranks, {"r": r})
    assert row["extra_bytes"] <= most
    # The long block is sent directly when its distance has a single digit other than 0. Otherwise
    # other ranks need memory for it: once in transit, and twice in messages.
    way = ranks - 1
    hops = sum(way // r**x % r > 0 for x in range(8))
    assert (row["extra_bytes"] > LONG) == (hops > 1)
    if ranks > 4:
        assert most < 6 * LONG
