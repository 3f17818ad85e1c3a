"""Wrong calls: under hopbine no rank hangs or crashes where it does not without it.

Errors have the same class as by the MPI library alone.
"""

import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

import programs
import pytest
from mpi_conftest import is_dealt

AT_ONCE = 4
#: Seconds until a job counts as one that hangs, without hopbine and under it. Many hang without;
#: what all ranks do then cannot be worse.
PATIENCE_ALONE, PATIENCE = 6, 15
#: Rows whose handler jumps out of the call: those that need no other rank.
JUMPS = (
    "allreduce_negative_count",
    "bcast_root_too_large",
    "allreduce_null_op",
    "bcast_short_on_one",
    "allreduce_in_place_as_recv",
)


def fates(mpi, ranks, program, row, handler, preloaded):
    """The outcome of the call on each rank, and whether the job crashed.

    An outcome is (class, runs of the handler, result of the next call), or None for a rank that did
    not return from the call.
    """
    seconds = PATIENCE if preloaded else PATIENCE_ALONE
    call = [program, row, handler]
    done = programs.run(mpi, ranks, call, preloaded=preloaded, timeout=seconds)
    found = {
        int(m[1]): (int(m[2]), int(m[3]))
        for m in re.finditer(r"^rank (\d+): class (\d+), handler (\d+)", done.output, re.M)
    }
    after = {int(m[1]): m[2] for m in re.finditer(r"^rank (\d+): after (\w+)", done.output, re.M)}
    return [(*found[r], after.get(r, "")) if r in found else None for r in range(ranks)], bool(
        done.ended
    )


def worse(stock, ours):
    """Outcomes that hopbine makes worse for a rank, in words."""
    for rank, (theirs, mine) in enumerate(zip(stock, ours, strict=True)):
        if theirs and not mine:
            yield f"rank {rank} does not return; stock: class {theirs[0]}"
        elif theirs and theirs[0] and mine[0] != theirs[0]:
            yield f"rank {rank}: class {mine[0]}, stock {theirs[0]}"
        elif theirs and theirs[1] and not mine[1]:
            yield f"rank {rank}: the handler does not run"
        elif theirs and theirs[2] == "right" and mine[2] != "right":
            yield f"rank {rank}: the call that follows is wrong"


def compare(mpi, ranks, program, row, handler):
    """Compares twice before it reports: the effect of a wrong call may depend on timing."""
    for _ in range(2):
        stock, crashed = fates(mpi, ranks, program, row, handler, False)
        # After a crash the launcher ends the other ranks, sooner or later.
        if crashed or not any(stock):
            return []
        found = list(worse(stock, fates(mpi, ranks, program, row, handler, True)[0]))
        if not found:
            return []
    return [f"{row} ({handler}, {ranks} ranks): {what}" for what in found]


def rows(mpi, program):
    """Names of the program's rows that are dealt to this library.

    Without hopbine many rows hang, which takes PATIENCE_ALONE seconds each.
    """
    told = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()
    return [row for number, row in enumerate(told) if is_dealt(mpi.name, number)]


@pytest.mark.parametrize("handler", ["custom", "longjmp"])
def test_wrong_calls_are_no_worse(mpi, compiled, handler):
    program = compiled(mpi, "wrong_calls")
    # The wrong rank of a bcast is the last: with two ranks it forwards to none, whatever tree
    # hopbine or the library uses.
    asked = [
        (row, 2 if row.startswith("bcast") and row.endswith("on_one") else 2 + k % 3)
        for k, row in enumerate(rows(mpi, program))
        if handler != "longjmp" or row in JUMPS
    ]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = [
            what
            for part in pool.map(lambda q: compare(mpi, q[1], program, q[0], handler), asked)
            for what in part
        ]
    assert not found, "\n".join(found)
