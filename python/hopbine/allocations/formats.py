"""Formats of allocations: each parser takes text and a source and yields jobs.

An error in one job does not end the others.
"""

import csv
import json
import re
from typing import Any

from ..errors import UsageError
from ..notation.hosts import MOST_HOSTS, expand
from .allocation import Allocation, BadJob, Jobs, job
from .squeue import HEADERLESS, NO_NODES


def host_list(text: str, source: str) -> Jobs:
    """Hosts, compact or one per line, '#' begins a comment: one job.

    A host given again is another rank on it. UsageError names the line.
    """
    hosts: list[str] = []
    for n, row in enumerate(text.splitlines(), 1):
        try:
            hosts += expand(row.partition("#")[0])
        except UsageError as error:
            raise UsageError(f"{source}:{n}: {error}") from None
        if len(hosts) > MOST_HOSTS:
            raise UsageError(f"{source}:{n}: these are more than {MOST_HOSTS:,} hosts")
    if not hosts:
        raise UsageError(f"{source}: lists no hosts")
    yield Allocation(source, tuple(hosts), source)


def rank_host(text: str, source: str) -> Jobs:
    """CSV of rank and host: one job.

    The header, if any, names the columns (rank or MPI_Rank; host or allocation), as PICO's
    allocation files do.
    """
    rows = list(csv.reader(text.splitlines()))
    header = [c.strip().lower() for c in rows[0]]
    named = not re.fullmatch(r"[0-9]+", header[0])
    rank_at, host_at = _rank_columns(header) if named else (0, 1)
    by_rank: dict[int, str] = {}
    lines: dict[int, int] = {}
    for n, row in enumerate(rows[named:], 1 + named):
        if not any(c.strip() for c in row):
            continue
        rank, host = _rank_cells(row, rank_at, host_at, f"{source}:{n}")
        if rank in by_rank:
            raise UsageError(
                f"{source}:{n}: rank {rank} is there twice (first in line {lines[rank]})"
            )
        by_rank[rank], lines[rank] = host, n
    if not by_rank:
        raise UsageError(f"{source}: lists no ranks")
    missing = next((r for r in range(len(by_rank)) if r not in by_rank), None)
    if missing is not None:
        last = max(by_rank)
        raise UsageError(
            f"{source}:{lines[last]}: rank {missing} is missing, though rank {last} is there"
        )
    yield Allocation(source, tuple(by_rank[r] for r in range(len(by_rank))), source)


def _rank_columns(header: list[str]) -> tuple[int, int]:
    """Columns of rank and host by name, else the first and the second."""
    ranks, hosts = ("rank", "mpi_rank"), ("host", "hostname", "allocation", "node")
    rank_at = next((i for i, c in enumerate(header) if c in ranks), 0)
    return rank_at, next((i for i, c in enumerate(header) if c in hosts), 1)


def _rank_cells(row: list[str], rank_at: int, host_at: int, where: str) -> tuple[int, str]:
    """Rank and host of a row. UsageError begins with `where`."""
    cells = [c.strip() for c in row]
    if (
        len(cells) <= max(rank_at, host_at)
        or not re.fullmatch(r"[0-9]{1,9}", cells[rank_at])
        or not cells[host_at]
    ):
        raise UsageError(f"{where}: '{','.join(row)[:60]}' is not RANK,HOST")
    return int(cells[rank_at]), cells[host_at]


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
            f"{source}: is no statistics file of hopbine run with the nodes of the ranks"
        ) from None
    if not isinstance(nodes, list) or not nodes or not all(isinstance(n, str) and n for n in nodes):
        raise UsageError(f"{source}: its nodes are not a list of names")
    yield Allocation(source, tuple(nodes), source)


def sniff(text: str) -> str:
    """Name of the format, recognised by the text."""
    first = next(row for row in text.splitlines() if row.strip())
    words = [c.strip().lower() for c in first.split(",")]
    if first.startswith("{"):
        return "stats"
    if re.search(r"\bJobId=", text):
        return "scontrol"
    if "JOBID" in first.upper() and "NODELIST" in first.upper():
        return "squeue"
    if "job" in words and {"hosts", "nodelist", "node_ids"} & set(words):
        return "jobs"
    if {"rank", "mpi_rank"} & set(words) or all(
        re.fullmatch(r"\s*([0-9]+\s*,\s*[\w.-]+\s*)?", row) for row in text.splitlines()
    ):
        return "ranks"
    if HEADERLESS.fullmatch(first):
        return "squeue"
    return "hosts"
