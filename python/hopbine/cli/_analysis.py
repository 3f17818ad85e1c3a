"""Arguments and output that the verbs about traffic share."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..notation.text import check_writable, many
from ._parser import count

if TYPE_CHECKING:
    from ..jobs.job import Job
    from ..machines import Machine


PICTURES = (".svg", ".png", ".pdf")


def add_machine(parser: argparse.ArgumentParser) -> None:
    """--machine and --level."""
    parser.add_argument(
        "--machine",
        metavar="M",
        help="name of a machine (leonardo, lumi, ...), a description (TOML, Slurm's "
        "topology.yaml or topology.conf, output of scontrol show topology, sinfo or ibnetdiscover, "
        "xnames, host,group CSV) or a "
        "formula (dragonfly:groups=16,nodes=64, torus:8x8x8); default: HOPBINE_SYSTEM, Slurm's "
        "topology, else nodes only",
    )
    parser.add_argument(
        "--level",
        type=count(0, 64),
        metavar="L",
        help="with Slurm's topology: groups are the switches L levels below the top; with "
        "ibnetdiscover's: what L cuts from the top leave",
    )


def add_hosts(parser: argparse.ArgumentParser) -> None:
    """--hosts, --ranks-per-node, --input-format."""
    parser.add_argument(
        "--hosts",
        metavar="H",
        help="who is where: a list (nid[001-016,020], a:2,b:2), a file (hostfile or rankfile of a "
        "launcher, node file of PBS or LSF, R of Flux, rank,host CSV, scontrol, squeue, what "
        "hopbine run --stats wrote), or a formula with a machine (contiguous:64, random:64:seed=1, "
        "fragmented:256:busy=0.9); "
        "default: the running job of Slurm, PBS, LSF or Flux",
    )
    add_reading(parser)


def add_reading(parser: argparse.ArgumentParser) -> None:
    """--ranks-per-node and --input-format."""
    parser.add_argument(
        "--ranks-per-node",
        type=count(1, 1 << 16),
        default=1,
        metavar="N",
        help="consecutive ranks on every host listed (default 1)",
    )
    parser.add_argument(
        "--input-format",
        metavar="F",
        help="format of the files that are read: hosts, ranks, rankfile, flux, scontrol, squeue, "
        "jobs, stats (default: told from the text)",
    )


def machine_of(args: argparse.Namespace) -> Machine | None:
    """The machine asked for or found; None when nothing is known."""
    from ..machines import discover, load

    return load(args.machine, args.level) if args.machine else discover(level=args.level)


def one_job(args: argparse.Namespace, on: Machine | None = None) -> Job:
    """The job of --hosts on a machine, by default --machine. UsageError when it names several."""
    from ..jobs.of_hosts import job_of_hosts

    machine = on or machine_of(args)
    return job_of_hosts(args.hosts, machine, args.ranks_per_node, args.input_format)


def spread(job: Job) -> tuple[int, int, int]:
    """Ranks, groups, nodes of a job."""
    return len(job.hosts), len(set(job.places.group)), len(set(job.places.node))


def about_job(job: Job) -> str:
    """How many ranks, nodes and groups, in a line."""
    p, groups, nodes = spread(job)
    return (
        f"{many(p, 'rank')} on {many(nodes, 'node')} in {many(groups, 'group')} of "
        f"{job.machine.name} ({job.machine.source})"
    )


def names(text: str | None) -> list[str] | None:
    """'a,b' -> ['a', 'b']; nothing stays None."""
    return [part.strip() for part in text.split(",") if part.strip()] if text else None


def algorithms_of(args: argparse.Namespace) -> list[str] | None:
    """--algorithms; None for all that serve."""
    return None if args.algorithms == "all" else names(args.algorithms)


def writable(*paths: str | None, endings: tuple[str, ...] = ()) -> None:
    """Before any counting: can these files be written? UsageError, MissingFile."""
    for path in filter(None, paths):
        if endings and Path(path).suffix not in endings:
            raise UsageError(f"{path}: the name must end in {', '.join(endings)}")
        check_writable(path)


def element(args: argparse.Namespace) -> int:
    """Bytes of --element. UsageError."""
    from ..notation.units import parse_size

    size = parse_size(args.element)
    if size < 1:
        raise UsageError(f"--element '{args.element}' needs at least 1 byte")
    return size
