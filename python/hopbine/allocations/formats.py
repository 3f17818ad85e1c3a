"""Formats of allocations: each parser takes text and a source and yields jobs.

An error in one job does not end the others.
"""

import csv
import json
import re
from collections.abc import Callable
from typing import Any

from ..errors import UsageError
from ..machines import flux
from ..notation.hostfile import listed, without_comment
from ..notation.hosts import MOST_RANKS
from .allocation import Allocation, BadJob, Jobs, job
from .rank_files import is_labelled, is_rankfile
from .squeue import HEADERLESS, NO_NODES


def host_list(text: str, source: str) -> Jobs:
    """Hosts, compact or one per line, perhaps with numbers of ranks: one job.

    Hostfiles of launchers and schedulers (notation/hostfile.py). A host given again is another rank
    on it. UsageError names the line.
    """
    hosts: list[str] = []
    for n, row in enumerate(text.splitlines(), 1):
        try:
            hosts += listed(without_comment(row))
        except UsageError as error:
            raise UsageError(f"{source}:{n}: {error}") from None
        if len(hosts) > MOST_RANKS:
            raise UsageError(f"{source}:{n}: these are more than {MOST_RANKS:,} ranks")
    if not hosts:
        raise UsageError(f"{source}: lists no hosts")
    yield Allocation(source, tuple(hosts), source)


def flux_set(text: str, source: str) -> Jobs:
    """Resource set of Flux, `flux resource R`: one job with a rank on every node."""
    yield Allocation(source, tuple(flux.nodes(text, source)), source)


def scontrol(text: str, source: str) -> Jobs:
    """`scontrol show job`: JobId= begins a job, NodeList= has its hosts.

    Jobs without nodes (pending) are passed over.
    """
    jobs: list[dict[str, Any]] = []
    for n, row in enumerate(text.splitlines(), 1):
        if begins := re.search(r"\bJobId=(\S+)", row):
            jobs.append({"name": begins[1], "nodes": "", "count": None, "line": n})
        if jobs and (nodes := re.search(r"(?:^|\s)NodeList=(\S*)", row)):
            jobs[-1] |= {"nodes": nodes[1], "line": n}
        if jobs and (count := re.search(r"\bNumNodes=([0-9]{1,9})\b", row)):
            jobs[-1]["count"] = int(count[1])
    if not jobs and text.strip() != "No jobs in the system":
        first = next(row for row in text.splitlines() if row.strip()).strip()[:60]
        raise UsageError(
            f"{source}: is no output of scontrol show job: it has no JobId= and begins '{first}'"
        )
    for one in jobs:
        if one["nodes"] in NO_NODES:
            continue
        read = job(one["name"], one["nodes"], f"{source}:{one['line']}")
        if isinstance(read, Allocation) and one["count"] not in (None, len(read.hosts)):
            read = BadJob(
                read.job,
                read.source,
                f"NumNodes is {one['count']}, its NodeList has {len(read.hosts)}",
            )
        yield read


def jobs_csv(text: str, source: str) -> Jobs:
    """CSV, one job per row: a column job and one of hosts, nodelist or node_ids.

    Several hosts are divided by blanks, ranges of numbers are a-b.
    """
    reader = csv.reader(text.splitlines())
    header = [c.strip().lower() for c in next(reader)]
    columns = [c for c in ("hosts", "nodelist", "node_ids") if c in header]
    if "job" not in header or not columns:
        raise UsageError(f"{source}:1: has no columns job and hosts, nodelist or node_ids")
    id_at, hosts_at = header.index("job"), header.index(columns[0])
    for row in reader:
        at = f"{source}:{reader.line_num}"
        if not row:
            continue
        if len(row) != len(header):
            yield BadJob(row[0], at, f"has {len(row)} columns, the header has {len(header)}")
            continue
        yield job(
            row[id_at], re.sub(r"(?<![\w\[,-])(\d+-\d+)(?![\w\]])", r"[\1]", row[hosts_at]), at
        )


def stats(text: str, source: str) -> Jobs:
    """Statistics of hopbine run --stats: the nodes of the ranks of a job."""
    try:
        nodes = json.loads(text)["nodes"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise UsageError(
            f"{source}: is no statistics file of hopbine run with the nodes of the ranks, and no "
            "resource set of Flux (execution with R_lite and nodelist)"
        ) from None
    if not isinstance(nodes, list) or not nodes or not all(isinstance(n, str) and n for n in nodes):
        raise UsageError(f"{source}: its nodes are not a list of names")
    yield Allocation(source, tuple(nodes), source)


def sniff(text: str) -> str:
    """Name of the format, recognised by the text."""
    first = next(row for row in text.splitlines() if row.strip())
    told = (name for name, is_one in _RECOGNISED.items() if is_one(text, first))
    return next(told, "hosts")


def _is_jobs(_: str, first: str) -> bool:
    words = {c.strip().lower() for c in first.split(",")}
    return "job" in words and bool({"hosts", "nodelist", "node_ids"} & words)


def _is_ranks(text: str, first: str) -> bool:
    words = {c.strip().lower() for c in first.split(",")}
    return bool({"rank", "mpi_rank"} & words) or all(
        re.fullmatch(r"\s*([0-9]+\s*,\s*[\w.-]+\s*)?", row) for row in text.splitlines()
    )


def _is_squeue(_: str, first: str) -> bool:
    named = "JOBID" in first.upper() and "NODELIST" in first.upper()
    return named or HEADERLESS.fullmatch(first) is not None


#: By format: whether a text, whose first line is beside it, has it. The first that is so counts.
_RECOGNISED: dict[str, Callable[[str, str], bool]] = {
    "flux": lambda text, _: flux.looks_like(text),
    "stats": lambda _, first: first.lstrip().startswith("{"),
    "rankfile": lambda text, _: is_rankfile(text) or is_labelled(text),
    "scontrol": lambda text, _: re.search(r"\bJobId=", text) is not None,
    "jobs": _is_jobs,
    "ranks": _is_ranks,
    "squeue": _is_squeue,
}
