"""hopbine schedule: the moves of an algorithm, for other programs to read and replay"""

import sys


def configure(parser) -> None:
    """Arguments of the verb."""
    from ._common import add_problem

    parser.description = ("Prints every move as its sender sees it. csv: step,channel,src,dst,mode,blocks, with blocks as runs 0-3;7. "
                          "mode copy: the receiver takes the sender's value of the block at the start of the step; reduce: it adds it to its own. "
                          "bcast, reduce, allreduce, reduce_scatter have p blocks, parts of the vector; scatter's block b goes to rank b, gather's "
                          "and allgather's is rank b's; alltoall's block is origin * p + destination. Algorithms with several ports "
                          "move parts: part k of block b is number b * parts + k.")
    add_problem(parser)
    parser.add_argument("--format", choices=("csv", "json", "text"), default="text")


def run(args) -> int:
    """Streams the schedule."""
    from .. import _core
    from ._common import parse_settings, parse_shape, placement

    _core.export(args.collective, args.algorithm, args.ranks, args.root, parse_settings(args.set), args.format, sys.stdout.write,
                 *placement(args), parse_shape(args.shape))
    return 0
