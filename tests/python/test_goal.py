"""Schedules in GOAL.

What is sent is received, in the bytes of the count, and in no more steps than the schedule has.
"""

from itertools import product

import pytest
from goal import Operation, longest_chain, matches, read

from hopbine import _core
from hopbine.cli import main
from hopbine.cli.check import placements, shapes


def goal(*problem, **where) -> list[dict[int, Operation]]:
    """The exported schedule, read."""
    text: list[str] = []
    _core.export_goal(_core.Problem(*problem, **where), text.append)
    return read("".join(text))


@pytest.mark.parametrize(
    "record", _core.algorithms(), ids=lambda a: f"{a['collective']}-{a['name']}"
)
@pytest.mark.parametrize("p", [1, 2, 5, 8])
def test_all_that_is_sent_is_received_in_the_bytes_of_the_count(record, p):
    collective, algorithm = record["collective"], record["name"]
    if not _core.fits(collective, algorithm, p):
        return
    for root, (group, node), shape in product(
        {0, p - 1} if _core.rooted(collective) else {0}, placements(record, p), shapes(record, p)
    ):
        where = {"root": root, "group": group, "node": node, "shape": shape}
        schedule = _core.schedule(_core.Problem(collective, algorithm, p, **where))
        parts = p * schedule.parts
        for size in (parts * 24, parts * 24 + parts - 1):
            ranks = goal(collective, algorithm, p, bytes=size, **where)
            assert len(matches(ranks)) == sum(
                o.kind == "send" for operations in ranks for o in operations.values()
            )
            assert all(
                o.size > 0 for operations in ranks for o in operations.values() if o.kind != "calc"
            )
            assert longest_chain(ranks) <= schedule.steps
            sent = [
                sum(o.size for o in operations.values() if o.kind == "send") for operations in ranks
            ]
            begins = [
                begin(part, size, p, schedule.parts)
                for part in range(_core.blocks(collective, p) * schedule.parts + 1)
            ]
            assert sent == [
                sum(
                    begins[high] - begins[low]
                    for step in range(schedule.steps)
                    for way, *_, runs in schedule.moves(rank, step)
                    if way == "send"
                    for low, high in runs
                )
                for rank in range(p)
            ]
            if size == parts * 24:
                verdict = _core.check(_core.Problem(collective, algorithm, p, **where))
                assert sum(sent) == verdict["blocks"] * 24


def begin(part: int, size: int, p: int, parts: int) -> int:
    """First byte of a part: the vector is divided in p blocks, each block in its parts."""
    block, within = divmod(part, parts)
    first = block * size // p
    return first + ((block + 1) * size // p - first) * within // parts


def test_channels_go_on_by_themselves_and_meet_where_the_schedule_says():
    """Bucket on 4x2.

    A rank's ports change dimension together, so the first operations of a dimension require those
    of all ports.
    """

    def ports_required(label: int, operations: dict[int, Operation]) -> set[int]:
        one = operations[label]
        return {operations[i].tag for i in one.requires if operations[i].kind != "calc"} | {
            tag
            for i in one.requires
            if operations[i].kind == "calc"
            for tag in ports_required(i, operations)
        }

    for algorithm, expected in (("swing", {1}), ("bucket", {1, 4})):
        operations = goal("allreduce", algorithm, 8, bytes=4096, shape=[4, 2])[0]
        assert {
            len(ports_required(i, operations))
            for i, o in operations.items()
            if o.kind != "calc" and o.requires
        } == expected


def test_runs_that_travel_by_themselves_are_messages():
    """bine_block_by_block sends every run by itself, and many after many go through a calc."""
    ranks = goal("allgather", "bine_block_by_block", 16, bytes=1 << 20)
    kinds = [o.kind for operations in ranks for o in operations.values()]
    assert (
        kinds.count("send")
        == _core.count(_core.Problem("allgather", "bine_block_by_block", group=list(range(16))))[
            "global_messages"
        ]
    )
    assert "calc" in kinds


def test_the_command_writes_goal(capsys):
    assert (
        main(["schedule", "bcast", "bine_small", "-p", "2", "--format", "goal", "--size", "1KiB"])
        == 0
    )
    assert capsys.readouterr().out == (
        "num_ranks 2\n\nrank 0 {\nl1: send 1024b to 1 tag 0 cpu 0 nic 0\n}\n"
        "\nrank 1 {\nl1: recv 1024b from 0 tag 0 cpu 0 nic 0\n}\n"
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--format", "goal"], "--format goal needs --size"),
        (["--format", "csv", "--size", "8"], "--size is for --format goal"),
        (
            ["--format", "goal", "--size", "31"],
            "a size of 31 bytes does not serve allreduce swing, p = 8",
        ),
        (
            ["--format", "goal", "--size", "31"],
            "with at least one byte in each of its 32 parts, 32 to",
        ),
        (["--format", "goal", "--size", "9223372036854775807"], "is more than 2^62 bytes"),
        (["--format", "goal", "--size", "1e6"], "not a number"),
        (["--format", "goal", "--size", str(1 << 63)], "is more than 2^62 bytes"),
    ],
)
def test_sizes_that_cannot_be_are_refused(capsys, options, said):
    code = main(["schedule", "allreduce", "swing", "-p", "8", "--shape", "2x4", *options])
    out, err = capsys.readouterr()
    assert code == 2
    assert said in err
    assert out == ""
