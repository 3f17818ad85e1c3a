"""hopbine schedule: the moves of an algorithm, for other programs to read and replay"""

import argparse
import sys

from ..errors import UsageError


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    from ._common import add_problem

    parser.description = (
        "Prints every move as its sender sees it. csv: step,channel,src,dst,mode,blocks, with "
        "blocks as runs 0-3;7. "
        "mode copy: the receiver takes the sender's value of the block at the start of the step; "
        "reduce: it adds it to its own. "
        "bcast, reduce, allreduce, reduce_scatter have p blocks, parts of the vector; scatter's "
        "block b goes to rank b, gather's "
        "and allgather's is rank b's; alltoall's block is origin * p + destination. Algorithms "
        "with several ports "
        "move parts: part k of block b is number b * parts + k. goal: GOAL, as LogGOPSim and "
        "ATLAHS read it, for a vector of "
        "--size bytes; tag and nic are the port, what adding takes is not in it."
    )
    add_problem(parser)
    parser.add_argument(
        "--format",
        choices=("table", "csv", "json", "goal"),
        default="table",
        help="of the schedule on standard output (default %(default)s)",
    )
    parser.add_argument(
        "--size",
        help="with --format goal: bytes of the vector (or of a block times the ranks): 64KiB, 1MiB",
    )


def run(args: argparse.Namespace) -> int:
    """Streams the schedule."""
    from .. import _core
    from ._common import problem

    if args.format == "goal":
        asked = problem(args, args.algorithm, args.set, _size(args.size))
        _core.export_goal(asked, sys.stdout.write)
    elif args.size is not None:
        raise UsageError(
            f"--size is for --format goal; --format {args.format} tells blocks, whatever their size"
        )
    else:
        written = "text" if args.format == "table" else args.format
        _core.export(problem(args, args.algorithm, args.set), written, sys.stdout.write)
    return 0


def _size(text: str | None) -> int:
    """Bytes of --size. UsageError."""
    from ..notation.units import parse_size

    if text is None:
        raise UsageError("--format goal needs --size, the bytes of the vector: --size 1MiB")
    size = parse_size(text)
    if size >= 1 << 63:
        raise UsageError(f"--size {text} is not below 2^63 bytes")
    return size
