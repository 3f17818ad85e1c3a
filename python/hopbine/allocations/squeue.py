"""Tables of squeue and sacct.

Names of jobs and the reasons why jobs wait may hold blanks, in columns that blanks divide.
"""

import re

from .allocation import BadJob, Jobs, job

#: squeue -h: a number, perhaps of an array, then at the end something with a letter (hosts, or a
#: reason in parentheses).
HEADERLESS = re.compile(r"\s*[0-9]+(_\S+)?[\s|]+(.*[\s|])?\(?[A-Za-z]\S*\s*")
#: Where hosts are to be, for jobs that have their nodes no more, or not yet.
NO_NODES = ("PENDING", "PD", "(null)", "None assigned", "")
#: A reason in parentheses (that may hold others) is one word, whatever blanks it has.
_WORD = re.compile(r"\((?:[^()]|\([^()]*\))*\)(?!\S)|\S+")


def table(text: str, source: str) -> Jobs:
    """squeue and sacct: a header with JOBID (or JobID) and NODELIST, columns between blanks or '|'.

    Without a header (squeue -h -o "%i %N") the job is the first column and its hosts the last. Jobs
    without nodes are passed over.
    """
    rows = text.splitlines()
    start = next(i for i, row in enumerate(rows) if row.strip())
    bar = "|" in rows[start]
    header = [c.strip().upper() for c in (rows[start].split("|") if bar else _words(rows[start]))]
    headed = "JOBID" in header and any(c.startswith("NODELIST") for c in header)
    if headed:
        start += 1
    elif HEADERLESS.fullmatch(rows[start]):
        header = ["JOBID", *[""] * (len(header) - 2), "NODELIST"]
    else:
        raise ValueError(
            f"{source}:{start + 1}: is no table of squeue or sacct with columns JOBID and NODELIST"
        )
    id_at = header.index("JOBID")
    hosts_at = next(i for i, c in enumerate(header) if c.startswith("NODELIST"))
    for n, row in enumerate(rows[start:], start + 1):
        if not row.strip():
            continue
        cells = row.split("|") if bar else _words(row, header if headed else None)
        name = cells[id_at].strip() if len(cells) > id_at else ""
        if "." in name and bar:
            continue  # a step of a job that has its own row
        if not bar and _waits(cells, header):
            continue
        # Names of jobs may hold blanks: the list of hosts is as far from the end of the row as from
        # the end of the header.
        nodes = (
            (cells[hosts_at] if bar else cells[hosts_at - len(header)]).strip()
            if len(cells) >= len(header)
            else ""
        )
        if nodes in NO_NODES or nodes.startswith(("(", "UnavailableNodes:")) or nodes.endswith(","):
            continue
        if not bar and _may_be_reason(cells, header):
            yield BadJob(
                name,
                f"{source}:{n}",
                f"has {len(cells)} words for {len(header)} columns, so that a reason with blanks "
                "could be read as "
                "hosts; divide columns by '|', as in squeue -o '%i|%r|%N'",
            )
            continue
        yield job(name, nodes, f"{source}:{n}")


def _words(row: str, header: list[str] | None = None) -> list[str]:
    """Words between blanks.

    A reason that the column's width has cut off has no closing parenthesis: it begins in the column
    of hosts (without a header: after the number of nodes) and reaches as far as the columns after
    it leave room.
    """
    words = _WORD.findall(row)
    hosts_at = (
        next((i for i, c in enumerate(header) if c.startswith("NODELIST")), len(header))
        if header
        else 1
    )
    end = len(words) - (len(header) - 1 - hosts_at if header else 0)
    for i in range(hosts_at, end):
        if (
            words[i].startswith("(")
            and not words[i].endswith(")")
            and (header or words[i - 1].isdecimal())
        ):
            return [*words[:i], " ".join(words[i:end]), *words[end:]]
    return words


def _waits(words: list[str], header: list[str]) -> bool:
    """Does the column of states say so? Words too many may be before it or after it."""
    at = next((i for i, c in enumerate(header) if c in ("ST", "STATE")), None)
    if at is None:
        return False
    here = set(words[at : at + 1 + max(0, len(words) - len(header))])
    return bool(here & {"PD", "PENDING"}) and not here & {"R", "RUNNING"}


def _may_be_reason(words: list[str], header: list[str]) -> bool:
    """Are there words too many, a column of reasons without parentheses, and no state that tells?

    squeue -o %r prints such columns.
    """
    if len(words) <= len(header) or "REASON" not in header or {"ST", "STATE"} & set(header):
        return False
    return words[header.index("REASON") - len(header)] != "None"
