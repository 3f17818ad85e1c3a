"""hopbine simulate: times of a collective on a simulated network, algorithm by algorithm and size
by size
"""

from __future__ import annotations

import argparse
import textwrap

from ..errors import UsageError
from ._output import add_format

#: The default sizes of vectors, and of blocks with --nodes.
SIZES, BLOCKS = "32:512MiB:4", "16:16KiB:4"


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.description = (
        "Runs schedules on a model of a network: the same schedules that run over MPI, on minimal\n"
        "adaptive routes. These are a model's figures, without the time that adding takes.\n\n"
        "With --machine and --hosts instead of --topology: a job on a machine's network, with what "
        "its description\n"
        "says of its nodes: network cards, processors, memory (docs/machines.md).\n\n"
        "With --nodes: an alltoallv with blocks of given sizes on nodes of several ranks, without "
        "links.\n"
        "What counts there are start-ups, bytes inside and between nodes, and packing "
        "(docs/simulation.md)."
    )
    parser.epilog = "topologies:\n" + "\n".join(_forms())
    _add_common(parser)
    links = [
        *_network(parser),
        *_hosts(parser),
        *_others(parser),
        *_compared(parser),
        *_pictures(parser),
    ]
    ranks, hosts, counts = _ranks(parser), _allocation(parser), _counts(parser)
    parser.set_defaults(
        only={
            "topology": [*links, *ranks],
            "machine": [*links, *hosts],
            "nodes": counts,
        }
    )


def _add_common(parser: argparse.ArgumentParser) -> None:
    """What is simulated, and what is written of it."""
    parser.add_argument("collective")
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--topology",
        metavar="T",
        help="torus:64x64, hyperx:64x64, hammingmesh:2x2:32x32, dragonfly:9x4x2, fattree:16x8 ...",
    )
    where.add_argument(
        "--nodes", metavar="NxQ", help="alltoallv: N nodes of Q consecutive ranks each"
    )
    parser.add_argument(
        "--machine",
        metavar="M",
        help="a name (leonardo, lumi, ...) or a description: its network, cards and costs of "
        "messages; with --topology its costs only, with --nodes those of its [ranks] "
        "(docs/machines.md)",
    )
    parser.add_argument(
        "--algorithms",
        metavar="A,B",
        help="one curve each: bucket, torus_doubling:ports=1, swing+swing_small (the better one at "
        "every size), Swing=swing+swing_small; "
        "default: all that follow the grid, or on other networks all that do not; with --nodes all",
    )
    parser.add_argument(
        "--sizes",
        help=f"bytes of the vector: 2MiB, 32:512MiB (doubling), {SIZES} (default); with --nodes of "
        "blocks, as hopbine bench alltoallv "
        "takes them: 64 (in the mean), dist:uniform:1KiB, dist:normal:1000, dist:power:1KiB "
        f"(default {BLOCKS}); dist:... of an alltoallv's blocks without --nodes too",
    )
    parser.add_argument(
        "--element",
        default="4",
        metavar="BYTES",
        help="size of an element: a vector of fewer elements than an algorithm has parts cannot be "
        "divided, and blocks are whole elements (default 4)",
    )
    add_format(parser)
    parser.add_argument(
        "--csv", metavar="FILE", help="the rows of --format csv ('-': to standard output)"
    )
    parser.add_argument(
        "--plot",
        "--figure",
        dest="figure",
        metavar="FILE",
        help="goodput by size, with run times of small vectors and gains; with --nodes time by "
        "size (svg, png, pdf)",
    )


def _counts(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Only with --nodes."""
    return [
        parser.add_argument(
            "--counts",
            choices=("new", "same"),
            default="new",
            help="with --nodes: every call has other counts than the one before (default), or all "
            "calls have the same, whose sizes need not be sent again",
        ),
    ]


def _network(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """The network's speeds, and how exactly it is simulated."""
    return [
        parser.add_argument(
            "--bandwidth",
            metavar="B",
            help="of a link, each way (default 400Gb/s; with --machine that of a network card)",
        ),
        parser.add_argument(
            "--latency", default="100ns", metavar="T", help="of a cable (default 100ns)"
        ),
        parser.add_argument(
            "--processing",
            default="300ns",
            metavar="T",
            help="what a router takes to process a packet (default 300ns)",
        ),
        parser.add_argument(
            "--engine",
            choices=("flow", "packet", "step"),
            help="packet: ranks go on by themselves, and links serve trains of packets one after "
            "the other (default with --machine, up to 4,096 ranks, and up to 512 of an alltoall); "
            "flow: the same, but links are shared max-min fairly (default for more); "
            "step: every step takes its longest latency and "
            "what its most loaded link carries, for answers in milliseconds",
        ),
        parser.add_argument(
            "--trains",
            type=int,
            metavar="N",
            help="with --engine packet: trains that a message is cut into at most (default 16)",
        ),
        parser.add_argument(
            "--routing",
            choices=("minimal", "valiant", "ugal"),
            help="with --engine packet, on dragonflies and HyperX: minimal (default); valiant: by "
            "way of a random other group or node; ugal: the one with the shorter queue",
        ),
        parser.add_argument(
            "--buffers",
            metavar="SIZE",
            help="with --engine packet: bytes that each input of a router holds for each virtual "
            "channel; a full one holds back the link to it (default: no end)",
        ),
        parser.add_argument(
            "--seed",
            type=int,
            metavar="N",
            help="with --engine packet: decides between equal queues, and draws what other jobs "
            "send (default 1)",
        ),
    ]


def _hosts(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """The nodes of the ranks."""
    from ..machines.messages import KEYS
    from ._parser import count

    return [
        parser.add_argument(
            "--ranks-per-node",
            type=count(1, 1 << 16),
            metavar="N",
            help="with --engine packet: consecutive ranks on every node (default 1)",
        ),
        parser.add_argument(
            "--cards",
            type=count(1, 64),
            metavar="N",
            help="with --engine packet: network cards of a node, each an end point of the network "
            "(default: the machine's, else 1)",
        ),
        parser.add_argument(
            "--messages",
            metavar="KEY=VALUE,...",
            help="with --engine packet: what a message costs, before what the machine says: "
            "send=0.3us,eager=16KiB,reduce_bandwidth=80Gb/s ... "
            f"({', '.join(KEYS)}; nccl=simple, ll128 or ll: docs/machines.md)",
        ),
    ]


def _others(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Other jobs on the network, and how long the job is beside them."""
    from ._parser import count

    return [
        parser.add_argument(
            "--calls",
            type=count(1, 1 << 20),
            metavar="N",
            help="with --engine packet: so many calls one after the other, each begun by a rank "
            "that has completed the one before; times are of a call, in the mean (default 1)",
        ),
        parser.add_argument(
            "--background",
            metavar="SHARE[:P]",
            help="with --engine packet: nodes without ranks send at this share of their bandwidth, "
            "each message to a random one (P: uniform, default), all to the same (permutation) or "
            "to each in turn (alltoall)",
        ),
        parser.add_argument(
            "--aggressor",
            metavar="A",
            help="with --engine packet: a job beside this one that sends without a pause, all to "
            "one of its nodes (incast[:NODES]) or all to all (alltoall[:NODES]); NODES: default as "
            "many as the job has; or that calls a collective (COLLECTIVE:ALGORITHM, such as "
            "allreduce:rabenseifner)",
        ),
        parser.add_argument(
            "--aggressor-size",
            metavar="BYTES",
            help="with --aggressor COLLECTIVE:ALGORITHM: of each call's vector, such as 256KiB",
        ),
        parser.add_argument(
            "--aggressor-period",
            metavar="T",
            help="with --aggressor COLLECTIVE:ALGORITHM: from the begin of a call to that of the "
            "next, such as 20ms; calls that take longer follow one another",
        ),
        parser.add_argument(
            "--aggressor-nodes",
            metavar="N,N-N",
            help="with --aggressor COLLECTIVE:ALGORITHM: the node of each of its ranks, such as "
            "0-2,6-9 (default: as many as the job has, drawn by --seed)",
        ),
    ]


def _allocation(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Only with --machine."""
    from ._parser import count

    return [
        parser.add_argument(
            "--hosts",
            metavar="H",
            help="with --machine: hosts of the job, as hopbine traffic takes them: a list, a file, "
            "contiguous:64, random:64:seed=1, fragmented:256:busy=0.9",
        ),
        parser.add_argument(
            "--input-format",
            metavar="F",
            help="format of the file of --hosts (default: told from the text)",
        ),
        parser.add_argument(
            "--background-jobs",
            metavar="FILE",
            help="with --machine and --background: only nodes of real jobs send, each to nodes of "
            "its job: those of this file of allocations, as hopbine jobs takes it, that share no "
            "node with the job or each other, drawn by --seed",
        ),
        parser.add_argument(
            "--background-busy",
            metavar="SHARE",
            help="with --background-jobs: share of the free nodes that these jobs take at most "
            "(default 1: all jobs that fit)",
        ),
        parser.add_argument(
            "--level",
            type=count(0, 64),
            metavar="L",
            help="with Slurm's topology as --machine: groups are L levels below the top",
        ),
    ]


def _ranks(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """The ranks, and what a vector is of."""
    return [
        parser.add_argument(
            "-n",
            "-p",
            "--ranks",
            type=int,
            help="ranks (default: as many as the nodes have)",
        ),
        parser.add_argument(
            "--place",
            metavar="P",
            help="nodes of the ranks: linear (default), random, random:seed=N, or a file with a "
            "node per line",
        ),
        parser.add_argument("--root", type=int, default=0),
        parser.add_argument(
            "--pad",
            action="store_true",
            help="take smaller vectors as if they had an element in every part, as the figures of "
            "papers do",
        ),
    ]


def _compared(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """What the table compares."""
    return [
        parser.add_argument(
            "--focus",
            metavar="A",
            help="curve whose gain over the best other one is told (default: the first)",
        ),
        parser.add_argument(
            "--aside", metavar="A,B", help="curves that are shown, but that the gain is not over"
        ),
        parser.add_argument(
            "--deficiencies",
            action="store_true",
            help="latency, bandwidth and congestion deficiency of every algorithm instead, counted",
        ),
    ]


def _pictures(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Pictures besides --plot."""
    return [
        parser.add_argument("--gains", metavar="FILE", help="gain by size (svg, png, pdf)"),
        parser.add_argument(
            "--heat-map",
            metavar="FILE",
            help="loads of the links, step by step, of the first algorithm (svg, png, pdf)",
        ),
        parser.add_argument(
            "--step", type=int, metavar="S", help="with --heat-map: only this step"
        ),
        parser.add_argument(
            "--timeline",
            metavar="FILE",
            help="messages of one rank over time, for the first algorithm and size (svg, png, pdf)",
        ),
        parser.add_argument(
            "--rank", type=int, default=0, help="with --timeline: the rank (default 0)"
        ),
    ]


def _way(args: argparse.Namespace) -> str:
    """What the ranks are on: topology, nodes or machine. UsageError without any."""
    if args.nodes:
        return "nodes"
    if args.topology:
        return "topology"
    if args.machine:
        return "machine"
    raise UsageError("nothing to simulate on: give --topology, --machine with --hosts, or --nodes")


def _of_the_other(args: argparse.Namespace, way: str) -> None:
    """UsageError for an option that means nothing with the way to simulate that was chosen."""
    for option in (o for options in args.only.values() for o in options):
        fit = [w for w, options in args.only.items() if option in options]
        if way not in fit and getattr(args, option.dest) != option.default:
            raise UsageError(f"{option.option_strings[-1]} is for --{fit[0]}, not for --{way}")


def _forms() -> list[str]:
    from .. import _core

    return [
        (
            f"  {form}\n"
            f"{textwrap.fill(meaning, 92, initial_indent='      ', subsequent_indent='      ')}"
        )
        for form, meaning in _core.topology_forms()
    ]


def run(args: argparse.Namespace) -> int:
    """Prints the table; writes what was asked for: rank 0 of an MPI job, with the others' help."""
    from ..simulation.ranks import shared

    return shared(lambda: _run(args))


def _run(args: argparse.Namespace) -> int:
    way = _way(args)
    _of_the_other(args, way)
    if way == "nodes":
        from . import _simulate_nodes

        return _simulate_nodes.run(args, args.sizes or BLOCKS)
    from . import _simulate_network

    return _simulate_network.run(args, args.sizes or SIZES)
