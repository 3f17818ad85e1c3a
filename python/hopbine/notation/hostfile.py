"""Lines of hostfiles: hosts, and how many ranks each has.

HOST slots=N: Open MPI (PRRTE's documentation, "hostfiles"). HOST:N: MPICH's Hydra, Intel MPI,
--host of Open MPI. HOST N HOST N: LSF (LSB_MCPU_HOSTS). HOST/0*N+HOST/0*N: exec_host of PBS.
HOST*N: Slurm (SLURM_HOSTFILE).
"""

import re

from ..errors import UsageError
from .hosts import MOST_HOSTS, expand, split
from .text import near, short

#: Ranks of a host: PRRTE's words (hostfile_lex.l), and that of Torque's file of nodes.
COUNTS = ("slots", "cpu", "count", "np")
#: Options of a host that say nothing about who is where: PRRTE's, then Hydra's.
OTHERS = (
    *("slots_max", "max_slots", "cpu_max", "max_cpu", "count_max", "max_count"),
    *("username", "user_name", "port", "boards", "sockets", "sockets_per_board"),
    *("cores", "cores_per_socket", "user", "binding", "bindto", "mapby"),
)
_OPTION = re.compile(r"([A-Za-z][\w-]*)=(.*)", re.S)
#: A host and its ranks: HOST:N, HOST:N:ADAPTER (MVAPICH), HOST*N, N*HOST (bjobs).
_COUNTED = re.compile(r"(?P<host>[^:*]*[^:*\s])(?::(?P<n>[^:]*)(?::\w+)?|\*(?P<times>\d*))")
_TIMES = re.compile(r"(\d+)\*(.+)")
#: PBS: host, the first of its slots or a range of them, and how many.
_EXEC = re.compile(r"(?P<host>[^/+*]+)/(?P<slot>\d+)(?:-(?P<last>\d+))?(?:\*(?P<n>\d+))?")
#: After the host in LSB_AFFINITY_HOSTFILE: processors, nodes of memory, policy.
_PROCESSORS = re.compile(r"\d[\d,-]*")
#: What a cell has besides names and lists of hosts.
_MARKS = set(":*/@^+")
_ALLOWED = "allowed are HOST, HOST:RANKS, 'HOST slots=RANKS', n[1-4,7]"


def without_comment(row: str) -> str:
    """A line up to '#' or, as PRRTE has it too, '//'."""
    return re.split(r"#|//", row, maxsplit=1)[0].strip()


def listed(text: str) -> list[str]:
    """The host of each rank that a line names, in its order.

    UsageError names what is wrong, and what is allowed.
    """
    cells = _cells(re.sub(r"\s*=\s*", "=", text))
    if _is_affinity(cells):
        cells = cells[:1]
    out: list[str] = []
    last: list[str] = []  # of the cell before, which a number or an option is about
    for cell in cells:
        if m := _OPTION.fullmatch(cell):
            n = _option(m[1], m[2], last, cell)
        elif cell.isdecimal() and last and not any(host.isdecimal() for host in last):
            n = _whole(cell, cell)
        else:
            last = _hosts(cell)
            n = 1
            out += last
        if len(out) + len(last) * (n - 1) > MOST_HOSTS:
            raise UsageError(f"'{short(text)}' has more than {MOST_HOSTS:,} ranks")
        out += [host for host in last for _ in range(n - 1)]
        if n > 1:
            last = []  # one number for a host
    return out


def _cells(text: str) -> list[str]:
    """Cells between blanks that are outside brackets."""
    return [cell for cell in re.split(r"\s+(?![^\[]*\])", text) if cell]


def _is_affinity(cells: list[str]) -> bool:
    """Whether it is a line of LSB_AFFINITY_HOSTFILE: a task's host, processors, memory."""
    rest = cells[1:]
    return (
        bool(rest)
        and not cells[0].isdecimal()
        and all(_PROCESSORS.fullmatch(cell) for cell in rest)
        and (len(rest) > 1 or not rest[0].isdecimal())
    )


def _option(key: str, value: str, hosts: list[str], cell: str) -> int:
    """Ranks of each of `hosts` that KEY=VALUE says; 1 where it says something else."""
    name = key.lower().replace("-", "_")
    if name not in COUNTS + OTHERS:
        known = COUNTS + OTHERS
        raise UsageError(
            f"'{short(cell)}' is no option of a host (ranks: {', '.join(COUNTS)}; passed over: "
            f"{', '.join(OTHERS)}){near(name, known)}"
        )
    if name in OTHERS:
        return 1
    if not hosts:
        raise UsageError(f"'{short(cell)}' has no host before it, or is its second number of ranks")
    return _whole(value, cell)


def _hosts(cell: str) -> list[str]:
    """The hosts of a cell without blanks, each once for each of its ranks."""
    if not _MARKS & set(cell):
        return _expanded(cell)
    out: list[str] = []
    for part in re.split(r"[,+](?![^\[]*\])", cell) if "/" in cell else _parts(cell):
        hosts, n = _counted(part)
        if len(out) + len(hosts) * n > MOST_HOSTS:
            raise UsageError(f"'{short(cell)}' has more than {MOST_HOSTS:,} ranks")
        out += [host for host in hosts for _ in range(n)]
    return out


def _parts(cell: str) -> list[str]:
    """Parts between commas outside brackets; those of bjobs, N*HOST:N*HOST, between colons."""
    if re.fullmatch(r"\d+\*[^:*,]+(:\d+\*[^:*,]+)*", cell):
        return cell.split(":")
    return split(cell)


def _counted(part: str) -> tuple[list[str], int]:
    """Hosts, and ranks on each."""
    host, n = part, 1
    if part.startswith("^"):
        raise UsageError(f"'{short(part)}' leaves a host out: write the hosts that remain")
    if part.startswith("+"):
        raise UsageError(
            f"'{short(part)}' counts hosts of an allocation that is not known here: write its name"
        )
    if "@" in part:
        host = part = part.rpartition("@")[2]
    if m := _EXEC.fullmatch(part):
        host = m["host"]
        n = int(m["n"] or 1) * (int(m["last"] or m["slot"]) - int(m["slot"]) + 1)
        if n < 1:
            raise UsageError(f"the slots of '{short(part)}' run backwards")
    elif m := _TIMES.fullmatch(part):
        n, host = _whole(m[1], part), m[2]
    elif (m := _COUNTED.fullmatch(part)) and not _is_address(part):
        host, n = m["host"], _whole(m["n"] if m["times"] is None else m["times"], part)
    return _expanded(host), n


def _expanded(text: str) -> list[str]:
    try:
        return expand(text)
    except UsageError as error:
        raise UsageError(f"{error}; {_ALLOWED}") from None


def _is_address(text: str) -> bool:
    """Whether it is an address of IPv6, in which colons count nothing."""
    return text.count(":") > 1 and re.fullmatch(r"[0-9A-Fa-f:.]+", text) is not None


def _whole(text: str, of: str) -> int:
    """A number of ranks. UsageError names what it is of."""
    if text in ("*", ""):
        raise UsageError(
            f"'{short(of)}' does not say how many ranks: the cores of a node are not known here, "
            "so write the number"
        )
    if not re.fullmatch(r"[0-9]{1,7}", text) or not 1 <= int(text) <= MOST_HOSTS:
        raise UsageError(f"'{short(of)}' has no number of ranks from 1 to {MOST_HOSTS:,}")
    return int(text)
