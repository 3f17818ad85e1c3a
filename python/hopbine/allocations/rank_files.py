"""Files that tell the host of each rank by its number."""

import csv
import re
from collections.abc import Iterable

from ..errors import UsageError
from ..notation.hostfile import without_comment
from ..notation.hosts import expand
from ..notation.text import short
from .allocation import Allocation, Jobs

#: A line of Open MPI's rankfiles: rank 0=node1 slot=0:0-3
_RANKFILE = re.compile(r"rank\s+([0-9]{1,9})\s*=\s*(\S+)(?:\s+slots?\s*=.*)?", re.I)
#: A line of srun -l hostname: 0: node1
_LABELLED = re.compile(r"\s*([0-9]{1,9}):\s+(\S+)\s*")


def is_rankfile(text: str) -> bool:
    """Whether the first line that says something is one of Open MPI's rankfiles."""
    rows = (without_comment(row) for row in text.splitlines())
    return _RANKFILE.fullmatch(next(filter(None, rows), "")) is not None


def is_labelled(text: str) -> bool:
    """Whether all lines are RANK: HOST."""
    return all(_LABELLED.fullmatch(row) for row in text.splitlines() if row.strip())


def rankfile(text: str, source: str) -> Jobs:
    """Rankfile of Open MPI, `rank N=HOST slot=...`, or lines `N: HOST` of srun -l: one job.

    UsageError names file and line.
    """
    rows = []
    for n, row in enumerate(text.splitlines(), 1):
        said = without_comment(row)
        if not said:
            continue
        m = _RANKFILE.fullmatch(said) or _LABELLED.fullmatch(said)
        if not m:
            raise UsageError(f"{source}:{n}: '{short(said)}' is not 'rank N=HOST slot=...'")
        rows.append((n, int(m[1]), _host(m[2].strip("\"'"), f"{source}:{n}")))
    yield _in_order(rows, source)


def _host(name: str, where: str) -> str:
    """The one host of a name. UsageError begins with `where`."""
    if name.startswith("+"):
        raise UsageError(
            f"{where}: '{short(name)}' counts hosts of an allocation that is not known here: write "
            "the host's name"
        )
    try:
        (host,) = expand(name.rpartition("@")[2])
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from None
    except ValueError:
        raise UsageError(f"{where}: '{short(name)}' is not one host; a rank has one") from None
    return host


def rank_host(text: str, source: str) -> Jobs:
    """CSV of rank and host: one job.

    The header, if any, names the columns (rank or MPI_Rank; host or allocation), as PICO's
    allocation files do.
    """
    rows = list(csv.reader(text.splitlines()))
    header = [c.strip().lower() for c in rows[0]]
    named = not re.fullmatch(r"[0-9]+", header[0])
    columns = _rank_columns(header) if named else (0, 1)
    yield _in_order(
        (
            (n, *_rank_cells(row, *columns, f"{source}:{n}"))
            for n, row in enumerate(rows[named:], 1 + named)
            if any(c.strip() for c in row)
        ),
        source,
    )


def _in_order(rows: Iterable[tuple[int, int, str]], source: str) -> Allocation:
    """The job of (line, rank, host), in any order. UsageError names file and line."""
    by_rank: dict[int, str] = {}
    lines: dict[int, int] = {}
    for n, rank, host in rows:
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
    return Allocation(source, tuple(by_rank[r] for r in range(len(by_rank))), source)


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
