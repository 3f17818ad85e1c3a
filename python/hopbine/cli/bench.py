"""hopbine bench: times hopbine's algorithms against the MPI library's own, in one run"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, fields, replace
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from ..bench.sizes import ELEMENTS, parse_blocks, parse_sizes
from ..errors import UsageError
from ..notation.quantities import canonical
from ..notation.units import show_size
from ..output.replaced import replaced
from ..output.tables import Column, Csv, plain
from ._output import add_format, reporter
from ._parser import count, seconds

if TYPE_CHECKING:
    from ..bench.launch import Sample


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    parser.description = (
        "Times a collective on local ranks: hopbine's algorithms and the MPI library's own (as it "
        "chooses, and each one that "
        "can be forced). The order is shuffled in every repetition, a sample is the longest time "
        "of any rank, every result is "
        "verified. Prints medians, quartiles and the ratio to the library's own in the same run "
        "(below 1: hopbine is faster)."
    )
    parser.add_argument("collective")
    parser.add_argument(
        "--algorithms",
        default="all",
        help="comma separated, with parameters as name:key=value; 'all' that fit (default); 'auto' "
        "is what hopbine takes by itself",
    )
    parser.add_argument(
        "--library",
        default="default",
        help="the library's algorithms to hold against, each in a launch of its own: default, a "
        "name, a comma list, or all",
    )
    parser.add_argument(
        "--sizes",
        default="8:1MiB:4",
        help="bytes: 8:1MiB doubles, 8:1MiB:4 takes every fourth; commas join (default "
        "%(default)s). The vector, or a block times the ranks; "
        "for alltoallv a block on average, of 0 to twice that, each length as likely; or "
        "dist:uniform:MAX (0 to MAX bytes), dist:normal:MEAN[:SD] (cut off at 0; "
        "SD 0.24 of the mean), dist:power:MAX[:EXPONENT] (1 to MAX bytes, density as "
        "size^-EXPONENT, 0.95), all rounded to whole elements",
    )
    parser.add_argument(
        "-n", "--ranks", type=count(1, 4096), default=2, help="local ranks (default %(default)s)"
    )
    parser.add_argument("--repetitions", type=int, default=30)
    parser.add_argument(
        "--calls",
        type=int,
        default=1,
        help="at least so many in a sample, which is their mean (default %(default)s; calls are "
        "repeated for 200 us anyway). "
        "Where ranks outnumber cores, leaving the barrier before a sample is part of its first "
        "calls' time",
    )
    parser.add_argument(
        "--counts",
        choices=("new", "same"),
        default="new",
        help="alltoallv: every call has other counts than the one before (default), or all calls "
        "have the same",
    )
    parser.add_argument("--root", type=int, default=0)
    parser.add_argument("--type", choices=tuple(ELEMENTS), default="float32")
    parser.add_argument("--mpiexec", help="launcher; its family (Open MPI or MPICH) is found out")
    parser.add_argument("--seed", type=int, default=1, help="of the shuffling")
    parser.add_argument("--timeout", type=seconds, default=600, help="seconds for one launch")
    add_format(parser)
    parser.add_argument("--samples", metavar="FILE", help="also write every sample as CSV")


def chosen_algorithms(args: argparse.Namespace) -> list[str]:
    """The algorithms to run, checked against the registry. UsageError names what is wrong."""
    from .. import _core

    _core.rooted(args.collective)  # UsageError with the names that exist
    fitting = [a["name"] for a in _core.algorithms() if a["collective"] == args.collective]
    if args.algorithms == "all":
        return [n for n in fitting if _core.fits(args.collective, n, args.ranks)]
    given = [canonical(a) for a in args.algorithms.split(",") if a != "mpi"]
    for algorithm in given:
        if algorithm == "auto":
            continue
        _core.parse_algorithms(f"{args.collective}={algorithm}", "--algorithms")
        name = algorithm.partition(":")[0]
        if not _core.fits(args.collective, name, args.ranks):
            _core.schedule(
                _core.Problem(args.collective, name, args.ranks)
            )  # raises with the reason
    return given


def chosen_sizes(args: argparse.Namespace) -> list[str]:
    """--sizes as hopbine-bench takes them. UsageError says what is allowed."""
    if args.collective == "alltoallv":
        return parse_blocks(args.sizes, ELEMENTS[args.type])
    if args.counts != "new" or "dist:" in args.sizes:
        raise UsageError(
            f"{args.collective} has no counts of its own: --counts and --sizes dist:... are for "
            "alltoallv"
        )
    return list(map(str, parse_sizes(args.sizes)))


def forced(args: argparse.Namespace, family: str) -> dict[str, dict[str, str]]:
    """The library's algorithms of --library, shuffled: what forces each. UsageError."""
    from ..bench import library

    own = (
        [library.DEFAULT, *library.names(family, args.collective)]
        if args.library == "all"
        else args.library.split(",")
    )
    forcing = {name: library.forcing(family, args.collective, name) for name in own}
    random.Random(args.seed).shuffle(own)
    return {name: forcing[name] for name in own}


@contextmanager
def samples_of(path: str | None) -> Iterator[Csv | None]:
    """The table of --samples, whose file is there when it is whole; None without one."""
    if path is None:
        yield None
        return
    with replaced(path) as made, open(made, "w", encoding="utf-8", newline="") as file:
        yield Csv(file)


def run(args: argparse.Namespace) -> int:
    """Launches, compares, prints. Errors become exit codes in the caller."""
    from ..bench import launch
    from ..bench.compare import Row, compare
    from ..output.progress import stopped, watched
    from ._analysis import writable

    writable(args.samples)
    if args.ranks < 1 or args.repetitions < 2 or args.calls < 1:
        raise UsageError("--ranks needs at least 1, --repetitions at least 2, --calls at least 1")
    if not 0 <= args.root < args.ranks:
        raise UsageError(f"--root {args.root} is outside 0..{args.ranks - 1}")
    algorithms, sizes = chosen_algorithms(args), chosen_sizes(args)
    launcher = launch.find_launcher(args.mpiexec)
    family = launch.family_of(launcher)
    own = forced(args, family)

    def measured(baseline: str, environment: dict[str, str]) -> Iterator[Sample]:
        """One launch, in which the library's own is named `baseline`."""
        arguments = [
            args.collective,
            ",".join(["mpi", *algorithms]),
            ",".join(sizes),
            str(args.repetitions),
            str(args.seed),
            str(args.root),
            args.type,
            str(args.calls),
            args.counts,
        ]
        for s in launch.run(launcher, family, args.ranks, arguments, environment, args.timeout):
            yield replace(s, algorithm=baseline) if s.algorithm == "mpi" else s

    of_size = (len(algorithms) + 1) * args.repetitions

    def every() -> Iterator[tuple[str, Sample]]:
        """The samples of all launches, with the name of what they are held against."""
        for name, environment in own.items():
            yield from ((f"mpi:{name}", s) for s in measured(f"mpi:{name}", environment))

    def compared(kept: Csv | None) -> Iterator[dict[str, Any]]:
        total = len(own) * len(sizes) * of_size
        timed = watched(every(), total, "samples", told_of, keep=True)
        for baseline, of_launch in groupby(timed, key=itemgetter(0)):
            samples = [s for _, s in of_launch]
            if kept:
                kept.table(plain(f.name for f in fields(launch.Sample)), map(asdict, samples))
            done = finished(samples, of_size) if stopped else samples
            yield from map(asdict, compare(done, baseline))

    with reporter(args) as report, samples_of(args.samples) as kept:
        line = Column(None, heading(args.collective == "alltoallv"), shown)
        keys = plain(f.name for f in fields(Row))
        report.table([*keys, line], compared(kept))
    return 0


def told_of(one: tuple[str, Sample]) -> str:
    """What the line of progress says of a sample."""
    return f"{one[1].algorithm}, {show_size(one[1].bytes)}"


def finished(samples: list[Sample], of_size: int) -> list[Sample]:
    """The samples of sizes that have all of theirs: Ctrl-C may have ended the last one."""
    found = Counter((s.bytes, s.distribution) for s in samples)
    return [s for s in samples if found[s.bytes, s.distribution] >= of_size]


def heading(of_blocks: bool) -> str:
    """The first line of the table."""
    blocks = f"  {'blocks':<24}" if of_blocks else ""
    return (
        f"{'bytes':>9}{blocks}  {'algorithm':<34} {'median':>10} {'quartiles':>23}   ratio "
        "to the library's (quartiles)"
    )


def shown(row: dict[str, Any]) -> str:
    """One line of the table, of a bench.compare.Row."""
    median, low, high = (row[key] * 1e6 for key in ("seconds", "low", "high"))
    ratio = (
        ""
        if row["algorithm"] == row["baseline"]
        else f"{row['ratio']:.3f} ({row['ratio_low']:.3f}..{row['ratio_high']:.3f}) of "
        f"{row['baseline']}"
    )
    blocks = f"  {row['distribution']:<24}" if row["distribution"] else ""
    return (
        f"{show_size(row['bytes']):>9}{blocks}  {row['algorithm']:<34} {median:>7.2f} us "
        f"{low:>9.2f}..{high:.2f} us   {ratio}"
    )
