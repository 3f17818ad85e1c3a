"""Tables of squeue and sacct.

Names of jobs and reasons for waiting may have blanks, in columns that blanks divide.
"""

import re
from dataclasses import dataclass, replace

from ..errors import UsageError
from .allocation import Allocation, BadJob, Jobs, job

#: squeue -h: a number, perhaps of an array, then at the end something with a letter (hosts, or a
#: reason in parentheses).
HEADERLESS = re.compile(r"\s*[0-9]+(_\S+)?[\s|]+(.*[\s|])?\(?[A-Za-z]\S*\s*")
#: In the column of hosts, for jobs without nodes: waiting or ended.
NO_NODES = ("PENDING", "PD", "(null)", "None assigned", "")
#: The line below sacct's header, which shows the width of each column.
_RULER = re.compile(r"\s*-+(\s+-+)+\s*")
#: A reason in parentheses, nested ones included, is one word, whatever blanks it has.
_WORD = re.compile(r"\((?:[^()]|\([^()]*\))*\)(?!\S)|\S+")


@dataclass(frozen=True)
class _Columns:
    """Columns of a table."""

    header: list[str]
    bar: bool  #: whether '|' divides them, not blanks
    named: bool  #: whether the table has a header
    widths: tuple[tuple[int, int], ...] = ()  #: where each column begins and ends, if that is known

    @property
    def exact(self) -> bool:
        """Whether no cell runs into another, and empty ones are seen."""
        return self.bar or bool(self.widths)

    @property
    def hosts_at(self) -> int:
        """Number of the column of hosts."""
        return next(i for i, c in enumerate(self.header) if c.startswith("NODELIST"))

    def cells(self, row: str) -> list[str]:
        """Cells of a row."""
        if self.widths:
            return [row[begin:end].strip() for begin, end in self.widths]
        return row.split("|") if self.bar else _words(row, self.header if self.named else None)

    def name(self, cells: list[str]) -> str:
        """Name of the job."""
        at = self.header.index("JOBID")
        return cells[at].strip() if len(cells) > at else ""

    def nodes(self, cells: list[str]) -> str:
        """List of hosts.

        Names of jobs may have blanks, so the column is counted from the end.
        """
        if len(cells) < len(self.header):
            return ""
        return cells[self.hosts_at if self.exact else self.hosts_at - len(self.header)].strip()


def table(text: str, source: str) -> Jobs:
    """Table of squeue or sacct, its columns divided by blanks or '|'.

    The header has JOBID (or JobID) and NODELIST. Without one (squeue -h -o "%i %N") the job is the
    first column and its hosts the last. Jobs without nodes are passed over.
    """
    rows = text.splitlines()
    start = next(i for i, row in enumerate(rows) if row.strip())
    columns = _columns(rows[start], f"{source}:{start + 1}")
    start += columns.named
    if columns.named and start < len(rows) and _RULER.fullmatch(rows[start]):
        spans = tuple(m.span() for m in re.finditer("-+", rows[start]))
        if len(spans) == len(columns.header):
            columns = replace(columns, widths=spans)
        start += 1
    for n, row in enumerate(rows[start:], start + 1):
        if row.strip() and (found := _job(columns, columns.cells(row), f"{source}:{n}")):
            yield found


def _columns(first: str, where: str) -> _Columns:
    """Columns by the first row, which is the header or a job. UsageError begins with `where`."""
    bar = "|" in first
    header = [c.strip().upper() for c in (first.split("|") if bar else _words(first))]
    if "JOBID" in header and any(c.startswith("NODELIST") for c in header):
        return _Columns(header, bar, named=True)
    if HEADERLESS.fullmatch(first):
        return _Columns(["JOBID", *[""] * (len(header) - 2), "NODELIST"], bar, named=False)
    raise UsageError(f"{where}: is no table of squeue or sacct with columns JOBID and NODELIST")


def _job(columns: _Columns, cells: list[str], where: str) -> Allocation | BadJob | None:
    """Job of a row; None for a step of a job, which has its own row, and without nodes."""
    name, nodes = columns.name(cells), columns.nodes(cells)
    if "." in name if columns.exact else _waits(cells, columns.header):
        return None
    if nodes in NO_NODES or nodes.startswith(("(", "UnavailableNodes:")) or nodes.endswith(","):
        return None
    if not columns.exact and _may_be_reason(cells, columns.header):
        return BadJob(
            name,
            where,
            f"has {len(cells)} words for {len(columns.header)} columns, so that a reason with "
            "blanks could be read as hosts; divide columns by '|', as in squeue -o '%i|%r|%N'",
        )
    return job(name, nodes, where)


def _words(row: str, header: list[str] | None = None) -> list[str]:
    """Words between blanks.

    A reason that the column's width has cut off has no closing parenthesis: it begins in the column
    of hosts (without a header: after the number of nodes) and reaches as far as the columns after
    it leave room.
    """
    words = _WORD.findall(row)
    hosts_at, after = 1, 0
    if header:
        named = (i for i, c in enumerate(header) if c.startswith("NODELIST"))
        hosts_at = next(named, len(header))
        after = len(header) - 1 - hosts_at
    end = len(words) - after
    for i in range(hosts_at, end):
        cut_off = words[i].startswith("(") and not words[i].endswith(")")
        if cut_off and (header or words[i - 1].isdecimal()):
            return [*words[:i], " ".join(words[i:end]), *words[end:]]
    return words


def _waits(words: list[str], header: list[str]) -> bool:
    """Whether the state is that of a waiting job. Extra words may be before or after it."""
    at = next((i for i, c in enumerate(header) if c in ("ST", "STATE")), None)
    if at is None:
        return False
    here = set(words[at : at + 1 + max(0, len(words) - len(header))])
    return bool(here & {"PD", "PENDING"}) and not here & {"R", "RUNNING"}


def _may_be_reason(words: list[str], header: list[str]) -> bool:
    """Whether a reason with blanks may be in the row, and no column of states to decide.

    squeue -o %r prints reasons without parentheses.
    """
    if len(words) <= len(header) or "REASON" not in header or {"ST", "STATE"} & set(header):
        return False
    return words[header.index("REASON") - len(header)] != "None"
