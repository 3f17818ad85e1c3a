"""hopbine select show, validate, and explain --rules: rules files."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..notation.text import many
from ..output.tables import Column, Row, plain

if TYPE_CHECKING:
    from .. import _core
    from ..jobs.job import Job
    from ..selection.file import Rule


MOST_PASSED = 5


def _ends(key: str, heading: str) -> list[Column]:
    """The two ends of a range, as one for people; None is an open end."""
    from ..selection.ranges import show as span

    return [
        Column(None, heading, lambda row: span((row[f"min_{key}"], row[f"max_{key}"]))),
        *plain((f"min_{key}", f"max_{key}")),
    ]


def show(args: argparse.Namespace) -> int:
    """The rules as a table."""
    from ..notation.units import show_size
    from ..selection.file import CONDITIONS, WORDS, read
    from ..selection.learned import learned, learned_file
    from ._output import reporter

    with reporter(args) as report:
        if args.file is None:
            report.caption(f"{learned_file()}:")
        rows = [
            {
                "line": r.line,
                "collective": r.collective,
                "algorithm": r.asks,
                "numbering": r.numbering,
                "measured": ", ".join(f"{show_size(n)}: {told}" for n, told in r.measured.items()),
                "note": r.note,
                **{name: getattr(r, name) for name in WORDS},
                **{f"min_{key}": getattr(r, key)[0] for key in CONDITIONS},
                **{f"max_{key}": getattr(r, key)[1] for key in CONDITIONS},
            }
            for r in (learned() if args.file is None else read(args.file))
        ]
        # For people only where a rule has them.
        rare = [
            Column(name, name if any(row[name] for row in rows) else None)
            for name in (*WORDS, "numbering", "measured")
        ]
        report.table(
            [
                Column("line", "line", right=True),
                Column("collective", "collective"),
                *_ends("ranks", "ranks"),
                *_ends("bytes", "bytes"),
                *_ends("nodes", "nodes"),
                *_ends("ranks_per_node", "ranks/node"),
                Column("algorithm", "algorithm"),
                *rare,
                Column("note", "note"),
            ],
            rows,
        )
    return 0


def validate(args: argparse.Namespace) -> int:
    """Says what is odd about a file that the runtime takes; one that it refuses is a UsageError."""
    from ..selection.file import read
    from ..selection.ranges import MOST_ANALYSED
    from ._output import reporter

    path = args.file
    rules = read(path)
    warnings = odd(path, rules)

    def shown(row: Row) -> str:
        if row["line"] is None:
            return f"{row['collective']}: {row['odd']}"
        return f"{path}:{row['line']}: {row['collective']} {row['algorithm']} {row['odd']}"

    columns = [*plain(("line", "collective", "algorithm", "odd")), Column(None, "", shown)]
    with reporter(args) as report:
        report.table(columns, warnings)
        if not warnings:
            report.caption(f"{path}: {many(len(rules), 'rule')}, nothing odd")
        if len(rules) > MOST_ANALYSED:
            report.remark(
                "rules that several others cover, and calls that no rule answers, are looked for "
                f"in files of up to {MOST_ANALYSED} rules"
            )
        else:
            report.table(columns, unanswered(rules))
    return 1 if warnings else 0


def unanswered(rules: list[Rule]) -> Iterator[Row]:
    """A row, of no line, for each collective with calls that no rule answers."""
    from ..selection.ranges import gaps, show_box

    for collective in dict.fromkeys(r.collective for r in rules):
        open_ = gaps(rules, collective)
        if open_:
            boxes = "; ".join(map(show_box, open_[:3])) + " and more" * (len(open_) > 3)
            told = f"no rule for {boxes}: hopbine chooses by itself"
            yield {"line": None, "collective": collective, "algorithm": None, "odd": told}


def odd(path: str, rules: list[Rule]) -> list[Row]:
    """A row for each rule that repeats another, never answers, or serves no number of ranks."""
    from .. import _core
    from ..selection.ranges import MOST_ANALYSED, never_answering

    repeats = {d["line"]: d["repeats"] for d in _core.read_rules(path)}
    few = len(rules) <= MOST_ANALYSED
    unreached = {rule.line for rule in never_answering(rules)} if few else set()
    warnings: list[Row] = []
    for r in rules:
        what = {"line": r.line, "collective": r.collective, "algorithm": r.asks}
        if repeats[r.line]:
            warnings.append(what | {"odd": f"repeats the rule in line {repeats[r.line]}"})
        elif r.line in unreached:
            told = "never answers: the rules before it cover all its calls"
            warnings.append(what | {"odd": told})
        if unserved := _unserved(r):
            warnings.append(what | {"odd": f"serves none of {unserved} ranks"})
    return warnings


def _unserved(rule: Rule) -> str:
    """'2..8', the numbers of ranks of a rule whose algorithm serves none of them; else nothing."""
    from .. import _core
    from ..selection.file import LIBRARY

    low, high = max(rule.ranks[0], 2), rule.ranks[1]
    if rule.algorithm == LIBRARY or high is None:
        return ""
    serves = any(_core.fits(rule.collective, rule.algorithm, p) for p in range(low, high + 1))
    return "" if serves else f"{low}..{high}"


def _asked(args: argparse.Namespace) -> tuple[Job | None, list[int], list[int]]:
    """Job or None, and the group and node of every rank."""
    from ._analysis import one_job

    if args.ranks is None:
        job = one_job(args)
        return job, list(job.places.group), list(job.places.node)
    if args.hosts:
        raise UsageError("-n and --hosts both tell the ranks; give one")
    if args.ranks < 1 or args.ranks_per_node < 1:
        raise UsageError(
            f"-n {args.ranks} --ranks-per-node {args.ranks_per_node}: both need at least 1"
        )
    return None, [0] * args.ranks, [rank // args.ranks_per_node for rank in range(args.ranks)]


def explain_rules(args: argparse.Namespace) -> int:
    """Which rule answers for each size."""
    from .. import _core
    from ..bench.sizes import parse_sizes
    from ..notation.units import show_size
    from ._output import reporter

    job, group, node = _asked(args)
    p, each = len(node), Counter(node)
    nodes, per_node = len(each), max(each.values())
    sizes = parse_sizes(args.sizes)
    words = {
        "mpi": args.mpi,
        "machine": _core.machine_word(args.machine or os.environ.get("HOPBINE_SYSTEM", "")),
        "processor": args.processor,
        "transport": args.transport,
        "cores": args.cores,
        "placement": _core.placement_shape(group, node),
    }
    place = _core.Place(
        p,
        nodes=nodes,
        ranks_per_node=per_node,
        words={name: word or "" for name, word in words.items()},
    )
    calls = _core.Calls(
        args.collective,
        root=args.root,
        commutes=not args.in_order,
        exact=args.exact,
        form=args.form,
    )
    answers = _core.answer(args.rules, calls, sizes, place)
    with reporter(args) as report:
        report.caption(
            f"{args.collective} on {many(p, 'rank')}, {many(nodes, 'node')}, at most "
            f"{many(per_node, 'rank')} on a node; "
            f"{args.rules}"
        )
        rows = []
        for size, told in zip(sizes, answers, strict=True):
            verdict = _verdict(calls, job, p, size, told)
            rows.append({"bytes": size, "line": told["line"] or None, "verdict": verdict})
            report.caption(f"\n{show_size(size)}: {verdict}")
            shown = told["passed"] if args.all else told["passed"][-MOST_PASSED:]
            if len(shown) < len(told["passed"]):
                report.caption(
                    f"  passed over: {len(told['passed']) - len(shown)} more rules (--all)"
                )
            for line, asks, why in shown:
                report.caption(f"  passed over: line {line}, {asks}: {why}")
        report.table(plain(("bytes", "line", "verdict")), rows)
    return 0


def _verdict(calls: _core.Calls, job: Job | None, p: int, size: int, told: dict[str, Any]) -> str:
    """Who serves a call of this size."""
    from .. import _core
    from ..jobs.job import explain

    if told["line"]:
        if told["complaint"] and told["served"] != "mpi":
            return f"{told['served']}, line {told['line']}; {told['complaint']}"
        if told["complaint"]:
            return f"mpi; line {told['line']} answers with {told['asks']}, but {told['complaint']}"
        return f"{told['served']}, line {told['line']}"
    if calls.collective == "alltoallv":
        algorithm, why = _core.choose_default(calls, p, size)
        return f"{algorithm}; no rule answers: {why}"
    unanswered = "no rule answers: "
    if calls.form == "blocking":
        unanswered += "measured in the job, at first "
    if job is None:
        return f"{unanswered}by counting (give --hosts)"
    counted = explain(job, calls, [size])
    if counted["library_first"][0]:
        return f"{unanswered}mpi: {counted['library_first'][0]}"
    chosen = counted["candidates"][counted["chosen"][0]]["algorithm"]
    return f"{unanswered}{chosen}, by counting (without --rules: why)"
