"""hopbine check: proves algorithms by replaying them on all ranks and counting every
contribution"""

import argparse
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from math import prod
from typing import Any

from ..core.records import Algorithm
from ..errors import UsageError
from ..notation.text import many
from ..output.progress import Progress, clear
from ..output.tables import Column, plain
from ._common import parse_ranks, parse_settings, parse_shape
from ._output import add_format, reporter
from ._parser import count


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    parser.description = (
        "Replays schedules on all ranks: sends meet receives, every rank ends with what the "
        "collective promises, every "
        "contribution counted exactly once, in rank order where promised, steps and bytes as "
        "claimed. "
        "All roots up to p = 16, roots 0, 1, p/2 and p-1 above. Parameters at their defaults, and "
        "up to p = 16 each of them at other values. Up to p = 8 also calls that are under way at "
        "once: they never receive each other's messages, whichever of them goes on first."
    )
    parser.add_argument("collective", nargs="?", help="only this collective")
    parser.add_argument("algorithm", nargs="?", help="only this algorithm")
    parser.add_argument(
        "-n", "-p", "--ranks", help="numbers of ranks: 1..64, 3,5,7 (default 1..64)"
    )
    parser.add_argument(
        "--shape",
        metavar="AxB",
        help="only this torus, for algorithms that follow it; -p is its number of ranks",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="PARAMETER=VALUE",
        help="only algorithms that have this parameter, with this value; may be repeated",
    )
    parser.add_argument(
        "--jobs", type=count(0, 1024), default=0, help="processes (default: one per core)"
    )
    add_format(parser)


def roots(collective: str, p: int) -> list[int]:
    """The roots that are tried."""
    from .. import _core

    if not _core.rooted(collective):
        return [0]
    return list(range(p)) if p <= 16 else [0, 1, p // 2, p - 1]


def placements(record: Algorithm, p: int) -> list[tuple[list[int], list[int]]]:
    """Groups and nodes of the ranks that are tried: nothing known.

    For algorithms that follow it also uneven ranges, and ranks dealt round.
    """
    if not record["follows_placement"]:
        return [([], [])]
    return [
        ([], []),
        ([r // 5 for r in range(p)], [r // 2 + r // 5 * p for r in range(p)]),
        ([r % 7 // 3 for r in range(p)], [r % 7 for r in range(p)]),
    ]


def shapes(record: Algorithm, p: int) -> list[list[int]]:
    """Tori that are tried: one dimension.

    For algorithms that follow it also the squarest of two dimensions.
    """
    from .. import _core

    if not record["follows_shape"]:
        return [[]]
    side = next(x for x in range(int(p**0.5), 0, -1) if p % x == 0)
    return [
        [],
        *(
            [[side, p // side]]
            if _core.fits(record["collective"], record["name"], p, [side, p // side])
            else []
        ),
    ]


def settings(record: Algorithm, p: int) -> list[dict[str, int]]:
    """Parameters that are tried: the defaults, and for small p each off its own."""
    off = [{q["name"]: v} for q in record["parameters"] for v in q["probes"][1:]]
    return [{}, *(off if p <= 16 else [])]


def check_algorithm(
    record: Algorithm, ranks: list[int], only: list[int], given: dict[str, int]
) -> tuple[int, list[str]]:
    """Cases proved and failures of one algorithm.

    On one shape of torus `only` and with parameters as `given`, if they are.
    """
    from .. import _core

    proved, failures = 0, []
    for p in ranks:
        if not _core.fits(record["collective"], record["name"], p):
            continue
        for root, (group, node), shape, values in product(
            roots(record["collective"], p),
            placements(record, p),
            [only] if only else shapes(record, p),
            [given] if given else settings(record, p),
        ):
            problem = _core.Problem(
                record["collective"],
                record["name"],
                p,
                root=root,
                parameters=values,
                group=group,
                node=node,
                shape=shape,
            )
            verdict = _core.check(problem)
            if verdict["ok"]:
                proved += 1
            else:
                place = (
                    "".join(f" {k}={v}" for k, v in values.items())
                    + (f" groups={group} nodes={node}" if group else "")
                    + (f" shape={shape}" if shape else "")
                )
                failures.append(
                    f"{record['collective']} {record['name']} p={p} root={root}{place}: "
                    f"{verdict['why']}"
                )
    return proved, failures


def _state(row: dict[str, Any]) -> str:
    if row["failed"]:
        return f"{row['failed']} FAILED"
    return "ok" if row["cases"] else "serves none of these p"


COLUMNS = [
    *plain(("collective", "algorithm", "cases", "failed")),
    Column(
        None,
        "",
        lambda row: (
            f"{row['collective']:<15} {row['algorithm']:<24} {row['cases']:>5} cases  {_state(row)}"
        ),
    ),
]


def run(args: argparse.Namespace) -> int:
    """One line per algorithm; 1 when anything failed."""
    ranks, shape = _ranks(args)
    given = parse_settings(args.set)
    records = _asked(args, shape, given)
    begin, told = time.monotonic(), []

    def proofs() -> Iterator[dict[str, Any]]:
        with ProcessPoolExecutor(min(args.jobs, len(records)) or None) as pool:
            n = len(records)
            results = pool.map(check_algorithm, records, [ranks] * n, [shape] * n, [given] * n)
            progress = Progress(n, "algorithms")
            for record, (proved, failures) in zip(records, results, strict=True):
                told.append((proved, len(failures)))
                clear()
                yield {
                    "collective": record["collective"],
                    "algorithm": record["name"],
                    "cases": proved,
                    "failed": len(failures),
                }
                for failure in failures[:10]:
                    print(f"  {failure}", file=sys.stderr)
                progress.step()
            clear()

    with reporter(args) as report:
        report.table(COLUMNS, proofs())
        total, bad = sum(proved for proved, _ in told), sum(failed for _, failed in told)
        report.remark(
            f"{many(total, 'case')} proved, {bad} failed, {many(len(records), 'algorithm')}, "
            f"{time.monotonic() - begin:.1f} s"
        )
    return 1 if bad or not total else 0


def _ranks(args: argparse.Namespace) -> tuple[list[int], list[int]]:
    """Numbers of ranks of -p, or that of --shape, and the shape. UsageError where they differ."""
    shape = parse_shape(args.shape)
    ranks = [prod(shape)] if shape and not args.ranks else parse_ranks(args.ranks or "1..64")
    if shape and ranks != [prod(shape)]:
        raise UsageError(f"--shape {args.shape} holds {prod(shape)} ranks, -n {args.ranks}")
    return ranks, shape


def _asked(args: argparse.Namespace, shape: list[int], given: dict[str, int]) -> list[Algorithm]:
    """The records of the algorithms that are asked for. UsageError when there are none."""
    from .. import _core

    if args.collective:
        _core.rooted(args.collective)
    records = [
        a
        for a in _core.algorithms()
        if args.collective in (None, a["collective"]) and args.algorithm in (None, a["name"])
    ]
    if shape:
        records = _following(args, records, shape)
    if args.algorithm and not records:
        _core.fits(args.collective, args.algorithm, 1)  # raises with the names that exist
    return _having(args, records, given) if given else records


def _following(
    args: argparse.Namespace, records: list[Algorithm], shape: list[int]
) -> list[Algorithm]:
    """The algorithms that follow a torus of this shape. UsageError when there are none."""
    from .. import _core

    following = [a for a in records if a["follows_shape"]]
    if args.algorithm and following:  # raises when the shape does not fit
        _core.check(_core.Problem(args.collective, args.algorithm, prod(shape), shape=shape))
    if not following:
        raise UsageError(
            "--shape is for algorithms that follow it: "
            + ", ".join(
                f"{a['collective']} {a['name']}"
                for a in _core.algorithms()
                if a["follows_shape"] and args.collective in (None, a["collective"])
            )
        )
    return following


def _having(
    args: argparse.Namespace, records: list[Algorithm], given: dict[str, int]
) -> list[Algorithm]:
    """The algorithms with the parameters of --set. UsageError when there are none."""
    having = [a for a in records if set(given) <= {q["name"] for q in a["parameters"]}]
    if not having:
        known = sorted({q["name"] for a in records for q in a["parameters"]})
        raise UsageError(
            f"--set {' '.join(args.set)}: no algorithm that is asked for has that "
            f"(parameters: {', '.join(known) or 'none'})"
        )
    return having
